"""Typings for which a number is least or greatest: branch and bound.

The number is a variable of the search. A typing gives a bound, under which the next must lie; the interval between
what is found and what is refuted is halved. What is asked each time is whether there is a typing at all, so arithmetic
cuts off the branches that cannot come under the bound, and nothing is enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..logic import fresh, geo, leo
from ..logic.circuit import Filled, answers
from ..logic.control import StepLimit
from .answers import Answers, Ended
from .asked import Asked
from .drawn import draw

__all__ = ["Optimal", "Unfinished", "optimum"]

MORE = 10
"""Whether there is a typing under a bound may take so many times the steps of an answer."""
GREATEST = 10**18
"""Beyond this, no greatest number is sought."""


class Unfinished(StepLimit):
    """The search for the least or greatest number came to a limit; `best` is what was found until then, if anything."""

    def __init__(self, best: int | None, reason: str) -> None:
        super().__init__(reason)
        self.best = best
        self.reason = reason


class Optimal(Answers):
    """The typings with the least (or greatest) number; `optimum` is that number, once the first typing is found."""

    def __init__(
        self, asked: Asked, limit: int | None, steps: int, least: bool, sample: int | None, seed: int | None
    ) -> None:
        node, search = asked.root(steps)
        super().__init__(node, asked.typing, limit, steps, search, asked.universe, asked.outside, asked.names)
        self._asked = asked
        self._least = least
        self._word = "least" if least else "greatest"
        self._objective = asked.objective
        self._sample = sample
        self._seed = seed

    @property
    def notes(self) -> list[str]:
        """What is known of the universe, and what the number is."""
        known = [] if self.optimum is None else [f"the {self._word} value of `{self._objective}` is {self.optimum}"]
        return [*super().notes, *known]

    def _walk(self) -> Iterator[Any]:
        try:
            best = optimum(self._asked, MORE * self.steps, self._least)
        except Unfinished as unfinished:
            so_far = "" if unfinished.best is None else f"; the {self._word} found is {unfinished.best}"
            raise Ended(f"unknown: {unfinished.reason}{so_far}") from None
        if best is None:
            return
        self.optimum = best
        node, search = self._asked.root(self.steps, value_is=best)
        self.follow(node, search)
        yield from answers(node) if self._sample is None else draw(self, node, self._sample, self._seed)


def optimum(asked: Asked, steps: int, least: bool) -> int | None:
    """The least (or greatest) number that the objective comes to; None if there is no typing. Raises Unfinished."""
    best: int | None = None
    try:
        best = _found(asked, steps)
        if best is None:
            return None
        low, high = (0, best) if least else (best, None)
        while high is None or low < high:
            if least:
                assert high is not None
                middle = (low + high) // 2
                value = _found(asked, steps, None, middle)
                low, high = (middle + 1, high) if value is None else (low, value)
                best = high
                continue
            middle = 2 * low + 1 if high is None else (low + high + 1) // 2
            if middle > GREATEST:
                raise Unfinished(best, "nothing bounds the number that is to be greatest")
            value = _found(asked, steps, middle, None)
            low, high = (low, middle - 1) if value is None else (value, high)
            best = low
    except Unfinished:
        raise
    except (StepLimit, RecursionError):
        raise Unfinished(best, "step limit") from None
    return best


def _found(asked: Asked, steps: int, least: int | None = None, most: int | None = None) -> int | None:
    """What the objective comes to in some typing for which it lies between the bounds. Raises StepLimit."""
    value = fresh()
    bounds = [geo(value, least)] if least is not None else [leo(value, most)] if most is not None else []
    node, _ = asked.root(steps, *bounds, value=value)
    path = next(answers(node), None)
    if path is None:
        return None
    found = Filled(path, node.width)
    number = found.terms[-1]
    if type(number) is not int or found.residue:
        raise StepLimit  # a limit of the engine: it could not say what the number is
    return number
