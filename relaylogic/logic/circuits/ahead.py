"""What disjunctions say before anybody chooses: each of their alternatives is tried on what is known.

Those that cannot hold are left out. Where none is left, nothing holds; what the last one says is said; and of more, a
number lies between the least and the greatest value that one of them lets it have (constructive disjunction: Van
Hentenryck, Saraswat and Deville, "Design, implementation, and evaluation of the constraint language cc(FD)", 1998).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..search.options import Steps, apply, brings_variables
from ..search.resolution import Resolution
from ..states.calls import Call
from ..states.state import Bounds, State
from ..states.work import Work
from ..terms.terms import open_in, walk
from ..terms.variables import VARIABLES

__all__ = ["Forced", "looked_ahead"]


class Forced(NamedTuple):
    """A state, the calls that were made for it, and whether they brought variables, or may do so later."""

    state: State
    steps: Steps
    brings: bool = False


def looked_ahead(made: Forced, resolution: Resolution) -> Forced | None:
    """A state with what its disjunctions say, and the alternatives that were the last of one; itself if they say
    nothing, None if one has no alternative."""
    state, steps, brings = made
    constraints = {} if state.store is None else state.store.constraints
    waiting = [n for n, c in constraints.items() if type(c) is Call and c.is_choice]
    while waiting:
        before = state
        for number in list(waiting):
            assert state.store is not None
            call = resolution.reified(state.store.constraints[number], state.bindings)
            options = resolution.options(call).options
            if options is None or not _is_concerned(call, number, state):
                continue
            tried = [(option, apply(option, number, call, state)) for option in options]
            left = [(option, new) for option, new in tried if new is not None]
            if not left:
                return None
            if len(left) == 1:
                ((option, state),) = left
                steps += option.steps_of(call)
                brings = brings or brings_variables(option, call)
                waiting.remove(number)
                continue
            narrowed = _between(call, [new for _, new in left], state)
            if narrowed is None:
                return None
            state = narrowed
        if state is before:
            break
    return made if state is made.state else Forced(state, steps, brings)


def _is_concerned(call: Call, number: int, state: State) -> bool:
    """Whether anything else speaks of what a call is about."""
    store = state.store
    assert store is not None
    constraints = store.constraints
    return any(
        variable in store.bounds or any(n != number and n in constraints for n in store.watch.get(variable, ()))
        for variable in open_in(call)
    )


def _between(call: Call, ways: list[State], state: State) -> State | None:
    """A state in which the numbers of a call lie where they do in one of some states at least."""
    work = Work(state)
    for variable in open_in(call):
        limits = list(_limits(variable, ways))
        if len(limits) == len(ways):
            highest = [high for _, high in limits if high is not None]
            high = max(highest) if len(highest) == len(limits) else None
            if not work.narrow(variable, min(low for low, _ in limits), high):
                return None
    return work.finish()


def _limits(variable: Any, ways: list[State]) -> Iterator[Bounds]:
    """Where a number lies in each of some states, as long as it is seen to be one."""
    for way in ways:
        value = walk(variable, way.bindings)
        bounds = None if way.store is None else way.store.bounds.get(value) if type(value) in VARIABLES else None
        if type(value) is int:
            yield value, value
        elif bounds is not None:
            yield bounds
        else:
            return
