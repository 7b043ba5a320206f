"""Hull consistency: narrow the bounds of variables until no constraint, on its own, can narrow them further.

A constraint is read as a sum of monomials; what the sum and the other monomials leave for one of them narrows its
variables (HC4-revise: Benhamou, Goualard, Granvilliers and Puget, "Revising hull and box consistency", 1999), with
integer division and integer roots. Narrowing may creep for ever (x < y, y < x on unbounded variables) or leap for ever
(x*x <= y, y*y <= x), so there are only so many sweeps, and enormous bounds cause none. Sweeps go to and fro: that is
two of them for a chain of constraints, where a queue was seen to creep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .intervals import Interval, power, quotient, times, within_root
from .polynomials import Constraint, Poly, by_variable, factors, variables

__all__ = ["Bounds", "narrow", "others", "part", "reach"]

Bounds = list[tuple[int, "int | None"]]
Factored = tuple[int, tuple[tuple[int, int], ...]]
MOST_SWEEPS = 100
MOST_BITS = 1000


def _total(parts: Sequence[Interval]) -> tuple[int, int, int, int]:
    """The sums of the low and the high ends that are closed, and how many are open."""
    lows = [low for low, _ in parts if low is not None]
    highs = [high for _, high in parts if high is not None]
    return sum(lows), sum(highs), len(parts) - len(lows), len(parts) - len(highs)


def _rest(total: int, part: int | None, opened: int) -> int | None:
    """Minus the sum of the ends of the other parts; None if one of them is open."""
    if part is None:
        return -total if opened == 1 else None
    return part - total if not opened else None


def part(coefficient: int, powers: Sequence[tuple[int, int]], bounds: Sequence[Interval]) -> Interval:
    result: Interval = (coefficient, coefficient)
    for variable, exponent in powers:
        result = times(result, power(bounds[variable], exponent))
    return result


def _behind(powers: Sequence[tuple[int, int]], bounds: Sequence[Interval]) -> list[Interval]:
    """For each factor of a monomial, the product of those that follow it."""
    products: list[Interval] = [(1, 1)]
    for variable, exponent in reversed(powers[1:]):
        products.append(times(power(bounds[variable], exponent), products[-1]))
    return products[: len(powers)][::-1]


def others(coefficient: int, powers: Sequence[tuple[int, int]], bounds: Sequence[Interval]) -> list[Interval]:
    """For each factor of a monomial, the product of the others and the coefficient."""
    found: list[Interval] = []
    before: Interval = (coefficient, coefficient)
    for (variable, exponent), after in zip(powers, _behind(powers, bounds), strict=True):
        found.append(times(before, after))
        before = times(before, power(bounds[variable], exponent))
    return found


def reach(poly: Poly, bounds: Sequence[Interval]) -> Interval:
    """An interval that contains the values of `poly` within `bounds`."""
    low, high, open_low, open_high = _total([part(c, factors(m), bounds) for m, c in poly.items()])
    return (None if open_low else low, None if open_high else high)


class _Narrowing:
    """The sums of one constraint, and the narrowing of `bounds` by it."""

    def __init__(self, relation: str, poly: Poly) -> None:
        self.relation = relation
        self.terms: list[Factored] = [(c, factors(m)) for m, c in poly.items()]
        self.variables = sorted(variables(poly))
        self.poly = poly

    def revise(self, bounds: Bounds) -> set[int] | None:
        """Narrow `bounds`; the variables that changed, or None if the constraint cannot hold."""
        if self.relation == "!=":
            return self._differ(bounds)
        parts = [part(c, powers, bounds) for c, powers in self.terms]
        low, high, open_low, open_high = _total(parts)
        if not open_low and low > 0:
            return None
        equal = self.relation == "="
        if equal and not open_high and high < 0:
            return None
        changed: set[int] = set()
        for (coefficient, powers), (part_low, part_high) in zip(self.terms, parts, strict=True):
            most = _rest(low, part_low, open_low)
            least = _rest(high, part_high, open_high) if equal else None
            if least is None and most is None:
                continue
            before: Interval = (coefficient, coefficient)
            for (variable, exponent), after in zip(powers, _behind(powers, bounds), strict=True):
                goal = quotient((least, most), times(before, after))
                found = None if goal is None else within_root(bounds[variable], goal, exponent)
                if found is None:
                    return None
                if found != bounds[variable]:
                    assert found[0] is not None
                    bounds[variable] = (found[0], found[1])
                    changed.add(variable)
                before = times(before, power(bounds[variable], exponent))
        return changed

    def _differ(self, bounds: Bounds) -> set[int] | None:
        """Move the ends of the one variable that is open off the zeros."""
        wide = [v for v in self.variables if bounds[v][0] != bounds[v][1]]
        if len(wide) > 1:
            return set()
        if not wide:
            return None if reach(self.poly, bounds) == (0, 0) else set()
        (variable,) = wide
        before = bounds[variable]
        low, high = before
        roots = max(exponent for _, powers in self.terms for v, exponent in powers if v == variable)
        while (high is None or low <= high) and self._zero(bounds, variable, low):
            if low - before[0] == roots:
                return None  # a polynomial with more zeros than its degree is zero everywhere
            low += 1
        while high is not None and low <= high and self._zero(bounds, variable, high):
            high -= 1
        if high is not None and low > high:
            return None
        bounds[variable] = (low, high)
        return {variable} if bounds[variable] != before else set()

    def _zero(self, bounds: Bounds, variable: int, value: int) -> bool:
        kept, bounds[variable] = bounds[variable], (value, value)
        zero = reach(self.poly, bounds) == (0, 0)
        bounds[variable] = kept
        return zero


def narrow(bounds: Bounds, constraints: Sequence[Constraint], charge: Callable[[int], None]) -> bool:
    """Narrow `bounds` in place, as far as `constraints` say; False if they cannot hold.

    >>> legs = [(0, None), (0, None)]
    >>> narrow(legs, [("=", {(0, 0): 1, (1, 1): 1, (): -25})], lambda steps: None), legs
    (True, [(0, 5), (0, 5)])
    """
    if any(high is not None and low > high for low, high in bounds):
        return False
    sizes = (c.bit_length() for _, poly in constraints for c in poly.values())
    enormous = MOST_BITS + 2 * max((*sizes, *((high or low).bit_length() for low, high in bounds)), default=0)
    narrowings = [_Narrowing(relation, poly) for relation, poly in constraints]
    users = by_variable((index, narrowing.variables) for index, narrowing in enumerate(narrowings))
    stale = [True] * len(narrowings)
    for sweep in range(MOST_SWEEPS):
        indices = range(len(narrowings))
        for index in reversed(indices) if sweep % 2 else indices:
            if not stale[index]:
                continue
            stale[index] = False
            charge(len(narrowings[index].terms))
            changed = narrowings[index].revise(bounds)
            if changed is None:
                return False
            for variable in changed:
                if bounds[variable][0].bit_length() <= enormous:
                    for user in users[variable]:
                        stale[user] = True
        if not any(stale):
            break
    return True
