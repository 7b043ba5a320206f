"""Upper bounds from growth: what the greatest power of a variable outgrows, its smaller powers cannot make up for.

Where p = c_n x^n + ... + c_0 <= 0 and c_n >= 1, x is at most 1 + max(-c_k) / c_n (Cauchy's bound on the roots of a
polynomial). Hull consistency cannot see this, because it takes the powers of x for independent.
"""

from __future__ import annotations

from collections.abc import Sequence

from .hull import Bounds, reach
from .polynomials import Constraint, Monomial, Poly, variables

__all__ = ["bound_by_growth"]


def bound_by_growth(bounds: Bounds, constraints: Sequence[Constraint]) -> bool:
    """Give upper bounds to variables that have none; whether any got one."""
    found = False
    for relation, poly in constraints:
        if relation == "!=":
            continue
        for variable in variables(poly):
            if bounds[variable][1] is None:
                ends = [_limit(variable, poly, bounds)]
                if relation == "=":
                    ends.append(_limit(variable, {m: -c for m, c in poly.items()}, bounds))
                limits = [end for end in ends if end is not None]
                if limits:
                    bounds[variable] = (bounds[variable][0], max(0, min(limits)))
                    found = True
    return found


def _limit(variable: int, poly: Poly, bounds: Bounds) -> int | None:
    """The greatest value that `variable` can have where poly <= 0, if this room knows one."""
    powers: dict[int, dict[Monomial, int]] = {}
    for monomial, coefficient in poly.items():
        rest = tuple(v for v in monomial if v != variable)
        powers.setdefault(len(monomial) - len(rest), {})[rest] = coefficient
    lows = {k: reach(part, bounds)[0] for k, part in powers.items()}
    leading = lows.pop(max(powers))
    if leading is None or leading < 1:
        return None
    worst = 0
    for low in lows.values():
        if low is None:
            return None
        worst = max(worst, -low)
    return 1 + worst // leading
