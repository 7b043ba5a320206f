"""Comparisons that follow from others: what is left open is told without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..control import Search
from ..states.state import State
from ..terms.numbers import plus
from ..terms.terms import variables_of
from .compare import Compare
from .equations import divisors_of
from .together import refuted_together

__all__ = ["without_implied"]

MANY = 16
"""Of more constraints, none is looked for that follows from others: each would be asked of all."""


def without_implied(constraints: Sequence[Any], search: Search) -> list[Any]:
    """Constraints on integers without the comparisons that follow from the others, as far as that is found out.

    Equations stay, and bounds, which are told though others say them.
    """
    kept = list(constraints)
    if not 1 < len(kept) <= MANY:
        return kept
    nothing = State({}, None, search)
    for comparison in [c for c in kept if type(c) is Compare and c.args[0] != "=" and int not in map(type, c.args)]:
        others = [other for other in kept if other is not comparison]
        if _may_follow(comparison, others) and refuted_together(nothing, [*others, _opposite(comparison)]):
            kept = others
    return kept


def _may_follow(comparison: Compare, others: Sequence[Any]) -> bool:
    """Whether others speak of all that a comparison speaks of, and of all that is divided by in it."""
    told = {variable for other in others for variable in variables_of(other)}
    divisors = {d for c in others if type(c) is Compare for side in c.args[1:] for d in divisors_of(side)}
    own = [divisor for side in comparison.args[1:] for divisor in divisors_of(side)]
    return told.issuperset(variables_of(comparison)) and divisors.issuperset(own)


def _opposite(comparison: Compare) -> Any:
    """What holds of integers where a comparison does not."""
    relation, left, right = comparison.args
    return Compare.draft(("<=", plus(right, 1), left) if relation == "<=" else ("=", left, right))
