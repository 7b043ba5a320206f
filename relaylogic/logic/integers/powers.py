"""Refutation by powers: where two products are equal, what is left of their integers is a power.

Of n*n = 2*m*m, n and m being positive, each prime divides n*n, and m*m, an even number of times, but 2 is no square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd

from .hull import Bounds
from .intervals import floor_root
from .polynomials import Constraint, Poly

__all__ = ["refuted"]


def refuted(constraints: Sequence[Constraint], bounds: Bounds) -> bool:
    """Whether an equation of two products of positive numbers has no solution, since integers in it are no powers.

    >>> refuted([("=", {(0, 0): 1, (1, 1): -2})], [(1, None), (1, None)])
    True
    """
    return any(relation == "=" and len(poly) == 2 and _is_refuted(poly, bounds) for relation, poly in constraints)


def _is_refuted(poly: Poly, bounds: Bounds) -> bool:
    (first, c), (second, d) = poly.items()
    if any(bounds[variable][0] < 1 for variable in first + second):
        return False
    exponents = Counter(first)
    exponents.subtract(second)
    root, common = gcd(*exponents.values()), gcd(c, d)
    return not all(_is_power(abs(integer) // common, root) for integer in (c, d))


def _is_power(number: int, exponent: int) -> bool:
    return number == int(floor_root(number, exponent) ** exponent)
