"""The least that a weighted sum of some variables of a system comes to.

Each part of the system has a least sum of its own. Where nothing speaks against it, a variable has the value that is
best for the sum (dual fixing; Achterberg and others, "Presolve reductions in mixed integer programming", 2020, 4.4);
what is left falls apart further, and is walked with the least sum of each state if these are few. Else what lies
between a solution and what the bounds allow is halved: whether there is a solution with at most so much is asked each
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .component import Component
from .hull import Bounds, reach
from .levels import compile_levels
from .ordering import counting_order, states_met
from .polynomials import Constraint, Poly, by_variable, variables
from .system import System
from .walk import Walk

__all__ = ["least_sum", "lowest", "of_least_sum"]

MOST_STATES = 200_000
Weights = Mapping[int, int]


def least_sum(system: System, weights: Weights) -> int | None:
    """The least value of the sum over the solutions of a system; None if it has none. Raises ValueError if nothing
    bounds the sum."""
    if not system.narrow():
        return None
    if not system.finite:
        return _halved(system, weights)
    least = sum(weight * low for v, weight in weights.items() for low, high in [system.bounds[v]] if low == high)
    parts = system.parts()
    if not system.narrow():  # found out when it fell apart
        return None
    for part in parts:
        found = _of_part(system, part, _own(part, weights))
        if found is None:
            return None
        least += found
    return least


def of_least_sum(system: System, weights: Weights) -> System:
    """The solutions for which the sum is least: in each part of the system it is least then."""
    if not system.finite:
        least = least_sum(system, weights)
        return system if least is None else system.also("=", _less(weights, least))
    for part in system.parts():
        own = _own(part, weights)
        least = _of_part(system, part, own)
        if not own or least is None:
            continue
        system = system.also("=", _less(own, least))
        for variable, (low, high) in enumerate(_favoured(part, own, strictly=True) or ()):
            if low == high:
                system = system.within(variable, low, high)
    return system


def _own(part: Component, weights: Weights) -> Weights:
    return {v: weights[v] for v in (*part.asked, *part.others) if weights.get(v)}


def _of_part(system: System, part: Component, weights: Weights) -> int | None:
    if not weights:
        return None if part.witness() is False else 0
    key = tuple(weights.items())
    if key not in part.leasts:
        part.leasts[key] = _least_of(system, part, weights)
    return part.leasts[key]


def _least_of(system: System, part: Component, weights: Weights) -> int | None:
    bounds = _favoured(part, weights, strictly=False)
    if bounds is not None:
        return least_sum(system.part(part, bounds), weights)
    problem = part.constraints, part.bounds
    names, _, settled = counting_order(part.asked, part.others, problem, part.functions)
    if weights.keys() <= set(names[:settled]) and states_met(names, problem, part.functions) <= MOST_STATES:
        levels = compile_levels(names, *problem, system.charge)
        return Walk(levels, settled, system.charge).least([weights.get(v, 0) for v in names[:settled]])
    return _halved(system.part(part, part.bounds), weights)


def _halved(system: System, weights: Weights) -> int | None:
    found = system.witness()
    if found is None:
        return None
    least, best = lowest(system.bounds, weights.items()), _of(found, weights)
    if least is None:
        raise ValueError("a number that nothing bounds has no greatest value")
    while least < best:
        middle = (least + best) // 2
        nearer = system.also("<=", _less(weights, middle))
        found = nearer.witness()
        if found is None:
            least = middle + 1
        else:
            least, best = max(least, lowest(nearer.bounds, weights.items()) or least), _of(found, weights)
    return best


def _favoured(part: Component, weights: Weights, strictly: bool) -> Bounds | None:
    """The bounds in which variables have the values that are best for the sum, as far as no constraint speaks against
    it; None if there is no such variable. `strictly`: no solution with other values has a sum that is as good."""
    users = by_variable((constraint, variables(constraint[1])) for constraint in part.constraints)
    addends = {v for v, constraints in users.items() if len(constraints) == 1 and weights.get(v)}
    bounds = list(part.bounds)
    for variable, constraints in users.items():
        low, high = bounds[variable]
        assert high is not None
        for value, direction in ((low, -1), (high, 1)):
            if weights.get(variable, 0) * direction > 0 or variable in addends:
                continue
            moved = list(bounds)
            moved[variable] = (value, value)
            gains = [_gain(c, variable, direction, bounds, moved, weights, addends) for c in constraints]
            gains.append(-weights.get(variable, 0) * direction)
            if None not in gains and (any(gains) or not strictly):
                bounds = moved
                break
    return bounds if bounds != part.bounds else None


def _gain(
    constraint: Constraint,
    variable: int,
    direction: int,
    bounds: Bounds,
    moved: Bounds,
    weights: Weights,
    addends: set[int],
) -> int | None:
    """Whether a constraint that holds still holds, and the sum is no more, when a variable moves in a direction, up to
    where it is fixed in the bounds `moved`: None if not, more than 0 if the sum gets less then. An addend that the
    constraint defines may move with it."""
    relation, poly = constraint
    if any(bounds[v][0] < 0 for v in variables(poly)):
        return None
    rising = {c > 0 for monomial, c in poly.items() if variable in monomial}
    if len(rising) > 1 or relation == "!=":
        return None
    change = direction if rising == {True} else -direction  # of the polynomial
    if relation == "<=":
        return 0 if change < 0 else None
    for addend in addends & variables(poly):
        coefficient = poly.get((addend,), 0)
        if abs(coefficient) != 1 or weights[addend] * coefficient * change < 0:
            continue
        if sum(addend in monomial for monomial in poly) == 1:
            rest = {monomial: -coefficient * c for monomial, c in poly.items() if monomial != (addend,)}
            low, high = reach(rest, moved)
            least, most = bounds[addend]
            if low is None or low < least or high is None or most is None or high > most:
                return None
            others = (v for monomial in poly if variable in monomial for v in monomial if v != variable)
            return int(all(bounds[v][0] > 0 for v in others))
    return None


def _less(weights: Weights, value: int) -> Poly:
    """The sum without `value`, as a polynomial."""
    return {**{(variable,): weight for variable, weight in weights.items()}, (): -value}


def _of(values: tuple[int, ...], weights: Weights) -> int:
    return sum(weight * values[variable] for variable, weight in weights.items())


def lowest(bounds: Sequence[tuple[int, int | None]], weights: Iterable[tuple[int, int]]) -> int | None:
    """What a sum of variables with their weights is at least, by their bounds alone; None if these do not say."""
    least = 0
    for variable, weight in weights:
        low, high = bounds[variable]
        if weight > 0:
            least += weight * low
        elif high is None:
            return None
        else:
            least += weight * high
    return least
