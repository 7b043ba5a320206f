"""What holds whatever type parameters stand for stands in no `where`; and whether it does is asked once."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.infer.always import always_holds
from relaylogic.infer.driver import Driver
from relaylogic.infer.program import Inference
from relaylogic.infer.sites import RelationSite
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.text import parse
from relaylogic.types import TensorType, TypeVar
from relaylogic.types.substitution import substitute
from tests.effort import examples

RULES = load_rules()
NAMES = [TypeVar("n", "ShapeVar"), TypeVar("m", "ShapeVar")]
N, M = NAMES
EXTENTS = [N, M, N + 1, N + M, 2 * N, 1, 2]
RELATIONS = [("Broadcast", 2), ("Identity", 1), ("Flatten", 1), ("Dense", 2), ("Where", 3)]

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
    if always_holds(RelationSite(relation, terms, attrs, None, ""), [], driver):
        for values in product((1, 2, 3), repeat=2):
            chosen = substitute(terms, dict(zip(NAMES, values, strict=True)), [])
            assert driver.rules.solve(relation, chosen, attrs).answers, (name, terms, values)


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
