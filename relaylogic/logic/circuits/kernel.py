"""The nodes of a circuit that are systems of numbers: they count and list their tuples without a search."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from .circuit import Node

__all__ = ["Interval", "Kernel"]

MOST_STORED = 256


class Interval:
    """The numbers from `low` to `high`, as a system counts and lists them."""

    def __init__(self, low: int, high: int) -> None:
        self.bounds = [(low, high)]
        self._numbers = range(low, high + 1)

    def count(self) -> int:
        """How many there are."""
        return self._numbers.stop - self._numbers.start if self._numbers else 0

    def __iter__(self) -> Iterator[tuple[int]]:
        return ((number,) for number in self._numbers)

    def draw(self, random: Random) -> tuple[int] | None:
        """One of them at random."""
        return (random.randrange(self._numbers.start, self._numbers.stop),) if self._numbers else None


class Kernel(Node):
    """A part that is a system of numbers."""

    __slots__ = ("_width", "system")

    def __init__(self, system: Any, width: int) -> None:
        super().__init__()
        self.system = system
        self._width = width

    @property
    def width(self) -> int:
        """The number of variables."""
        return self._width

    def produce(self) -> Iterator[Any]:
        """The tuples."""
        return iter(self.system)

    def known_count(self) -> int | None:
        """The number of tuples."""
        if self._counted is None:
            self._counted = self.system.count()
        return self._counted

    def draw(self, random: Random) -> Any:
        """A tuple at random."""
        if isinstance(self.system, Interval):
            return self.system.draw(random)
        from ..integers import drawn

        return drawn(self.system, random)

    def least_sum(self, weights: dict[int, int]) -> int | None:
        """The least that the sum of some variables with their weights comes to; None if there is no tuple."""
        from ..integers import least_sum, lowest

        if isinstance(self.system, Interval):
            return lowest(self.system.bounds, weights.items()) if self.system.count() else None
        return least_sum(self.system, weights)

    def of_least_sum(self, weights: dict[int, int]) -> Kernel:
        """The tuples for which that sum is least."""
        if isinstance(self.system, Interval):
            low, high = self.system.bounds[0]
            number = low if weights[0] > 0 else high
            return Kernel(Interval(number, number), 1)
        from ..integers import of_least_sum

        return Kernel(of_least_sum(self.system, weights), self._width)

    def is_known(self) -> bool:
        """Whether no search is needed for the tuples."""
        return self._done or isinstance(self.system, Interval)

    def stored(self) -> bool:
        """Tuples are made again faster than they are kept."""
        return self._counted is not None and self._counted <= MOST_STORED
