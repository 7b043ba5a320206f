"""How many elements an open list has at least: who knows that has its first elements.

What is said of the lengths of lists before any of them is known. Lists whose lengths are bound to each other are open
together: the first elements of one tell how many the others have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..terms.terms import Cons, cons
from ..terms.variables import VARIABLES, fresh, fresh_list
from .work import Work

__all__ = ["FEW", "LISTED", "as_long", "beginning", "begun", "has_at_least"]

LISTED = 16
"""A list that is longer is not begun for that: a number so great is mostly a mistake, or one that climbs for ever. A
chain of 70 calls that each need one element more takes three times as long where it is 64."""
FEW = 8
"""So many first elements of lists are compared while goals wait for the lists."""


def begun(items: Any, work: Work) -> tuple[int, Any]:
    """How many first elements of a list are known, and what follows them: a variable where it is open."""
    count, items = 0, work.walk(items)
    while type(items) is Cons:
        count += len(items.prefix)
        items = work.walk(items.tail)
    return (count + len(items), ()) if type(items) is tuple else (count, items)


def beginning(items: Any, work: Work, most: int = sys.maxsize) -> tuple[Any, ...]:
    """The first elements of a list, as far as they are known: so many at most."""
    found: list[Any] = []
    items = work.walk(items)
    while type(items) is Cons and len(found) < most:
        found += items.prefix[: most - len(found)]
        items = work.walk(items.tail)
    if type(items) is tuple:
        found += items[: most - len(found)]
    return tuple(found)


def has_at_least(items: Any, number: int, work: Work) -> bool:
    """State that a list has at least so many elements, as far as they can be listed where it is open."""
    count, end = begun(items, work)
    if number <= count:
        return True
    if type(end) not in VARIABLES:
        return False
    return number > LISTED or work.unify(end, cons(fresh_list(number - count), fresh()))


def as_long(work: Work, lists: tuple[Any, ...], longer: Iterable[int] = (), within: tuple[Any, ...] = ()) -> bool:
    """State what the first elements of lists tell of each other's, while none of them is known to its end.

    List i has `longer[i]` elements more than some number that is the same for all; those `within` are no longer than
    the first. False if that cannot be: two have one end, and other numbers of elements before it.
    """
    more = tuple(longer) or (0,) * len(lists)
    number = -min(more)
    before: dict[Any, int] = {}
    for items, extra in zip(lists, more, strict=True):
        count, end = begun(items, work)
        if type(end) not in VARIABLES:
            return True
        if before.setdefault(end, count - extra) != count - extra:
            return False
        number = max(number, count - extra)
    for items in within:
        count, end = begun(items, work)
        if before.get(end, count - more[0]) < count - more[0]:
            return False
        number = max(number, count - more[0])
    return all(has_at_least(items, number + extra, work) for items, extra in zip(lists, more, strict=True))
