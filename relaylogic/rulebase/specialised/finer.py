"""The ways in which a mode is tried, each with more in it that is known: what is asked for a program of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...logic.terms.terms import Slot, slot
from ..attribute_universe import UNBOUNDED
from ..attributes import Attribute
from ..attrs import Attrs
from ..open_attributes import Spec
from .modes import Part, are_lengths, slots
from .question import Question, inputs_of

__all__ = ["as_it_is", "spec_of", "told_apart", "with_known"]

SMALL = 2
"""Numbers below that are told apart by clauses."""
SHORT = 8
"""Vectors up to that length may hold a shape."""


def spec_of(fixed: Attrs, declared: tuple[Attribute, ...]) -> Spec:
    """Attributes of which these are known, and nothing of the others."""
    return Spec(fixed, declared, UNBOUNDED, (False,) * len(declared))


def as_it_is(relation: Any, parts: tuple[Part, ...], opened: int, attrs: Any, count: int) -> Question:
    """What is asked with these attributes, and `count` slots for the numbers."""
    return _fixed(relation, parts, opened, attrs, slots(0, count), 0)


def _fixed(relation: Any, parts: tuple[Part, ...], opened: int, attrs: Any, numbers: list[Any], least: int) -> Question:
    """What is asked with these attributes, and with slots for the numbers that are open."""
    places = sum([type(number) is Slot for number in numbers])
    inputs, dtypes = inputs_of(parts, numbers, places)
    arguments = (*inputs, slot(places + dtypes + opened))
    return Question(relation, arguments, attrs, (least,) * places, dtypes=dtypes)


def told_apart(parts: tuple[Part, ...], numbers: list[int]) -> Iterator[tuple[int | None, ...]]:
    """The numbers that are part of finer and finer modes, with None in place of the others: all small ones, then the
    lengths of short vectors, too."""
    apart = tuple([number if number < SMALL else None for number in numbers])
    yield apart
    known = zip(numbers, apart, are_lengths(parts), strict=True)
    finer = tuple([number if is_length and number <= SHORT else small for number, small, is_length in known])
    if finer != apart:
        yield finer


def with_known(
    relation: Any, parts: tuple[Part, ...], opened: int, attrs: Any, known: tuple[int | None, ...]
) -> Question:
    """What is asked with these attributes, and with some numbers as they are."""
    places = iter(slots(0, len(known)))
    numbers = [next(places) if number is None else number for number in known]
    return _fixed(relation, parts, opened, attrs, numbers, SMALL)
