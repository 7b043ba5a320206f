"""Calls that leave no choice: they are made before anybody branches, or looks for independent parts."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import islice

from ..search.options import brings_variables, effort, place
from ..search.resolution import Resolution
from ..states.calls import Call
from ..states.state import State
from ..states.suspended import Suspended
from ..states.work import Work
from .ahead import Forced, looked_ahead

__all__ = ["Forced", "forced"]


def forced(state: State, resolution: Resolution) -> Forced | None:
    """What a state becomes when the calls are made that have one option at most, and disjunctions are looked into
    (`ahead`); None if one of them has none.

    The first of them is made first, then those that it brings, and of the others those are looked at again in which
    something was bound. Calls of relations that call themselves wait for whoever branches; where anything is suspended,
    all do: it may be ready, and have several outcomes.
    """
    made = _forced(state, resolution)
    while made is not None:
        ahead = looked_ahead(made, resolution)
        if ahead is None or ahead is made:
            return ahead
        further = _forced(ahead.state, resolution)
        if further is None:
            return None
        made = Forced(further.state, (*ahead.steps, *further.steps), ahead.brings or further.brings)
    return None


def _forced(state: State, resolution: Resolution) -> Forced | None:
    store = state.store
    waiting = [] if store is None else [n for n, c in store.constraints.items() if type(c) is Call]
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
        for woken in _woken(work, before):
            heappush(waiting, woken)
    made = work.finish()
    return None if made is None else Forced(made, tuple(steps), brings)


def _woken(work: Work, bound: int) -> set[int]:
    """What waits for variables that were bound after the first so many."""
    store = work.store
    assert store is not None
    found: set[int] = set()
    for variable in islice(reversed(work.bindings), len(work.bindings) - bound):
        found.update(store.watch.get(variable, ()))
    return found
