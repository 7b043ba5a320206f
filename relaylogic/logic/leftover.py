"""What is left of a problem when nothing more is asked of its variables: must it be stated, or does it just hold?

A constraint that is only about variables that nobody sees is existential: it holds if there are such values.
"""

from __future__ import annotations

from typing import Any

from .calls import Call
from .gradual import Gradual
from .lists import Different
from .split import split
from .state import State
from .suspended import Suspended
from .systems import system_of
from .terms import reify_term, variables_of

__all__ = ["inhabited", "projected"]


def inhabited(state: State) -> bool | None:
    """Whether the constraints of a state have a solution; None where that is not found out."""
    constraints = state.constraints()
    if not constraints:
        return True
    if any(isinstance(c, (Call, Suspended, Gradual)) for c in constraints):
        return None
    system = system_of(state, ())
    if system is not None:
        return system.satisfiable()
    # Terms of infinitely many forms can always be told apart.
    return True if all(type(c) is Different for c in constraints) else None


def projected(state: State, terms: Any) -> State | None:
    """`state` without the constraints that concern no variable of `terms` and can hold; None if some cannot."""
    store = state.store
    if store is None or not store.constraints:
        return state
    seen = variables_of(terms, state.bindings)
    parts = split(state, dict.fromkeys(seen), {})
    hidden = [part for part in parts if not part.wanted]
    if not hidden:
        return state
    dropped: set[Any] = set()
    for part in hidden:
        holds = inhabited(part.state)
        if holds is False:
            return None
        if holds:
            dropped.update(part.state.constraints())
    if not dropped:
        return state
    return _without(state, dropped)


def _without(state: State, dropped: set[Any]) -> State:
    store = state.store
    assert store is not None
    new = store.copy()
    for number, constraint in store.constraints.items():
        if reify_term(constraint, state.bindings) in dropped:
            del new.constraints[number]
    return State(state.bindings, new, state.search)
