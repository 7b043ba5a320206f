"""What holds whatever type parameters stand for stands in no `where`; and whether it does is asked once."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.infer.always import Naturals, always_holds
from relaylogic.infer.callsite import solve_site
from relaylogic.infer.driver import Driver
from relaylogic.infer.program import Inference
from relaylogic.logic.numbers import UNKNOWN
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
