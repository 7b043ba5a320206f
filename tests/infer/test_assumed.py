"""What a refused call would be if it were right, and what is found behind it."""

from __future__ import annotations

import json
import pickle
from functools import cache
from itertools import islice, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.blame.behind import going_on
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.relation_site import RelationSite
from relaylogic.infer.sites.repairs import agreed, repaired
from relaylogic.ir import Call, Let, children, post_order
from relaylogic.logic.terms.variables import VARIABLES
from relaylogic.rulebase import default_rules
from relaylogic.types import ANY, FuncType, TensorType, TupleType, TypeVar, show_type
from tests import effort
from tests.conformance.programs import lines, mutated
from tests.effort import examples, some

LISTS = "type List[A] { Cons(A, List[A]), Nil, } type Tree[A] { Rose(A, List[A]), } "


def tensors(*shapes):
    """Parameters %a, %b, ... of some shapes."""
    return ", ".join(f"%{'abcdef'[i]}: Tensor[{shape}, float32]" for i, shape in enumerate(shapes))


def calls(text):
    """The result, and the calls as (callee, type, assumed)."""
    result = relaylogic.infer(text)
    return result, [(c.callee, show_type(c.type), c.assumed) for c in result.calls]


# ---- one refused call


@pytest.mark.parametrize(
    ("shapes", "body", "type_"),
    [
        (["(1, 3, 6, 6)", "(8, 4, 3, 3)"], "nn.conv2d(%a, %b, padding=[1, 1])", "Tensor[(1, 8, 6, 6), float32]"),
        (
            ["(1, 3, 6, 6)", "(8, 4, 3, 3)"],
            "nn.conv2d(%a, %b, channels=8, kernel_size=[3, 3])",
            "Tensor[(1, 8, 4, 4), float32]",
        ),
        (["(1, 3, 2, 2)", "(8, 3, 5, 5)"], "nn.conv2d(%a, %b)", "Tensor[(1, 8, _, _), float32]"),
        (["(1, 3, 6, 6)", "(8, 3, 3)"], "nn.conv2d(%a, %b)", "Tensor[(1, _, _, _), float32]"),
        (["(2, 4, 9)", "(6, 5, 3)"], "nn.conv1d(%a, %b, padding=[1, 1])", "Tensor[(2, 6, 9), float32]"),
        (["(3, 4)", "(5, 6)"], "nn.dense(%a, %b)", "Tensor[(3, 5), float32]"),
        (["(3, 4)", "(5, 6)"], "nn.dense(%a, %b, units=7)", "Tensor[(3, 7), float32]"),
        (["(2, 3, 4)", "(2, 5, 7)"], "nn.batch_matmul(%a, %b)", "Tensor[(2, 3, 7), float32]"),
        (["(2, 3, 4)", "(6, 4, 5)"], "nn.batch_matmul(%a, %b)", "Tensor[(_, 3, 5), float32]"),
        (["(2, 3)", "(4, 3)"], "add(%a, %b)", "Tensor[(_, 3), float32]"),
        (["(2, 3, 7)", "(4, 5, 7)"], "add(%a, %b)", "Tensor[(_, _, 7), float32]"),
        (["(5, 2, 3)", "(4, 3)"], "less(%a, %b)", "Tensor[(5, _, 3), bool]"),
        (["(2, 3)"], "add(%a, ones(shape=[2, 1], dtype='int8'))", "Tensor[(2, 3), _]"),
        (["(2, 3)"], "reshape(%a, newshape=[7])", "Tensor[(7), float32]"),
        (["(2, 3, 5)"], "reshape(%a, newshape=[7, 11])", "Tensor[(7, 11), float32]"),
        (["(2, 3)", "(2, 4)"], "concatenate((%a, %b), axis=0)", "Tensor[(4, _), float32]"),
        (["(2, 3)", "(4, 5)", "(6, 3)"], "concatenate((%a, %b, %c), axis=0)", "Tensor[(12, 3), float32]"),
        (["(2, 3)"], "nn.softmax(%a, axis=7)", "Tensor[_, float32]"),
    ],
)
def test_a_refused_call_has_the_result_that_its_smallest_repairs_agree_on(shapes, body, type_):
    text = f"def @main({tensors(*shapes)}) {{ nn.relu({body}) }}".replace("'", '"')
    result, found = calls(text)
    assert result.verdict == "refuted"
    refused = next(c for c in found if c[0] == body.partition("(")[0])
    assert refused[1:] == (type_.replace('"', ""), True)
    assert [c for c in found if c[0] == "nn.relu"] == [("nn.relu", refused[1], False)]
    assert str(result.functions["main"]).endswith(f"-> {refused[1]}")


def test_what_no_repair_makes_right_stays_unknown():
    result, found = calls("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(transpose(%x, axes=[0, 0, 0, 0, 9])) }")
    assert result.verdict == "refuted" and found[0] == ("transpose", "_", False)


def test_a_call_of_a_function_with_a_wrong_argument_has_its_result_type():
    result, found = (
        calls("""def @f(%x: Tensor[(2, 3), float32], %n: int32) -> Tensor[(9), int8] { ones(shape=[9], dtype="int8") }
def @main(%x: Tensor[(2, 4), float32]) { nn.relu(@f(%x, 1)) }""")
    )
    assert len(result.errors) == 1
    assert found[1:] == [("@f", "Tensor[(9), int8]", True), ("nn.relu", "Tensor[(9), int8]", False)]


@pytest.mark.parametrize("arguments", ["%x, Cons(%y, Nil)", "%y, Cons(%x, Nil)"])
def test_a_constructor_with_a_wrong_field_makes_what_its_other_fields_leave_possible(arguments):
    result, found = calls(
        LISTS + f"def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(5, 3), float32]) {{ Cons({arguments}) }}"
    )
    assert result.verdict == "refuted" and found[-1] == ("Cons", "List[Tensor[(_, 3), float32]]", True)


def test_branches_that_differ_come_to_what_they_have_in_common():
    head = (
        "def @main(%c: bool, %x: Tensor[(2, 3), float32], %y: Tensor[(2, 4), float32], %l: List[int8], %t: Tree[int8])"
    )
    result, found = calls(LISTS + head + " { nn.relu(if (%c) { %x } else { %y }) }")
    assert result.verdict == "refuted" and found == [("nn.relu", "Tensor[(2, _), float32]", False)]
    result, _ = calls(LISTS + head + " { match (%l) { Nil => (%x, %l), Cons(_, _) => (%y, %l) } }")
    assert str(result.functions["main"]).endswith("-> (Tensor[(2, _), float32], List[int8])")
    result, _ = calls(LISTS + head + " { if (%c) { %l } else { %t } }")
    assert str(result.functions["main"]).endswith("-> _")


def test_a_wrong_annotation_does_not_stop_the_calls_below():
    result, found = calls("""def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(7, 4), float32]) {
  let %a: Tensor[(2, 4), float32] = nn.relu(%x);
  nn.dense(%a, %w)
}""")
    assert result.verdict == "refuted" and found[-1] == ("nn.dense", "Tensor[(2, 7), float32]", False)


def test_callers_do_not_decide_what_is_unknown():
    functions = [
        "def @f(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 3), float32]) { add(%x, %y) }",
        "def @g(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 3), float32]) -> Tensor[(2, 3), float32] { @f(%x, %y) }",
        "def @h(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 3), float32]) -> Tensor[(4, 3), float32] { @f(%x, %y) }",
    ]
    for order in permutations(functions):
        result = relaylogic.infer("\n".join(order))
        assert str(result.functions["f"]).endswith("-> Tensor[(_, 3), float32]")
        assert {e.function for e in result.errors} == {"f"}


def test_a_call_of_one_operator_too():
    call = relaylogic.infer_call("nn.dense", ["Tensor[(3, 4), float32]", "Tensor[(5, 6), float32]"]).calls[0]
    assert (str(call.type), call.assumed) == ("Tensor[(3, 5), float32]", True)


# ---- errors behind it

CONVOLUTIONS = """def @main(%x: Tensor[(1, 3, 6, 6), float32], %w: Tensor[(8, WRONG, 3, 3), float32],
          %b: Tensor[(BIAS), float32], %v: Tensor[(8, 8, 3, 3), float32]) {
  let %a = nn.conv2d(%x, %w, padding=[1, 1]);
  let %c = nn.bias_add(nn.relu(%a), %b);
  nn.conv2d(%c, %v, padding=[1, 1])
}"""


def refused_lines(text):
    """The lines of the refusals that the errors are about."""
    return [
        next((label.span.line for label in error.related if "refuses" in label.message), error.line)
        for error in relaylogic.infer(text).errors
    ]


@pytest.mark.parametrize(
    ("wrong", "bias", "wanted"),
    [(3, 8, []), (4, 8, ["%w"]), (3, 9, ["%b"]), (4, 9, ["%w", "%b"]), (5, 7, ["%w", "%b"])],
)
def test_two_faults_are_two_errors_and_one_is_one(wrong, bias, wanted):
    errors = relaylogic.infer(CONVOLUTIONS.replace("WRONG", str(wrong)).replace("BIAS", str(bias))).errors
    assert len(errors) == len(wanted)
    for error, name in zip(errors, wanted, strict=True):
        said = [error.message, *(label.message for label in error.related)]
        assert any(f"`{name}` is annotated" in text for text in said)


def test_where_an_attribute_may_be_wrong_its_echo_is_no_error():
    text = """def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32], %b: Tensor[(4), float32]) {
  let %a = nn.dense(%x, %w, units=5);
  nn.bias_add(%a, %b)
}"""
    assert refused_lines(text) == [2]
    assert [show_type(c.type) for c in relaylogic.infer(text).calls] == ["Tensor[(2, 4), float32]"] * 2


def test_where_a_variable_that_nobody_uses_fits_its_echo_is_no_error():
    text = """def @main(%x: Tensor[(2, 3), float32], %v: Tensor[(9, 7), float32], %w: Tensor[(4, 3), float32],
          %b: Tensor[(4), float32]) {
  let %a = nn.dense(%x, %v);
  nn.bias_add(%a, %b)
}"""
    assert refused_lines(text) == [3]


# ---- how it is shown

DENSE = """def @main(%x: Tensor[(3, 4), float32], %w: Tensor[(5, 6), float32]) {
  let %a = nn.dense(%x, %w);
  let %b = nn.relu(%a);
  nn.dense(%b, %w)
}"""


def test_json_says_which_calls_are_assumed():
    entries = json.loads(relaylogic.infer(DENSE).to_json())["calls"]
    assert [entry.get("assumed") for entry in entries] == [True, None, True]
    assert "assumed" not in relaylogic.infer("def @main(%x: Tensor[(2), float32]) { nn.relu(%x) }").to_json()


def test_text_and_notebook_say_which_types_are_assumed():
    result = relaylogic.infer(DENSE)
    text = relaylogic.text.astext(result.module, result.type_of, result.is_assumed)
    assert "let %a /* ty=Tensor[(3, 5), float32] assumed */ =" in text
    assert "nn.relu(%a) /* ty=Tensor[(3, 5), float32] assumed */" not in text
    assert "nn.dense(%b, %w) /* ty=Tensor[(3, 5), float32] assumed */" in text
    assert relaylogic.parse(text).astext() == result.module.astext()
    html = result._repr_html_()
    assert (
        html.count('<span class="assumed" title="Tensor[(3, 5), float32] assumed">') == 3
    )  # two calls, and a variable


def test_it_survives_pickling():
    result = relaylogic.infer(DENSE)
    theirs = pickle.loads(pickle.dumps(result))
    assert [c.assumed for c in theirs.calls] == [c.assumed for c in result.calls] == [True, False, True]
    shown = [relaylogic.text.astext(r.module, r.type_of, r.is_assumed) for r in (result, theirs)]
    assert shown[0] == shown[1]


# ---- properties

EXTENTS = st.sampled_from([1, 2, 3, ANY])
SHAPES = st.lists(EXTENTS, max_size=3).map(tuple)


def broadcast(a, b):
    """The broadcast of two shapes; None if there is none."""
    rank = max(len(a), len(b))
    out = []
    for x, y in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True):
        if x is ANY or y is ANY:
            other = y if x is ANY else x
            out.append(ANY if other == 1 else other)
        elif x != y and 1 not in (x, y):
            return None
        else:
            out.append(max(x, y))
    return tuple(out)


def with_one_extent_changed(shape, values):
    for i, extent in enumerate(shape):
        if extent is not ANY:
            yield from ((*shape[:i], value, *shape[i + 1 :]) for value in values if value != extent)


@settings(max_examples=examples(150))
@given(SHAPES, SHAPES)
def test_the_repairs_of_a_broadcast_are_those_that_brute_force_finds(a, b):
    if broadcast(a, b) is not None:
        return
    values = [1, 2, 3, 5]
    results = [broadcast(c, b) for c in with_one_extent_changed(a, values)]
    results += [broadcast(a, c) for c in with_one_extent_changed(b, values)]
    results = [r for r in results if r is not None]
    rules = default_rules()
    inputs = (TensorType(a, "float32"), TensorType(b, "float32"))
    found = repaired(rules, rules.relation("Broadcast"), inputs, None)
    if not results:  # two extents clash: one of each pair is changed
        assert len(found.shape) == max(len(a), len(b))
        return
    common = [e if all(r[i] == e for r in results) else None for i, e in enumerate(results[0])]
    assert [e if isinstance(e, int) or e is ANY else None for e in found.shape] == common


def test_what_types_agree_on():
    n, m = (TensorType((2, k), "float32") for k in (3, 4))
    assert agreed([]) is None and agreed([n, n]) is n
    assert str(agreed([n, m])) == "Tensor[(2, _), float32]"
    same = agreed([TensorType((k, k), "int8") for k in (1, 2, 3)])
    assert same.shape[0] is same.shape[1]
    a, b = TypeVar("a"), TypeVar("b")
    assert (
        agreed([a, a]) is a
        and type(agreed([a, b])) in VARIABLES
        and agreed([TupleType((a, b)), TupleType((a, a))]).ground is False
    )
    assert type(agreed([FuncType((a,), a), FuncType((), a)])) in VARIABLES


OPERATIONS = [
    "nn.relu({0})",
    "add({0}, {1})",
    "nn.dense({0}, {1})",
    "concatenate(({0}, {1}), axis=1)",
    "transpose({0}, axes=[1, 0])",
    "reshape({0}, newshape=[-1, 2])",
    "nn.softmax({0}, axis=1)",
]


@st.composite
def programs(draw):
    """Programs of a few functions, many of them refused."""
    texts = []
    for name in ("f", "g", "main"):
        values, body = ["%p0", "%p1"], []
        if name != "f" and draw(st.booleans()):
            body.append("%0 = @f(%p0, %p1);")
            values.append("%0")
        for i in range(len(body), draw(st.integers(2, 5))):
            pattern = draw(st.sampled_from(OPERATIONS))
            body.append(f"%{i} = {pattern.format(*(draw(st.sampled_from(values)) for _ in range(2)))};")
            values.append(f"%{i}")
        shapes = [draw(st.sampled_from(["(2, 2)", "(2, 3)", "(3, 4)"])) for _ in range(2)]
        params = ", ".join(f"%p{i}: Tensor[{shape}, float32]" for i, shape in enumerate(shapes))
        texts.append(f"def @{name}({params}) {{\n" + "\n".join(body) + f"\n({', '.join(values)})\n}}")
    return texts


def dependent(inference):
    """The identities of the nodes that depend on a refused one; None if a whole function does."""
    refused = {id(site.expr) for site in inference.failed()}
    found = set()
    for function in inference.module.functions.values():
        bound = {}
        for node in post_order(function):
            if type(node) is Let:
                bound[id(node.var)] = node.value
            below = [*children(node), *([bound[id(node)]] if id(node) in bound else [])]
            if id(node) in refused or any(id(child) in found for child in below):
                found.add(id(node))
                if type(node) is Let and id(node.value) in found:
                    found.add(id(node.var))
    return found


def assert_the_rest_is_untouched(text):
    base = Inference(relaylogic.parse(text))
    further = going_on(base)
    result = relaylogic.infer(base.module)
    assert result.verdict == base.verdict() == further.verdict() == "refuted"
    assert {site.identity for site in base.failed()} <= {site.identity for site in further.failed()}
    touched = dependent(base)
    for function in base.module.functions.values():
        for node in post_order(function):
            if type(node) is Call and id(node) not in touched and not str(node.op).startswith("@"):
                assert str(further.type_of(node)) == str(base.type_of(node))
                assert not result.is_assumed(node)


def said(result):
    """What must not depend on any order."""
    found = {(c.function, c.callee, str(c.type), c.assumed) for c in result.calls}
    functions = {name: str(t) for name, t in result.functions.items()}
    return result.verdict, functions, found, {(e.function, e.relation, e.clause) for e in result.errors}


@settings(max_examples=30 if effort.THOROUGH else 3)
@given(programs())
def test_what_does_not_depend_on_a_refused_call_is_as_before(texts):
    first = relaylogic.infer("\n".join(texts))
    if first.verdict != "refuted":
        assert not any(c.assumed for c in first.calls)
        return
    assert_the_rest_is_untouched("\n".join(texts))
    for order in some(islice(permutations(texts), 1, None), 10):  # the first is the order that they have
        assert said(relaylogic.infer("\n".join(order))) == said(first)


@cache
def small_mutants():
    """Texts of networks of few calls with a planted fault that the types refuse."""
    found = [
        e for e in lines("mutants") if e["verdict"] == "refuted" and e["network"].startswith(("mlp", "dqn", "lstm"))
    ]
    return [mutated(entry) for entry in found]


def test_what_does_not_depend_on_the_fault_of_a_mutant_is_as_before():
    seen = 0
    for text in small_mutants():
        try:
            base = Inference(relaylogic.parse(text))
        except relaylogic.ParseError:
            continue
        if base.failed() and all(isinstance(site, RelationSite) for site in base.failed()):
            assert_the_rest_is_untouched(text)
            seen += 1
    assert seen > 10
