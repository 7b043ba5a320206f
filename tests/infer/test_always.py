"""What holds whatever type parameters stand for stands in no `where`; and whether it does is asked once."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.always import Naturals, always_holds
from relaylogic.infer.sites.callsite import solve_site
from relaylogic.infer.sites.driver import Driver
from relaylogic.logic.terms.numbers import UNKNOWN
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.text import parse
from relaylogic.types import TensorType, TypeVar
from relaylogic.types.substitution import substitute
from tests.counted import at_most
from tests.effort import examples

RULES = load_rules()
NAMES = [TypeVar("n", "ShapeVar"), TypeVar("m", "ShapeVar")]
N, M = NAMES
EXTENTS = [N, M, N + 1, N + M, 2 * N, 1, 2]
VALUES = (0, 1, 2, 3, UNKNOWN)
RELATIONS = [
    ("Broadcast", 2),
    ("Identity", 1),
    ("Flatten", 1),
    ("Dense", 2),
    ("Where", 3),
    ("Squeeze", 1),
    ("BatchMatmul", 2),
    ("CollapseSumLike", 2),
    ("BroadcastToLike", 2),
]

OPEN = """
def @f(%x, %y) { add(nn.dense(%x, %y), nn.relu(%x)) }
def @g(%x, %y) { add(nn.dense(%x, %y), nn.relu(%x)) }
def @main(%x: Tensor[(4, 8), float32], %w: Tensor[(8, 8), float32]) {
  let %h = fn (%a) { add(nn.dense(%a, %w), reshape(%a, newshape=[-1, 8])) };
  let %k = fn (%a) { concatenate((nn.dense(%a, %w), reshape(%a, newshape=[-1, 8])), axis=1) };
  (@f(%x, %w), @g(%x, %w), %h(%x), %k)
}
"""


@settings(max_examples=examples(200))
@given(st.sampled_from(RELATIONS), st.data())
def test_what_always_holds_holds_of_all_extents(named, data):
    name, inputs = named
    shape = st.lists(st.sampled_from(EXTENTS), max_size=2)
    terms = tuple(TensorType(tuple(data.draw(shape)), "int8") for _ in range(inputs + 1))
    relation = RULES.relation(name)
    driver = Driver(RULES)
    attrs = driver.attributes.complete(relation, None)
    if always_holds(relation, terms, attrs, Naturals(), driver):
        for values in product(VALUES, repeat=2):
            chosen = substitute(terms, dict(zip(NAMES, values, strict=True)), [])
            assert solve_site(driver.rules, relation, chosen, attrs).answers, (name, terms, values)


def test_the_parameters_of_other_functions_are_no_other_question(monkeypatch):
    """Each inference had parameters of its own, so that it searched for what the one before had found out."""
    module, rules = parse(OPEN), load_rules()
    first = Inference(module, rules)
    search, asked = RuleBase._by_search, []

    def noted(self, relation, *how):
        asked.append(relation)
        return search(self, relation, *how)

    monkeypatch.setattr(RuleBase, "_by_search", noted)
    again = Inference(module, rules)
    assert not asked and again.verdict() == first.verdict() == "typed"


BODIES = [
    "transpose(squeeze(%x), axes=[1, 0])",
    "squeeze(%x)",
    "nn.batch_flatten(%x)",
    "add(%x, ones(shape=[1, 4], dtype=\"float32\"))",
    "reshape(%x, newshape=[-1, 2])",
    "nn.dense(%x, %x)",
]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("n", [0, 1, 2, 4, "?"])
def test_what_a_declared_extent_is_called_with_is_refused_where_the_body_refuses_it(n, body):
    """`squeeze` keeps what is not 1: that was forgotten, so that a call with 1 had a type that its body has not."""
    at = f"(%x: Tensor[({n}, 4), float32])"
    alone = infer(f"def @main{at} {{ {body} }}")
    declared = f"def @open<n: ShapeVar>(%x: Tensor[(n, 4), float32]) {{ {body} }}"
    called = infer(f"{declared}\ndef @main{at} {{ @open(%x) }}")
    if called.verdict == "typed":
        assert alone.verdict == "typed"
        assert str(alone.functions["main"].ret_type) == str(called.functions["main"].ret_type)
    assert (alone.verdict, called.verdict) in [("typed", "typed"), ("refuted", "refuted")] or body == "squeeze(%x)"


@pytest.mark.parametrize("n", [1, 2])
def test_what_an_open_extent_is_found_to_be_is_no_constant_by_itself(n):
    body = "{ transpose(squeeze(%x), axes=[1, 0]) }"
    at = f"(%x: Tensor[({n}, 4), float32])"
    called = infer(f"def @open(%x: Tensor[(_, 4), float32]) {body}\ndef @main{at} {{ @open(%x) }}")
    assert called.verdict == infer(f"def @main{at} {body}").verdict == ("typed" if n == 2 else "refuted")


def test_a_function_does_not_serve_for_extents_that_its_body_tells_apart():
    """A `where` followed from nothing if it held of an extent that nobody knows, though not of 1."""
    wanted = "fn <n: ShapeVar>(Tensor[(n, 4), float32]) -> Tensor[(n, 4), float32]"
    for body, verdict in [("squeeze(%x)", "refuted"), ("add(%x, %x)", "typed")]:
        given = f"fn <m: ShapeVar>(%x: Tensor[(m, 4), float32]) -> Tensor[(m, 4), float32] {{ {body} }}"
        result = infer(f"def @takes(%f: {wanted}) {{ %f }}\ndef @main() {{ let %g = {given}; @takes(%g) }}")
        assert result.verdict == verdict



def test_many_calls_that_leave_many_numbers_natural_ask_for_them_once():
    """Each call put the names that it asks with into all of these: it took as long as the square of the calls."""

    def calls_for(windows):
        body = "".join(
            f"  %{i} = nn.max_pool2d(%{i - 1}, pool_size=[2, 2], strides=[1, 1]);\n" for i in range(1, windows)
        )
        text = f"  %0 = nn.max_pool2d(%x, pool_size=[3, 3], strides=[1, 1]);\n{body}  nn.relu(%{windows - 1})\n"
        module = parse(f"def @f<h: ShapeVar, w: ShapeVar>(%x: Tensor[(1, 3, h, w), float32]) {{\n{text}}}")
        infer(module, rules=RULES)
        with at_most(10**8) as calls:
            assert infer(module, rules=RULES).verdict == "typed"
        return calls.made

    assert calls_for(40) < 3 * calls_for(20)


APART = {
    "apart.rel": "Apart(Tensor[s, t], Tensor[s, u], Tensor[s, t]) :- t != u.\noperator apart(left, right) : Apart.\n",
    "apart.py": """
from kanren import eq, lall, var
from kanren.constraints import neq
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType

@relation
def Apart(left, right, out):
    '''The dtypes are not the same.'''

@Apart.clause
def dtypes(left, right, out):
    shape, own, other = var(), var(), var()
    return lall(eq(left, TensorType(shape, own)), eq(right, TensorType(shape, other)), neq(own, other), eq(out, left))

operator("apart", "left, right", Apart)
""",
}


@pytest.mark.parametrize("file", APART)
def test_that_dtypes_differ_is_no_matter_of_course_whoever_says_it(file, tmp_path):
    """A type parameter differs from int8 until it is int8: kanren's `neq` is told so, as our disequality is."""
    (tmp_path / file).write_text(APART[file])
    rules = load_rules(tmp_path, python=True)
    function = "def @f(%x: Tensor[(2), int8], %y) { apart(%x, %y) }"
    assert "where Apart(" in str(infer(function, rules=rules).functions["f"])
    for dtype, verdict in (("int8", "refuted"), ("int16", "typed")):
        main = f"def @main(%x: Tensor[(2), int8], %y: Tensor[(2), {dtype}]) {{ @f(%x, %y) }}"
        assert infer(f"{function}\n{main}", rules=rules).verdict == verdict
    declared = "def @f[t: BaseType](%x: Tensor[(2), int8], %y: Tensor[(2), t]) { apart(%x, %y) }"
    assert "where Apart(" in str(infer(declared, rules=rules).functions["f"])


OTHERS = """
OtherExtent(Tensor[(n), t], Tensor[(m), t], Tensor[(n), t]) :- n != m.
operator other_extent(left, right) : OtherExtent.
OtherShape(Tensor[s, t], Tensor[u, t], Tensor[s, t]) :- s != u.
operator other_shape(left, right) : OtherShape.
OtherDtype(Tensor[s, t], Tensor[s, u], Tensor[s, t]) :- t != u.
operator other_dtype(left, right) : OtherDtype.
OtherType(A, B, A) :- A != B.
operator other_type(left, right) : OtherType.
"""
PARAMETERS = {
    "extent": ("n: ShapeVar, m: ShapeVar", "Tensor[(n), int8]", "Tensor[(m), int8]"),
    "shape": ("s: Shape, u: Shape", "Tensor[s, int8]", "Tensor[u, int8]"),
    "dtype": ("t: BaseType, u: BaseType", "Tensor[(2), t]", "Tensor[(2), u]"),
    "type": ("a, b", "a", "b"),
}


@pytest.mark.parametrize("kind", PARAMETERS)
def test_that_type_parameters_of_any_kind_differ_is_demanded_of_callers(kind, tmp_path):
    """It is, whether they are declared or found, and a caller for whom they are one is refused."""
    (tmp_path / "others.rel").write_text(OTHERS)
    rules = load_rules(tmp_path)
    declared, left, right = PARAMETERS[kind]
    same = "def @main(%x: Tensor[(2), int8], %y: Tensor[(2), int8]) { @f(%x, %y) }"
    for head in (f"[{declared}](%x: {left}, %y: {right})", "(%x, %y)"):
        function = f"def @f{head} {{ other_{kind}(%x, %y) }}"
        found = infer(function, rules=rules)
        assert found.verdict == "typed" and f"where Other{kind.title()}(" in str(found.functions["f"])
        assert infer(f"{function}\n{same}", rules=rules).verdict == "refuted"
