"""Answers come in runs of what needs no more search: nobody pays for what was not asked for, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from relaylogic.logic.circuits.circuit import MOST_AHEAD, MOST_STEPS, OFTEN, Alternative, Filled, Node, answers, runs
from relaylogic.logic.control import StepLimit
from relaylogic.logic.terms.terms import slot
from relaylogic.typings.query import query
from tests import effort


class Listed(Node):
    """A node of picks that are worked out one by one; where there is none, the search comes to its limit."""

    def __init__(self, picks: list[Any], width: int = 1) -> None:
        super().__init__()
        self.given = picks
        self.looked = 0
        self._width = width

    @property
    def width(self) -> int:
        return self._width

    def produce(self) -> Iterator[Any]:
        for pick in self.given:
            self.looked += 1
            if pick is None:
                raise StepLimit
            yield pick


SEEDS = [seed for seed in range(40) if effort.THOROUGH or seed not in (2, 12)]
"""Two have 200,000 walks and more, twenty times as many as all the others."""


def drawn(random: Random, depth: int, costs: tuple[int, ...] = (0, 0, 1, 6)) -> Node:
    """A node whose alternatives have parts of their own, some of them shared."""
    if not depth:
        return Listed([(number,) for number in range(random.randrange(4))])
    below = [drawn(random, depth - 1, costs) for _ in range(2)]
    picks: list[Any] = []
    for cost in sorted(random.choices(costs, k=random.randrange(1, 4))):
        parts = tuple((random.choice(below), (place,)) for place in range(random.randrange(3)))
        picks.append(Alternative((), parts, cost=cost))
    return Listed(picks, 0)


def by_hand(node: Any) -> list[tuple[Any, ...]]:
    """All walks of a circuit."""
    found: list[tuple[Any, ...]] = []
    for pick in node.given:
        parts = () if type(pick) is tuple else pick.parts
        found.extend((pick, *(p for way in ways for p in way)) for ways in product(*(by_hand(n) for n, _ in parts)))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_runs_have_each_walk_once_and_in_one_order(seed: int) -> None:
    root = drawn(Random(seed), 3)
    first = [path for run in runs(root) for path in run]
    assert len(first) == len(set(first)) and set(first) == set(by_hand(root))
    again = list(runs(root))
    assert [path for run in again for path in run] == first == list(answers(root))
    assert all(0 < len(run) <= MOST_AHEAD for run in again)


@pytest.mark.parametrize("seed", SEEDS)
def test_walks_that_are_kept_are_those_and_in_the_order_that_a_walk_takes(seed: int) -> None:
    root = drawn(Random(seed), 4, (0,))
    every = by_hand(root)
    for _ in range(OFTEN + 2):
        assert list(answers(root)) == every


def test_walks_of_doubtful_alternatives_are_not_kept() -> None:
    below = Listed([(1,), (2,)])
    picks = [Alternative((slot(0),), ((below, (0,)),), slots=1) for _ in range(3)]
    for pick in picks:
        pick.doubtful = True
    root = Listed([Alternative((slot(0),), ((Listed(picks), (0,)),), slots=1)], 1)
    for _ in range(OFTEN + 2):
        assert [Filled(path, 1).terms for path in answers(root)] == [(1,), (2,)]


def test_a_chain_of_nodes_keeps_little_of_its_walks() -> None:
    chain: Node = Listed([(0,), (1,)])
    for _ in range(3_000):
        chain = Listed([Alternative((), ((chain, (0,)),))], 0)
    nodes = [chain]
    while type(nodes[-1].given[0]) is Alternative:  # type: ignore[attr-defined]
        nodes.append(nodes[-1].given[0].parts[0][0])  # type: ignore[attr-defined]
    for _ in range(OFTEN + 2):
        assert [path[-1] for path in answers(chain)] == [(0,), (1,)]
    assert all(sum(map(len, node.walks or ())) <= MOST_STEPS for node in nodes)


def test_nothing_is_searched_for_ahead_of_who_asks() -> None:
    below = Listed([(1,), (2,), (3,)])
    root = Listed([Alternative((), ((below, (0,)),)) for _ in range(3)], 0)
    looking = runs(root)
    assert [len(next(looking)) for _ in range(3)] == [1, 1, 1]
    assert (root.looked, below.looked) == (1, 3)
    assert len(next(looking)) == 3  # known by now
    assert root.looked == 2


def test_what_was_found_before_a_limit_is_handed_out() -> None:
    below = Listed([(1,), (2,)])
    doubted = Listed([None])
    parts = ((below, (0,)), (doubted, (1,)))
    root = Listed([Alternative((), ((below, (0,)),)), Alternative((), ((below, (0,)),)), Alternative((), parts)], 0)
    list(islice(runs(root), 3))
    found: list[Any] = []
    with pytest.raises(StepLimit):
        for run in runs(root):
            found += run
    assert len(found) == 4


def test_a_limit_cuts_a_run() -> None:
    text = "BroadcastDim(n, m, 6), BroadcastDim(k, l, 6), BroadcastDim(i, j, 6)"
    whole = [str(answer) for answer in query(text)]
    assert len(whole) == 27
    for limit in (1, 2, 5, 26, 27, 28):
        found = query(text, limit=limit)
        assert [str(answer) for answer in found] == whole[:limit]
        assert (found.found, found.status) == (min(limit, 27), "answer limit" if limit <= 27 else "exhausted")


def test_threads_share_the_answers() -> None:
    text = "BroadcastDim(n, m, 6), BroadcastDim(k, l, 6), BroadcastDim(i, j, 6), BroadcastDim(g, h, 6)"
    shared = query(text)
    taken: list[list[str]] = [[] for _ in range(4)]

    def take(mine: list[str]) -> None:
        mine.extend(str(answer) for answer in shared)

    threads = [threading.Thread(target=take, args=(mine,)) for mine in taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(text for mine in taken for text in mine) == sorted(map(str, query(text)))
    assert (shared.found, shared.status) == (81, "exhausted")
