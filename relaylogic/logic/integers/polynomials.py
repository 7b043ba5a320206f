"""Integer polynomials as mappings from monomials to coefficients, and constraints on them.

A monomial is a sorted tuple of variable indices with repetition: n*n*m with n = 0, m = 1 is (0, 0, 1), and () is the
constant. A polynomial in normal form has no coefficient 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import gcd
from typing import TypeVar

__all__ = [
    "Constraint",
    "Monomial",
    "Poly",
    "by_variable",
    "content",
    "evaluate",
    "factors",
    "normal",
    "substitute",
    "variables",
]

Item = TypeVar("Item")
Monomial = tuple[int, ...]
Poly = Mapping[Monomial, int]
Constraint = tuple[str, Poly]


def normal(terms: Iterable[tuple[Monomial, int]]) -> dict[Monomial, int]:
    """The sum of `terms`, in normal form.

    >>> normal([((1, 0), 2), ((0, 1), 3), ((), 0)])
    {(0, 1): 5}
    """
    total: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        key = tuple(sorted(monomial))
        total[key] = total.get(key, 0) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def factors(monomial: Monomial) -> tuple[tuple[int, int], ...]:
    """A monomial as (variable, exponent) pairs.

    >>> factors((0, 0, 1))
    ((0, 2), (1, 1))
    """
    return tuple((variable, len(list(same))) for variable, same in groupby(monomial))


def variables(poly: Poly) -> set[int]:
    """The variables that occur in `poly`."""
    return {variable for monomial in poly for variable in monomial}


def by_variable(items: Iterable[tuple[Item, Iterable[int]]]) -> dict[int, list[Item]]:
    """For each variable the items that mention it, in their order. Each item comes with the variables that it mentions.

    >>> by_variable([("n < m", [0, 1]), ("m < k", [1, 2])])
    {0: ['n < m'], 1: ['n < m', 'm < k'], 2: ['m < k']}
    """
    found: dict[int, list[Item]] = {}
    for item, mentioned in items:
        for variable in mentioned:
            found.setdefault(variable, []).append(item)
    return found


def content(poly: Poly) -> int:
    """The greatest common divisor of the coefficients, but for the constant's."""
    return gcd(*(coefficient for monomial, coefficient in poly.items() if monomial))


def substitute(poly: Poly, values: Mapping[int, int]) -> dict[Monomial, int]:
    """`poly` with values put in for some of its variables.

    >>> substitute({(0, 0, 1): 1, (): -4}, {0: 2})
    {(1,): 4, (): -4}
    """
    replaced: list[tuple[Monomial, int]] = []
    for monomial, coefficient in poly.items():
        rest = monomial
        if any(variable in values for variable in monomial):
            rest = tuple(variable for variable in monomial if variable not in values)
            for variable in monomial:
                coefficient *= values.get(variable, 1)
        replaced.append((rest, coefficient))
    return normal(replaced)


def evaluate(poly: Poly, point: Sequence[int]) -> int:
    """The value of `poly` where variable i is point[i]."""
    total = 0
    for monomial, coefficient in poly.items():
        for variable in monomial:
            coefficient *= point[variable]
        total += coefficient
    return total
