"""Calls taken apart into what their mode is, and what differs between calls of one mode; and put together again."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...logic.terms.terms import Slot, Term
from .modes import MOST_NUMBERS, Part, open_extents, part_of

__all__ = ["Split", "answered", "filled", "split"]


class Split(NamedTuple):
    """The inputs of a call without their numbers and dtypes, the dtypes, how many slots are open in the inputs, the
    numbers, and whether extents are open."""

    parts: tuple[Part, ...]
    dtypes: dict[str, int]
    opened: int
    numbers: list[int]
    is_partly_open: bool


def split(arguments: tuple[Any, ...]) -> Split | None:
    """A call taken apart; None if there is no mode for such a call, as for one of nothing."""
    if not arguments:
        return None
    numbers: list[int] = []
    dtypes: dict[str, int] = {}
    parts = []
    opened = 0
    is_partly_open = False
    for argument in arguments[:-1]:
        part = part_of(argument, numbers, dtypes)
        if part is None:
            return None
        if type(part) is int:
            opened = max(opened, part + 1)
        elif not argument.ground:
            is_partly_open = True
            opened = max(opened, 1 + max(open_extents(part)))
        parts.append(part)
    result = arguments[-1]
    if type(result) is Slot:
        if result.args[0] != opened:
            return None
    elif opened or not (isinstance(result, Term) and result.ground):
        return None
    return None if len(numbers) > MOST_NUMBERS else Split(tuple(parts), dtypes, opened, numbers, is_partly_open)


def answered(arguments: tuple[Any, ...], opened: int, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call with the values of what was open."""
    if opened:
        return tuple([values[term.args[0]] if type(term) is Slot else term for term in arguments])
    return (*arguments[:-1], values[-1])


def filled(term: Any, values: tuple[Any, ...]) -> Any:
    """An argument with the values of what was open, in it or all of it; slots in these stay what they are."""
    kind = type(term)
    if kind is Slot:
        return values[term.args[0]]
    if kind is tuple:
        return tuple([filled(part, values) for part in term])
    if not isinstance(term, Term) or term.ground:
        return term
    return kind.make(tuple([filled(part, values) for part in term.args]))
