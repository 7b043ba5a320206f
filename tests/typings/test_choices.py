"""Disjunctions beside other goals: what comes of them is what brute force finds, in any order of the goals, and what
refutes their alternatives is seen before these are combined."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from relaylogic.typings.query import count_query, query
from tests.effort import some

CASES = 400
NAMES = "nmkij"
MOST = 3
STEPS = 2_000
BOUNDS: dict[str, Any] = {"max_dim": MOST, "min_dim": 0, "ground": True}


def goal(random: Random, names: str) -> str:
    """A goal about numbers."""
    a, b = random.choices(names, k=2)
    c = random.randrange(MOST + 1)
    forms = (f"{a} = {c}", f"{a} = {c}", f"{a} = {b}", f"{a} <= {c}", f"{a} != {b}", f"{a} + {b} = {c}", f"{a} < {b}")
    return random.choice(forms)


def question(random: Random) -> tuple[list[str], str]:
    """Goals, some of which are disjunctions, about the names that they mention."""
    names = NAMES[: random.randint(2, 4)]
    goals = [f"{name} <= {MOST}" for name in names]
    goals += [goal(random, names) for _ in range(random.randrange(2))]
    for _ in range(random.randint(2, 4)):
        ways = [[goal(random, names) for _ in range(random.choice((1, 1, 2)))] for _ in range(random.choice((2, 3)))]
        goals.append(f"({' ; '.join(map(', '.join, ways))})")
    if random.random() < 0.2:
        inner, other = goals.pop(), goals.pop()
        goals.append(f"({inner} ; {other}, {goal(random, names)})")
    return goals, names


def holds(goals: list[str], names: str, row: tuple[int, ...]) -> bool:
    """Whether goals hold of values, as Python says."""
    said = [g.replace(" = ", " == ").replace(",", " and").replace(";", "or") for g in goals]
    values = dict(zip(names, row, strict=True))
    return all(eval(one, {}, values) for one in said)


def bounded(answer: str, names: str) -> str:
    """An answer as a question about all names, which are small numbers."""
    return ", ".join([answer, *(f"{name} <= {MOST}" for name in names)])


def test_answers_to_disjunctions_are_what_brute_force_finds_in_any_order() -> None:
    for number in some(range(CASES)):
        random = Random(f"choices:{number}")
        goals, names = question(random)
        expected = [row for row in product(range(MOST + 1), repeat=len(names)) if holds(goals, names, row)]
        for _ in range(2):
            text = ", ".join(goals)
            found = query(text, **BOUNDS)
            rows = [tuple(answer.bindings[name] for name in names) for answer in found]
            assert found.status == "exhausted", text
            assert sorted(rows) == expected, text
            assert count_query(text, **BOUNDS) == len(expected), text
            random.shuffle(goals)


def test_open_answers_to_disjunctions_stand_for_what_brute_force_finds() -> None:
    for number in some(range(CASES)):
        goals, names = question(Random(f"open choices:{number}"))
        expected = {row for row in product(range(MOST + 1), repeat=len(names)) if holds(goals, names, row)}
        found = query(", ".join(goals))
        instances = {
            tuple(instance.bindings[name] for name in names)
            for answer in found
            for instance in query(bounded(str(answer), names), **BOUNDS)
        }
        assert found.status == "exhausted", goals
        assert instances == expected, goals


def test_no_answer_says_what_another_one_does() -> None:
    for number in some(range(CASES)):
        random = Random(f"general:{number}")
        names = NAMES[: random.randint(1, 3)]
        ways = [", ".join(goal(random, names) for _ in range(random.choice((1, 1, 2)))) for _ in range(3)]
        of_answers = [
            {
                tuple(instance.bindings[name] for name in names)
                for instance in query(bounded(str(answer), names), **BOUNDS)
            }
            for answer in query(f"{' ; '.join(ways)}")
        ]
        expected = {row for row in product(range(MOST + 1), repeat=len(names)) if holds([" ; ".join(ways)], names, row)}
        assert set().union(*of_answers) == expected, ways
        assert sum(map(len, of_answers)) == len(expected), ways


SIXTEEN = [f"({name} = 1 ; {name} = 2)" for name in "abcdefghijklmnop"]
WEIGHED = " + ".join(f"{3**i} * {name}" for i, name in enumerate("abcdefghijklmnop"))


@pytest.mark.parametrize(
    ("more", "number"),
    [
        (["a > 5"], 0),
        (["p > 5"], 0),
        (["a != 1", "a != 2"], 0),
        (["a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p = 40"], 0),
        ([f"{WEIGHED} = {3**17}"], 0),
        ([f"{WEIGHED} = {3**16 - 1}"], 1),
    ],
)
def test_what_refutes_alternatives_is_seen_before_they_are_combined(more: list[str], number: int) -> None:
    for goals in ([*SIXTEEN, *more], [*more, *SIXTEEN]):
        found = query(", ".join(goals), steps=STEPS)
        assert (len(list(found)), found.status) == (number, "exhausted")


def test_disjunctions_of_other_numbers_are_counted_apart() -> None:
    assert count_query(", ".join(SIXTEEN), steps=STEPS) == 2**16


def test_what_comes_of_an_alternative_is_told_by_the_names_of_relations_only() -> None:
    (answer,) = query("(n = 1 ; n = 2), nn.batch_flatten(Tensor[(n, 3), float32]) = Tensor[(2, _), _]")
    assert answer.clauses == ("Flatten/keep_batch",)
