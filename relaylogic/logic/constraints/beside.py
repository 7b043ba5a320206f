"""What an equation says beside another one: that two numbers are one, that it says nothing new, what a quotient is."""

from __future__ import annotations

from typing import Any

from ..states.work import Work
from ..terms.numbers import Arith, polynomial
from ..terms.poly import sum_of
from ..terms.rebuilding import reify_term
from ..terms.terms import variables_of
from ..terms.variables import VARIABLES
from .equations import (
    gap_of,
    is_polynomial,
    is_variable,
    may_be_zero,
    named_expression,
    occurrences,
    open_fold,
)
from .roots import lies_between_roots
from .sides import Sides

__all__ = ["same_but_one", "same_expression", "same_fold", "told_quotient"]


def told_quotient(equation: Sides, side: Any, work: Work) -> Any:
    """What a side is if it is a quotient by an integer, and another equation says of what is divided that it is a
    multiple of that: `m // 64` is n where `64 * n = m`; else the side."""
    if not _is_quotient(side):
        return side
    divided, divisor = map(work.walk, side.args[1])
    if type(divided) not in VARIABLES or type(divisor) is not int or divisor < 1:
        return side
    for other in equation.beside((divided,), work):
        relation, *sides = other.args
        for name, value in (sides, sides[::-1]) if relation == "=" else ():
            if work.walk(name) is divided and type(value) is Arith and is_polynomial(value):
                whole = polynomial(reify_term(value, work.bindings))
                if not any(c % divisor for c in whole.values()) and divided not in occurrences(value, work):
                    return sum_of({atoms: c // divisor for atoms, c in whole.items()})
    return side


def same_but_one(equation: Sides, unknowns: list[Any], work: Work) -> bool | None:
    """Two equations of polynomials that differ in one number only say that it is one number: `n * m = k` and
    `n * m = i`. Then, or if they do not differ, the other one says it all. What they say together of one number,
    `n * n = m` and `n + 6 = m`, bounds it by its roots.

    `unknowns` are what this one is about.
    """
    store = work.store
    if store is None:
        return None
    for side in equation.args[1:]:
        if type(name := work.walk(side)) in VARIABLES:  # of which quotients may be told now
            work.look_again(name, _says_a_quotient)
    mine, own = set(unknowns), equation.gap(work)
    # The other one is about all of them but one: so about one of any two.
    rarest = sorted(mine, key=lambda variable: len(store.watch.get(variable, ())))[:2]
    for other in dict.fromkeys(o for variable in rarest for o in equation.beside((variable,), work)):
        relation, left, right = other.args
        if relation != "=" or not (is_polynomial(left) and is_polynomial(right)):
            continue
        theirs = other.variables(work.bindings)
        if len(theirs) != len(mine) or len(mine.difference(theirs)) > 1:
            continue
        gap = other.gap(work)
        for sign in (1, -1):
            apart = {atoms: c for atoms in {**own, **gap} if (c := own.get(atoms, 0) - sign * gap.get(atoms, 0))}
            if not apart:
                return True
            if len(apart) == 2 and not sum(apart.values()) and all(map(is_variable, apart)):
                (a,), (b,) = apart
                return work.unify(a, b)
            about = {atom for atoms in apart for atom in atoms}
            if len(about) == 1 and not lies_between_roots(about.pop(), apart, work):
                return False
    return None


def same_expression(equation: Sides, work: Work) -> bool | None:
    """Two numbers that are one expression are one number, said once; one number is not two of them."""
    mine = named_expression(equation)
    if mine is None:
        return None
    unknowns = dict.fromkeys(occurrences(mine[0], work))
    for other in equation.beside(unknowns, work):
        theirs = named_expression(other)
        if theirs is None or unknowns.keys() != set(occurrences(theirs[0], work)):
            continue
        gap = gap_of(theirs[0], mine[0], work)
        if not gap:  # then the other one says it all
            return work.unify(theirs[1], mine[1])
        if work.walk(theirs[1]) is work.walk(mine[1]) and not may_be_zero(gap, work):
            return False
    return None


def same_fold(equation: Sides, work: Work) -> bool | None:
    """The sum or product of one open list is one number, which is said once."""
    mine = open_fold(equation, work)
    if mine is None:
        return None
    for other in equation.beside(variables_of(mine[0][1]), work):
        if other.args[0] == "=":
            theirs = open_fold(other, work)
            if theirs is not None and theirs[0] == mine[0]:  # then the other one says it all
                return work.unify(theirs[1], mine[1])
    return None


def _is_quotient(side: Any) -> bool:
    return type(side) is Arith and side.args[0] == "//"


def _says_a_quotient(constraint: Any) -> bool:
    return isinstance(constraint, Sides) and any(map(_is_quotient, constraint.args[1:]))
