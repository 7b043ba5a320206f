"""Attributes that are not known: asked by query and as `_` in Relay text, against brute force over their universe."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.errors import RelayLogicError
from relaylogic.infer.program import Inference
from relaylogic.logic import eq, fail, fresh, lall, later
from relaylogic.rulebase import Operator, RuleError, load_rules
from relaylogic.rulebase.attribute_universe import AttributeBounds, values_of
from relaylogic.rulebase.attributes import parse_attributes
from relaylogic.rulebase.given_attributes import AttributeProblem
from relaylogic.rulebase.relation import Relation
from relaylogic.text import parse_type
from relaylogic.types import TensorType, TupleType
from relaylogic.typings.query import query
from tests.effort import examples

RULES = load_rules()
DTYPES = ["float32", "int8", "int32"]


def lists(values, longest, least=0):
    return [items for n in range(least, longest + 1) for items in product(values, repeat=n)]


def subsets(count, longest=9):
    return [items for n in range(min(count, longest) + 1) for items in combinations(range(count), n)]


def pairs(most):
    return list(product(range(most + 1), repeat=2))


BOOLS = [False, True]
CASES = {
    # operator, types of the inputs, type of the result, what is known, what is asked for with its universe, bounds
    "transpose": (
        "transpose",
        ["Tensor[(2, 3, 2), int8]"],
        "Tensor[(2, 2, 3), int8]",
        {},
        {"axes": [None, *(p for n in range(4) for p in permutations(range(3), n))]},
        (2, 3),
    ),
    "sum": (
        "sum",
        ["Tensor[(2, 1, 2), float32]"],
        "Tensor[(1, 2), float32]",
        {},
        {"axis": [None, *subsets(3)], "keepdims": BOOLS, "exclude": BOOLS},
        (2, 3),
    ),
    "argmax": ("argmax", ["Tensor[(2, 2), int8]"], "Tensor[(2), int32]", {}, {"axis": [None, *subsets(2)]}, (1, 2)),
    "concatenate": (
        "concatenate",
        ["Tensor[(2, 2), int8]", "Tensor[(2, 2), int8]"],
        "Tensor[(2, 4), int8]",
        {},
        {"axis": range(4)},
        (3, None),
    ),
    "split": (
        "split",
        ["Tensor[(4, 4), int8]"],
        "(Tensor[(4, 2), int8], Tensor[(4, 2), int8])",
        {},
        {
            "axis": range(5),
            "indices_or_sections": [*range(5), *(p for n in range(3) for p in combinations(range(5), n))],
        },
        (4, 2),
    ),
    "squeeze": (
        "squeeze",
        ["Tensor[(1, 2, 1), int8]"],
        "Tensor[(2, 1), int8]",
        {},
        {"axis": [None, *subsets(3)]},
        (2, 3),
    ),
    "expand_dims": (
        "expand_dims",
        ["Tensor[(1, 2), int8]"],
        "Tensor[(1, 1, 1, 2), int8]",
        {},
        {"axis": range(4), "num_newaxis": range(4)},
        (3, None),
    ),
    "conv2d, places": (
        "nn.conv2d",
        ["Tensor[(1, 3, 8, 8), int8]", "Tensor[(4, 3, 3, 3), int8]"],
        "Tensor[(1, 4, 4, 3), int8]",
        {},
        {
            "strides": list(product(range(3), repeat=2)),
            "padding": lists(range(3), 2),
            "dilation": list(product(range(3), repeat=2)),
        },
        (2, 2),
    ),
    "conv2d, four paddings": (
        "nn.conv2d",
        ["Tensor[(1, 3, 8, 8), int8]", "Tensor[(4, 3, 3, 3), int8]"],
        "Tensor[(1, 4, 4, 4), int8]",
        {"strides": (2, 2)},
        {"padding": lists(range(3), 4)},
        (2, 4),
    ),
    "conv2d, groups": (
        "nn.conv2d",
        ["Tensor[(1, 4, 8, 8), int8]", "Tensor[(8, 2, 3, 3), int8]"],
        "Tensor[(1, 8, 6, 6), int8]",
        {},
        {"groups": range(9), "channels": [None, *range(9)]},
        (8, None),
    ),
    "conv2d, kernel": (
        "nn.conv2d",
        ["Tensor[(1, 4, 8, 8), int8]", "Tensor[(8, 4, 3, 2), int8]"],
        "Tensor[(1, 8, 6, 7), int8]",
        {"channels": 8},
        {"kernel_size": [None, *lists(range(5), 3)]},
        (4, 3),
    ),
    "conv2d, layouts": (
        "nn.conv2d",
        ["Tensor[(1, 3, 3, 4), int8]", "Tensor[(3, 3, 4, 2), int8]"],
        "Tensor[(1, 1, 1, 2), int8]",
        {},
        {
            "data_layout": ["".join(p) for p in permutations("NCHW")],
            "kernel_layout": ["".join(p) for p in permutations("OIHW")],
        },
        (1, None),
    ),
    "max_pool2d": (
        "nn.max_pool2d",
        ["Tensor[(1, 2, 6, 6), int8]"],
        "Tensor[(1, 2, 3, 3), int8]",
        {"padding": (0, 0)},
        {
            "pool_size": list(product(range(4), repeat=2)),
            "strides": list(product(range(4), repeat=2)),
            "ceil_mode": BOOLS,
        },
        (3, 2),
    ),
    "reshape": (
        "reshape",
        ["Tensor[(2, 3), int8]"],
        "Tensor[(3, 2), int8]",
        {},
        {"newshape": lists(range(-4, 7), 3)},
        (6, 3),
    ),
    "strided_slice": (
        "strided_slice",
        ["Tensor[(5), int8]"],
        "Tensor[(2), int8]",
        {},
        {name: lists(range(-3, 4), 1) for name in ("begin", "end", "strides")},
        (3, 1),
    ),
    "strided_slice, two axes": (
        "strided_slice",
        ["Tensor[(4, 3), int8]"],
        "Tensor[(2, 3), int8]",
        {"strides": (2, 1)},
        {name: lists(range(-2, 3), 2) for name in ("begin", "end")},
        (2, 2),
    ),
    "tile": ("tile", ["Tensor[(2, 3), int8]"], "Tensor[(4, 3), int8]", {}, {"reps": lists(range(4), 3)}, (3, 3)),
    "repeat": (
        "repeat",
        ["Tensor[(2, 2), int8]"],
        "Tensor[(4, 2), int8]",
        {},
        {"repeats": [None, *range(4)], "axis": [None, *range(4)]},
        (3, None),
    ),
    "pad": (
        "nn.pad",
        ["Tensor[(2, 3), int8]", "Tensor[(), int8]"],
        "Tensor[(4, 4), int8]",
        {},
        {"pad_width": lists(pairs(2), 2)},
        (2, 2),
    ),
    "cast": ("cast", ["Tensor[(2), int8]"], "Tensor[(2), int32]", {}, {"dtype": DTYPES}, (1, None)),
    "layout_transform": (
        "layout_transform",
        ["Tensor[(1, 2, 3, 3), int8]"],
        "Tensor[(1, 3, 3, 2), int8]",
        {"src_layout": "NCHW"},
        {"dst_layout": ["".join(p) for p in permutations("NCHW")]},
        (1, None),
    ),
    "broadcast_to": (
        "broadcast_to",
        ["Tensor[(1, 3), int8]"],
        "Tensor[(2, 2, 3), int8]",
        {},
        {"shape": lists(range(4), 3)},
        (3, 3),
    ),
}


def attribute_text(value):
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(attribute_text, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def expected(operator, inputs, result, known, asked):
    """All combinations of values with which the call holds: each is asked about on its own."""
    inputs = tuple(map(parse_type, inputs))
    arguments = (TupleType(inputs),) if operator.variadic or operator.name == "concatenate" else inputs
    found = set()
    for values in product(*asked.values()):
        try:
            attrs = operator.attrs({**known, **dict(zip(asked, values, strict=True))})
        except AttributeProblem:
            continue
        solution = RULES.solve(operator.relation, (*arguments, parse_type(result)), attrs)
        assert solution.exhausted and not any(answer.residue for answer in solution.answers)
        if solution.answers:
            found.add(values)
    return found


def plain(value):
    return tuple(map(plain, value)) if isinstance(value, (tuple, list)) else value


@pytest.mark.parametrize("most", [1, 2])
def test_codes_less_than_the_largest_number_are_listed_however_they_are_asked_for(most):
    """-4 was left out where numbers up to 2 were asked for, but not of a list that was said to begin with something."""
    bounds = {"max_attr": most, "max_attr_length": 3, "dtypes": ["int8"], "rules": RULES}
    call, result = "reshape(Tensor[(2), int8], newshape={})", "Tensor[(2, 1), int8]"
    universe = values_of(RULES.operators["reshape"].attributes["newshape"], AttributeBounds(most, 3))
    wanted = {value for value in universe if any(query(f"{call.format(list(value))} = {result}", **bounds))}
    assert (-4, -1, 1) in wanted
    for more in ("", ", x = [y | s]", ", x = [y, z | s]"):
        listed = [plain(answer.bindings["x"]) for answer in query(f"{call.format('x')} = {result}{more}", **bounds)]
        assert len(listed) == len(set(listed)) and set(listed) == wanted, more


@pytest.mark.parametrize("case", CASES)
def test_by_query_and_as_text_all_values_are_listed_once(case):
    name, inputs, result, known, asked, (most, longest) = CASES[case]
    wanted = expected(RULES.operators[name], inputs, result, known, asked)
    assert wanted
    bounds = {"max_attr": most, "max_attr_length": longest, "dtypes": DTYPES, "rules": RULES}
    given = [f"{attribute}={attribute_text(value)}" for attribute, value in known.items()]
    arguments = f"({', '.join(inputs)})" if name == "concatenate" else ", ".join(inputs)

    variables = {attribute: f"v{i}" for i, attribute in enumerate(asked)}
    holes = [f"{attribute}={variable}" for attribute, variable in variables.items()]
    found = query(f"{name}({', '.join([arguments, *given, *holes])}) = {result}", **bounds)
    listed = [tuple(plain(answer.bindings[v]) for v in variables.values()) for answer in found]
    assert found.status == "exhausted" and len(listed) == len(set(listed))
    assert set(listed) == wanted

    parameters = ", ".join(f"%p{i}: {type_}" for i, type_ in enumerate(inputs))
    names = ", ".join(f"%p{i}" for i in range(len(inputs)))
    call = f"({names})" if name == "concatenate" else names
    text = f"fn ({parameters}) -> {result} {{ {name}({', '.join([call, *given, *(f'{a}=_' for a in asked)])}) }}"
    found = relaylogic.typings(text, **bounds)
    listed = [tuple(plain(answer.bindings[f"{name}.{a}"]) for a in asked) for answer in found]
    assert found.status == "exhausted" and len(listed) == len(set(listed))
    assert set(listed) == wanted


LOOKS = {
    "is": lambda n: n == 3,
    "is not": lambda n: n != 3,
    "below": lambda n: n < 4,
    "at most": lambda n: n <= 4,
    "above": lambda n: n > 4,
    "between": lambda n: 2 <= n < 5,
    "truth": lambda n: not n,
    "one of": lambda n: n in (1, 4),
    "key": lambda n: {2: True}.get(n, False),
    "set": lambda n: len({n, 2, 5}) == 2,
    "index": lambda n: "abcdefghijk"[abs(n)] == "d",
    "range": lambda n: sum(range(n)) == 6,
    "repeated": lambda n: len((1,) * n) == 2,
    "text": lambda n: f"{n}" in ("2", "-2"),
    "sum": lambda n: 2 * n + 1 > 7,
    "difference": lambda n: 5 - n == 3,
    "negated": lambda n: -n < -4,
    "quotient": lambda n: 7 // (abs(n) + 1) == 1,
    "remainder": lambda n: n % 3 == 1,
    "power": lambda n: n**2 == 9,
    "shift": lambda n: 1 << abs(n) == 8,
    "absolute": lambda n: abs(n - 3) < 2,
    "greatest": lambda n: max(n, 3) == 3,
    "sorted": lambda n: sorted([n, 2])[0] == 2,
    "both": lambda n: divmod(n, 3) == (1, 1),
    "fraction": lambda n: n / 2 == 1.5,
    "itself": lambda n: n == n,  # noqa: PLR0124
    "squared": lambda n: n * n == n + 2,
    "an integer": lambda n: isinstance(n, int) and n > 6,
    "several": lambda n: n > 1 and n % 2 == 0 and n != 4,
    "always": lambda n: True,
}


def asked_with(kind, holds, bounds):
    """The values of an attribute of this kind for which a rule's own Python holds, as the search finds them."""
    relation = Relation("R", ("data", "out", "attrs"))

    @relation.clause
    def looks(data, out, attrs):
        return lall(eq(data, out)) if holds(attrs.n) else fail

    operator = Operator("r", ("data",), relation, parse_attributes(f"n: {kind}"))
    type_ = TensorType((2,), "int8")
    variable = fresh()
    attrs = operator.attrs({"n": variable}, bounds)
    from relaylogic.types.universe import Universe
    from relaylogic.typings.samples import search

    found = search(relation, RULES, attrs, (type_, type_), [], Universe(max_attr=bounds.most), variable)
    assert found is not None
    return {value for (value,) in found}


@pytest.mark.parametrize("sign", ["int", "int[-3..]", "int[..]"])
@pytest.mark.parametrize("name", LOOKS)
def test_whatever_python_asks_of_a_number_is_answered(name, sign):
    holds, bounds = LOOKS[name], AttributeBounds(8)
    attribute = parse_attributes(f"n: {sign}")["n"]
    assert asked_with(sign, holds, bounds) == {n for n in values_of(attribute, bounds) if holds(n)}


numbers = st.integers(-3, 9)
conditions = st.recursive(
    st.builds(lambda op, a, b: (op, a, b), st.sampled_from(["==", "<", ">="]), st.sampled_from("nm"), numbers)
    | st.builds(lambda op, k: (op, "n", "m", k), st.sampled_from(["+", "*", "//"]), numbers),
    lambda inner: st.tuples(st.sampled_from(["and", "or"]), inner, inner) | st.tuples(st.just("not"), inner),
    max_leaves=6,
)


def evaluated(condition, n, m):
    word = condition[0]
    if word == "not":
        return not evaluated(condition[1], n, m)
    if word == "and":
        return evaluated(condition[1], n, m) and evaluated(condition[2], n, m)
    if word == "or":
        return evaluated(condition[1], n, m) or evaluated(condition[2], n, m)
    if word in ("+", "*", "//"):
        value = n + m if word == "+" else n * m if word == "*" else n // (m + 1)
        return value > condition[3]
    left, right = (n if condition[1] == "n" else m), condition[2]
    return left == right if word == "==" else left < right if word == "<" else left >= right


@settings(max_examples=examples(60))
@given(conditions)
def test_a_rule_that_looks_at_two_numbers_is_answered_as_by_brute_force(condition):
    bounds = AttributeBounds(4)
    relation = Relation("R", ("data", "out", "attrs"))

    @relation.clause
    def looks(data, out, attrs):
        return eq(data, out) if evaluated(condition, attrs.n, attrs.m) else fail

    operator = Operator("r", ("data",), relation, parse_attributes("n: int[-2..]; m: int"))
    type_, n, m = TensorType((2,), "int8"), fresh(), fresh()
    pair = operator.attrs({"n": n, "m": m}, bounds)
    solution = RULES.solve(RULES.asking(relation, pair.spec), (type_, *_slots(2), type_), None)
    from relaylogic.logic.circuits.branching import solve_goal
    from relaylogic.logic.circuits.circuit import Filled, answers
    from relaylogic.logic.search.profiles import asked_about
    from relaylogic.types.universe import Universe

    goal = relation(type_, type_, pair)
    search = asked_about(goal, RULES)
    search.budget.grant(100_000)
    node = solve_goal(goal, {n: "value", m: "value"}, Universe(max_attr=4), search)
    found = [Filled(path, 2).terms for path in answers(node)]
    assert len(found) == len(set(found))
    assert set(found) == {(a, b) for a in range(-2, 5) for b in range(5) if evaluated(condition, a, b)}
    assert bool(solution.answers) == bool(found)


def _slots(count):
    from relaylogic.logic.terms.terms import slot

    return tuple(slot(i) for i in range(count))


def test_numbers_that_no_rule_looks_at_stay_symbolic():
    (answer,) = query(
        "nn.conv2d(Tensor[(1, 3, 32, 32), int8], Tensor[(4, 3, 3, 3), int8], strides=[s, t], padding=[p, q])"
        " = Tensor[(1, 4, 16, 16), int8]",
        rules=RULES,
    )
    assert set(answer.texts) == set()
    assert any("// s" in line for line in answer.residue) and any("// t" in line for line in answer.residue)


def test_extents_in_attributes_may_be_larger_than_what_is_tried():
    (answer,) = query("broadcast_to(Tensor[(1), int8], shape=S) = Tensor[(224, 7), int8]", rules=RULES)
    assert str(answer) == "S = [224, 7]"


def test_attributes_are_tied_to_the_types_and_to_each_other():
    (answer,) = query(
        "transpose(Tensor[(2, 3, 4), int8], axes=A) = T, transpose(T, axes=A) = Tensor[(3, 4, 2), int8]", rules=RULES
    )
    assert str(answer) == "A = [2, 0, 1], T = Tensor[(4, 2, 3), int8]"


def test_a_list_may_hold_variables_and_end_in_one():
    found = query("transpose(Tensor[(2, 3, 4), int8], axes=[1 | R]) = O", rules=RULES)
    assert sorted(map(str, found)) == [
        "R = [0, 2], O = Tensor[(3, 2, 4), int8]",
        "R = [2, 0], O = Tensor[(3, 4, 2), int8]",
    ]


def test_a_list_with_a_value_for_each_axis_is_not_listed_with_more_of_them():
    """Once the strides [2, 2], [2, 2, 0], [2, 2, 1] and all others up to six elements were as many answers."""
    call = "nn.max_pool2d(Tensor[(1, 1, 8, 9), int8], strides={}, padding=P) = Tensor[(1, 1, 4, 3), int8]"
    found = query(call.format("S"), rules=RULES, max_attr=3)
    sides = [(h, w) for h, w in product(range(1, 4), repeat=2)]
    paddings = lists(range(4), 1, 1) + lists(range(4), 2, 2) + lists(range(4), 4, 4)

    def pooled(strides, padding):
        top, left, *rest = padding * (2 if len(padding) == 1 else 1)
        bottom, right = rest or (top, left)
        return ((8 + top + bottom - 1) // strides[0] + 1, (9 + left + right - 1) // strides[1] + 1) == (4, 3)

    expected = [f"S = {list(s)}, P = {list(p)}" for s in sides for p in paddings if pooled(s, p)]
    assert sorted(map(str, found)) == sorted(expected)
    assert len(list(query(call.format("[2, 3, 7]"), rules=RULES, max_attr=3))) > 0


def test_the_lengths_of_lists_can_be_declared():
    declared = parse_attributes("size: list[2] = (1, 1); padding: list[1|2] = None")
    bounds = AttributeBounds(1, 2)
    assert list(values_of(declared["size"], bounds)) == lists(range(2), 2, 2)
    assert list(values_of(declared["padding"], bounds)) == [None, *lists(range(2), 2, 1)]
    assert list(values_of(declared["size"], AttributeBounds(1, 1))) == []
    with pytest.raises(ValueError, match=r"`list\[1\|x\]` is no universe"):
        parse_attributes("size: list[1|x] = None")


def test_an_attribute_that_is_determined_types_the_program():
    result = relaylogic.infer(
        "fn (%x: Tensor[(2, 3, 4), int8]) -> Tensor[(4, 2, 3), int8] { transpose(%x, axes=_) }", rules=RULES
    )
    assert result.verdict == "typed"


def test_an_attribute_that_is_not_determined_leaves_the_call_open():
    result = relaylogic.infer("fn (%x: Tensor[(2, 3, 4), int8]) { transpose(%x, axes=[_, 0, _]) }", rules=RULES)
    assert result.verdict == "incomplete"


def test_an_attribute_that_no_value_fits_refutes_the_program():
    result = relaylogic.infer(
        "fn (%x: Tensor[(2, 3), int8]) -> Tensor[(4, 3), int8] { transpose(%x, axes=_) }", rules=RULES
    )
    assert result.verdict == "refuted"
    assert "axes" in str(result.errors[0])


LOOKING = """
from relaylogic.logic import appendo, copies, eq, fresh, lall
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

@relation
def Longer(data, out, attrs): ...

@Longer.clause
def with_ones(data, out, attrs):
    ones = copies(1, attrs.by)
    shape, result, dtype = fresh(3)
    return lall(eq(data, Tensor(shape, dtype)), eq(out, Tensor(result, dtype)), appendo(ones, shape, result))

operator("longer", "data", Longer, "by: int[0..]")
"""


def test_what_lies_beyond_what_was_tried_is_not_refused(tmp_path):
    """The rule looks at a number of which it has said nothing before."""
    (tmp_path / "looking.py").write_text(LOOKING)
    rules = load_rules(tmp_path, python=True)
    text = "fn (%x: Tensor[(2), int8]) -> Tensor[({}), int8] {{ longer(%x, by=_) }}"
    few, many = (text.format(", ".join(["1"] * count + ["2"])) for count in (3, 12))
    assert relaylogic.infer(few, rules=rules).verdict in ("typed", "incomplete", "unknown")
    result = relaylogic.infer(many, rules=rules)
    assert result.verdict == "unknown" and "attribute limit" in str(result.residue)
    found = query("longer(Tensor[(2), int8], by=N) = Tensor[(1, 2), int8]", rules=rules)
    assert [str(answer) for answer in found] == ["N = 1"]
    assert any("--max-attr" in note for note in found.notes)
    found = query("longer(Tensor[(2), int8], by=N) = T", rules=rules, max_attr=2)
    assert len(list(found)) == 3 and not found.notes


def test_a_result_that_a_rule_makes_unknown_may_be_annotated_whether_its_attributes_are_known_or_not():
    """Of calls with open attributes it was never thought that a number may be `?`: they were refused."""
    text = "fn (%x: Tensor[(2), int8], %a: int64) -> Tensor[({}), int8] {{ dyn.expand_dims(%x, %a, num_newaxis={}) }}"
    for extents, number in (("1, 2", 1), ("7, 8, 9", 2), ("?, 3", 1), ("?, ?", 1)):
        for written in (number, "_"):
            result = relaylogic.infer(text.format(extents, written), rules=RULES)
            assert result.verdict == "typed", (extents, written)
    assert relaylogic.infer(text.format("1, 2", 2), rules=RULES).verdict == "refuted"


def test_lists_reach_as_far_as_the_ranks_of_the_call_and_its_dtypes_are_tried():
    shape = ", ".join("123456789")
    (answer,) = query(f"broadcast_to(Tensor[(9), int8], shape=S) = Tensor[({shape}), int8]", rules=RULES)
    assert str(answer) == f"S = [{shape}]"
    assert "D = int4" in map(str, query("cast(Tensor[(9), int8], dtype=D) = Tensor[(9), int4]", rules=RULES))
    text = f"fn (%x: Tensor[(9), int8]) -> Tensor[({shape}), int8] {{ broadcast_to(%x, shape=_) }}"
    assert relaylogic.infer(text, rules=RULES).verdict == "typed"


@pytest.mark.parametrize(
    "text",
    [
        "fn (%x: Tensor[(2, 16), int8]) -> Tensor[(16, 2), int8] { layout_transform(%x, src_layout=_, dst_layout=_) }",
        "fn (%x: Tensor[(2, 2), int8]) { einsum((%x,), equation=_) }",
        "fn (%x: Tensor[(1, 3, 4, 4), int8]) -> Tensor[(1, 3, 8, 8), int8] { nn.upsampling(%x, scale_h=_, scale_w=_) }",
    ],
)
def test_what_cannot_be_listed_is_not_refused(text):
    assert relaylogic.infer(text, rules=RULES).verdict == "unknown"


def test_elements_of_a_list_of_pairs_are_pairs():
    text = "fn (%x: Tensor[(2, 3), int8], %v: int8) -> Tensor[(4, 4), int8] { nn.pad(%x, %v, pad_width=[_, [0, _]]) }"
    found = relaylogic.typings(text, rules=RULES, max_attr=2)
    listed = sorted(answer.bindings["nn.pad.pad_width"] for answer in found)
    assert listed == [((0, 2), (0, 1)), ((1, 1), (0, 1)), ((2, 0), (0, 1))]


def test_a_number_that_another_call_makes_none_is_none_of_the_list():
    """A goal that waited was shown it as a number: an error of the rule, as None is not compared."""
    reshaped = "reshape(Tensor[s, int8], newshape=[2, k]) = Tensor[s, int8]"
    without_units = "nn.dense(Tensor[(1, 4), int8], Tensor[[n | s], t], units=k) = B"
    for goals in ((reshaped, without_units), (without_units, reshaped)):
        assert list(query(", ".join(goals), rules=RULES, steps=20_000)) == []


def test_a_hole_is_printed_as_it_is_read():
    from relaylogic.text import astext, parse

    text = "def @main(%x: Tensor[(2, 3), int8]) {\n  transpose(%x, axes=[_, 0])\n}\n"
    assert "axes=[_, 0]" in astext(parse(text))


def test_what_cannot_be_listed_must_be_given():
    with pytest.raises(RuleError, match="attribute `equation` has no universe"):
        list(query("einsum((Tensor[(2, 2), int8],), equation=E) = Y", rules=RULES))


def test_a_missing_attribute_is_an_error_and_no_refusal():
    with pytest.raises(RelayLogicError, match="`newshape` is required"):
        list(query("reshape(Tensor[(2, 2), int8]) = Y", rules=RULES))


def test_an_attribute_in_a_clause_may_be_a_variable():
    from relaylogic.clauses.load import load_clauses

    rules = load_rules()
    load_clauses(rules, "Halved(X, Y) :- nn.max_pool2d(X, pool_size=[2, 2], strides=[s, s]) = Y, s = 2.")
    (answer,) = query("Halved(Tensor[(1, 2, 8, 8), int8], Y)", rules=rules)
    assert str(answer) == "Y = Tensor[(1, 2, 4, 4), int8]"


def test_a_program_built_in_python_may_have_holes_in_attributes():
    from unification import var

    from relaylogic import relay
    from relaylogic.ir import IRModule
    from relaylogic.text import astext

    x = relay.var("x", shape=(2, 3, 4), dtype="int8")
    result = TensorType((4, 2, 3), "int8")
    module = IRModule.from_expr(relay.Function([x], relay.transpose(x, axes=var()), result))
    assert "axes=_" in astext(module)
    assert relaylogic.infer(module, rules=RULES).verdict == "typed"


def test_a_convolution_is_looked_into_where_its_types_leave_something_open():
    """All lists of all attributes were tried together, up to the limit of steps."""
    given = "groups=_, channels=_, kernel_size=_, padding=_, strides=_, dilation=_, data_layout=_, kernel_layout=_"
    types = "%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(8, 2, 3, 3), float32]"
    result = relaylogic.infer(f"def @main({types}) {{ nn.conv2d(%x, %w, {given}) }}")
    assert result.verdict == "incomplete"
    sized = "groups=_, channels=_, kernel_size=_, padding=[1, 1]"
    known = relaylogic.infer(f"def @main({types}) {{ nn.conv2d(%x, %w, {sized}) }}").calls[0].type
    assert known == parse_type("Tensor[(1, 8, 8, 8), float32]")


LOOKED = []


def as_long(data, attrs):
    LOOKED.append(attrs)
    return eq(data, TensorType(tuple(range(1, len(attrs.axes) + 1)), fresh()))


@pytest.mark.parametrize("axes", ["_", "[0, 1]"])
@pytest.mark.parametrize("dtype, holds", [("int8", True), ("int16", False)])
def test_what_is_made_later_looks_where_the_goals_before_have_held(dtype, holds, axes):
    relation = Relation("R", ("data", "out", "attrs"))

    @relation.clause
    def of_bytes(data, out, attrs):
        return lall(eq(data, out), eq(data, TensorType(fresh(), "int8")), later(as_long, data, attrs))

    rules = load_rules()
    rules.operators["r"] = Operator("r", ("data",), relation, parse_attributes("axes: list"))
    LOOKED.clear()
    program = relaylogic.parse(f"def @main(%x: Tensor[(1, 2), {dtype}]) {{ r(%x, axes={axes}) }}")
    assert Inference(program, rules).verdict() == ("typed" if holds else "refuted")
    assert bool(LOOKED) == (holds or axes != "_")


@pytest.mark.parametrize(
    ("text", "options", "is_noted"),
    [
        ("tile(Tensor[(2), int8], reps=A) = B", {}, True),
        ("sum(A, axis=B) = C", {}, True),
        ("tile(Tensor[(2), int8], reps=A) = B", {"max_attr_length": 3}, False),
        ("sum(Tensor[(2, 3), int8], axis=A) = B", {}, False),
        ("transpose(Tensor[(2, 3), int8], axes=A) = B", {}, False),
        ("tile(Tensor[(2), int8], reps=(1, 2)) = B", {}, False),
    ],
)
def test_it_is_said_where_lists_were_not_tried_any_longer(text, options, is_noted):
    found = query(text, rules=RULES, **options)
    assert list(found)
    noted = [note for note in found.notes if "lists of attributes" in note]
    assert noted == (["lists of attributes were tried up to 6 elements: see --max-attr-length"] if is_noted else [])
