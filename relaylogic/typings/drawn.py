"""Answers drawn at random, each as likely as any other, from the counts of the circuit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from ..logic.circuits.branching import Root
from ..logic.circuits.sampling import Sampler
from ..logic.control import Search, StepLimit
from .answers import Answers, Ended
from .asked import Asked

__all__ = ["Drawn", "draw"]

MORE = 50
"""A count may take so many times the steps of an answer, and so may a draw: the first ones find out what all need."""


class Drawn(Answers):
    """So many draws; `total` is the number of the answers that they are drawn from, once the first is."""

    def __init__(
        self, node: Root, asked: Asked, limit: int | None, steps: int, search: Search, sample: int, seed: int | None
    ) -> None:
        super().__init__(node, asked.typing, limit, steps, search, asked.universe, asked.outside, asked.names)
        self._root = node
        self._sample = sample
        self._seed = seed

    def _walk(self) -> Iterator[list[Any]]:
        self.allow(MORE)
        yield from draw(self, self._root, self._sample, self._seed)


def draw(found: Answers, node: Root, sample: int, seed: int | None) -> Iterator[list[Any]]:
    """Walks to `sample` answers of a circuit, one by one; `found` is told how many answers there are. Raises Ended at
    the end."""
    try:
        sampler = Sampler(node, Random(seed))
    except (StepLimit, RecursionError):
        without_end = found.endless
        reason = f"nothing bounds {' or '.join(without_end)}" if without_end else "step limit"
        raise Ended(f"unknown: the answers cannot be counted, so none is drawn: {reason}") from None
    found.total = sampler.total
    draws = islice(sampler, min(sample, sys.maxsize))
    for path in draws:
        yield [path]
        found.allow(MORE)
    if sampler.total:
        raise Ended("drawn")
