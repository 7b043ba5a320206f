"""A relation that is asked with the extents of its result left open: these are held against the given ones at once."""

from __future__ import annotations

from itertools import product

import pytest

import relaylogic
from relaylogic.infer.sites.attributes import Attributes
from relaylogic.infer.sites.callsite import loosened, solve_site
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.types import ANY, TensorType, TypeVar


@pytest.mark.parametrize("first", [1, 2])
def test_what_no_extent_of_the_result_agrees_with_is_refused_in_few_steps(first):
    """All results were listed first: 200,000 steps did not do."""
    rules = load_rules()
    shape = (first, TypeVar("d", "ShapeVar"), 4, 5, 6)
    asked = (TensorType(shape, "bool"), fresh(), TensorType(shape), TensorType((2, 3, 4, 5, 6)))
    solution = rules.solve(rules.relation("Where"), canonical(asked, {}), None, loosened)
    assert solution.exhausted and not solution.answers


@pytest.mark.parametrize("name", ["Broadcast", "Transpose", "Flatten"])
def test_where_no_number_may_be_unknown_it_is_the_same_question(name):
    rules = load_rules()
    relation = rules.relation(name)
    attrs = Attributes(rules).complete(relation, None)
    shapes = [(), (2,), (1, 3), (2, 3), (fresh(), 3), fresh()]
    terms = [TensorType(shape, "int8") for shape in shapes]
    refused = 0
    for asked in product(terms, repeat=relation.arity):
        key = canonical(asked, {})
        if not rules.is_gradual(relation, key, attrs) and not rules.solve(relation, key, attrs).answers:
            assert not rules.solve(relation, key, attrs, loosened).answers, key
            refused += 1
    assert refused


@pytest.mark.parametrize("name", ["Broadcast", "Where", "Comparison", "BatchMatmul", "Transpose"])
def test_extents_that_are_open_and_stand_nowhere_else_are_whatever_the_relation_gives(name, monkeypatch):
    rules = load_rules()
    relation = rules.relation(name)
    attrs = Attributes(rules).complete(relation, None)
    solve, loose = rules.solve, []
    monkeypatch.setattr(rules, "solve", lambda *asked, **how: (loose.extend(asked[3:4]), solve(*asked, **how))[1])
    shared, refused = fresh(), 0
    shapes = [(), (2,), (1, ANY), (ANY, 3, 2), (2, shared), (fresh(), 3)]
    inputs = [TensorType(shape, "float32") for shape in shapes]
    results = [TensorType((fresh(),) * 1), TensorType((fresh(), fresh())), TensorType((fresh(), fresh(), fresh()))]
    for asked in product(*[inputs] * (relation.arity - 1), results):
        key = canonical(asked, {})
        if not solve_site(rules, relation, key, attrs).answers:
            assert not solve(relation, key, attrs, loosened).answers, key
            refused += 1
    assert refused and not loose
    twice = (*inputs[3:4] * (relation.arity - 1), TensorType((shared, shared)))
    solve_site(rules, relation, canonical(twice, {}), attrs)
    assert loose == [loosened]


def test_a_refused_call_is_asked_once_where_no_number_may_be_unknown(monkeypatch):
    search, loose = RuleBase._by_search, []

    def noted(self, relation, arguments, attrs, also, *how):
        loose.append(also)
        return search(self, relation, arguments, attrs, also, *how)

    monkeypatch.setattr(RuleBase, "_by_search", noted)
    text = "def @main(%x: Tensor[(SHAPE), int8], %y: Tensor[(2, 3), int8]) -> Tensor[(2, 3), int8] { add(%x, %y) }"
    assert relaylogic.infer(text.replace("SHAPE", "4, 5")).verdict == "refuted" and loosened not in loose
    assert relaylogic.infer(text.replace("SHAPE", "?, 3")).verdict == "typed"
