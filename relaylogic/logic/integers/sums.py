"""Counting the solutions of one equation f1(x1) + ... + fk(xk) = goal, variable by variable.

Three ways, by size: two linear terms are an arithmetic progression (extended Euclid); equal coefficients are stars and
bars with inclusion and exclusion of the upper bounds (Feller, "An Introduction to Probability Theory", II.5), whatever
the size of the goal; everything else is a table over the partial sums, if it is small. A linear term costs one pass
over the table, however many values it has, because its window of summands slides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import comb, gcd, prod

from .hull import Bounds
from .polynomials import Poly, factors

__all__ = ["count_sum"]

MOST_CELLS = 5_000_000
MOST_SUBSETS = 50_000
Charge = Callable[[int], None]


class _Linear:
    """A term with the values 0, step, 2 * step, ..., last * step."""

    def __init__(self, step: int, last: int) -> None:
        self.step = step
        self.last = last

    def cost(self, goal: int) -> int:
        """How many cells a pass over the table takes."""
        return goal + 1

    def spread(self, table: list[int]) -> list[int]:
        """The table of partial sums with this term added."""
        result = [0] * len(table)
        for start in range(min(self.step, len(table))):
            sums = list(accumulate(table[start :: self.step]))
            window = self.last + 1
            result[start :: self.step] = sums[:window] + [a - b for a, b in zip(sums[window:], sums)]
        return result

    def finish(self, table: list[int]) -> int:
        """The last cell of `spread`."""
        return sum(table[:: -self.step][: self.last + 1])


class _Listed:
    """A term with the given values, the least of which is 0."""

    def __init__(self, values: Sequence[int]) -> None:
        self.values = values

    def cost(self, goal: int) -> int:
        """How many cells a pass over the table takes."""
        return (goal + 1) * sum(1 for value in self.values if value <= goal)

    def spread(self, table: list[int]) -> list[int]:
        """The table of partial sums with this term added."""
        result = [0] * len(table)
        for value in self.values:
            if value < len(table):
                result[value:] = [a + b for a, b in zip(result[value:], table)]
        return result

    def finish(self, table: list[int]) -> int:
        """The last cell of `spread`."""
        return sum(table[-1 - value] for value in self.values if value < len(table))


def _terms(poly: Poly, bounds: Bounds, charge: Charge) -> tuple[list[_Linear | _Listed], int] | None:
    """The terms, shifted to the least value 0, and the goal that is left; None if terms share variables."""
    single: dict[int, dict[int, int]] = {}
    goal = -poly.get((), 0)
    for monomial, coefficient in poly.items():
        powers = factors(monomial)
        if len(powers) > 1:
            return None
        for variable, exponent in powers:
            single.setdefault(variable, {})[exponent] = coefficient
    terms: list[_Linear | _Listed] = []
    for variable, coefficients in single.items():
        low, high = bounds[variable]
        assert high is not None
        if coefficients.keys() == {1}:
            step = coefficients[1]
            goal -= step * (low if step > 0 else high)
            terms.append(_Linear(abs(step), high - low))
            continue
        if high - low > MOST_CELLS:
            return None
        charge(high - low + 1)
        values = [sum(c * x**k for k, c in coefficients.items()) for x in range(low, high + 1)]
        least = min(values)
        goal -= least
        terms.append(_Listed([value - least for value in values]))
    return (terms, goal)


def count_sum(relation: str, poly: Poly, bounds: Bounds, charge: Charge) -> int | None:
    """How many points within `bounds` satisfy `poly` in `relation` to 0; None if this room has no quick way.

    Only the variables of `poly` count.

    >>> count_sum("=", {(0,): 1, (1,): 1, (): -4}, [(0, 4), (0, 4)], lambda steps: None)
    5
    """
    found = _terms(poly, bounds, charge)
    if found is None:
        return None
    terms, goal = found
    if relation == "!=":
        equal = _solutions(terms, goal, charge)
        if equal is None:
            return None
        return prod(t.last + 1 if isinstance(t, _Linear) else len(t.values) for t in terms) - equal
    if goal < 0:
        return 0
    return _solutions([*terms, _Linear(1, goal)] if relation == "<=" else terms, goal, charge)


def _solutions(terms: list[_Linear | _Listed], goal: int, charge: Charge) -> int | None:
    if goal < 0:
        return 0
    linear = [term for term in terms if isinstance(term, _Linear)]
    if len(linear) == len(terms):
        divisor = gcd(*(term.step for term in linear))
        if goal % divisor:
            return 0
        goal //= divisor
        linear = [_Linear(term.step // divisor, min(term.last, goal // (term.step // divisor))) for term in linear]
        if len(linear) == 2:
            return _progression(linear[0], linear[1], goal)
        if all(term.step == 1 for term in linear):
            found = _stars_and_bars([term.last for term in linear], goal, charge)
            if found is not None:
                return found
        return _table([*linear], goal, charge)
    return _table(terms, goal, charge)


def _progression(a: _Linear, b: _Linear, goal: int) -> int:
    """The solutions of a.step * x + b.step * y = goal, where the steps have no common divisor."""
    first = goal * pow(a.step, -1, b.step) % b.step
    low = max(0, -(-(goal - b.step * b.last) // a.step))
    high = min(a.last, goal // a.step)
    return max(0, (high - first) // b.step - (low - 1 - first) // b.step)


def _stars_and_bars(lasts: list[int], goal: int, charge: Charge) -> int | None:
    """The solutions of x1 + ... + xk = goal with 0 <= xi <= lasts[i]; None if too many sets of bounds matter."""
    signs = {0: 1}
    for last in lasts:
        if last >= goal:
            continue
        changed = dict(signs)
        for used, sign in signs.items():
            if used + last < goal:
                changed[used + last + 1] = changed.get(used + last + 1, 0) - sign
        charge(len(changed))
        if len(changed) > MOST_SUBSETS:
            return None
        signs = changed
    k = len(lasts) - 1
    return sum(sign * comb(goal - used + k, k) for used, sign in signs.items())


def _table(terms: list[_Linear | _Listed], goal: int, charge: Charge) -> int | None:
    ordered = sorted(terms, key=lambda term: term.cost(goal))
    if goal > MOST_CELLS or sum(term.cost(goal) for term in ordered[:-1]) > MOST_CELLS:
        return None
    table = [1] + [0] * goal
    for term in ordered[:-1]:
        charge(term.cost(goal))
        table = term.spread(table)
    return ordered[-1].finish(table)
