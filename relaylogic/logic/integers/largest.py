"""Upper bounds from equations of which one side outgrows the other: n*m*k = n + m + k.

One of the numbers without an upper bound is the largest. If it is n, and none of them is 0, the sum is at most 3*n, so
m*k is at most 3; for each m and k that are left, n is a root of a polynomial, or there is none. What holds in each such
case holds. A number that may be 0 is 0 or not: these are cases, too. Where a case tells nothing, nothing is found out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import prod

from .hull import Bounds
from .polynomials import Constraint, Monomial, Poly, substitute, variables

__all__ = ["bound_by_largest"]

MOST_OPEN = 4
"""Equations are looked at in which so many variables have no upper bound, at most."""
MOST_TRIED = 1_000
"""For so many values of the others, at most, the largest is looked for."""

Limits = dict[int, int]


def bound_by_largest(bounds: Bounds, constraints: Sequence[Constraint], charge: Callable[[int], None]) -> bool:
    """Give upper bounds to variables that have none; whether any got one. `charge` is called with what is tried.

    >>> bounds = [(0, None), (0, None), (1, None)]
    >>> bound_by_largest(bounds, [("=", {(0, 1, 2): 1, (0,): -1, (1,): -1, (2,): -1})], abs), bounds
    (True, [(0, 4), (0, 4), (1, 4)])
    """
    fixed = {v: low for v, (low, high) in enumerate(bounds) if low == high}
    found = False
    for relation, poly in constraints:
        if relation != "=" or all(bounds[v][1] is not None for v in variables(poly)):
            continue
        limits = _limits(substitute(poly, fixed), bounds, charge)
        for variable, most in () if limits is None else limits.items():
            low, high = bounds[variable]
            if high is None:
                bounds[variable] = (low, max(0, most))
                found = True
    return found


def _limits(poly: Poly, bounds: Bounds, charge: Callable[[int], None]) -> Limits | None:
    """What the variables without upper bounds are at most where a polynomial is 0; None if that is not found out."""
    named = variables(poly)
    opened = [v for v in sorted(named) if bounds[v][1] is None]
    if not 2 <= len(opened) <= MOST_OPEN or any(bounds[v][0] < 0 for v in named):
        return None
    if all(sum(v in opened for v in monomial) < 2 for monomial in poly):
        return None
    most = dict.fromkeys(opened, 0)
    may_be_zero = [v for v in opened if bounds[v][0] == 0]
    for number in range(len(may_be_zero) + 1):  # first that none is, which tells nothing as a rule
        for zeros in combinations(may_be_zero, number):
            rest, positive = substitute(poly, dict.fromkeys(zeros, 0)), set(opened).difference(zeros)
            for limits in _cases(rest, bounds, positive, charge):
                if limits is None:
                    return None
                for variable, limit in limits.items():
                    most[variable] = max(most[variable], limit)
    return most


def _cases(poly: Poly, bounds: Bounds, positive: set[int], charge: Callable[[int], None]) -> Iterator[Limits | None]:
    """What some positive variables without upper bounds are at most where a polynomial is 0, for each of them where it
    is the largest."""
    within = {v: (max(1, bounds[v][0]) if v in positive else bounds[v][0], bounds[v][1]) for v in variables(poly)}
    sides = [{m: sign * c for m, c in poly.items() if sign * c > 0} for sign in (1, -1)]
    if any(not sides[i] and _least(sides[1 - i], within) > 0 for i in (0, 1)):
        return
    if not positive <= within.keys():  # it may be anything
        yield None
        return
    for largest in positive:
        yield _where(largest, poly, sides, dict(within), charge)


def _least(side: Poly, within: dict[int, tuple[int, int | None]]) -> int:
    return sum(c * prod(within[v][0] for v in monomial) for monomial, c in side.items())


def _where(
    largest: int,
    poly: Poly,
    sides: list[dict[Monomial, int]],
    within: dict[int, tuple[int, int | None]],
    charge: Callable[[int], None],
) -> Limits | None:
    """What the variables without upper bounds are at most where one of them is the largest."""
    opened = {v for v, (_, high) in within.items() if high is None}
    limits: Limits = {}
    while True:
        new: Limits = {}
        for less, more in (sides, sides[::-1]):
            new |= _outgrown(largest, less, more, within)
        if not new:
            break
        limits |= new
        within |= {v: (within[v][0], limit) for v, limit in new.items()}
        if any(limit < within[v][0] for v, limit in new.items()):
            return {}
    if largest not in limits:
        limit = _greatest_root(largest, poly, within, charge)
        if limit is None:
            return None
        limits[largest] = limit
    return {v: min(limits.get(v, limits[largest]), limits[largest]) for v in opened}


def _outgrown(largest: int, less: Poly, more: Poly, within: dict[int, tuple[int, int | None]]) -> Limits:
    """Upper bounds that variables get since `more` is no more than `less`, which is at most a multiple of a power of
    the largest of them."""
    degree = total = 0
    for monomial, c in less.items():
        highs = [within[v][1] for v in monomial]
        degree = max(degree, highs.count(None))
        total += c * prod(high for high in highs if high is not None)
    found: Limits = {}
    for monomial, c in more.items():
        opened = [v for v in monomial if within[v][1] is None]
        least = c * prod(within[v][0] for v in monomial if within[v][1] is not None)
        power = opened.count(largest)
        if least < 1 or power < degree:
            continue
        for v in opened:
            if v != largest or power > degree:
                found[v] = min(found.get(v, total), total // least)
    return found


def _greatest_root(
    largest: int, poly: Poly, within: dict[int, tuple[int, int | None]], charge: Callable[[int], None]
) -> int | None:
    """What a variable is at most where a polynomial is 0 and the others lie within bounds, by Cauchy's bound; None if
    it may be anything, or there is too much to be tried."""
    ranges: list[range] = []
    others = [v for v in within if v != largest]
    for v in others:
        low, high = within[v]
        if high is None:
            return None
        ranges.append(range(low, high + 1))
    count = prod(values.stop - values.start for values in ranges)  # `len` ends at 2⁶³
    if count > MOST_TRIED:
        return None
    charge(count)
    most = 0
    for values in product(*ranges):
        left = substitute(poly, dict(zip(others, values, strict=True)))
        if not left:
            return None
        leading = left[max(left, key=len)]
        worst = max((-c if leading > 0 else c for c in left.values()), default=0)
        if max(map(len, left)):
            most = max(most, 1 + max(0, worst) // abs(leading))
    return most
