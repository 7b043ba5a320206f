"""Numbers that constraints define, whatever the others are: how long a list is, what it adds up to, `n + 2 * m`.

Who says that one of these is no more than 3 says it of the list, or of n and m.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ..control import Search
from ..states.state import State
from ..states.work import Work
from ..terms.terms import variables_of
from ..terms.variables import VARIABLES, fresh
from .compare import Compare
from .equations import is_defined
from .free_choices import solved
from .intervals import interval
from .lengths import Length

__all__ = ["definitions"]


def definitions(constraints: Iterable[Any], known: Collection[Any], search: Search) -> tuple[dict[Any, Any], list[Any]]:
    """The numbers that constraints define of those that are known, and of such numbers, each with the constraint that
    says so; and the other constraints."""
    nothing = Work(State({}, None, search))
    found: dict[Any, Any] = {}
    left = [part for constraint in constraints for part in _told_apart(constraint, known)]
    met = set(known)
    is_new = True
    while is_new:
        is_new = False
        for constraint in left[:]:
            number = _defined(constraint, met, nothing)
            if number is not None:
                found[number] = constraint
                met.add(number)
                left.remove(constraint)
                is_new = True
    return found, left


def _told_apart(constraint: Any, known: Collection[Any]) -> tuple[Any, ...]:
    """A constraint; that a list is as long as a number says is how long it is, and that this is the number."""
    if type(constraint) is not Length or constraint.length not in known:
        return (constraint,)
    count = fresh()
    return Length.draft((constraint.items, count)), Compare.draft(("=", count, constraint.length))


def _defined(constraint: Any, known: Collection[Any], nothing: Work) -> Any:
    """The number that a constraint defines of those that are known; None if it defines none."""
    new = [variable for variable in variables_of(constraint) if variable not in known]
    if len(new) != 1:
        return None
    number = new[0]
    if type(constraint) is Length:
        return number if number is constraint.length else None
    is_equation = type(constraint) is Compare and constraint.relation == "="
    return number if is_equation and _has_a_value(number, constraint, nothing) else None


def _has_a_value(number: Any, equation: Compare, nothing: Work) -> bool:
    """Whether an equation says what a number is, a natural whatever the naturals are that the others stand for."""
    value = solved(number, equation.left, equation.right)
    if value is None or type(value) in VARIABLES:
        return value is not None
    least, _ = interval(value, nothing)
    return least is not None and least >= 0 and is_defined(value, nothing)
