"""Typings for which a number is least or greatest: part by part, else by branch and bound.

What is a sum is least where its addends are, in each part of the problem (`logic.circuits.optimal`). That takes the
circuit of all typings, of which no addend is more than the sum is for some typing.

Where that is too large, or has no end, the number is a variable of the search. Bounds are doubled until the number lies
under one, then the interval between what is possible and what is refuted is halved. What is asked each time is whether
there is a typing at all, so arithmetic cuts off the branches that cannot come under the bound, and nothing is
enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..logic import fresh, geo, lall, leo
from ..logic.circuits.branching import Root
from ..logic.circuits.circuit import Filled, answers, runs
from ..logic.circuits.optimal import LeastSum
from ..logic.constraints.gradual import is_known
from ..logic.control import Search, StepLimit
from ..logic.states.goals import Goal
from .answers import Answers, Ended
from .asked import Asked
from .drawn import draw

__all__ = ["Optimal", "Unfinished", "optimal"]

MORE = 10
"""Whether there is a typing under a bound may take so many times the steps of an answer."""
GREATEST = 10**18
"""Beyond this, no greatest number is sought."""


class Unfinished(StepLimit):
    """The search for the least or greatest number came to a limit; `best` is what the least one is at most, or the
    greatest one at least, if anything was found."""

    def __init__(self, best: int | None, reason: str) -> None:
        super().__init__(reason)
        self.best = best
        self.reason = reason


class Optimal(Answers):
    """The typings with the least (or greatest) number; `optimum` is that number, once the first typing is found.

    Typings in which it is `?` are none of them: nothing says whether it is less than another.
    """

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
        self._without = False  # whether there are typings, but none in which the objective is a number

    @property
    def notes(self) -> list[str]:
        """What is known of the universe, and what the number is."""
        known = [] if self.optimum is None else [f"the {self._word} value of `{self._objective}` is {self.optimum}"]
        without = [f"`{self._objective}` is `?` in every typing"] if self._without else []
        return [*super().notes, *known, *without]

    def _walk(self) -> Iterator[list[Any]]:
        try:
            self.optimum, node, search = optimal(self._asked, MORE * self.steps, self.steps, self._least)
        except Unfinished as unfinished:
            side = "most" if self._least else "least"
            so_far = "" if unfinished.best is None else f"; the {self._word} value is at {side} {unfinished.best}"
            raise Ended(f"unknown: {unfinished.reason}{so_far}") from None
        if self.optimum is None:
            self._without = next(answers(self._asked.root(self.steps, witness=True)[0]), None) is not None
            return
        self.follow(node, search)
        yield from runs(node) if self._sample is None else draw(self, node, self._sample, self._seed)


def optimal(asked: Asked, most: int, steps: int, least: bool) -> tuple[int | None, Root, Search]:
    """The least (or greatest) number that the objective comes to, None if it comes to none, and the circuit of the
    typings with it. Finding it may take so many steps at `most`, and each typing so many `steps`. Raises Unfinished."""
    try:
        best, sums, search = _part_by_part(asked, most, least)
        if sums is not None:
            search.budget.grant(most)  # what was passed over is looked at once more
            return best, sums.root(), search
    except (StepLimit, RecursionError):
        best = _halved(asked, most, least)
    root, search = asked.root(steps, value_is=best)
    search.budget.grant(most)  # to find the first typing may take as long as to find that there is one
    return best, root, search


def _part_by_part(asked: Asked, steps: int, least: bool) -> tuple[int | None, LeastSum | None, Search]:
    """The least (or greatest) sum of the objective's addends, with what knows the typings that have it; that is None
    where bounds told what the sum is. Raises StepLimit."""
    bound = _some_value(asked, steps) if least else None

    def stated(addend: Any) -> Goal:
        return is_known(addend) if bound is None else lall(is_known(addend), leo(addend, bound))

    root, search = asked.root(steps, addends=stated)
    sums = LeastSum(root, root.width - len(asked.names), least)
    if bound is not None and sums.no_better(bound):
        return bound, None, search
    return sums.value(), sums, search


def _some_value(asked: Asked, steps: int) -> int | None:
    """What the objective comes to in some typing; None if there is none. Raises StepLimit."""
    value = fresh()
    root, _ = asked.root(steps, is_known(value), value=value)
    path = next(answers(root), None)
    if path is None:
        return None
    found = Filled(path, root.width)
    *_, number = found.terms
    if found.residue or type(number) is not int:
        raise StepLimit  # a limit of the engine: it could not say whether this is a typing
    return number


def _halved(asked: Asked, steps: int, least: bool) -> int | None:
    """The least (or greatest) number that the objective comes to; None if it comes to none. Raises Unfinished."""
    best: int | None = None  # the end that is known of where the number lies
    try:
        if not _exists(asked, steps):
            return None
        if least:
            low, high = 0, 1
            while not _exists(asked, steps, most=high):
                low, high = high + 1, 2 * high + 1
                if high > GREATEST:
                    raise Unfinished(None, "nothing was found that the number that is to be least comes to")
            while low < high:
                best = high
                middle = (low + high) // 2
                low, high = (low, middle) if _exists(asked, steps, most=middle) else (middle + 1, high)
            return low
        low = 0
        while _exists(asked, steps, least=2 * low + 1):
            best = low = 2 * low + 1
            if low > GREATEST:
                raise Unfinished(best, "nothing bounds the number that is to be greatest")
        high = 2 * low
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _exists(asked, steps, least=middle) else (low, middle - 1)
            best = low
        return low
    except Unfinished:
        raise
    except (StepLimit, RecursionError):
        raise Unfinished(best, "step limit") from None


def _exists(asked: Asked, steps: int, least: int | None = None, most: int | None = None) -> bool:
    """Whether there is a typing for which the objective is a number between the bounds. Raises StepLimit."""
    value = fresh()
    bounds = [geo(value, least)] if least is not None else [leo(value, most)] if most is not None else []
    node, _ = asked.root(steps, is_known(value), *bounds, value=value, witness=True)
    path = next(answers(node), None)
    if path is not None and Filled(path, node.width).residue:
        raise StepLimit  # a limit of the engine: it could not say whether these are typings
    return path is not None
