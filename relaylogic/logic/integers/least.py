"""The least that a weighted sum of some variables of a system comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .polynomials import Poly
from .system import System

__all__ = ["least_sum", "lowest", "weighted"]


def weighted(weights: Mapping[int, int], value: int) -> Poly:
    """The sum of some variables with their weights, without `value`, as a polynomial."""
    return {**{(variable,): weight for variable, weight in weights.items()}, (): -value}


def least_sum(system: System, weights: Mapping[int, int]) -> int | None:
    """The least value of the sum over the solutions of a system that is `finite`; None if it has none.

    What lies between a solution and what the bounds allow is halved: whether there is a solution with at most so much
    is asked each time.
    """
    found = system.witness()
    if found is None:
        return None
    least, best = lowest(system.bounds, weights.items()), _of(found, weights)
    if least is None:
        raise ValueError("a number that nothing bounds has no greatest value")
    while least < best:
        middle = (least + best) // 2
        nearer = system.also("<=", weighted(weights, middle))
        found = nearer.witness()
        if found is None:
            least = middle + 1
        else:
            least, best = max(least, lowest(nearer.bounds, weights.items()) or least), _of(found, weights)
    return best


def _of(values: tuple[int, ...], weights: Mapping[int, int]) -> int:
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
