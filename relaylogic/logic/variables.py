"""Fresh logic variables, cheaply.

Making a `unification.Var` costs more than unifying it. A call site is solved in a world of its own, from which no
variable escapes (answers leave it with slots in their place), so the variables of one call site serve the next one
again: inside `with arena():`, `fresh` deals from one stock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from unification import Var

from .state import StepLimit

__all__ = ["arena", "copies", "fresh", "fresh_list"]

LONGEST = 200_000
"""Lists of more elements are not made: what holds of them is unknown, and memory is saved."""

_stocks: list[list[Any]] = []  # not in use
_current: list[Any] | None = None
_dealt = 0


@contextmanager
def arena() -> Iterator[None]:
    """Deal variables from a stock that is dealt again after the block: none of them may outlive it."""
    global _current, _dealt
    outer = (_current, _dealt)
    _current, _dealt = (_stocks.pop() if _stocks else []), 0
    try:
        yield
    finally:
        _stocks.append(_current)
        _current, _dealt = outer


def fresh_list(count: int) -> tuple[Any, ...]:
    """A tuple of `count` variables that occur nowhere else. Raises StepLimit if they are too many."""
    global _dealt
    if count > LONGEST:
        raise StepLimit
    if _current is None:
        return tuple(Var() for _ in range(count))
    end = _dealt + count
    while len(_current) < end:
        _current.append(Var())
    dealt = tuple(_current[_dealt:end])
    _dealt = end
    return dealt


def fresh(count: int = 1) -> Any:
    """A variable that occurs nowhere else; a tuple of them if `count` is not 1."""
    return fresh_list(1)[0] if count == 1 else fresh_list(count)


def copies(item: Any, count: int) -> tuple[Any, ...]:
    """A tuple of `item`, `count` times. Raises StepLimit if that is too often."""
    if count > LONGEST:
        raise StepLimit
    return (item,) * count
