"""What the options of a call are is worked out once; how they relate to each other, by whoever asks first."""

from __future__ import annotations

from contextlib import suppress

import pytest

from relaylogic import limits
from relaylogic.clauses.load import load_clauses
from relaylogic.host.governor import Stopped
from relaylogic.logic.control import Budget, Search
from relaylogic.logic.search.options import options_of
from relaylogic.logic.terms.terms import slot
from relaylogic.rulebase import RuleError, load_rules
from relaylogic.types import TensorType as Tensor


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
    with limits(steps=20), pytest.raises(Stopped):
        options_of(pattern, {}, Search(Budget(), postpones=True, gradual=False, rules=rules)).disjoint  # noqa: B018


def test_options_that_differ_at_a_glance_are_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is seen at a glance is what is found out when both are said to hold."""

    def told() -> list[tuple[str, bool]]:
        rules = load_rules()
        search = Search(Budget(), postpones=True, gradual=False, rules=rules)
        shapes = [(6,), (1, 6), slot(5)]
        found = []
        for name, relation in sorted(rules.relations.items()):
            if relation.takes_attrs or rules.profiles.of(relation).recursive or relation.arity > 3:
                continue
            for last in (slot(4), 6, *shapes, *(Tensor(shape) for shape in shapes)):
                with suppress(RuleError):  # some rules in Python take what they are given to be known
                    options = options_of((relation, *map(slot, range(relation.arity - 1)), last), {}, search)
                    found.append((f"{name} {last}", options.disjoint))
        return found

    seen = told()
    assert {answer for _, answer in seen} == {False, True}
    monkeypatch.setattr("relaylogic.logic.search.options.clash", lambda one, other: False)
    assert told() == seen
