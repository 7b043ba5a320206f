"""Calls that leave no choice: they are made before anybody branches, or looks for independent parts."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any

from ..search.options import brings_variables, effort, place
from ..search.resolution import Resolution
from ..states.calls import Call
from ..states.state import State, Store
from ..states.suspended import Suspended
from ..states.work import Work
from .ahead import Forced, looked_ahead

__all__ = ["Forced", "forced"]

MANY = 4
"""To look at fewer calls than these takes less than to tell which of them to look at."""


def forced(state: State, resolution: Resolution, before: State | None = None) -> Forced | None:
    """What a state becomes when the calls are made that have one option at most, and disjunctions are looked into
    (`ahead`); None if one of them has none.

    The first of them is made first, then those that it brings, and of the others those are looked at again in which
    something was bound. Calls of relations that call themselves wait for whoever branches; where anything is suspended,
    all do: it may be ready, and have several outcomes. `before` is a state that this one comes from, if all calls are
    known to leave a choice in it.
    """
    made = _forced(state, resolution, _that_may_leave_none(state, before))
    while made is not None:
        ahead = looked_ahead(made, resolution)
        if ahead is None or ahead is made:
            return ahead
        further = _forced(ahead.state, resolution, _that_may_leave_none(ahead.state))
        if further is None:
            return None
        made = Forced(further.state, (*ahead.steps, *further.steps), ahead.brings or further.brings)
    return None


def _that_may_leave_none(state: State, before: State | None = None) -> list[int]:
    """The calls that may leave no choice: all, or where they do so in a state `before`, those that are new or in which
    something was bound."""
    store = state.store
    if store is None:
        return []
    calls = [number for number, constraint in store.constraints.items() if type(constraint) is Call]
    if before is None or len(calls) < MANY:
        return calls
    first = 0 if before.store is None else before.store.next
    woken = _woken(store, state.bindings, len(before.bindings))
    return [number for number in calls if number >= first or number in woken]


def _forced(state: State, resolution: Resolution, waiting: list[int]) -> Forced | None:
    if not waiting or Suspended in state.kinds():
        return Forced(state, ())
    heapify(waiting)
    work = Work(state)
    steps: list[tuple[str, str]] = []
    brought: list[int] = []
    brings = False
    while waiting or brought:
        number = brought.pop() if brought else heappop(waiting)
        store = work.own_store()
        known = store.constraints.get(number)
        if type(known) is not Call or resolution.recursive(known):
            continue
        call = resolution.reified(known, work.bindings)
        options = resolution.options(call)
        option = options.sole
        if option is None and options.count > 1:
            store.constraints[number] = call  # whose pattern is known
            continue
        state.search.budget.charge(2 + effort(call, store))
        if option is None:
            return None
        brings = brings or brings_variables(option, call)
        before, first = len(work.bindings), store.next
        if not place(option, number, call, work) or (work.queue and not work.run()):
            return None
        steps += option.steps_of(call)
        if any(type(constraint) is Suspended for constraint in option.constraints):
            break
        brought += range(store.next - 1, first - 1, -1)
        for woken in _woken(store, work.bindings, before):
            heappush(waiting, woken)
    made = work.finish()
    return None if made is None else Forced(made, tuple(steps), brings)


def _woken(store: Store, bindings: dict[Any, Any], bound: int) -> set[int]:
    """What waits for variables that were bound after the first so many."""
    found: set[int] = set()
    for variable in islice(reversed(bindings), len(bindings) - bound):
        found.update(store.watch.get(variable, ()))
    return found
