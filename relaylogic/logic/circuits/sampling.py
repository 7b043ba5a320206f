"""Answers of a circuit drawn at random, each as likely as any other.

A draw goes down the circuit: an alternative is as likely as it has answers, and its parts are drawn apart from each
other. Nothing is enumerated but what had to be enumerated to be counted: nodes whose alternatives may overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from .branching import Root, counted
from .circuit import Alternative, Node, Path, answers, count

__all__ = ["Sampler"]

MOST_KEPT = 100_000


class Sampler:
    """Draws from the answers of `root`, of which there are `total`. Raises StepLimit if they cannot be counted."""

    def __init__(self, root: Root, random: Random) -> None:
        self.total = counted(root)
        self._root = root
        self._random = random
        self._listed: dict[Node, list[Path]] = {}

    def __iter__(self) -> Iterator[Path]:
        """Answers without end, each drawn from all of them; nothing if there are none. Raises StepLimit."""
        while self.total:
            yield self._drawn()

    def _drawn(self) -> Path:
        path: list[Any] = []
        pending = [self._root]
        while pending:
            node = pending.pop()
            pick = node.draw(self._random)
            if pick is None:
                alternatives = list(node.picks())
                if any(type(p) is not tuple and p.doubtful for p in alternatives):
                    path.extend(self._one_of(node))
                    continue
                pick = self._chosen(alternatives)
            path.append(pick)
            if type(pick) is not tuple:
                pending.extend(part for part, _ in reversed(pick.parts))
        return tuple(path)

    def _chosen(self, alternatives: list[Any]) -> Any:
        """One of the alternatives, in proportion to their answers."""
        ways = [_ways(alternative) for alternative in alternatives]
        left = self._random.randrange(sum(ways))
        for alternative, number in zip(alternatives, ways, strict=True):
            left -= number
            if left < 0:
                return alternative
        raise AssertionError

    def _one_of(self, node: Node) -> Path:
        """An answer of a node whose alternatives overlap, from the list of all."""
        total = count(node)
        place = self._random.randrange(total)
        if total > MOST_KEPT:
            return next(islice(answers(node), place, None))
        listed = self._listed.get(node)
        if listed is None:
            listed = self._listed[node] = list(answers(node))
        return listed[place]


def _ways(alternative: Alternative | Path) -> int:
    """How many answers an alternative has."""
    ways = 1
    if isinstance(alternative, Alternative):
        for part, _ in alternative.parts:
            ways *= count(part)
    return ways
