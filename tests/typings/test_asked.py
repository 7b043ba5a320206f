"""What is asked of the typings of a program is what a filter, a projection, the least of the full list comes to."""

from __future__ import annotations

from collections import Counter
from math import prod, sqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic.errors import RelayLogicError
from relaylogic.logic import eq, lall
from relaylogic.logic.circuits.branching import solve_goal
from relaylogic.logic.circuits.circuit import answers
from relaylogic.logic.search.profiles import asked_about
from relaylogic.rulebase import load_rules
from relaylogic.types import TensorType, TupleType
from relaylogic.types.universe import Universe
from relaylogic.typings.members import belongs as is_of_form
from relaylogic.typings.program import count_typings, typings
from tests.effort import examples, some
from tests.typings.test_random_programs import MOST, UNIVERSES, bounds_of, choices, programs, rows_of

RULES = load_rules()

# Clauses about %p0 and %p1, and what they say in Python of the types of these.
CONDITIONS = [
    ("%p0 = %p1", lambda p, q: p == q),
    ("shape(%p0) = shape(%p1)", lambda p, q: p.shape == q.shape),
    ("%p0 = Tensor[[n | _], _], n < 2", lambda p, q: p.shape[:1] == (1,)),
    ("%p0 = Tensor[s, _], prod(s) < 3", lambda p, q: prod(p.shape) < 3),
    ("elements(%p0) <= elements(%p1)", lambda p, q: prod(p.shape) <= prod(q.shape)),
    ("%p0[0] = 2 ; len(shape(%p1)) = 0", lambda p, q: p.shape[:1] == (2,) or q.shape == ()),
    ("%p0 = Tensor[_, t], %p1 = Tensor[_, t]", lambda p, q: p.dtype == q.dtype),
    ("%p0 != %p1", lambda p, q: p != q),
    ("Broadcast(%p0, _, %p1)", None),
]


def listed(program, universe, **asked):
    found = typings(program.text(), rules=RULES, **bounds_of(universe), **asked)
    rows = list(found)
    assert found.status == "exhausted"
    return found.names, rows


@settings(max_examples=examples(150))
@given(programs(), st.sampled_from(UNIVERSES), st.sampled_from(CONDITIONS))
def test_conditions_filter(program, universe, condition):
    assume(prod(map(len, choices(program, universe))) <= MOST)
    clauses, holds = condition
    about = f"{program.text()} in {universe} where {clauses}"
    names, rows = listed(program, universe)
    assume({"%p0", "%p1"} <= set(names))
    if holds is None:
        # A relation of the rule base says of each typing what it says of its types.
        def holds(p, q):
            goal = RULES.relations["Broadcast"](p, TensorType(*_two()), q)
            search = asked_about(goal, RULES)
            return next(answers(solve_goal(goal, {}, Universe(), search)), None) is not None

    expected = [row for row in rows if holds(row.bindings["%p0"], row.bindings["%p1"])]
    _, found = listed(program, universe, where=clauses)
    assert len(found) == len(set(rows_of(found))), about
    assert set(rows_of(found)) == set(rows_of(expected)), about
    assert count_typings(program.text(), rules=RULES, where=clauses, **bounds_of(universe)) == len(expected), about


def _two():
    from relaylogic.logic import fresh

    return fresh(), fresh()


@settings(max_examples=examples(150))
@given(programs(), st.sampled_from(UNIVERSES), st.data())
def test_projections_project(program, universe, data):
    assume(prod(map(len, choices(program, universe))) <= MOST)
    names, rows = listed(program, universe)
    assume(names)
    kept = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
    about = f"{program.text()} in {universe} to {kept}"
    expected = {frozenset((n, row.bindings[n]) for n in kept) for row in rows}
    shown, found = listed(program, universe, project=kept)
    assert shown == tuple(kept)
    assert len(found) == len(expected), about
    assert {frozenset(row.bindings.items()) for row in found} == expected, about
    assert count_typings(program.text(), rules=RULES, project=kept, **bounds_of(universe)) == len(expected), about


@settings(max_examples=examples(60))
@given(programs(), st.sampled_from(UNIVERSES))
def test_families_are_disjoint_and_cover_all(program, universe):
    assume(prod(map(len, choices(program, universe))) <= MOST)
    check_families(program.text(), bounds_of(universe))


def check_families(program, bounds):
    """Each typing belongs to one family, and a family's count is the number of those that belong to it."""
    found = typings(program, rules=RULES, families=True, **bounds)
    families = list(found)
    assert found.status == "exhausted", program
    rows = list(typings(program, rules=RULES, **bounds))
    belonging = Counter()
    for row in rows:
        mine = [i for i, family in enumerate(families) if any(belongs(row, form) for form in family.forms)]
        assert len(mine) == 1, f"{program}: {row} belongs to {[str(families[i]) for i in mine]}"
        belonging[mine[0]] += 1
    assert [belonging[i] for i in range(len(families))] == [family.count for family in families], program
    assert sum(family.count for family in families) == count_typings(program, rules=RULES, **bounds)


def belongs(row, form):
    goal = lall(is_of_form(row._answer.terms, form._answer), eq(1, 1))
    search = asked_about(goal, RULES)
    root = solve_goal(goal, {}, Universe(ground=True, max_rank=4, max_dim=64), search)
    return next(answers(root), None) is not None


CONV = (
    "def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(_, _, _, _), float32], %v: Tensor[(_, _, 3, _), float32])"
    " { nn.conv2d(nn.conv2d(%x, %w, strides=[2, 2], padding=[1, 1]), %v, padding=[1, 1]) }"
)
ADD = "def @main(%x, %y) { add(%x, %y) }"
MLP = (
    "def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(_, _), int8], %v: Tensor[(_, _), int8], %b)"
    " { add(nn.dense(nn.dense(%x, %w), %v), %b) }"
)
JOIN = "def @main(%x: Tensor[(_, _), int8], %y: Tensor[(_, _), int8]) { concatenate((%x, %y), axis=0) }"
SHAPES = "def @main(%x: Tensor[(_, _, _), int8]) -> Tensor[(_, 2), int8] { reshape(%x, newshape=[-1, 2]) }"
SMALL = {"max_rank": 2, "max_dim": 3, "dtypes": ["int8"], "ground": True}
WIDE = {"max_rank": 4, "max_dim": 6, "dtypes": ["int8"], "ground": True}


def greatest_chi_square(freedom, deviations=4.0):
    """What chi-square exceeds as seldom as a normal variable exceeds so many deviations (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + deviations * sqrt(spread)) ** 3


DRAWN = [
    (ADD, SMALL, {}),
    (MLP, SMALL, {}),
    (JOIN, WIDE, {}),
    (SHAPES, WIDE, {}),
    (CONV, {"max_dim": 8, "ground": True}, {"where": "%w = Tensor[(n, _, m, m), _], n < 4", "project": "%w,%v"}),
    (ADD, SMALL, {"where": "%x != %y", "project": ["%x"]}),
    ("fn (%x: Tensor[(_, _), int8]) { %x }", {"max_dim": 24, "ground": True}, {"where": "elements(%x) <= 24"}),
]


@pytest.mark.parametrize(("program", "bounds", "asked"), some(DRAWN, 2))
def test_draws_are_uniform(program, bounds, asked):
    every = rows_of(typings(program, rules=RULES, **bounds, **asked))
    each = examples(30, 3)
    number = each * len(every)
    found = typings(program, rules=RULES, sample=number, seed=7, **bounds, **asked)
    drawn = Counter(rows_of(found))
    assert found.total == len(every) and drawn.total() == number and found.status == "drawn"
    assert set(drawn) <= set(every)
    chi_square = sum((drawn[row] - each) ** 2 / each for row in every)
    freedom = len(every) - 1
    assert chi_square < greatest_chi_square(freedom), f"{chi_square} with {freedom} degrees of freedom"


def test_a_seed_repeats_a_draw():
    def draw(seed):
        return [str(t) for t in typings(MLP, rules=RULES, sample=10, seed=seed, **SMALL)]

    assert draw(1) == draw(1) != draw(2)


def test_of_very_many_typings_some_are_drawn_without_a_list():
    hole = "Tensor[(_, _, _), float32]"
    body = "%x0"
    for i in range(1, 21):
        body = f"add({body}, %x{i})"
    parameters = ", ".join(f"%x{i}: {hole}" for i in range(21))
    program = f"fn ({parameters}) -> Tensor[(4, 5, 6), float32] {{ {body} }}"
    found = typings(program, rules=RULES, sample=40, seed=3)
    # An operand's extent is 1 in about half of the typings.
    extents = [n for row in found for t in row.bindings.values() for n in t.shape]
    assert found.total == (2**21 - 1) ** 3
    assert abs(extents.count(1) / len(extents) - 0.5) < 0.05


def test_what_cannot_be_counted_is_not_drawn():
    found = typings(ADD, rules=RULES, ground=True, sample=3)
    assert list(found) == [] and found.status.startswith("unknown: the answers cannot be counted")
    assert "--max-rank" in found.status


def elements(row, names):
    found = 0
    stack = [row.bindings[name] for name in names]
    while stack:
        type_ = stack.pop()
        if type(type_) is TupleType:
            stack.extend(type_.fields)
        else:
            found += prod(type_.shape)
    return found


OBJECTIVES = [
    (ADD, SMALL, "elements", lambda r: elements(r, ["%x", "%y"]), {}),
    (ADD, SMALL, "elements(%x) * 2 + elements(@main)", lambda r: 2 * elements(r, ["%x"]) + elements(r, ["@main"]), {}),
    (MLP, SMALL, "%w[0] * %v[0]", lambda r: r.bindings["%w"].shape[0] * r.bindings["%v"].shape[0], {}),
    (MLP, SMALL, "elements", lambda r: 6 + elements(r, ["%w", "%v", "%b"]), {}),
    (MLP, SMALL, "elements(%b)", lambda r: elements(r, ["%b"]), {"where": "%w[0] > 1"}),
    (JOIN, WIDE, "max(%x[0], %y[1])", lambda r: max(r.bindings["%x"].shape[0], r.bindings["%y"].shape[1]), {}),
    (JOIN, WIDE, "elements(@main)", lambda r: elements(r, ["@main"]), {"where": "%x[0] != %y[0]"}),
    (SHAPES, WIDE, "%x[0] + %x[1] * %x[2]", lambda r: _mixed(r.bindings["%x"].shape), {"where": "@main[0] > 7"}),
    (SHAPES, WIDE, "%x[1] // 2", lambda r: r.bindings["%x"].shape[1] // 2, {}),
    (CONV, {"max_dim": 4, "ground": True}, "elements", lambda r: 192 + elements(r, ["%w", "%v"]), {}),
    (
        CONV,
        {"max_dim": 4, "ground": True},
        "elements",
        lambda r: 192 + elements(r, ["%w", "%v"]),
        {"where": "%w[2] = 2"},
    ),
    ("fn (%t: (Tensor[(_, 2), int8], _)) { add(%t.0, %t.1) }", SMALL, "elements", lambda r: elements(r, ["%t"]), {}),
]


def _mixed(shape):
    a, b, c = shape
    return a + b * c


@pytest.mark.parametrize(("program", "bounds", "objective", "value", "asked"), OBJECTIVES)
@pytest.mark.parametrize("which", ["minimize", "maximize"])
def test_the_least_and_the_greatest_are_those_of_the_list(program, bounds, objective, value, asked, which):
    rows = list(typings(program, rules=RULES, **bounds, **asked))
    best = {"minimize": min, "maximize": max}[which](map(value, rows), default=None)
    found = typings(program, rules=RULES, **bounds, **asked, **{which: objective})
    expected = [row for row in rows if value(row) == best]
    assert sorted(map(str, found)) == sorted(map(str, expected))
    assert found.optimum == best and found.status == "exhausted"
    assert count_typings(program, rules=RULES, **bounds, **asked, **{which: objective}) == len(expected)


def test_the_smallest_network_is_found_without_a_list_of_all():
    program = """def @main(%x: Tensor[(1, 3, 32, 32), float32], %w: Tensor[(_, _, _, _), float32],
                           %v: Tensor[(_, _, _, _), float32], %d: Tensor[(_, _), float32]) -> Tensor[(1, 10), float32] {
      let %a = nn.relu(nn.conv2d(%x, %w, strides=[2, 2], padding=[1, 1]));
      let %b = nn.relu(nn.conv2d(%a, %v, strides=[2, 2], padding=[1, 1]));
      nn.dense(nn.batch_flatten(nn.global_avg_pool2d(%b)), %d)
    }"""
    sketch = "%w = Tensor[(n, _, 3, 3), _], n >= 8, %v[0] > n"
    found = typings(program, rules=RULES, minimize="elements", where=sketch, ground=True, max_dim=64)
    (least,) = found
    assert least.bindings["%w"].shape == (8, 3, 3, 3) and least.bindings["%v"].shape == (9, 8, 1, 1)
    assert found.optimum == 3072 + 8 * 27 + 9 * 8 + 10 * 9


COUPLED = """def @main(%x: Tensor[(1, 3, S, S), float32], %w: Tensor[(_, 3, _, _), float32],
                        %v: Tensor[(_, _, 3, 3), float32], %d: Tensor[(D, _), float32]) {
    let %a = nn.conv2d(nn.relu(nn.conv2d(%x, %w, strides=[_, _], padding=[1, 1])), %v, padding=[1, 1]);
    nn.dense(nn.batch_flatten(nn.max_pool2d(%a, pool_size=[2, 2], strides=[2, 2])), %d)
}"""
"""What the weights are depends on strides; the extents of two weights need only agree with what they are given."""


@pytest.mark.parametrize("which", ["minimize", "maximize"])
def test_numbers_that_agree_are_equal_where_a_witness_is_sought(which):
    """What a weight takes agreed with what it is given until both had values, so no bound cut anything off."""
    network, bounds = COUPLED.replace("S", "4").replace("D", "2"), {"max_dim": 4, "max_attr": 2, "ground": True}
    bounds |= {"where": "%w[0] <= 2, %v[0] >= 2"}
    rows = list(typings(network, rules=RULES, **bounds))
    sizes = [3 * 16 + elements(row, ["%w", "%v", "%d"]) for row in rows]
    found = typings(network, rules=RULES, **{which: "elements"}, **bounds)
    assert len(list(found)) == sizes.count(found.optimum)
    assert found.optimum == (min if which == "minimize" else max)(sizes)


def test_the_greatest_of_a_coupled_network_is_found_at_once():
    network = COUPLED.replace("S", "32").replace("D", "10")
    found = typings(network, rules=RULES, maximize="elements", steps=400, max_dim=64, max_attr=4, ground=True)
    (greatest,) = found
    assert greatest.bindings["%w"].shape == (64, 3, 33, 33) and greatest.bindings["%d"].shape == (10, 64)
    assert found.optimum == 3072 + 64 * 3 * 33 * 33 + 64 * 64 * 9 + 640


def test_what_nothing_bounds_has_no_greatest():
    found = typings(JOIN, rules=RULES, maximize="%x[0]")
    assert list(found) == [] and found.status.startswith("unknown: nothing bounds the number")
    assert list(typings(JOIN, rules=RULES, where="%x[0] < 0", minimize="%x[0]")) == []


@pytest.mark.parametrize("which", ["minimize", "maximize"])
def test_what_is_no_number_is_neither_least_nor_greatest(which):
    """`?` agrees with each bound; it was taken for the least number, and the greatest was sought without an end."""
    program = "def @main(%x: Tensor[(?, _), int8]) { nn.relu(%x) }"
    found = typings(program, rules=RULES, **{which: "elements"}, **SMALL)
    assert list(found) == [] and found.optimum is None and found.status == "exhausted"
    assert found.notes[-1] == "`elements` is `?` in every typing"
    (best,) = typings(program, rules=RULES, **{which: "%x[1]"}, **SMALL)
    assert str(best.bindings["%x"].shape[1]) == {"minimize": "1", "maximize": "3"}[which]


def test_a_search_for_the_least_that_takes_too_long_is_unknown():
    found = typings(MLP, rules=RULES, minimize="elements", steps=2, **WIDE)
    assert list(found) == [] and found.status.startswith("unknown: step limit")


@pytest.mark.parametrize(
    ("program", "bounds"),
    [(ADD, SMALL), (MLP, SMALL), (JOIN, WIDE), (SHAPES, WIDE), (CONV, {"max_dim": 3, "ground": True})],
)
def test_families(program, bounds):
    check_families(program, bounds)


@pytest.mark.parametrize(
    "body",
    [
        "nn.dense(%w, %v, units=_)",
        "strided_slice(%w, begin=[0, _], end=[2, 2], strides=[1, 1])",
        "nn.pad(%w, 0, pad_width=[[_, 0], [0, 1]])",
        "nn.dense(repeat(%w, repeats=2, axis=0), %v, units=_)",
    ],
)
@pytest.mark.parametrize("most", [1, 2])
def test_families_of_attributes_have_the_values_of_the_universe(body, most):
    """Which values an attribute may have, no form of a family says; numbers beyond the bounds were counted, too."""
    program = f"def @main(%w: Tensor[(_, 2), int8], %v: Tensor[(2, 2), int8]) {{ {body} }}"
    check_families(program, {"max_dim": 2, "max_attr": most, "ground": True})


CASTS = "def @main(%x: Tensor[(4), float32]) { one_hot(cast(%x, dtype=_), 1, 0, depth=_, axis=_, dtype=_) }"


@pytest.mark.parametrize(
    ("program", "bounds"),
    [
        (CASTS, {"dtypes": ("int8", "float32"), "max_attr": 2, "ground": True}),
        (
            "def @main(%x: Tensor[(2), int8]) { expand_dims(%x, axis=0, num_newaxis=_) }",
            {"max_attr": 12, "max_rank": 13, "max_dim": 2},
        ),
        ("def @main(%x: Tensor[(4, 6), int8]) { reshape(%x, newshape=[_, _]) }", {"max_attr": 2, "ground": True}),
    ],
)
def test_forms_of_families_look_no_further_than_the_universe_and_as_far(program, bounds):
    """Forms were looked for with attributes up to bounds of their own: dtypes that are not asked for were too many, and
    numbers above the ninth were not tried."""
    found = typings(program, rules=RULES, families=True, **bounds)
    families = list(found)
    assert found.status == "exhausted" and not found.notes
    assert sum(family.count for family in families) == count_typings(program, rules=RULES, **bounds)
    assert len(rows_of(typings(program, rules=RULES, **bounds))) == count_typings(program, rules=RULES, **bounds)


def test_the_lists_of_families_are_as_long_as_is_asked():
    """The length of lists was heard of only where numbers were bounded, too."""
    program = "def @main(%x: Tensor[(4, 6), int8]) { sum(%x, axis=_) }"
    found = typings(program, rules=RULES, max_attr_length=1, families=True)
    assert len(list(found)) == len(list(typings(program, rules=RULES, max_attr_length=1))) == 4
    assert not found.notes


@pytest.mark.parametrize("more", [{}, {"max_attr": 2}, {"ground": True}, {"families": True}])
def test_a_dtype_that_an_attribute_gives_lies_in_the_universe(more):
    """A dtype that is an attribute, too, was not bounded by the dtypes that are asked for."""
    program = "def @main(%x: Tensor[(4), float32]) { cast(%x, dtype=_) }"
    (only,) = typings(program, rules=RULES, dtypes=("int8",), **more)
    assert "@main = Tensor[(4), int8], cast.dtype = int8" in str(only)


@pytest.mark.parametrize("more", [{}, {"max_attr": 3}, {"ground": True}, {"families": True}])
def test_a_shape_that_an_attribute_gives_lies_in_the_universe(more):
    """A list that is a shape and an attribute was as long as the attribute may be, and its extents were as small."""
    program = 'def @main(%x: Tensor[(2), int8]) { zeros(shape=_, dtype="int8") }'
    found = {str(typing) for typing in typings(program, rules=RULES, max_rank=1, max_dim=2, **more)}
    if "families" in more:
        assert {typing.rpartition("#")[2] for typing in found} == {" 1 typing", " 2 typings"}
    else:
        ranked = [f"@main = Tensor[({n}), int8], zeros.shape = [{n}]" for n in (1, 2)]
        assert found == {"@main = int8, zeros.shape = []", *ranked}


def test_an_attribute_that_is_known_otherwise_is_one_of_the_universe():
    """What a condition gave it was taken for what is written in the program, if the condition came first."""
    program = "def @main(%w: Tensor[(_, 2), int8]) { let %y = nn.dense(%w, %w, units=_); reshape(%y, newshape=[_, 4]) }"
    bounds = {"max_dim": 4, "max_rank": 2, "max_attr": 3, "ground": True}
    rows = list(typings(program, rules=RULES, **bounds))
    assert {row.bindings["reshape.newshape"] for row in rows} >= {(-1, 4), (1, 4)}  # what is written may be any number
    for units in range(6):
        found = list(typings(program, rules=RULES, where=f"%y.units = {units}", **bounds))
        assert rows_of(found) == rows_of(row for row in rows if row.bindings["%y.units"] == units)


@pytest.mark.parametrize(
    ("call", "conditions"),
    [
        ("sum(%x, axis=_, keepdims=_)", ["%y.axis = [true]", "%y.axis = [n], n = k, k < 2", "%y.keepdims != true"]),
        ("sum(%x, axis=_, keepdims=_)", ["%y.axis = 1", "%y.axis < 1", "%y.axis = n, %x[n] = 2", "%y.keepdims = n"]),
        ("cast(%x, dtype=_)", ['%y.dtype = "float"', '%y.dtype = "float32"', "%y = Tensor[_, t], %y.dtype = t"]),
        ("expand_dims(%x, axis=_)", ["%y.axis = true", "%y.axis = n, n < 1", "%y[n] = 2, n = %y.axis + 1"]),
    ],
)
def test_conditions_on_attributes_filter(call, conditions):
    """A number was taken for true or false where a condition gave it before a rule looked, and was listed so."""
    program = f"def @main(%x: Tensor[(1, 2), int8]) {{ let %y = {call}; %y }}"
    bounds = {"dtypes": ("int8", "float32"), "max_attr": 2, "max_attr_length": 2, "ground": True}
    every = set(map(str, typings(program, rules=RULES, **bounds)))
    for condition in conditions:
        assert set(map(str, typings(program, rules=RULES, where=condition, **bounds))) <= every, condition


def test_conditions_speak_of_attributes_as_calls_do():
    """That a number is meant for a list was not known, nor that none is true or false: nothing was found."""
    program = "def @main(%x: Tensor[(2, 2), int8]) { let %y = sum(%x, axis=_, keepdims=_); %y }"

    def found(condition, **asked):
        rows = typings(program, rules=RULES, max_attr=2, max_attr_length=1, where=condition, **asked)
        return [row.texts["%y.axis"] for row in rows]

    assert found("%y.axis = 1, %y.keepdims = true") == found("%y.axis = [n], n >= 1, %y.keepdims = true") == ["[1]"]
    assert found("%y.axis >= 1, %y.keepdims = true") == found("%y.axis = (1), %y.keepdims = true") == ["[1]"]
    for condition in ("%y.keepdims = 1", "%y.keepdims = n, n < 1", "%y.keepdims < %x[0]"):
        with pytest.raises(RelayLogicError, match=r"`%y\.keepdims` stands for .* and for true or false"):
            found(condition)


def test_families_without_bounds_have_no_count():
    families = list(typings(ADD, rules=RULES, families=True))
    assert sum(len(family.forms) for family in families) == 3 and all(family.count is None for family in families)
