"""Bounded completeness of every relation in rules/: what holds is answered in every direction."""

import gzip
import json
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.errors import RelayLogicError
from relaylogic.rulebase import load_rules
from relaylogic.text import parse_type
from relaylogic.types import TupleType
from relaylogic.typings import check
from relaylogic.typings.check import LARGEST, check_relation
from tests import effort
from tests.effort import examples

RULES = load_rules()
FACTS = Path(__file__).resolve().parents[1] / "conformance" / "data" / "facts.jsonl.gz"
CHECKED = sorted({operator.relation.name for operator in RULES.operators.values()})
# Their results are not known before run time (`?`), or they refuse every call.
NOT_GROUND = frozenset(
    {
        "AllocStorage",
        "AllocTensor",
        "ArgWhere",
        "DynOneHot",
        "DynSparseToDense",
        "DynTopK",
        "DynamicPad",
        "DynamicResize2D",
        "DynamicUpSampling",
        "DynamicUpSampling3D",
        "NoCall",
        "SparseFillEmptyRows",
    }
)


@cache
def measured_calls():
    """For each relation, the smallest call that TVM accepted, whose types are ground and which we accept."""
    found = {}
    with gzip.open(FACTS, "rt", encoding="utf-8") as lines:
        for line in lines:
            fact = json.loads(line)
            operator = RULES.operators.get(fact["op"])
            texts = [*fact["in"], fact.get("out") or "?"]
            if operator is not None and not any("?" in text or text == "_" for text in texts):
                found.setdefault(operator.relation.name, []).append((sum(map(len, texts)), line, operator, fact))
    cases = {}
    for name, calls in found.items():
        accepted = (
            case
            for _, _, operator, fact in sorted(calls, key=lambda call: call[:2])
            for case in as_case(operator, fact)
        )
        cases[name] = list(islice(accepted, 1))
    return cases


def as_case(operator, fact):
    relation = operator.relation
    try:
        types = tuple(parse_type(text) for text in fact["in"])
        result = parse_type(fact["out"])
        attrs = operator.attrs(fact["attrs"] or {}) if relation.takes_attrs else None
    except (ValueError, RelayLogicError):
        return
    terms = (*((TupleType(types),) if operator.variadic else types), result)
    if len(terms) == relation.arity:
        solution = RULES.solve(relation, terms, attrs)
        if solution.answers and not solution.answers[0].residue:
            yield terms, attrs


@pytest.mark.parametrize("name", CHECKED)
def test_a_relation_is_complete(name, monkeypatch):
    """In a usual run a random call is looked at only if the measured one tells nothing; attributes are asked of one."""
    relation = RULES.relation(name)
    few = relation.arity > 6
    given = [] if few else measured_calls().get(name, [])
    monkeypatch.setattr(check, "ATTRIBUTE_CASES", check.ATTRIBUTE_CASES if effort.THOROUGH else 1)
    for samples in (1,) if effort.THOROUGH or not given else (0, 1):
        report = check_relation(relation, RULES, given=given, samples=samples, largest=examples(LARGEST, 24))
        assert report.counterexample is None, str(report.counterexample)
        if report.compared > 0:
            break
    assert report.compared > 0 or name in NOT_GROUND or few


def test_two_results_are_a_mistake():
    rules = load_rules()
    load_clauses(rules, "R(Tensor[[n | s], t], Tensor[[k | s], t]) :- 2 * k <= n. operator r(data) : R.")
    assert "has two results" in str(check_relation(rules.relation("R"), rules).counterexample)


def test_an_incomplete_relation_is_found(tmp_path):
    (tmp_path / "mine.py").write_text(
        '''
from relaylogic.logic import eq
from relaylogic.logic.terms.rebuilding import reify_term
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
    rules = load_rules(tmp_path, python=True)
    counterexample = check_relation(rules.relation("Forward"), rules).counterexample
    assert counterexample.missing and "does not give" in str(counterexample)
