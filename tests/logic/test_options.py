"""What the options of a call are is worked out once; how they relate to each other, by whoever asks first."""

from __future__ import annotations

import pytest

from relaylogic import limits
from relaylogic.clauses.load import load_clauses
from relaylogic.governor import Stopped
from relaylogic.logic.control import Budget, Search
from relaylogic.logic.options import options_of
from relaylogic.logic.terms import slot
from relaylogic.rulebase import load_rules


def test_who_asks_pays_and_not_who_found_the_options() -> None:
    """They were kept with the budget of the query that found them, and a limit of that one stopped the next."""
    rules = load_rules()
    load_clauses(rules, "Chases(n, m, k) :- n < m, m < k.\nChases(n, m, k) :- k < n.")
    memory: dict[object, object] = {}
    pattern = (rules.relation("Chases"), slot(0), slot(1), slot(2))
    with limits(steps=1_000):
        search = Search(Budget(), postpones=True, gradual=False, rules=rules)
        found = options_of(pattern, memory, search)
        with pytest.raises(Stopped):
            search.budget.charge(10_000)
    assert found.count == 2 and found.disjoint
    with limits(steps=100), pytest.raises(Stopped):
        options_of(pattern, {}, Search(Budget(), postpones=True, gradual=False, rules=rules)).disjoint  # noqa: B018
