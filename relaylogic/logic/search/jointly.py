"""What goals say jointly, whatever becomes of what they leave open: which terms are one, and which goal says no more
than those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...host.above import above
from ..constraints.gradual import said_unknown
from ..control import Search, StepLimit
from ..states.foreign import as_state
from ..states.goals import Goal, conjoin
from ..states.state import State
from ..states.suspended import settle
from ..terms.mistakes import RuleError
from ..terms.rebuilding import canonical, reify_term
from .antiunify import generalise

__all__ = ["Jointly", "said_jointly"]

MOST_ANSWERS = 32
"""Goals that have more answers are not looked at."""

_AGREED = 1_000
"""Slots that answers do not agree on are numbered from here on."""


class Jointly(NamedTuple):
    """For each term the place of the first one that is one with it in all answers; None if there is no answer.
    `is_told`: the last goal holds where the others do."""

    places: tuple[int, ...] | None
    is_told: bool


def said_jointly(goals: Sequence[Goal], terms: tuple[Any, ...], search: Search) -> Jointly | None:
    """What goals say jointly of some terms; None if it may be too much."""
    *others, last = goals
    agreed: Any = None
    number, is_told = 0, True
    try:
        for before in _outcomes(others, State({}, None, search)):
            is_said = False
            for found in _outcomes([last], before):
                number += 1
                if number > MOST_ANSWERS:
                    return None
                answer = canonical(reify_term(terms, found.bindings), {})
                general = answer if agreed is None else generalise(agreed, answer, _AGREED)
                if _places(general) != _places(agreed) and _is_refuted(found):
                    continue
                agreed = general
                is_said = is_said or _says_no_more(found, before, terms)
            is_told = is_told and (is_said or _is_refuted(before))
    except (StepLimit, RuleError):
        return None
    if search.budget.cut or search.budget.short:
        return None
    return Jointly(_places(agreed), is_told)


def _places(agreed: tuple[Any, ...] | None) -> tuple[int, ...] | None:
    return None if agreed is None else tuple(map(agreed.index, agreed))


def _is_refuted(state: State) -> bool:
    """Whether what waits in a state cannot hold together."""
    return state.store is not None and bool(above("refuted together")(state, state.store.constraints.values()))


def _outcomes(goals: Sequence[Goal], state: State) -> Iterator[State]:
    """The states in which goals hold. What is open in them may yet be `?`."""
    for found in conjoin([*goals], state):
        for settled in settle(as_state(found)):
            told = said_unknown(settled)
            if told is not None:
                yield from (told,) if told is settled else settle(told)


def _says_no_more(state: State, before: State, terms: tuple[Any, ...]) -> bool:
    """Whether a state says of terms what one before it did."""
    said, bounds = _said_in(before)
    known = terms, tuple([arguments for _, arguments in said])
    if canonical(reify_term(known, state.bindings), {}) != canonical(reify_term(known, before.bindings), {}):
        return False
    said_now, bounds_now = _said_in(state)
    known_now = {(kind, reify_term(arguments, state.bindings)) for kind, arguments in said}
    return known_now.issuperset(said_now) and bounds_now == {
        reify_term(variable, state.bindings): between for variable, between in bounds.items()
    }


def _said_in(state: State) -> tuple[list[tuple[Any, Any]], dict[Any, Any]]:
    """The constraints and the bounds in a state."""
    if state.store is None:
        return [], {}
    said = [(type(c), reify_term(c.args, state.bindings)) for c in state.store.constraints.values()]
    return said, state.store.bounds
