"""Constraints that speak of fewer hidden numbers and lists, and say the same of what is seen.

- *Definition*: what is equal to a hidden number takes its place: `max(k, m) = n`, `n >= 1` is `max(k, m) >= 1`.
- *Elimination*: between what a hidden number is at least and at most there is one: `n <= k`, `k <= m` is `n <= m`. An
  integer is there if the number is not multiplied on one of the sides (Fourier and Motzkin; on when it is exact, Pugh,
  "The Omega test", 1991).
- *Combination*: hidden numbers of which one equation speaks add up to any multiple of their greatest common divisor if
  they may be taken off, too; if not, to all that are large enough (Sylvester), and one of which another one is a
  multiple stands for both: `2 * k + 4 * m = n` is `2 * k = n`.

Of lists see `hidden_lists`. What would take more words stays. None of the numbers may turn out to be `?`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import product
from math import gcd
from typing import Any

from ..states.state import State
from ..states.work import Work
from ..terms.numbers import difference, mod, polynomial, times
from ..terms.poly import Poly, sum_of
from ..terms.rebuilding import reify_term
from ..terms.terms import variables_of
from .compare import Compare
from .equations import is_defined
from .free_choices import hidden_in, solved
from .hidden_lists import Change, of_hidden_lists
from .intervals import interval
from .simpler import in_fewer_words, words

__all__ = ["projection"]

MOST_ROUNDS = 32
MOST_GAPS = 2
"""So many naturals at most are named that sums are not, and none beyond"""
FARTHEST = 64


def projection(state: State, seen: Container[Any]) -> State | None:
    """`state` with constraints that speak of fewer variables that are not seen; None if they cannot hold, `state`
    itself if there are none."""
    for _ in range(MOST_ROUNDS):
        change = None if state.store is None or state.search.waits() else _change(state, seen)
        if change is None:
            break
        following = _changed(state, change)
        if following is None or following.bindings is not state.bindings:
            return following  # what is seen may be something else by now
        state = following
    return state


def _change(state: State, seen: Container[Any]) -> Change | None:
    """The first change that is found."""
    constraints = [reify_term(constraint, state.bindings) for constraint in state.constraints()]
    hidden = hidden_in(constraints, seen)
    for constraint in constraints if hidden else ():
        change = of_hidden_lists(constraint, hidden, state)
        if change is not None:
            return change
    about = {v: said for v, said in hidden.items() if all(type(constraint) is Compare for constraint in said)}
    work = Work(state)
    for variable, said in about.items():
        change = _defined(variable, said, work) or _between(variable, said, work)
        if change is not None:
            return change
    return next(filter(None, (_combined(*pair, work) for pair in _alone(about).items())), None)


def _changed(state: State, change: Change) -> State | None:
    """A state after a change; None if it cannot be."""
    work = Work(state)
    constraints = work.own_store().constraints
    for number, constraint in [*constraints.items()]:
        if reify_term(constraint, state.bindings) in change.gone:
            del constraints[number]
    return work.finish() if all(map(work.post, change.told)) else None


def _alone(about: Mapping[Any, list[Any]]) -> dict[Any, list[Any]]:
    """Constraints with the hidden variables of which nothing else speaks."""
    found: dict[Any, list[Any]] = {}
    for variable, said in about.items():
        if len(said) == 1:
            found.setdefault(said[0], []).append(variable)
    return found


def _compared(relation: str, left: Any, right: Any) -> Compare:
    """A comparison in few words, in which nothing is taken off if that is as short."""
    found = in_fewer_words(relation, left, right)
    gap = _gap(left, right) or {}
    added = _sum({atoms: c for atoms, c in gap.items() if c > 0}, 1)
    taken = _sum({atoms: c for atoms, c in gap.items() if c < 0}, -1)
    made: Compare = Compare.draft((relation, added, taken) if words(added, taken) <= words(*found[1:]) else found)
    return made


# ---- definition


def _defined(variable: Any, said: list[Any], work: Work) -> Change | None:
    """What is equal to a variable in its place, where that takes fewer words."""
    low, high = work.origin.bounds(variable)
    for equation in said:
        value = solved(variable, equation.left, equation.right) if equation.relation == "=" else None
        if value is None or not is_defined(value, work):
            continue
        least, most = interval(value, work)
        told = [_compared(*reify_term(other.args, {variable: value})) for other in said if other is not equation]
        if least is None or least < low:
            told.append(_compared("<=", low, value))
        if high is not None and (most is None or most > high):
            told.append(_compared("<=", value, high))
        if _length(told) < _length(said):
            return Change(said, told)
    return None


def _length(comparisons: Iterable[Compare]) -> tuple[int, ...]:
    return words(*(side for comparison in comparisons for side in comparison.args[1:]))


# ---- elimination


def _between(variable: Any, said: list[Any], work: Work) -> Change | None:
    """That what a variable is at least is no more than what it is at most, where that takes no more comparisons."""
    low, high = work.origin.bounds(variable)
    least: list[tuple[int, Any]] = [(1, low)]
    most: list[tuple[int, Any]] = [] if high is None else [(1, high)]
    for comparison in said:
        gap = (
            _gap(comparison.left, comparison.right)
            if comparison.relation == "<=" and _is_defined(comparison, work)
            else None
        )
        if gap is None or any(
            variable in variables_of(atom) for atoms in gap if atoms != (variable,) for atom in atoms
        ):
            return None
        factor = gap.pop((variable,), 0)
        if not factor:
            return None
        (most if factor > 0 else least).append((abs(factor), _sum(gap, -1 if factor > 0 else 1)))
    if all(factor > 1 for factor, _ in least) or not (_are_one(least) or _are_one(most)):
        return None
    told = []
    for (a, lower), (b, upper) in product(least, most):
        less, more = times(b, lower), times(a, upper)
        smallest = interval(difference(more, less), work)[0]
        if smallest is None or smallest < 0:
            told.append(_compared("<=", less, more))
    return Change(said, told) if len(told) < len(said) else None


def _are_one(bounds: list[tuple[int, Any]]) -> bool:
    return all(factor == 1 for factor, _ in bounds)


def _gap(left: Any, right: Any) -> Poly | None:
    """left - right; None if something is divided by 0."""
    try:
        return dict(polynomial(difference(left, right), sums_only=True))
    except ZeroDivisionError:
        return None


def _sum(poly: Poly, sign: int) -> Any:
    return sum_of({atoms: sign * c for atoms, c in poly.items() if c})


def _is_defined(comparison: Compare, work: Work) -> bool:
    return is_defined(comparison.left, work) and is_defined(comparison.right, work)


# ---- combination


def _combined(equation: Compare, hidden: list[Any], work: Work) -> Change | None:
    """What hidden numbers of which nothing else speaks leave of an equation that adds them up."""
    gap = _gap(equation.left, equation.right) if equation.relation == "=" and _is_defined(equation, work) else None
    if gap is None:
        return None
    inside = {
        variable for atoms in gap if len(atoms) != 1 or atoms[0] not in hidden for variable in variables_of(atoms)
    }
    free = {v: gap[(v,)] for v in hidden if (v,) in gap and v not in inside and work.origin.bounds(v)[1] is None}
    if len(free) < 2:
        return None
    rest = {atoms: c for atoms, c in gap.items() if atoms not in {(v,) for v in free}}
    divisor = gcd(*free.values())
    if min(free.values()) < 0 < max(free.values()):
        told = [] if divisor == 1 else [_compared("=", mod(_sum(rest, 1), divisor), 0)]
        return Change([equation], told)
    if any(work.origin.bounds(v)[0] for v in free):
        return None
    total = _sum(rest, -1 if min(free.values()) > 0 else 1)  # what they add up to
    factors = {v: abs(c) for v, c in free.items()}
    least = interval(total, work)[0]
    missed = _missed(factors.values()) if divisor == 1 else None
    if missed is not None and least is not None and least >= 0:
        return Change([equation], [Compare.draft(("!=", total, number)) for number in missed])
    for v, c in factors.items():
        if any(other is not v and c % factors[other] == 0 for other in factors):
            return Change(
                [equation], [_compared("=", total, _sum({(o,): f for o, f in factors.items() if o is not v}, 1))]
            )
    return None


def _missed(factors: Iterable[int]) -> list[int] | None:
    """The naturals that are no sum of multiples of some numbers; None if they are many, or far."""
    reached = [True]
    missed: list[int] = []
    while len(missed) <= MOST_GAPS and len(reached) < FARTHEST:
        number = len(reached)
        reached.append(any(number >= factor and reached[number - factor] for factor in factors))
        if not reached[-1]:
            missed.append(number)
        elif all(reached[-min(factors) :]) and len(reached) > min(factors):
            return missed
    return None
