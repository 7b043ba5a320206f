"""Constraints that a hidden variable, which occurs in no other, can always be chosen to satisfy: `64 * n = m` of which
only n is seen, `sum(s) - m = n` of which s or m is hidden, `n != m`. They say nothing of what is seen. Where equations
say several times what it is, one of them does.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from ..states.state import Bounds, State, Store
from ..states.suspended import open_end
from ..states.work import Work
from ..terms.numbers import Arith, difference, folded_in, polynomial
from ..terms.poly import Poly, sum_of
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Symbol, variables_of
from ..terms.variables import VARIABLES, fresh
from .compare import Compare
from .different import Different
from .equations import DIVIDING, is_defined
from .intervals import interval
from .lengths import Length
from .one_expression import are_one_expression, expressions_of
from .simpler import simplified

__all__ = ["free_choices", "hidden_in", "solved", "without", "without_free_choices"]

MANY = 8
"""So many hidden variables are looked at in the time of a step."""


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
    found: set[Any] | None = None
    while found is None or found:
        about = hidden_in(pending, seen)
        state.search.budget.charge(len(about) // MANY)
        own: dict[Any, list[Any]] = {}
        for variable, said in about.items():
            if len(said) == 1:
                own.setdefault(said[0], []).append(variable)
        found = {constraint for constraint, hidden in own.items() if _is_free(constraint, hidden, state)}
        for variable, said in about.items():
            if _can_differ(variable, said, state) or _can_be_found(variable, said, state):
                found.update(said)
        found = found or next(filter(None, (_free_pair(v, said, about, state) for v, said in about.items())), set())
        free |= found
        pending = [c for c in pending if c not in free]
    return free


def hidden_in(constraints: Iterable[Any], seen: Container[Any]) -> dict[Any, list[Any]]:
    """The variables that are not seen, with the constraints that speak of each."""
    about: dict[Any, list[Any]] = {}
    for constraint in constraints:
        for variable in variables_of(constraint):
            if variable not in seen:
                about.setdefault(variable, []).append(constraint)
    return about


def _is_free(constraint: Any, hidden: list[Any], state: State) -> bool:
    """Whether a constraint holds for some values of variables of which nothing else is said."""
    if type(constraint) is Length:
        items, length = constraint.items, constraint.length
        if type(length) not in VARIABLES or open_end(items) in hidden:
            return type(length) in VARIABLES
        return type(items) is Cons and length in hidden and _says_no_more(state.bounds(length), len(items.prefix))
    return type(constraint) is Compare and _can_be_chosen(hidden, constraint, state)


def _says_no_more(limits: Bounds, count: int) -> bool:
    """Whether limits of a length say no more than that so many first elements are known."""
    return limits[0] <= count and limits[1] is None


def _can_differ(variable: Any, said: list[Any], state: State) -> bool:
    """Whether all that is said of a variable is that it is not equal to this or that, of which there are others."""
    if state.bounds(variable)[1] is not None or not all(type(constraint) is Different for constraint in said):
        return False
    for constraint in said:
        work = Work(State({}, None, state.search))
        if work.unify(*constraint.args) and variable not in variables_of(tuple(work.bindings.items())):
            return False
    return True


def _can_be_found(variable: Any, said: list[Any], state: State) -> bool:
    """Whether all comparisons that speak of a number hold for one of its values, whatever the naturals are that the
    others stand for: for one of the least, or for all that are large enough."""
    if not all(type(constraint) is Compare for constraint in said):
        return False
    if any(open_end(items) is variable for constraint in said for items in folded_in(*constraint.args[1:])):
        return False  # it is a list
    low, high = state.bounds(variable)
    if high is None and all(_holds_far(constraint, variable, state) for constraint in said):
        return True
    nothing = _bounded(state)
    values = [low] if high == low else [low, low + 1]
    return any(all(_surely(reify_term(c, {variable: value}), nothing) for c in said) for value in values)


def _bounded(state: State) -> State:
    """A state in which nothing is known but the bounds of numbers."""
    store = Store()
    store.bounds = {} if state.store is None else state.store.bounds
    return State({}, store, state.search)


def _surely(comparison: Compare, nothing: State) -> bool:
    """Whether a comparison holds by the bounds that are known."""
    work = Work(nothing)
    return work.post(comparison) and work.finish() is nothing


def _holds_far(comparison: Compare, variable: Any, state: State) -> bool:
    """Whether a comparison holds for all values of a variable that are large enough."""
    relation, left, right = comparison.args
    if relation == "<=":
        return _grows(left, right, variable)
    return relation == "!=" and _is_met_once(left, right, variable, Work(state))


def _is_met_once(left: Any, right: Any, variable: Any, work: Work) -> bool:
    """Whether two numbers are equal for one value of a variable at most: an integer is multiplied with it."""
    gap = _gap(left, right) or {}
    with_it = [atoms for atoms in gap if any(variable in variables_of(atom) for atom in atoms)]
    return with_it == [(variable,)] and is_defined(left, work) and is_defined(right, work)


def _free_pair(variable: Any, said: list[Any], about: dict[Any, list[Any]], state: State) -> set[Any]:
    """The two constraints that speak of a variable, if one says what it is and the other one always holds of that."""
    if len(said) != 2 or not all(type(constraint) is Compare for constraint in said):
        return set()
    for equation, other in (said, reversed(said)):
        relation, left, right = equation.args
        value = _value(variable, left, right, state) if relation == "=" else None
        if value is not None:
            hidden = [v for v, where in about.items() if v is not variable and {*where} <= {*said}]
            if _can_be_chosen(hidden, reify_term(other, {variable: value}), state):
                return {*said}
    return set()


def _said_again(constraints: Sequence[Any], seen: Container[Any]) -> set[Any]:
    """The equations that say of a hidden variable, of which nothing else is said, what others say already: `4 * m = k`
    beside `12 * n = k` and `3 * n = m`."""
    about = hidden_in(constraints, seen)
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
    for: for some value of one, where those of the rest are as they are, or small. Of lists, one element is chosen."""
    relation, *sides = constraint.args
    nothing = _bounded(state)
    chosen = {end: fresh() for end in map(open_end, folded_in(*sides)) if end in hidden}
    left, right = reify_term(tuple(sides), {end: (element,) for end, element in chosen.items()})
    numbers = [chosen.get(variable, variable) for variable in hidden]
    for number in numbers:
        others = [n for n in numbers if n is not number]
        ways = [(left, right)]
        for least in _SMALL if others else ():
            ways.append(reify_term((left, right), {n: _small(state.bounds(n), least) for n in others}))
        fewer = (_simplified(way, nothing) for way in ways)
        if any(_holds_for_one(number, relation, a, b, state) for a, b in fewer):
            return True
    return False


def _simplified(sides: tuple[Any, Any], nothing: State) -> tuple[Any, Any]:
    """Two sides in fewer words; as they are where something is divided by 0 in them."""
    work = Work(nothing)
    try:
        return simplified(sides[0], work), simplified(sides[1], work)
    except ZeroDivisionError:
        return sides


_SMALL = (1, 0)


def _small(limits: Bounds, least: int) -> int:
    low, high = limits
    return max(low, least) if high is None else min(max(low, least), high)


def _holds_for_one(variable: Any, relation: str, left: Any, right: Any, state: State) -> bool:
    """Whether numbers compare so for some value of a variable, whatever the naturals are that the others stand for."""
    if relation == "=":
        return _value(variable, left, right, state) is not None
    (low, high), work = state.bounds(variable), Work(state)
    if relation == "!=":
        return (high is None or high > low) and _is_met_once(left, right, variable, work)
    if high is None and _grows(left, right, variable):
        return True
    return any(_is_met(left, right, variable, n, work) for n in ((low,) if high is None else (low, high)))


def _value(variable: Any, left: Any, right: Any, state: State) -> Any:
    """What a variable must be for two sides to be equal, if that is one of its values whatever the naturals are that
    the others stand for; else None."""
    other = solved(variable, left, right)
    if other is None:
        return None
    work = Work(state)
    (low, high), (least, most) = state.bounds(variable), interval(other, work)
    within = least is not None and low <= least and (high is None or (most is not None and most <= high))
    return other if within and is_defined(other, work) else None


def solved(variable: Any, left: Any, right: Any) -> Any:
    """What a variable must be for two sides to be equal; None where that is not one expression."""
    for one, other in ((left, right), (right, left)):
        if one is variable and variable not in variables_of(other):
            return other
    gap = _gap(left, right) or {}
    with_it = [atoms for atoms in gap if any(variable in variables_of(atom) for atom in atoms)]
    if with_it != [(variable,)] or abs(gap[(variable,)]) != 1:
        return None
    sign = -gap[(variable,)]
    return sum_of({atoms: sign * n for atoms, n in gap.items() if atoms != (variable,)})


def _is_met(left: Any, right: Any, variable: Any, number: int, work: Work) -> bool:
    """Whether `left <= right` where a variable is a number, whatever the naturals are that the others stand for."""
    gap = _gap(*reify_term((left, right), {variable: number}))
    if gap is None:
        return False
    least, _ = interval(sum_of(gap), work)
    return least is not None and least >= 0 and is_defined(sum_of(gap), work)


def _grows(left: Any, right: Any, variable: Any) -> bool:
    """Whether `left <= right` from some value of a variable on, whatever the naturals are that the others stand for:
    it is multiplied with naturals only, and stands alone once."""
    gap = _gap(left, right)
    if gap is None:
        return False
    with_it = [(atoms, n) for atoms, n in gap.items() if any(variable in variables_of(atom) for atom in atoms)]
    others = [atom for atoms, _ in with_it for atom in atoms if atom is not variable]
    alone = any(all(atom is variable for atom in atoms) for atoms, _ in with_it)
    grow = alone and all(n > 0 for _, n in with_it)
    return grow and all(_is_natural(atom) and variable not in variables_of(atom) for atom in others)


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
