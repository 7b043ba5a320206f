"""Lists of which several goals tell how they end, against brute force over words."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from relaylogic.logic import appendo, cons, fresh, lall, ntho
from relaylogic.logic.search.search import search
from relaylogic.typings.query import query

LETTERS = (1, 2, 3)
WORDS = [word for length in range(4) for word in product(LETTERS, repeat=length)]


class Told(NamedTuple):
    """That t ends so, or t behind a letter."""

    before: str
    end: list[int | str]

    def __str__(self) -> str:
        items = f"[{self.before} | t]" if self.before else "t"
        return f"append(_, [{', '.join(map(str, self.end))}], {items})"

    def holds(self, word: tuple[int, ...], values: dict[str, int]) -> bool:
        whole = (values[self.before], *word) if self.before else word
        end = tuple(values.get(str(letter), letter) for letter in self.end)
        return len(end) <= len(whole) and whole[len(whole) - len(end) :] == end

    @property
    def names(self) -> set[str]:
        return {name for name in (self.before, *self.end) if type(name) is str and name}


def drawn(rng: Random) -> Told:
    end: list[int | str] = [rng.choice((1, 2, "x", "y")) for _ in range(rng.randint(1, 3))]
    return Told(rng.choice(("", "", "p", "q")), end)


@pytest.mark.parametrize("seed", range(3))
def test_a_list_ends_as_all_goals_say(seed: int) -> None:
    rng = Random(7_300 + seed)
    refuted = 0
    for _ in range(25):
        goals = [drawn(rng) for _ in range(rng.randint(2, 3))]
        text = ", ".join(map(str, goals))
        named = sorted(set().union(*(goal.names for goal in goals)))
        expected = {
            (word, values)
            for word in WORDS
            for values in product(LETTERS, repeat=len(named))
            if all(goal.holds(word, dict(zip(named, values, strict=True))) for goal in goals)
        }
        bounds = "".join(f", {name} <= 3" for name in named)
        found = query(f"{text}, len(t) <= 3{bounds}", ground=True, max_rank=3, min_dim=1, max_dim=3)
        said = {(a.bindings["t"], tuple(a.bindings[name] for name in named)) for a in found}
        assert (said, found.status) == (expected, "exhausted"), text
        refuted += not expected
    assert refuted < 20


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("append(_, [2, x], s), append(_, [y, 3], s)", ["x = 3, y = 2"]),
        ("append(_, [1, 2, x], s), append(_, [y, 3], s), append(_, [4], s)", []),
        ("append(_, [2, 4], s), append(_, [x], [n | s])", ["x = 4"]),
        ("append(_, [2, 4], s), append(_, [3], [n | s])", []),
    ],
)
def test_what_follows_of_the_end(text: str, answers: list[str]) -> None:
    found = query(text)
    numbers = [{k: v for k, v in answer.bindings.items() if type(v) is int} for answer in found]
    shown = [", ".join(f"{name} = {number}" for name, number in sorted(known.items())) for known in numbers]
    assert (shown, found.status) == (answers, "exhausted")


def test_what_stands_before_an_open_list_may_be_its_end_or_not() -> None:
    """`[n | s]` ends with 3: so does s, if it has any element."""
    found = query("append(_, [3], [n | s]), len(s) <= 1, 2 <= n, n <= 3", ground=True, max_rank=1, min_dim=2, max_dim=3)
    assert {(a.bindings["n"], a.bindings["s"]) for a in found} == {(3, ()), (2, (3,)), (3, (3,))}


@pytest.mark.parametrize("swapped", [False, True])
def test_an_element_from_the_end_is_that_of_the_end(swapped: bool) -> None:
    items, x, y, n = fresh(4)
    goals = [
        appendo(fresh(), (2, 4), items),
        ntho(items, -1, x),
        ntho(cons(n, items), -2, y),
    ]
    found = search([("", lall(*(reversed(goals) if swapped else goals)))], (x, y))
    assert [answer.terms for answer in found.answers] == [(4, 2)]


def test_two_elements_from_the_end_are_one() -> None:
    items, x = fresh(2)
    found = search([("", lall(ntho(items, -3, x), ntho(items, -3, 7), ntho(items, -2, 5)))], (x,))
    assert [answer.terms for answer in found.answers] == [(7,)]
    refuted = search([("", lall(ntho(items, -3, 6), ntho(items, -3, 7)))], (items,))
    assert not refuted.answers and refuted.exhausted
