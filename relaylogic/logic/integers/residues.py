"""Refutation by residues: an equation without a solution modulo some m has none, however far its variables reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from .polynomials import Constraint, Poly, factors

__all__ = ["refuted"]

MODULI = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 25)
MOST_POINTS = 5000


def refuted(constraints: Sequence[Constraint], charge: Callable[[int], None]) -> bool:
    """Whether the equations among `constraints` have no common solution modulo a small number.

    >>> refuted([("=", {(0, 0): 1, (1, 1): 1, (2,): -4, (): -3})], lambda steps: None)
    True
    """
    equations = [poly for relation, poly in constraints if relation == "="]
    sets = [[poly] for poly in equations] + ([equations] if len(equations) > 1 else [])
    return any(not _soluble(chosen, modulus, charge) for chosen in sets for modulus in MODULI)


def _soluble(equations: Sequence[Poly], modulus: int, charge: Callable[[int], None]) -> bool:
    reduced = [[(c % modulus, factors(m)) for m, c in poly.items() if c % modulus] for poly in equations]
    # A variable whose terms all vanish modulo m does not count.
    names = sorted({variable for terms in reduced for _, powers in terms for variable, _ in powers})
    if modulus ** len(names) > MOST_POINTS:
        return True
    for point in product(range(modulus), repeat=len(names)):
        charge(len(equations))
        values = dict(zip(names, point))
        if all(_value(terms, values) % modulus == 0 for terms in reduced):
            return True
    return False


def _value(terms: Sequence[tuple[int, tuple[tuple[int, int], ...]]], values: dict[int, int]) -> int:
    total = 0
    for coefficient, powers in terms:
        for variable, exponent in powers:
            coefficient *= values[variable] ** exponent
        total += coefficient
    return total
