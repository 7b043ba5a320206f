"""What type parameters stand for where two terms are one which, as they stand, are not.

`n + 1` and 4 are one where n is 3, n and m where n is m; `2 * n` and 3 never.
"""

from __future__ import annotations

from itertools import product
from math import gcd
from typing import Any

from ...logic.control import Search
from ...logic.states.state import State
from ...logic.states.work import Work
from ...logic.terms.numbers import UNKNOWN, difference, is_number, polynomial, symbols_of
from ...logic.terms.poly import sum_of
from ...logic.terms.ranges import range_of
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import Symbol, is_ground
from ...logic.terms.variables import fresh
from ...types import TypeVar
from ...types.substitution import substitute
from .schemes import parts_of, replaced

__all__ = ["Case", "coincidences"]

Case = tuple[dict[Any, Any], list[Any]]
"""What is put for type parameters, and what must be a natural number then."""


def coincidences(left: Any, right: Any) -> list[Case] | None:
    """The cases in which two ground terms that differ are one, none if they never are. None if that is not told."""
    if is_number(left) and is_number(right):
        return _of_numbers(left, right)
    parameters = [part for part in parts_of((left, right)) if type(part) is TypeVar]
    variables = {parameter: fresh() for parameter in parameters}
    equations: list[Any] = []
    work = Work(State({}, None, Search(gradual=True)))
    sides = substitute((left, right), variables, equations)
    if not parameters or not work.unify(*sides):
        return []
    names = {variable: parameter for parameter, variable in variables.items()}
    known = replaced(reify_term(tuple(variables.values()), work.bindings), names)
    if equations or work.store is not None or not is_ground(known):
        return None
    return [({p: value for p, value in zip(parameters, known, strict=True) if p is not value}, [])]


def _of_numbers(left: Any, right: Any) -> list[Case] | None:
    ends = symbols_of(left), symbols_of(right)
    if left is UNKNOWN or right is UNKNOWN:
        return [({symbol: UNKNOWN}, []) for symbol in dict.fromkeys([*ends[0], *ends[1]])]
    cases = _of_integers(difference(left, right))
    if cases is None:
        return None
    # What is computed from `?` is `?`.
    told = {
        frozenset((symbol, other)) for case, _ in cases for symbol, value in case.items() for other in symbols_of(value)
    }
    pairs = dict.fromkeys(frozenset(pair) for pair in product(*ends))
    cases += [(dict.fromkeys(both, UNKNOWN), []) for both in pairs if both not in told]
    return cases


def _of_integers(gap: Any) -> list[Case] | None:
    """The cases in which an expression over integers is 0."""
    low, high = range_of(gap)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return []
    poly = polynomial(gap)
    if not all(len(atoms) <= 1 and all(isinstance(atom, Symbol) for atom in atoms) for atoms in poly):
        return None
    constant = poly.pop((), 0)
    if constant % gcd(*poly.values()):
        return []
    for (symbol,), coefficient in poly.items():
        if abs(coefficient) == 1 or len(poly) == 1:
            rest = {**poly, (): constant}
            del rest[symbol,]
            value = sum_of({atoms: -c // coefficient for atoms, c in rest.items() if c})
            if type(value) is int:
                return [({symbol: value}, [])] if value >= 0 else []
            return [({symbol: value}, [value])]
    return None
