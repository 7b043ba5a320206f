"""Equations that make one expression of several numbers: what they say again is not told, and what agrees is equal."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.logic.constraints.compare import Compare
from relaylogic.logic.constraints.equations import gap_of
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.effort import some

RESHAPED = [
    ("reshape(Tensor[(2, n, 6), float32], newshape=[-1, 4]) = B", "B = Tensor[(m, 4), float32], 3 * n = m"),
    ("reshape(Tensor[(n, 6), float32], newshape=[-1, 3]) = B", "B = Tensor[(m, 3), float32], 2 * n = m"),
    ("reshape(Tensor[(n, 2, m), t], newshape=[0, -1]) = B", "B = Tensor[(n, k), t], 2 * m = k"),
]


@pytest.mark.parametrize(("asked", "told"), RESHAPED)
def test_a_reshape_of_an_open_extent_leaves_no_hidden_products(asked, told):
    (answer,) = query(asked)
    assert str(answer) == told


def relation_of(seed: int) -> str:
    """A relation of n and m: some equations about these and others, some of which agree."""
    draw = random.Random(seed)
    names = ["n", "m", "k", "i", "j"]
    goals = []
    for place in range(draw.randint(2, 5)):
        name = draw.choice(names[1:])
        a, b = (draw.choice([other for other in names if other != name]) for _ in range(2))
        number = draw.randint(1, 4)
        said = [f"{number} * {a}", f"{number} * {a}", f"{a} + {b}", f"{number} * {a} + {place % 2}", f"{a} * {b}"]
        goals.append(f"{draw.choice([*said, f'{a} // {number}'])} = {name}")
    if draw.random() < 0.5:
        goals.append("agree({}, {})".format(*draw.sample(names, 2)))
    return f"relation Told(n, m). Told(n, m) :- {', '.join(goals)}."


@pytest.mark.parametrize("seed", some(range(1_000_000, 1_000_400), 16))
def test_an_open_answer_holds_where_the_relation_does(seed):
    """What is left out of an answer is said by the rest of it."""
    rules, text = RuleBase(), relation_of(seed)
    load_clauses(rules, text)
    answers = [str(answer) for answer in query("Told(n, m)", rules=rules)]
    for n, m in product(range(5), repeat=2):
        at_once = list(query(f"n = {n}, m = {m}, Told(n, m)", rules=rules))
        of_answers = [a for open_ in answers for a in query(f"{open_ or '0 = 0'}, n = {n}, m = {m}", rules=rules)]
        assert bool(at_once) == bool(of_answers), (text, answers, n, m)


@pytest.mark.parametrize("also", ["m = 1 + n", "n = m // 2 + 1"])
def test_bounds_that_creep_for_ever_creep_a_hundred_times(monkeypatch, also):
    """They did so a thousand times; and each time, the differences of the sides of equations were worked out anew."""
    counted = Counter()

    def noted(left, right, work):
        counted["worked out"] += 1
        return gap_of(left, right, work)

    propagate = Compare.propagate

    def propagated(constraint, work):
        counted["propagated"] += 1
        return propagate(constraint, work)

    monkeypatch.setattr("relaylogic.logic.constraints.beside.gap_of", noted)
    monkeypatch.setattr(Compare, "propagate", propagated)
    rules = RuleBase()
    load_clauses(rules, "relation Told(n, m). Told(n, m) :- 2 * m = i, j + n = m, 2 * i = j.")
    assert not list(query(f"{also}, Told(n, m)", rules=rules))
    assert 50 < counted["propagated"] < 200 and counted["worked out"] < 60
