"""What is hidden in a part and follows from what is asked for does so in what is left of the part, unless that brings
something new: no answer comes twice, and none is lost."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.logic.circuits.circuit import Filled, answers
from relaylogic.logic.circuits.problem import Problem
from relaylogic.logic.circuits.solver import Solver
from relaylogic.logic.search.split import determined
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import count_query, query
from tests.effort import some

CLAUSES = """
one: Step(a, b, c) :- a = b, c = a + 1.
two: Step(a, b, c) :- a = b + 1, c = b.
three: Step(a, b, c) :- a + 1 = b, c = a + k, k + k = 2.
one: Loose(a, b, c) :- a = b, c = a.
two: Loose(a, b, c) :- a + 1 = b, c <= a.
"""
MOST = 4
HIDDEN = 2 * MOST
"""What is hidden is not larger: each step adds one at most."""


def rows(name: str) -> set[tuple[int, ...]]:
    """The numbers that a relation holds of."""
    holds = {
        "Step": lambda a, b, c: (a == b and c == a + 1) or (a == b + 1 and c == b) or (a + 1 == b and c == b),
        "Loose": lambda a, b, c: (a == b and c == a) or (a + 1 == b and c <= a),
        "BroadcastDim": lambda a, b, c: c == (a if b == 1 else b) and (a == b or 1 in (a, b)),
    }[name]
    return {row for row in product(range(HIDDEN + 1), repeat=3) if holds(*row)}


def by_force(names: list[str], last: int | None) -> set[tuple[int, ...]]:
    """What a chain of such relations relates, from its first number on; what is between them is hidden."""
    found = {((a, b), c) for a, b, c in rows(names[0])}
    for name in names[1:]:
        found = {((*before, b), c) for before, t in found for a, b, c in rows(name) if a == t}
    related = {(*before, c) for before, c in found} if last is None else {before for before, c in found if c == last}
    return {row for row in related if max(row) <= MOST}


@pytest.mark.parametrize("seed", some(range(24), 3))
def test_the_answers_of_a_chain_are_those_of_brute_force(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    solvers: list[Solver] = []
    made = Solver.__init__
    monkeypatch.setattr(Solver, "__init__", lambda self, *given: (made(self, *given), solvers.append(self))[0])
    random = Random(seed)
    names = random.choices(("Step", "Loose", "BroadcastDim"), (3, 1, 3), k=random.randrange(2, 5))
    last = random.choice((None, 1, 2, MOST))
    rules = load_rules()
    places = ["x0", *(f"x{i + 1}" for i in range(len(names)))]
    between = [places[0], *(f"t{i}" for i in range(len(names) - 1)), "y" if last is None else str(last)]
    goals = [f"{name}({between[i]}, {places[i + 1]}, {between[i + 1]})" for i, name in enumerate(names)]
    head = [*places, *(["y"] if last is None else [])]
    load_clauses(rules, f"{CLAUSES}\nChain({', '.join(head)}) :- {', '.join(goals)}.")
    text = ", ".join([f"Chain({', '.join(head)})", *(f"{name} <= {MOST}" for name in head)])
    found = [
        tuple(answer.bindings[name] for name in head) for answer in query(text, rules=rules, ground=True, min_dim=0)
    ]
    assert len(found) == len(set(found)) == count_query(text, rules=rules, ground=True, min_dim=0)
    assert set(found) == by_force(names, last)
    for solver in solvers:
        for node in solver._nodes.values():
            if isinstance(node, Problem) and node.is_determined and not determined(node.part, solver.functional):
                walked = [Filled(path, node.width).identity() for path in answers(node)]
                assert len(walked) == len(set(walked))
