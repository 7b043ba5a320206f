"""What answers leave to defaults (`gradual.Follows`, `control.KEPT`): slots, and what they are if nobody else says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from ..constraints.gradual import Follows
from ..terms.numbers import UNKNOWN
from ..terms.rebuilding import reify_slots
from ..terms.terms import Slot, Term
from .antiunify import generalise
from .sketch import FAR

__all__ = ["kept_by"]

Answers = Sequence[tuple[tuple[Any, ...], str, tuple[Any, ...]]]
"""The terms of each answer, the clause, and what is left undecided."""


def kept_by(answers: Answers, general: Any) -> tuple[tuple[int, Any], ...]:
    """The numbers of the slots of `general`, what all answers have in common, that are something by default, and what
    that is, where all agree on it."""
    left = [_left(residue) for _, _, residue in answers]
    if not any(left):
        return ()
    if len(left) == 1:
        return tuple([(place.args[0], value) for place, value in left[0].items()])
    filled = [reify_slots(terms, values) for (terms, _, _), values in zip(answers, left, strict=True)]
    return tuple(_told(general, reduce(lambda a, b: generalise(a, b, FAR), filled)))


def _left(residue: tuple[Any, ...]) -> dict[Slot, Any]:
    """What slots are by default, as a residue says."""
    found: dict[Slot, Any] = {}
    for constraint in residue:
        if type(constraint) is Follows:
            term, source, strict = constraint.args
            if type(term) is Slot and type(source) is not Slot and (source is UNKNOWN or not strict):
                found[term] = source
    return found


def _told(general: Any, special: Any) -> Iterator[tuple[int, Any]]:
    """The numbers of the slots of a term that have a value in an instance of it, with the values."""
    stack = [(general, special)]
    while stack:
        a, b = stack.pop()
        if a is b:
            continue
        if type(a) is Slot:
            if type(b) is not Slot:
                yield a.args[0], b
        elif type(a) is tuple and type(b) is tuple:
            stack.extend(zip(a, b, strict=True))
        elif isinstance(a, Term) and type(a) is type(b):
            stack.extend(zip(a.args, b.args, strict=True))
