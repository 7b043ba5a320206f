"""Upper bounds from equations in two variables whose sides are products: n*m = n + m + 17 is (n - 1) * (m - 1) = 18.

A quadratic equation in x and y, times a constant, is u * v = k with linear u and v if its terms of degree 2 are the
product of two different ones: if their discriminant is a square, and not 0. Unless k is 0, neither u nor v is greater
than k, nor are u and v apart by more than k + 1. Hull consistency cannot see this: m is 1 + 18 / (n - 1), which is
greater than 1 however great n is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from .hull import Bounds
from .polynomials import Constraint, Poly, substitute, variables

__all__ = ["bound_by_factors"]

MOST = 100_000
"""Where u * v may be more, there may be too many numbers to be gone through."""


def bound_by_factors(bounds: Bounds, constraints: Sequence[Constraint]) -> bool:
    """Give upper bounds to variables that have none; whether any got one.

    >>> bounds = [(0, None), (0, None)]
    >>> bound_by_factors(bounds, [("=", {(0, 1): 1, (0,): -1, (1,): -1, (): -17})]), bounds
    (True, [(0, 19), (0, 19)])
    """
    fixed = {v: low for v, (low, high) in enumerate(bounds) if low == high}
    found = False
    for relation, poly in constraints:
        if relation != "=" or all(bounds[v][1] is not None for v in variables(poly)):
            continue
        rest = substitute(poly, fixed)
        named = variables(rest)
        for variable, limit in _limits(rest, *named) if len(named) == 2 else ():
            low, high = bounds[variable]
            if high is None:
                bounds[variable] = (low, max(0, limit))
                found = True
    return found


def _limits(poly: Poly, x: int, y: int) -> list[tuple[int, int]]:
    """What two variables are at most by an equation in them, if it is a product that is not 0."""
    if max(map(len, poly)) != 2:
        return []
    if (x, x) not in poly:
        x, y = y, x
    a, c, d, e, f = (poly.get(monomial, 0) for monomial in ((x, x), (y, y), (x,), (y,), ()))
    b = poly.get((min(x, y), max(x, y)), 0)
    if not a:  # (b*x + e) * (b*y + d) = k
        k = abs(e * d - b * f)
        return [(v, (k + abs(rest)) // abs(b)) for v, rest in ((x, e), (y, d))] if 0 < k <= MOST else []
    square = b * b - 4 * a * c
    root = isqrt(max(0, square))
    if not root or root * root != square:
        return []
    # u = root * (2*a*x + (b - root) * y) + p and v = root * (2*a*x + (b + root) * y) + q.
    p, q = root * d + (2 * a * e - b * d), root * d - (2 * a * e - b * d)
    k = abs(p * q - 4 * a * f * square)
    if not 0 < k <= MOST * square:
        return []
    most_of_x = (abs(b + root) + abs(b - root)) * k + abs((b + root) * p - (b - root) * q)
    return [(x, most_of_x // (4 * abs(a) * square)), (y, (k + 1 + abs(q - p)) // (2 * square))]
