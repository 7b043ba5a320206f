"""Calls of relations that have endlessly many answers, each longer than those before it."""

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.logic.constraints import free_choices
from relaylogic.rulebase import load_rules

CLAUSES = """
Paired(Tensor[s, t], Tensor[(n), t]) :- Even(s, n).
Even([], 1).
Even([n | s], m) :- Odd(s, k), m = n * k.
Odd([n | s], m) :- Even(s, k), m = n + k.
operator paired(data) : Paired.
"""


@pytest.mark.parametrize(
    ("function", "verdict"),
    [
        ("def @main(%x: Tensor[(1, 0, 1), int8]) -> Tensor[(0), int8] { paired(%x) }", "refuted"),
        ("def @main(%x) { paired(%x) }", "typed"),
    ],
)
def test_what_is_left_of_endless_answers_is_not_gone_through_for_a_sketch(function, verdict):
    rules = load_rules()
    load_clauses(rules, CLAUSES)
    with relaylogic.limits(steps=60_000):
        assert relaylogic.infer(function, rules=rules).verdict == verdict


def test_hidden_numbers_of_answers_are_paid_for(monkeypatch):
    """Each answer has a hidden number more, of which all were looked at again and again: a call took half a minute."""
    steps, looked_at = 3_000, []
    look = free_choices._can_be_found
    monkeypatch.setattr(free_choices, "_can_be_found", lambda *about: looked_at.append(about[0]) or look(*about))
    rules = load_rules()
    clauses = "Biggest([n], n). Biggest([n | s], m) :- Biggest(s, k), m = max(n, k). Mine(A, A) :- Biggest(s, n // 2)."
    load_clauses(rules, f"{clauses} operator mine(data) : Mine.")
    with relaylogic.limits(steps=steps):
        assert relaylogic.infer_call("mine", ["Tensor[(2, 3), float32]"], rules=rules).verdict == "unknown"
    assert len(looked_at) < free_choices.MANY * steps
