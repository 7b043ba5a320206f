"""The natural roots of polynomials: what a number is, or between which it lies, where an equation is about it alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import gcd
from typing import Any

from ..states.work import Work
from ..terms.poly import Poly, place_of, sum_of
from ..terms.variables import VARIABLES
from .intervals import floor_root, interval

__all__ = ["OFTEN", "lies_between_roots", "roots_of"]

OFTEN = 32
"""The roots of an equation are looked for in which its variable occurs so often at most."""

FEW = 256
"""Among so many numbers, each is tried as a root."""


def roots_of(gap: Mapping[tuple[Any, ...], int]) -> tuple[Any, Any] | None:
    """What is equal where a polynomial is 0 that is the difference of two powers: n and m of `n*n - m*m`, since numbers
    are not negative; None if it is not."""
    if len(gap) != 2 or sum(c > 0 for c in gap.values()) != 1:
        return None
    counts = [Counter(atoms) for atoms in gap]
    power = gcd(*(number for times in counts for number in times.values()))
    if power < 2 or not all(type(atom) in VARIABLES for times in counts for atom in times):
        return None
    roots = []
    for times_each, c in zip(counts, gap.values(), strict=True):
        number = floor_root(abs(c), power)
        if number**power != abs(c):
            return None
        atoms = [atom for atom, often in times_each.items() for _ in range(often // power)]
        roots.append(sum_of({tuple(sorted(atoms, key=place_of)): number}))
    return roots[0], roots[1]


def lies_between_roots(variable: Any, gap: Poly, work: Work) -> bool:
    """Bound a number by the roots of a polynomial in that number alone, which is 0; False if it has none."""
    coefficients = _powers_of(gap, variable)
    if coefficients is None or not 3 <= len(coefficients) <= OFTEN:
        return True
    low, high = interval(variable, work)
    assert low is not None
    found = _root_bounds(coefficients, low, high)
    return found is not None and (found == (low, high) or work.narrow(variable, *found))


def _powers_of(gap: Mapping[tuple[Any, ...], int], variable: Any) -> list[int] | None:
    """The coefficients of a polynomial in a variable, that of the highest power last; None if it is in others, too."""
    if any(atom is not variable for atoms in gap for atom in atoms):
        return None
    by_power = {len(atoms): c for atoms, c in gap.items() if c}
    return [by_power.get(power, 0) for power in range(max(by_power, default=-1) + 1)]


def _root_bounds(coefficients: list[int], low: int, high: int | None) -> tuple[int, int] | None:
    """Bounds between `low` and `high` of the natural roots of a polynomial of degree 1 or more; None if there are none.

    They are at most Cauchy's bound: 1 + the greatest of the coefficients of another sign than the leading one, divided
    by that. Where few numbers are left, the bounds are roots themselves.
    """
    leading = coefficients[-1]
    sign = 1 if leading > 0 else -1
    most = 1 + max(0, *(-sign * c for c in coefficients)) // abs(leading)
    high = most if high is None else min(high, most)
    if high - low >= FEW:
        return low, high
    roots = [number for number in range(low, high + 1) if _value(coefficients, number) == 0]
    return (roots[0], roots[-1]) if roots else None


def _value(coefficients: list[int], number: int) -> int:
    value = 0
    for c in reversed(coefficients):
        value = value * number + c
    return value
