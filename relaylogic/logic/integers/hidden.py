"""Variables that nothing asks for, and that an equation defines: what they are is put where they are spoken of.

An addend that is the product of two numbers, say, is known only when both are, and the last number of a sum is not
solved for then; a total that nothing but its bounds speaks of is no number to look for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from .hull import Bounds, reach
from .polynomials import Constraint, Poly, by_variable, normal, variables

__all__ = ["put_in"]

MOST_TERMS = 40


def put_in(constraints: Sequence[Constraint], bounds: Bounds, hidden: Collection[int]) -> list[Constraint]:
    """Constraints that allow the same values for what is not `hidden`, and speak of fewer hidden variables.

    >>> total = ("=", {(0,): 3, (2,): 1, (3,): -1})
    >>> put_in([("=", {(0, 1): 9, (2,): -1}), total], [(1, 4), (1, 4), (9, 144), (0, 50)], {2, 3})
    [('<=', {(0,): 3, (): -50, (0, 1): 9})]
    """
    left = dict(enumerate(constraints))
    users = by_variable((number, variables(poly)) for number, (_, poly) in left.items())
    numbers = count(len(left))
    waiting = list(hidden)
    while waiting:
        variable = waiting.pop()
        using = [number for number in users.get(variable, ()) if number in left]
        if len(using) > 2 or any(_exponent(left[number][1], variable) != 1 for number in using):
            continue
        definition = next((n for n in using if left[n][0] == "=" and abs(left[n][1][(variable,)]) == 1), None)
        if definition is None:
            continue
        value = _solved(left[definition][1], variable)
        spoken = [left[number] for number in using if number != definition]
        others = [(relation, _replaced(poly, variable, value)) for relation, poly in spoken]
        if all(len(poly) <= MOST_TERMS for _, poly in others):
            for number in using:
                del left[number]
            for constraint in (*others, *_between(value, *bounds[variable], bounds)):
                number = next(numbers)
                left[number] = constraint
                for mentioned in variables(constraint[1]):
                    users[mentioned].append(number)
    return list(left.values())


def _exponent(poly: Poly, variable: int) -> int:
    """1 if the variable stands in one term, alone; else another number."""
    return sum(2 * monomial.count(variable) - (monomial == (variable,)) for monomial in poly)


def _solved(poly: Poly, variable: int) -> dict[tuple[int, ...], int]:
    sign = -poly[(variable,)]
    return {monomial: sign * c for monomial, c in poly.items() if monomial != (variable,)}


def _replaced(poly: Poly, variable: int, value: Poly) -> Poly:
    factor = poly[(variable,)]
    rest = [(monomial, c) for monomial, c in poly.items() if monomial != (variable,)]
    return normal([*rest, *((monomial, factor * c) for monomial, c in value.items())])


def _between(value: Poly, low: int, high: int | None, bounds: Bounds) -> list[Constraint]:
    """That a value lies between two numbers, as far as the bounds do not say so."""
    least, most = reach(value, bounds)
    found: list[Constraint] = []
    if high is not None and (most is None or most > high):
        found.append(("<=", normal([*value.items(), ((), -high)])))
    if least is None or least < low:
        found.append(("<=", normal([*((monomial, -c) for monomial, c in value.items()), ((), low)])))
    return found
