"""Calls of relations that have endlessly many answers, each longer than those before it."""

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
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
