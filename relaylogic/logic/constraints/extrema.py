"""Minima and maxima that compare whatever their operands are: `min(n, 1) <= min(n, 5)`, `min(n, 5) <= max(3, n)`.

A minimum is at most what one of its operands is at most, and at least what all of them are; a maximum the other way
round. So it takes comparisons of operands only; for numbers and variables these tell whenever it holds for all
naturals.
"""

from __future__ import annotations

from typing import Any

from ..states.work import Work
from ..terms.numbers import Arith
from ..terms.rebuilding import reify_term
from .intervals import interval

__all__ = ["are_ordered"]


def are_ordered(left: Any, right: Any, work: Work) -> bool:
    """Whether `left <= right`, one of which is a minimum or a maximum, as far as their operands tell."""
    how_small, how_great = _extremum(left), _extremum(right)
    if not (how_small or how_great):
        return False
    smaller, greater = _operands(left, how_small, work), _operands(right, how_great, work)
    found = [[_is_at_most(low, high, work) for high in greater] for low in smaller]
    if how_small == "max":
        return all(map(any if how_great == "max" else all, found))
    return any(map(any, found)) if how_great == "max" else all(map(any, zip(*found, strict=True)))


def _extremum(number: Any) -> str:
    """Whether a number is a minimum ("min") or a maximum ("max"); "" if it is neither."""
    return str(number.operator) if type(number) is Arith and number.operator in ("min", "max") else ""


def _operands(number: Any, how: str, work: Work) -> list[Any]:
    """The operands of a minimum or a maximum, and of those of its own kind in it; of another number, itself."""
    agenda, found = [reify_term(number, work.bindings)], []
    while agenda:
        item = agenda.pop()
        if how and _extremum(item) == how:
            agenda.extend(item.operands)
        else:
            found.append(item)
    return found


def _is_at_most(low: Any, high: Any, work: Work) -> bool:
    if low is high:
        return True
    most, least = interval(low, work)[1], interval(high, work)[0]
    return most is not None and least is not None and most <= least
