"""Comparisons in the form in which what they say is seen.

- A minimum or maximum beside one of its operands is an order: `max(n, m) = n` is `m <= n`, `max(n, m) = n + 1` is
  `m = n + 1`, `max(n, m) = min(n, k)` is `m <= n`, `n <= k`.
- A quotient and the remainder are what was divided: `n // 2 = m`, `n % 2 = k` is `2 * m + k = n`, `k <= 1`. What is its
  own remainder is less than the divisor.
- What cancels out once the divisor is known not to be 0 is left out, and that is said: `(n + m) // (n + m) = k` is
  `k = 1`, `n + m >= 1`.

This is asked for when an answer is told. None of the numbers may turn out to be `?`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..states.state import State
from ..states.work import Work
from ..terms.numbers import Arith, difference, minimum, plus, polynomial, reduced, times
from ..terms.poly import sum_of
from ..terms.rebuilding import reify_term
from .compare import Compare
from .equations import divides, divisors_of, is_defined
from .intervals import interval
from .short_equations import shortened
from .simpler import in_fewer_words, words

__all__ = ["with_solved_forms"]

Told = tuple[str, Any, Any]
"""How two numbers compare."""


def with_solved_forms(state: State) -> State | None:
    """`state` with comparisons in such forms; None if they cannot hold, `state` itself if none has another one."""
    constraints = {} if state.store is None else state.store.constraints
    work = Work(state)
    told = {n: _written(c, work) for n, c in constraints.items() if type(c) is Compare}
    found = _whole(told, work)
    if found is None:
        forms = ((number, _other_form(comparison, work)) for number, comparison in told.items())
        found = next((([number], form) for number, form in forms if form is not None), None)
    if found is None:
        return state
    gone, new = found
    for number in gone:
        work.own_store().constraints.pop(number, None)
    stated = all(work.post(Compare.draft(in_fewer_words(*comparison))) for comparison in new)
    return work.finish() if stated else None


def _written(comparison: Compare, work: Work) -> Compare:
    """A comparison as what is known makes it, in few words."""
    made: Compare = Compare.draft(shortened(reify_term(comparison.args, work.bindings), work))
    return made


def _other_form(comparison: Compare, work: Work) -> list[Told] | None:
    """What a comparison is in another form; None if it has none."""
    left, right = comparison.args[1:]
    if not any(type(side) is Arith and not side.ground for side in (left, right)):
        return None
    return _order(comparison, work) or _remainder(comparison, work) or _cancelled(comparison, work)


# ---- minima and maxima


def _order(comparison: Compare, work: Work) -> list[Told] | None:
    """What is said of the operands of a minimum or maximum that is compared with one of them, and a number more."""
    relation, left, right = comparison.args
    if _is(left, "min") and _is(right, "max"):
        left, right = right, left
        if relation == "<=":
            return None
    if _is(left, "max") and _is(right, "min"):
        shared = next((a for a in left.operands for b in right.operands if _apart(a, b) == 0), None)
        if shared is None or relation == "!=":
            return None
        return [(relation, left, shared), (relation, shared, right)]
    for extremum, other, is_left in ((left, right, True), (right, left, False)):
        if _is(extremum, "min", "max"):
            for own, second in (extremum.operands, extremum.operands[::-1]):
                more = _apart(other, own)
                if more is not None and is_defined(own, work) and is_defined(second, work):
                    return [_ordered(relation, extremum.operator, own, second, more, is_left)]
    return None


def _ordered(relation: str, operator: str, own: Any, second: Any, more: int, is_left: bool) -> Told:
    """What `operator(own, second)` compared with `own + more` says."""
    lesser, greater = (second, own) if operator == "max" else (own, second)
    if operator == "min":
        more, is_left = -more, not is_left
    # The lesser one less the greater one, or 0 if that is more, compares with `more`.
    if relation == "<=" and not is_left:
        return ("<=", 0, 0) if more <= 0 else ("<=", plus(greater, more), lesser)
    if relation == "<=":
        return ("<=", 1, 0) if more < 0 else ("<=", lesser, plus(greater, more))
    if more < 0:
        return (relation, 0, 1)
    if more:
        return (relation, lesser, plus(greater, more))
    return ("<=", lesser, greater) if relation == "=" else ("<=", plus(greater, 1), lesser)


def _is(number: Any, *operators: str) -> bool:
    return type(number) is Arith and number.operator in operators


def _apart(left: Any, right: Any) -> int | None:
    """How much more one number is than another one; None if that depends on others."""
    try:
        gap = polynomial(difference(left, right), sums_only=True)
    except ZeroDivisionError:
        return None
    rest = {atoms: c for atoms, c in gap.items() if c}
    constant: int = rest.pop((), 0)
    return None if rest else constant


# ---- quotients and remainders


def _whole(told: dict[int, Compare], work: Work) -> tuple[list[int], list[Told]] | None:
    """A quotient and a remainder by the same number of which equations say what they are, as what was divided."""
    found = {"//": [*_divisions("//", told, work)], "%": [*_divisions("%", told, work)]}
    for first, quotient, whole in found["//"]:
        for second, remainder, rest in found["%"]:
            if quotient.operands == remainder.operands and first != second:
                divided, divisor = quotient.operands
                sum_of_both = sum_of(polynomial(plus(times(divisor, whole), rest), sums_only=True))
                parts: list[Told] = [("=", sum_of_both, divided), ("<=", plus(rest, 1), divisor)]
                least = interval(rest, work)[0]
                if least is None or least < 0:
                    parts.append(("<=", 0, rest))
                return [first, second], parts
    return None


def _divisions(operator: str, told: dict[int, Compare], work: Work) -> Iterator[tuple[int, Any, Any]]:
    """The divisions by naturals of which equations say what they come to, each with the number of the equation."""
    for number, comparison in told.items():
        relation, *sides = comparison.args
        for division, value in (sides, sides[::-1]) if relation == "=" else ():
            if _is(division, operator) and (interval(division.operands[1], work)[0] or -1) >= 0:
                yield number, division, value


def _remainder(comparison: Compare, work: Work) -> list[Told] | None:
    """That a natural that is its own remainder, or whose quotient is 0, is less than the divisor; or that it is not."""
    relation, *sides = comparison.args
    for division, value in (sides, sides[::-1]) if relation != "<=" else ():
        if _is(division, "%", "//"):
            divided, divisor = division.operands
            same = divided if division.operator == "%" else 0
            least = interval(minimum(divided, divisor), work)[0]
            if _apart(value, same) == 0 and least is not None and least >= 0:
                less = [("<=", plus(divided, 1), divisor)]
                return less if relation == "=" else [("<=", divisor, divided), ("<=", 1, divisor)]
    return None


# ---- what cancels out


def _cancelled(comparison: Compare, work: Work) -> list[Told] | None:
    """A comparison without what cancels out if no divisor is 0, and that they are not."""
    relation, left, right = comparison.args
    divisors = [divisor for side in (left, right) for divisor in divisors_of(side)]
    if not (divides(left) or divides(right)) or any(interval(d, work)[0] is None for d in divisors):
        return None
    try:
        candidates: list[Told] = [(relation, reduced(left), reduced(right))]
        if relation != "<=":
            gaps = reduced(difference(left, right)), reduced(difference(right, left))
            candidates += [(relation, gap, 0) for gap in gaps if _is(gap, "%")]
    except ZeroDivisionError:
        return None
    for found in sorted(candidates, key=lambda found: words(*found[1:])):
        kept = {*divisors_of(found[1]), *divisors_of(found[2])}
        gone = [divisor for divisor in dict.fromkeys(divisors) if divisor not in kept]
        parts = [found, *(_not_0(divisor, work) for divisor in gone if not _is_positive(divisor, work))]
        if _length(parts) < _length([comparison.args]):
            return parts
    return None


def _not_0(number: Any, work: Work) -> Told:
    least = interval(number, work)[0]
    return ("!=", number, 0) if least is None or least < 0 else ("<=", 1, number)


def _is_positive(number: Any, work: Work) -> bool:
    return (interval(number, work)[0] or 0) >= 1


def _length(comparisons: Iterable[Told]) -> tuple[int, ...]:
    return words(*(side for _, *sides in comparisons for side in sides))
