"""What a number of an attribute ranges over that may be negative, as a relation.

Variables are natural numbers: whether such a one is, is a choice. As a relation it is a choice of its own, that nobody
makes together with those of other numbers.
"""

from __future__ import annotations

from typing import Any

from ..logic.comparisons import leo
from ..logic.goals import Goal, eq, lall, lany
from ..logic.natural import is_natural_number
from .relation import Relation

__all__ = ["Ranges"]

Ranges = Relation("Ranges", ("number", "least", "most"), "A number lies between a negative one and a natural one.")


@Ranges.clause
def natural(number: Any, least: int, most: int) -> Goal:
    """It is natural."""
    return lall(is_natural_number(number), leo(number, most))


@Ranges.clause
def negative(number: Any, least: int, most: int) -> Goal:
    """It is negative."""
    return lany(*(eq(number, value) for value in range(least, 0)))
