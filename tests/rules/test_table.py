"""What was asked of a relation before is looked up."""

from __future__ import annotations

from relaylogic.logic import eq
from relaylogic.logic.terms.terms import slot
from relaylogic.rulebase import Attrs, Relation, load_rules
from relaylogic.types import TensorType


def test_a_relation_without_attributes_is_asked_once_whatever_a_call_has():
    """For the errors of a call a relation was asked the same sixteen times, once for each value of an attribute that it
    does not even take."""
    rules = load_rules()
    asked = []

    def same(a, b):
        asked.append((a, b))
        return eq(a, b)

    relation = Relation("Same", ("a", "b"))
    relation.clause(same)
    given = (TensorType((2,)), slot(0))
    found = [rules.solve(relation, given, attrs) for attrs in (None, Attrs({"k": 1}), Attrs({"k": 2}))]
    assert found[0] is found[1] is found[2]
    assert len(asked) == 1
