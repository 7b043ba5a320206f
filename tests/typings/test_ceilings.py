"""Relations that call themselves with less, below a number: all answers come, and that there are no more."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from relaylogic.typings.query import query
from tests.effort import some

from .random_relations import Clause, Relation, Rules, is_list, text_of
from .relations_by_force import Meaning
from .test_random_relations import MOST, NUMBER, SHAPES, Case, check_open, loaded

CASES = 300
STEPS = 20_000
HIGHEST = 5
RULES = """
Even([]).
Even([_ | s]) :- Odd(s).
Odd([_ | s]) :- Even(s).
Fact(0, 1).
Fact(n, m) :- Fact(n - 1, k), m = n * k, n >= 1.
Fib(0, 0).
Fib(1, 1).
Fib(n, m) :- n >= 2, Fib(n - 1, k), Fib(n - 2, i), m = k + i.
Log(1, 0).
Log(n, m) :- n >= 2, Log(n // 2, k), m = k + 1.
Rise(n, m) :- m = n + 1.
Rise(n, m) :- Rise(n + 1, m).
Climb(9).
Climb(n) :- Climb(n + 1).
Void(n, m) :- Void(n + 1, m).
Void(n, m) :- Void(m, n + 2).
Turned([], []).
Turned([n | s], u) :- Turned(s, v), append(v, [n], u).
"""


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Even(s), len(s) <= 5", 3),
        ("len(s) <= 5, Even(s)", 3),
        ("Even(s), append(s, u, v), len(v) <= 3", 2),
        ("Fact(n, 120)", 1),
        ("Fact(n, m), m <= 1000", 7),
        ("Fib(n, 21)", 1),
        ("Fib(n, 22)", 0),
        ("Log(n, m), n <= 63", 6),
        ("Rise(n, 7)", 7),
        ("Climb(n), n <= 4", 5),
        ("Void(n, m), n <= 4, m <= 3", 0),
        ("Turned(s, u), len(s) <= 3", 4),
        ("Turned(s, u), len(u) <= 3", 4),
    ],
)
def test_a_relation_that_calls_itself_ends_below_a_bound(question: str, number: int) -> None:
    found = query(question, rules=loaded((), RULES))
    assert (len(list(found)), found.status) == (number, "exhausted")


def less(random: Random, name: str) -> Any:
    """A number that is less than one that is at least 2."""
    return random.choice((("-", name, 1), ("-", name, 2), ("//", name, 2)))


def result(random: Random, *parts: str) -> Any:
    """A number that follows from others."""
    word = random.choice(("+", "+", "*", "max", "min"))
    return (word, random.choice(parts), random.choice((1, 2, *parts)))


def shrinking(random: Random) -> Rules:
    """One relation, or two that call each other, of a number or list and what follows from it, which call themselves
    with less."""
    kind = random.choice("NNS")
    names = ("Ru", "Wo")[: random.choice((1, 1, 2))]
    relations = []
    for name in names:
        empty = ("list",) if kind == "S" else random.choice((0, 1))
        clauses = [Clause((empty, random.randrange(3)), ())]
        for _ in range(random.choice((1, 1, 2))):
            called = random.choice(names)
            goals = [("compare", "m", "=", result(random, "n", "k"))]
            if kind == "S":
                goals += [("call", called, "s", "k"), *[("compare", "n", "<=", 2)][: random.randrange(2)]]
            else:
                goals += [("call", called, less(random, "n"), "k"), ("compare", "n", ">=", 2)]
                if random.random() < 0.2:
                    goals.append(("call", random.choice(names), less(random, "n"), random.choice("mk")))
            random.shuffle(goals)
            head = ("open", "s", "n") if kind == "S" else "n"
            clauses.append(Clause((head, "m"), tuple(goals)))
        relations.append(Relation(name, f"{kind}N", tuple(clauses)))
    return tuple(relations)


def case_of(number: int) -> Case:
    """A question about relations that shrink, which bounds what shrinks, in any order."""
    random = Random(f"shrinking:{number}")
    rules = shrinking(random)
    first = "s" if rules[0].kinds == "SN" else "n"
    bound: Any = ("compare", ("len", "s"), "<=", 2) if is_list(first) else ("compare", "n", "<=", HIGHEST)
    goals = [("call", random.choice(rules).name, first, "m"), bound]
    if random.random() < 0.3:
        goals.append(("compare", "m", random.choice(("<=", "!=", "=", ">")), random.randrange(6)))
    random.shuffle(goals)
    domains = {first: SHAPES if is_list(first) else range(NUMBER + 1), "m": range(NUMBER + 1)}
    return Case(rules, tuple(goals), ", ".join(map(text_of, goals)), domains)


def test_what_shrinks_below_a_bound_ends_with_all_answers() -> None:
    for case in map(case_of, some(range(CASES))):
        base = loaded(case.rules)
        found = query(case.text, rules=base, steps=STEPS)
        assert len(list(found)) < MOST and found.status == "exhausted", case
        check_open(case, base, Meaning(case.rules).answers(case.goals, case.domains))
