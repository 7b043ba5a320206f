"""What is left of a problem when nothing more is asked of its variables: must it be stated, or does it just hold?

A constraint that is only about variables that nobody sees is existential: it holds if there are such values.
"""

from __future__ import annotations

from typing import Any

from ..constraints.different import Different
from ..constraints.free_choices import free_choices, without
from ..constraints.gradual import Gradual
from ..constraints.projection import projection
from ..constraints.solved_forms import with_solved_forms
from ..states.calls import Call
from ..states.state import State
from ..states.suspended import Suspended
from ..terms.rebuilding import reify_term
from ..terms.terms import variables_of
from .split import split

__all__ = ["inhabited", "projected"]


def inhabited(state: State) -> bool | None:
    """Whether the constraints of a state have a solution; None where that is not found out."""
    constraints = state.constraints()
    if not constraints:
        return True
    # The kernel of integers is loaded when something is first asked of it.
    from ..constraints.systems import system_of
    from ..constraints.together import refuted_together

    if any(isinstance(c, (Call, Suspended)) for c in constraints):
        found = _tried(state)
    elif any(isinstance(c, Gradual) for c in constraints):
        # Numbers that agree may be integers; if there are none, they may be `?`.
        system = system_of(state, variables_of(tuple(constraints)), labelled=True)
        found = True if system is not None and system.satisfiable() else None
    elif all(type(c) is Different for c in constraints):
        return True  # terms of infinitely many forms can always be told apart
    else:
        system = system_of(state, ())
        found = None if system is None else system.satisfiable()
    return False if found is None and refuted_together(state, constraints) else found


def _tried(state: State) -> bool | None:
    """Whether goals that wait for one value each have some that they all hold of; None if there is more to be held."""
    waiting: dict[Any, list[Suspended]] = {}
    is_all = True
    for constraint in state.constraints():
        variables = variables_of(constraint)
        if isinstance(constraint, Suspended) and constraint.primitive.tries and len(variables) == 1:
            waiting.setdefault(variables[0], []).append(constraint)
        else:
            is_all = False
    for variable, goals in waiting.items():
        if not any(_all_hold(goals, variable, value, state) for value in goals[0].primitive.tries):
            return False
    return True if is_all else None


def _all_hold(goals: list[Suspended], variable: Any, value: Any, state: State) -> bool:
    """Whether goals that wait for a variable hold, without more to say, when it has a value."""
    start = State({}, None, state.search.followed(None))
    for waiting in goals:
        arguments = reify_term(waiting.arguments, {variable: value})
        made = next(waiting.primitive(*arguments)(start), None)
        if made is None or made.bindings or made.constraints():
            return False
    return True


def projected(state: State, terms: Any) -> State | None:
    """`state` with what its constraints say of the variables of `terms`, in a solved form; None if they cannot hold.

    What says nothing of them is left out: what concerns none of them and can hold, and what can always be satisfied by
    the choice of a variable that occurs nowhere else: `n <= m`, of which only n is seen.
    """
    if state.store is None or not state.store.constraints:
        return state
    solved = state if state.search.waits() else with_solved_forms(state)
    if solved is not state:
        return None if solved is None else projected(solved, terms)
    seen = dict.fromkeys(variables_of(terms, state.bindings))
    dropped: set[Any] = set()
    for part in split(state, seen, {}):
        if part.wanted:
            dropped.update(free_choices(part.state.constraints(), part.state, seen))
            continue
        holds = inhabited(part.state)
        if holds is False:
            return None
        if holds:
            dropped.update(part.state.constraints())
    left = without(state, dropped) if dropped else state
    fewer = projection(left, seen)
    return fewer if fewer is None or fewer is left else projected(fewer, terms)
