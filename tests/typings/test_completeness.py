"""Bounded completeness of every relation in rules/: what holds is answered in every direction."""

import gzip
import json
from pathlib import Path

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import load_rules
from relaylogic.text import parse_type
from relaylogic.types import TupleType
from relaylogic.typings.check import check_relation

RULES = load_rules()
FACTS = Path(__file__).resolve().parents[1] / "conformance" / "data" / "facts.jsonl.gz"
CHECKED = sorted({operator.relation.name for operator in RULES.operators.values()})
# Their results are not known before run time (`?`), or they refuse every call.
NOT_GROUND = frozenset(
    "AllocStorage AllocTensor ArgWhere DynOneHot DynSparseToDense DynTopK DynamicPad DynamicResize2D DynamicUpSampling "
    "DynamicUpSampling3D NoCall SparseFillEmptyRows".split()
)


def measured_calls():
    """The smallest call of each relation that TVM accepted and whose types are ground."""
    found = {}
    with gzip.open(FACTS, "rt", encoding="utf-8") as lines:
        for line in lines:
            fact = json.loads(line)
            operator = RULES.operators.get(fact["op"])
            texts = [*fact["in"], fact.get("out") or "?"]
            if operator is None or any("?" in text or text == "_" for text in texts):
                continue
            size = sum(map(len, texts))
            known = found.get(operator.relation.name)
            if known is None or size < known[0]:
                found[operator.relation.name] = (size, operator, fact)
    cases = {}
    for name, (_, operator, fact) in found.items():
        relation = operator.relation
        types = tuple(parse_type(text) for text in fact["in"])
        inputs = (TupleType(types),) if operator.variadic else types
        try:
            attrs = operator.attrs(fact["attrs"] or {}) if relation.takes_attrs else None
        except ValueError:
            continue
        terms = (*inputs, parse_type(fact["out"]))
        if len(terms) == relation.arity and RULES.solve(relation, terms, attrs).answers:
            cases[name] = [(terms, attrs)]
    return cases


MEASURED = measured_calls()


@pytest.mark.parametrize("name", CHECKED)
def test_a_relation_is_complete(name):
    few = RULES.relation(name).arity > 6
    given = [] if few else MEASURED.get(name, [])
    report = check_relation(RULES.relation(name), RULES, given=given, samples=1)
    assert report.counterexample is None, str(report.counterexample)
    assert report.compared > 0 or name in NOT_GROUND or few


def test_two_results_are_a_mistake():
    rules = load_rules()
    load_clauses(rules, "R(Tensor[[n | s], t], Tensor[[k | s], t]) :- 2 * k <= n. operator r(data) : R.")
    assert "has two results" in str(check_relation(rules.relation("R"), rules).counterexample)


def test_an_incomplete_relation_is_found(tmp_path):
    (tmp_path / "mine.py").write_text(
        '''
from relaylogic.logic import eq
from relaylogic.logic.terms import reify_term
from relaylogic.rulebase import operator, relation


@relation
def Forward(data, out):
    """The identity, but only if the input is known."""


@Forward.clause
def forward(data, out):
    return lambda state: eq(data, out)(state) if hasattr(reify_term(data, state.bindings), "shape") else iter(())


operator("forward", "data", Forward)
'''
    )
    rules = load_rules(tmp_path)
    counterexample = check_relation(rules.relation("Forward"), rules).counterexample
    assert counterexample.missing and "does not give" in str(counterexample)
