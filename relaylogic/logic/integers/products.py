"""Counting the solutions of c * x1^a1 * ... * xk^ak = n in closed form: each prime is shared out by itself."""

from __future__ import annotations

from collections.abc import Callable

from .factoring import Factors
from .hull import Bounds
from .intervals import floor_root
from .polynomials import Poly, factors

__all__ = ["count_product"]


def count_product(poly: Poly, bounds: Bounds, charge: Callable[[int], None]) -> int | None:
    """How many points satisfy `poly` = 0; None unless it is one product of naturals that only its value bounds.

    >>> count_product({(0, 1): 1, (): -12}, [(1, 12), (1, 12)], lambda steps: None)
    6
    """
    products = [monomial for monomial in poly if monomial]
    if len(products) != 1 or () not in poly:
        return None
    goal, remainder = divmod(-poly[()], poly[products[0]])
    if remainder:
        return 0
    powers = factors(products[0])
    for variable, exponent in powers:
        low, high = bounds[variable]
        if goal < 0 or not 0 <= low <= 1 or (high is not None and high < floor_root(goal, exponent)):
            return None
    total = 1
    for shared in Factors(charge).factor(goal).values():
        total *= _ways(shared, [exponent for _, exponent in powers])
    return total


def _ways(goal: int, steps: list[int]) -> int:
    """The number of ways to write `goal` as a sum of multiples of the steps, the steps told apart."""
    table = [1] + [0] * goal
    for step in steps:
        for i in range(step, goal + 1):
            table[i] += table[i - step]
    return table[goal]
