"""Upper bounds from growth: what the greatest power of a variable outgrows, its smaller powers cannot make up for.

Where p = c_n x^n + ... + c_0 <= 0 and c_n >= 1, x is at most 1 + max(-c_k) / c_n (Cauchy's bound on the roots of a
polynomial). Hull consistency cannot see this, because it takes the powers of x for independent.

The low ends of all monomials are added up once, so that a variable costs what the monomials are long that it occurs in.
"""

from __future__ import annotations

from collections.abc import Sequence

from .hull import Bounds, others, part
from .polynomials import Constraint, Poly, by_variable, factors

__all__ = ["bound_by_growth"]


def bound_by_growth(bounds: Bounds, constraints: Sequence[Constraint]) -> bool:
    """Give upper bounds to variables that have none; whether any got one."""
    found = False
    for relation, poly in constraints:
        if relation == "!=":
            continue
        sides = [_Side(poly, bounds)]
        if relation == "=":
            sides.append(_Side({m: -c for m, c in poly.items()}, bounds))
        for variable in sorted(sides[0].users):
            if bounds[variable][1] is None:
                limits = [limit for side in sides if (limit := side.limit(variable)) is not None]
                if limits:
                    bounds[variable] = (bounds[variable][0], max(0, min(limits)))
                    found = True
                    for side in sides:
                        side.narrowed(variable)
    return found


class _Side:
    """A polynomial that is at most 0, with the low ends of its monomials."""

    def __init__(self, poly: Poly, bounds: Bounds) -> None:
        self.bounds = bounds
        self.terms = [(c, factors(m)) for m, c in poly.items()]
        self.users = by_variable((index, set(monomial)) for index, monomial in enumerate(poly))
        self.lows = [part(c, powers, bounds)[0] for c, powers in self.terms]
        self.total = sum(low for low in self.lows if low is not None)
        self.open = self.lows.count(None)
        self._others: dict[int, list[int | None]] = {}  # by monomial, the low ends without each of its factors

    def narrowed(self, variable: int) -> None:
        """A variable has another bound now."""
        for index in self.users[variable]:
            self._add(index, -1)
            self.lows[index] = part(*self.terms[index], self.bounds)[0]
            self._add(index, 1)
            self._others.pop(index, None)

    def _add(self, index: int, sign: int) -> None:
        low = self.lows[index]
        if low is None:
            self.open += sign
        else:
            self.total += sign * low

    def limit(self, variable: int) -> int | None:
        """The greatest value that `variable` can have, if this room knows one."""
        total, still_open = self.total, self.open
        powers: dict[int, int | None] = {}
        for index in self.users[variable]:
            low = self.lows[index]
            still_open -= low is None
            total -= low or 0
            exponent, rest = self._without(index, variable)
            known = powers.get(exponent, 0)
            powers[exponent] = None if known is None or rest is None else known + rest
        leading = powers.pop(max(powers))
        if leading is None or leading < 1 or still_open:
            return None
        worst = max(0, -total)
        for low in powers.values():
            if low is None:
                return None
            worst = max(worst, -low)
        return 1 + worst // leading

    def _without(self, index: int, variable: int) -> tuple[int, int | None]:
        """The exponent of a variable in a monomial, and the low end of that without it."""
        coefficient, powers = self.terms[index]
        if index not in self._others:
            self._others[index] = [low for low, _ in others(coefficient, powers, self.bounds)]
        place = next(i for i, (factor, _) in enumerate(powers) if factor == variable)
        return powers[place][1], self._others[index][place]
