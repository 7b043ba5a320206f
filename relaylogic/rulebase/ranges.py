"""What attributes range over that no rule has looked at, as relations: each is a choice of its own, that nobody makes
together with those of others.
"""

from __future__ import annotations

from typing import Any

from ..logic.constraints.comparisons import leo
from ..logic.constraints.lists import membero
from ..logic.constraints.natural import is_natural_number
from ..logic.states.goals import Goal, eq, lall, lany
from .relation import Relation

__all__ = ["Among", "Ranges"]

Ranges = Relation("Ranges", ("number", "least", "most"), "A number lies between a negative one and a natural one.")


@Ranges.clause
def natural(number: Any, least: int, most: int) -> Goal:
    """It is natural."""
    return lall(is_natural_number(number), leo(number, most))


@Ranges.clause
def negative(number: Any, least: int, most: int) -> Goal:
    """It is negative."""
    return lany(*(eq(number, value) for value in range(least, 0)))


Among = Relation("Among", ("value", "choices"), "A value is one of those that are declared.")


@Among.clause
def declared(value: Any, choices: tuple[Any, ...]) -> Goal:
    """It is one of them."""
    return membero(value, choices)
