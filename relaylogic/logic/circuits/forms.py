"""Lists of a form: what a list is that has another form, and what is left to be said of one that has it.

That s is some `(3, n)` says that it has two elements, and that the first is 3. So it is something else where it has
more or fewer, and where it has two of which the first is not 3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from ..constraints.compare import Compare
from ..constraints.lengths import Length, SameLength
from ..states.state import State
from ..states.suspended import Suspended, open_end
from ..states.work import Work
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, cons, variables_of
from ..terms.variables import VARIABLES, fresh, fresh_list

__all__ = ["Formed", "formed", "lists_of"]


class Formed(NamedTuple):
    """The states in which some lists have other forms, and that in which they have theirs, if it can be; there it is
    left to be said that variables are `equal` to terms."""

    others: list[State]
    state: State | None
    equal: dict[Any, Any]


def formed(equal: Mapping[Any, Any], hidden: Collection[Any], lists: Collection[Any], state: State) -> Formed | None:
    """A state where some variables are equal to terms, whatever the `hidden` variables in these are, and where they are
    not. None if that cannot be said: something hidden is in what is not known to be a list."""
    left, rows = dict(equal), set(lists)
    others: list[State] = []
    while True:
        about = next((v for v, term in left.items() if _speaks_of(term, hidden)), None)
        if about is None:
            return Formed(others, state, left)
        term = left.pop(about)
        if about not in rows or type(term) not in (tuple, Cons):
            return None
        front, end = (term, ()) if type(term) is tuple else (term.prefix, term.tail)
        elements, tail = fresh_list(len(front)), fresh() if type(term) is Cons else ()
        other = _with_another_length(about, len(front), type(term) is Cons, state)
        if other is not None:
            others.append(other)
        work = Work(state)
        following = work.finish() if work.unify(about, cons(elements, tail)) else None
        if following is None:
            return Formed(others, None, {})
        state = following
        rows.add(tail)
        pairs = [*zip(elements, front, strict=True), *([(tail, end)] if tail != () else ())]
        while pairs:
            variable, part = pairs.pop(0)
            if type(part) in VARIABLES and part in hidden:  # this is what it is
                left = {v: reify_term(one, {part: variable}) for v, one in left.items()}
                pairs = [(v, reify_term(one, {part: variable})) for v, one in pairs]
            else:
                left[variable] = part


def lists_of(state: State) -> set[Any]:
    """The open variables that are lists by what is said of them: by how long these are, and by goals that wait."""
    said = (items for constraint in state.constraints() for items in _lists(constraint))
    return {open_end(items, state.bindings) for items in said} - {None}


def _lists(constraint: Any) -> Iterable[Any]:
    if type(constraint) is Length:
        return (constraint.items,)
    if type(constraint) is SameLength:
        return constraint.lists
    return constraint.waits_for() if type(constraint) is Suspended and constraint.primitive.lists else ()


def _speaks_of(term: Any, hidden: Collection[Any]) -> bool:
    return any(variable in hidden for variable in variables_of(term))


def _with_another_length(items: Any, number: int, is_open: bool, state: State) -> State | None:
    """The state in which a list has not so many elements, or where the form `is_open`, fewer."""
    work, count = Work(state), fresh()
    wrong = ("<=", count, number - 1) if is_open else ("!=", count, number)
    stated = work.post(Length.draft((items, count))) and work.post(Compare.draft(wrong))
    return work.finish() if stated else None
