"""Rows of elements of which an element-wise relation holds: what each may be, found out of each on its own.

A relation of open lists has an answer for each choice of answers of its rows: dozens, where the rows have a few each.
What all these agree on is what the answers of each row agree on, if no two rows speak of the same. So where it matters
only what all answers agree on (`Search.by_rows`), that is said of a row, and which of its answers it is stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..constraints.gradual import completed
from ..control import Budget, Search, StepLimit
from ..exact import exact
from ..states.foreign import as_state
from ..states.goals import Goal, conjoin
from ..states.state import NATURALS, Constraint, State
from ..states.suspended import Suspended, settle
from ..states.work import Work
from ..terms.rebuilding import canonical, instantiate, reify_term
from ..terms.terms import Slot
from ..terms.variables import VARIABLES
from .alike import Rows, ones_of, said_of
from .antiunify import generalise

__all__ = ["Row", "answers_of_row", "has_choices", "told_apart"]

MOST_CHOICES = 8
"""Rows with more answers are searched one after the other, however many they are."""

STEPS = 1_000
"""What a row may be is not found out in more steps,"""

A_ROW = 4
"""and paid for with so many, whoever was the first to find it out."""

_AGREED = 1_000
"""Slots that answers to a row do not agree on are numbered from here on."""


class Choices(NamedTuple):
    """How many answers there are to a row, and what they agree on, with slots for what is open; `are_plain`: no more
    is demanded of that in one."""

    number: int
    agreed: tuple[Any, ...] | None
    are_plain: bool


class Row(Constraint):
    """A relation of one row: it is one of the answers to it, and what these agree on is said."""

    __slots__ = ()
    MAY_HOLD_RULES = True

    def propagate(self, work: Work) -> bool | None:
        """Say what the answers that are left agree on."""
        relate, row = self.args
        known = reify_term(row, work.bindings)
        choices = _choices_of(relate, known, work.search)
        if choices is None:
            return None
        if choices.agreed is None:
            return False
        values: dict[int, Any] = {}
        for term, said in zip(known, choices.agreed, strict=True):
            if type(said) is Slot and type(term) in VARIABLES:
                values.setdefault(said.args[0], term)
        if not work.unify(known, instantiate(choices.agreed, values)):
            return False
        return True if choices.number == 1 and choices.are_plain else self._beside_others(work)

    def _beside_others(self, work: Work) -> bool | None:
        """Say what is one in this row and another one of the same open elements, if something is; whether that other
        one says all."""
        relate, row = self.args
        own = reify_term(row, work.bindings)
        others = [c.args for v in dict.fromkeys(own) for c in work.beside(v) if type(c) is Row] if _is_open(own) else []
        for by, theirs in others:
            both: list[Rows] = [(by, reify_term(theirs, work.bindings)), (relate, own)]
            if _is_open(both[0][1]):
                ones = ones_of(both, work.search)
                if ones is None or not all(work.unify(left, right) for left, right in ones):
                    return False
                if set(own) <= set(both[0][1]) and said_of(both, work.search).is_told:
                    return True
        return None


def _is_open(row: tuple[Any, ...]) -> bool:
    return all(type(element) in VARIABLES for element in row)


def has_choices(relate: Callable[..., Goal], row: tuple[Any, ...], search: Search) -> bool:
    """Whether a row may be several things, which are known. Raises StepLimit."""
    choices = _choices_of(relate, row, search)
    return choices is not None and choices.number > 1


def answers_of_row(relate: Callable[..., Goal], row: tuple[Any, ...], search: Search) -> list[Any] | None:
    """What a row may be, with slots for what is open; None if that is too much, or if more is demanded of that. Raises
    StepLimit."""
    answers: list[Any] = []
    for found in _outcomes(relate, row, search):
        if not _is_plain(found) or len(answers) == MOST_CHOICES:
            return None
        answers.append(canonical(reify_term(row, found.bindings), {}))
    return answers


def _choices_of(relate: Callable[..., Goal], row: tuple[Any, ...], search: Search) -> Choices | None:
    """What a row may be; None if that is too much. Raises StepLimit."""
    memory, budget = search.by_rows, search.budget
    if memory is None or budget.apart is not None or budget.asked:  # who asks for more is told by the goals
        return None
    budget.charge(A_ROW)
    key = (relate, exact(canonical(row, {})), search.is_gradual(), search.defaults)
    if key not in memory:
        memory[key] = _found(relate, row, search.but(budget=Budget(STEPS)))
    choices: Choices | None = memory[key]
    return choices


def _found(relate: Callable[..., Goal], row: tuple[Any, ...], search: Search) -> Choices | None:
    number, agreed, are_plain = 0, None, True
    try:
        for found in _outcomes(relate, row, search):
            for complete in (found,) if _is_plain(found) else completed(found):
                if number == MOST_CHOICES:
                    return None
                number += 1
                answer = canonical(reify_term(row, complete.bindings), {})
                agreed = answer if agreed is None else generalise(agreed, answer, _AGREED)
                are_plain = are_plain and _is_plain(complete)
    except StepLimit:
        return None
    return None if search.budget.cut or search.budget.short else Choices(number, agreed, are_plain)


def _outcomes(relate: Callable[..., Goal], row: tuple[Any, ...], search: Search) -> Iterator[State]:
    return map(as_state, relate(*row)(State({}, None, search.but(trace=None, by_rows=None))))


def _is_plain(state: State) -> bool:
    """Whether nothing is demanded of what is open in a state."""
    return state.store is None or not (state.store.constraints or state.store.bounds)


def told_apart(state: State) -> Iterator[State]:
    """The states in which each row that speaks of the same as something else is one of its answers."""
    for settled in settle(state):
        joint = _joint(settled)
        if not joint:
            yield settled
            continue
        assert settled.store is not None
        store = settled.store.copy()
        rows = [store.constraints.pop(number) for number in joint]
        goals = [relate(*row) for relate, row in (constraint.args for constraint in rows)]
        for chosen in conjoin(goals, State(settled.bindings, store, settled.search)):
            yield from told_apart(chosen)


def _joint(state: State) -> list[int]:
    """The numbers of the rows that are not all that is said of their variables, or that have no choice any more. What
    waits for the end of a list says nothing of its elements."""
    store, bindings = state.store, state.bindings
    if store is None:
        return []
    others = {number for number, constraint in store.constraints.items() if type(constraint) is not Suspended}
    joint: list[int] = []
    for number, constraint in store.constraints.items():
        if type(constraint) is not Row:
            continue
        relate, row = constraint.args
        if any(
            store.bounds.get(variable, NATURALS) != NATURALS
            or any(other != number and other in others for other in store.watch.get(variable, ()))
            for variable in constraint.variables(bindings)
        ) or not has_choices(relate, reify_term(row, bindings), state.search):
            joint.append(number)
    return joint
