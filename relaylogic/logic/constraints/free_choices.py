"""Constraints that a hidden variable, which occurs in no other, can always be chosen to satisfy: `64 * n = m` of which
only n is seen. They say nothing of what is seen. Where equations say several times what it is, one of them does.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from ..states.state import State
from ..states.work import Work
from ..terms.numbers import Arith, difference, polynomial
from ..terms.poly import Poly
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Symbol, variables_of
from ..terms.variables import VARIABLES
from .compare import Compare
from .equations import DIVIDING
from .intervals import interval
from .one_expression import are_one_expression, expressions_of

__all__ = ["free_choices", "without", "without_free_choices"]


def without_free_choices(state: State, terms: Any) -> State:
    """`state` without such constraints, where the variables of `terms` are seen."""
    store, bindings = state.store, state.bindings
    if store is None or not any(type(constraint) is Compare for constraint in store.constraints.values()):
        return state
    constraints = [reify_term(constraint, bindings) for constraint in state.constraints()]
    dropped = free_choices(constraints, state, set(variables_of(terms, bindings)))
    return without(state, dropped) if dropped else state


def free_choices(constraints: Sequence[Any], state: State, seen: Container[Any]) -> set[Any]:
    """Such ones among the constraints of a state, as what is known makes them, where some variables are seen."""
    free = _said_again(constraints, seen)
    pending = [c for c in constraints if c not in free]
    changed = True
    while changed:
        changed = False
        occurrences: dict[Any, int] = {}
        for constraint in pending:
            for variable in variables_of(constraint):
                occurrences[variable] = occurrences.get(variable, 0) + 1
        for constraint in pending:
            hidden = [v for v in variables_of(constraint) if occurrences[v] == 1 and v not in seen]
            if type(constraint) is Compare and _can_be_chosen(hidden, constraint, state):
                free.add(constraint)
                changed = True
        pending = [c for c in pending if c not in free]
    return free


def _said_again(constraints: Sequence[Any], seen: Container[Any]) -> set[Any]:
    """The equations that say of a hidden variable, of which nothing else is said, what others say already: `4 * m = k`
    beside `12 * n = k` and `3 * n = m`."""
    about: dict[Any, list[Any]] = {}
    for constraint in constraints:
        for variable in variables_of(constraint):
            if variable not in seen:
                about.setdefault(variable, []).append(constraint)
    again: set[Any] = set()
    for variable, said in about.items():
        if len(said) < 2 or any(c in again for c in said):
            continue
        told = [expressions_of(variable, (constraint,)) for constraint in said]
        if not all(len(one) == 1 and variable not in variables_of(one[0]) for one in told):
            continue
        (first,), *others = told
        within = frozenset((variable,))
        for constraint, (other,) in zip(said[1:], others, strict=True):

            def left(v: Any, constraint: Any = constraint) -> list[Any]:
                rest = [c for c in about.get(v, constraints) if c is not constraint and c not in again]
                return expressions_of(v, rest)

            if are_one_expression(first, other, left, within):
                again.add(constraint)
    return again


def _can_be_chosen(hidden: list[Any], constraint: Compare, state: State) -> bool:
    """Whether a constraint holds for some values of hidden variables, whatever the naturals are that the others stand
    for: for some value of one, where those of the rest are as they are, or small."""
    relation, left, right = constraint.args
    small: dict[Any, Any] = {}
    for variable in hidden:
        low, high = state.bounds(variable)
        small[variable] = max(low, 1) if high is None else min(max(low, 1), high)
    for variable in hidden:
        others = {v: number for v, number in small.items() if v is not variable}
        ways = [(left, right), reify_term((left, right), others)] if others else [(left, right)]
        if any(_holds_for_one(variable, relation, a, b, state) for a, b in ways):
            return True
    return False


def _holds_for_one(variable: Any, relation: str, left: Any, right: Any, state: State) -> bool:
    """Whether numbers compare so for some value of a variable, whatever the naturals are that the others stand for."""
    low, high = state.bounds(variable)
    if relation == "<=":
        ends = (low,) if high is None else (low, high)
        return (high is None and _grows(left, right, variable)) or any(_is_met(left, right, variable, n) for n in ends)
    other = left if right is variable else right if left is variable else None
    if other is None or variable in variables_of(other):
        return False
    if relation == "!=":
        return high is None
    least, most = interval(other, Work(state))
    within = least is not None and low <= least and (high is None or (most is not None and most <= high))
    return within and _is_natural(other)


def _is_met(left: Any, right: Any, variable: Any, number: int) -> bool:
    """Whether `left <= right` where a variable is a number, whatever the naturals are that the others stand for."""
    gap = _gap(*reify_term((left, right), {variable: number}))
    return gap is not None and all(n >= 0 and all(map(_is_natural, atoms)) for atoms, n in gap.items())


def _grows(left: Any, right: Any, variable: Any) -> bool:
    """Whether `left <= right` from some value of a variable on, whatever the naturals are that the others stand for:
    it is multiplied with naturals only, and stands alone once."""
    gap = _gap(left, right)
    if gap is None:
        return False
    with_it = [(atoms, n) for atoms, n in gap.items() if any(variable in variables_of(atom) for atom in atoms)]
    others = [atom for atoms, _ in with_it for atom in atoms if atom is not variable]
    alone = any(all(atom is variable for atom in atoms) for atoms, _ in with_it)
    return alone and all(n > 0 for _, n in with_it) and all(_is_free(atom, variable) for atom in others)


def _is_free(atom: Any, variable: Any) -> bool:
    return variable not in variables_of(atom) and _is_natural(atom)


def _gap(left: Any, right: Any) -> Poly | None:
    """right - left; None if something may be divided by 0."""
    try:
        return polynomial(difference(right, left), sums_only=True)
    except ZeroDivisionError:
        return None


def _is_natural(expression: Any) -> bool:
    """Whether an expression is a natural for all naturals in it: nothing is taken off, or divided by what may be 0."""
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is Arith:
            operator, operands = item.args
            if operator == "-" or (operator in DIVIDING and (type(operands[1]) is not int or operands[1] < 1)):
                return False
            stack.extend(operands)
        elif type(item) is tuple:
            stack.extend(item)
        elif type(item) is Cons:
            stack.extend((*item.prefix, item.tail))
        elif not (type(item) in VARIABLES or isinstance(item, Symbol) or (type(item) is int and item >= 0)):
            return False
    return True


def without(state: State, dropped: Container[Any]) -> State:
    """A state without some of its constraints."""
    store = state.store
    assert store is not None
    new = store.copy()
    for number, constraint in store.constraints.items():
        if reify_term(constraint, state.bindings) in dropped:
            del new.constraints[number]
    return State(state.bindings, new, state.search)
