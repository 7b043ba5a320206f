"""Elimination: linear constraints that no integers satisfy, however far they reach, and what equations say together.

Equations are used up first, then one unknown after the other: each bound from below is put together with each from
above (Fourier and Motzkin; Schrijver, "Theory of Linear and Integer Programming", 12.2). Rows are kept in lowest terms,
and bounds are rounded to integers. What comes to `0 <= -1`, or to an equation that no integers satisfy, is refuted.
Where propagation of bounds would creep for ever (`x < y, y < z, z < x`), this ends; where rows become too many, or
their numbers too long, it is given up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

__all__ = ["Row", "opposite", "refuted", "solved", "tight", "without_all"]

MOST_ROWS, MOST_SUMS = 200, 2_000
"""With more rows, or more new ones at once, nothing is found out;"""
MOST_TIGHT = 16
"""Of more inequalities it is not asked which are equations;"""
LONGEST = 1_000
"""nor with numbers of more bits: they may double with each unknown."""


class Row(NamedTuple):
    """The sum of the unknowns, each times its coefficient, is at most `bound`, or that if it is an equation."""

    coefficients: Mapping[Any, int]
    bound: int


def refuted(equations: Iterable[Row], inequalities: Iterable[Row]) -> bool:
    """Whether no integers satisfy the rows, as far as this finds out."""
    left, rows = list(equations), list(inequalities)
    while left:
        equation = _lowest(left.pop(), is_equation=True)
        if equation is None:
            return True
        if equation.coefficients:
            unknown = min(equation.coefficients, key=lambda key: abs(equation.coefficients[key]))
            left = [_without(unknown, row, equation) for row in left]
            rows = [_without(unknown, row, equation) for row in rows]
            if any(map(_is_long, left)):
                return False
    return _are_refuted(rows)


def solved(equations: Iterable[Row]) -> dict[Any, Row] | None:
    """Equations that say the same, each in lowest terms and by an unknown that is in no other one (Gauss and Jordan);
    None if no integers satisfy them. Where they are too many, or too long, the first of them."""
    found: dict[Any, Row] = {}
    for equation in equations:
        left = without_all(found, equation, is_equation=True)
        if left is None:
            return None
        if not left.coefficients:
            continue
        if len(found) == MOST_ROWS or _is_long(left):
            break
        unknown = min(left.coefficients, key=lambda key: abs(left.coefficients[key]))
        for other, row in found.items():
            if unknown in row.coefficients:
                rest = _lowest(_without(unknown, row, left), is_equation=True)
                if rest is None:
                    return None
                found[other] = rest
        found[unknown] = left
    return found


def without_all(known: Mapping[Any, Row], row: Row, is_equation: bool = False) -> Row | None:
    """A row without the unknowns that solved equations are about, in lowest terms; None if nothing satisfies it."""
    for unknown in [unknown for unknown in row.coefficients if unknown in known]:
        row = _without(unknown, row, known[unknown])
    return _lowest(row, is_equation)


def opposite(rows: Iterable[Row]) -> Iterator[Row]:
    """The equations that inequalities come to which bound one sum from both sides."""
    tightest = _tightest(filter(None, map(_lowest, rows)))
    while tightest:
        key, row = tightest.popitem()
        other = tightest.pop(frozenset((unknown, -c) for unknown, c in key), None)
        if other is not None and other.bound + row.bound == 0:
            yield row


def tight(equations: Sequence[Row], inequalities: Sequence[Row], beside: Sequence[Row]) -> list[Row | None]:
    """Of each of some inequalities the equation that it comes to, in lowest terms, as far as this finds out: with the
    others, and what is known `beside` them, nothing satisfies that its sum is less (`x <= y`, `y <= z` and `z <= x`).
    None if it is none."""
    if not 1 < len(inequalities) <= MOST_TIGHT:
        return [None] * len(inequalities)
    rows = [*inequalities, *beside]
    free = {unknown for row in equations for unknown in row.coefficients}

    def equation(row: Row) -> Row | None:
        others = {unknown for other in rows if other is not row for unknown, c in other.coefficients.items() if c > 0}
        lowest = _lowest(row)
        if lowest is None or not all(c > 0 or key in others or key in free for key, c in row.coefficients.items()):
            return None
        less = Row(lowest.coefficients, lowest.bound - 1)
        return lowest if refuted(equations, [*rows, less]) else None

    return [equation(row) for row in inequalities]


def _are_refuted(rows: list[Row]) -> bool:
    """Whether no integers satisfy some inequalities."""
    while True:
        lowest = [_lowest(row) for row in rows]
        if None in lowest:
            return True
        rows = list(_tightest(filter(None, lowest)).values())
        if not rows or len(rows) > MOST_ROWS or any(map(_is_long, rows)):
            return False
        unknown = _cheapest(rows)
        above = [row for row in rows if row.coefficients.get(unknown, 0) > 0]
        below = [row for row in rows if row.coefficients.get(unknown, 0) < 0]
        if len(above) * len(below) > MOST_SUMS:
            return False
        rows = [row for row in rows if unknown not in row.coefficients]
        rows += [
            _sum(high, -low.coefficients[unknown], low, high.coefficients[unknown]) for high in above for low in below
        ]


def _tightest(rows: Iterable[Row]) -> dict[frozenset[tuple[Any, int]], Row]:
    """Of rows in lowest terms, those that bound a sum most tightly, each by its sum."""
    found: dict[frozenset[tuple[Any, int]], Row] = {}
    for row in rows:
        key = frozenset(row.coefficients.items())
        if key and (key not in found or row.bound < found[key].bound):
            found[key] = row
    return found


def _cheapest(rows: list[Row]) -> Any:
    """The unknown without which there are the fewest rows."""
    counts: dict[Any, list[int]] = {}
    for row in rows:
        for key, c in row.coefficients.items():
            counts.setdefault(key, [0, 0])[c > 0] += 1
    return min(counts, key=lambda key: counts[key][0] * counts[key][1] - sum(counts[key]))


def _is_long(row: Row) -> bool:
    return max(map(int.bit_length, (row.bound, *row.coefficients.values()))) > LONGEST


def _lowest(row: Row, is_equation: bool = False) -> Row | None:
    """A row in lowest terms; None if nothing satisfies it."""
    divisor = gcd(*row.coefficients.values())
    if not divisor:
        return None if row.bound < 0 or (is_equation and row.bound) else row
    if is_equation and row.bound % divisor:
        return None
    return Row({key: c // divisor for key, c in row.coefficients.items()}, row.bound // divisor)


def _without(unknown: Any, row: Row, equation: Row) -> Row:
    """A row in which an equation has taken the place of an unknown."""
    c, given = row.coefficients.get(unknown, 0), equation.coefficients[unknown]
    return _sum(row, abs(given), equation, -c if given > 0 else c) if c else row


def _sum(first: Row, times: int, second: Row, more: int) -> Row:
    """So many times a row and so many times another one together."""
    found = {key: times * c for key, c in first.coefficients.items()}
    for key, c in second.coefficients.items():
        found[key] = found.get(key, 0) + more * c
    return Row({key: c for key, c in found.items() if c}, times * first.bound + more * second.bound)
