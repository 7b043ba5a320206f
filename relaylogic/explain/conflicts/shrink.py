"""What is left of some items when all are left out that something does not need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["shrunk"]

Item = TypeVar("Item")


def shrunk(items: Sequence[Item], holds: Callable[[list[Item]], bool]) -> list[Item]:
    """A part of some items of which something holds that holds of all of them, and of no smaller part of that part.

    The first ones are left out first, as many at once as can be: of n items of which k are needed, about k log n parts
    are looked at. (The part is minimal if what holds of a part holds of more.)
    """
    kept = list(items)
    agenda = [kept]
    while agenda:
        part = agenda.pop()
        out = set(part)
        fewer = [item for item in kept if item not in out]
        if holds(fewer):
            kept = fewer
        elif len(part) > 1:
            middle = len(part) // 2
            agenda += (part[middle:], part[:middle])
    return kept
