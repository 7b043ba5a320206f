"""Up to which numbers the arguments of a call go where it is made: what its answers are looked for below.

A relation that calls itself with less, or with a shorter list, has endlessly many answers, and finitely many below any
number. So the bound that a state puts on a number, or on the length of a list, goes with the call, and from there to
the calls that are made for it: each has less left, and none has anything below 0. What bounds a number from below is
left behind: natural numbers rise for ever.

After Arias and Carro, "Description, implementation, and evaluation of a generic design for tabled CLP" (2019), in which
a call also takes the answers of one that asks for more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..constraints.free_choices import without
from ..constraints.lengths import Length, SameLength
from ..states.calls import Call
from ..states.state import State
from ..states.suspended import Suspended
from ..states.work import Work
from ..terms.rebuilding import reify_term
from ..terms.terms import open_in
from ..terms.variables import fresh

__all__ = ["NO_LISTS", "Ceilings", "below", "ceilings_of", "covers", "lowered", "without_ceilings"]

NO_LISTS: Mapping[Any, int] = {}
"""No lists are known to be bounded."""

Ceilings = tuple[tuple[int, bool, int], ...]
"""Of the variables of a call, in order: the place among these, whether it is a list, and what it, or its length, is at
most. What is not there may be however great."""


def ceilings_of(call: Call, state: State, lists: Mapping[Any, int] = NO_LISTS) -> Ceilings:
    """The ceilings of a call's variables, which are open in the state; `lists` may be no longer than it says."""
    store = state.store
    if store is None or state.search.waits():  # what may be `?` is at most any number
        return ()
    found = []
    for place, variable in enumerate(open_in(call)):
        bounds = store.bounds.get(variable)
        if bounds is not None:
            is_list, most = False, bounds[1]
        else:
            is_list, most = True, _longest(variable, state)
            allowed = lists.get(variable)
            most = allowed if most is None else most if allowed is None else min(most, allowed)
        if most is not None:
            found.append((place, is_list, most))
    return tuple(found)


def _longest(variable: Any, state: State) -> int | None:
    """How long a variable is, at most, where it is the end of a list of whose length something is said."""
    store = state.store
    assert store is not None
    waiting = [store.constraints.get(number) for number in store.watch.get(variable, ())]
    if not any(type(c) in _OF_LENGTHS or (type(c) is Suspended and c.primitive.lists) for c in waiting):
        return None
    from .limits import lengths  # the kernel of integers is loaded when something is first asked of it

    return lengths(state, variable, 0)[1]


_OF_LENGTHS = frozenset({Length, SameLength})


def covers(great: Ceilings, small: Ceilings) -> bool:
    """Whether what lies below some ceilings lies below others of the same call."""
    known = {place: most for place, _, most in small}
    return all(place in known and known[place] <= most for place, _, most in great)


def lowered(ceilings: Ceilings, others: Sequence[Ceilings]) -> Ceilings:
    """Those of some ceilings that are no higher than the highest of the same variable among others."""
    highest: dict[int, int] = {}
    for place, _, most in (one for other in others for one in other):
        highest[place] = max(most, highest.get(place, 0))
    return tuple([one for one in ceilings if one[2] <= highest.get(one[0], -1)])


def below(ceilings: Ceilings, variables: Sequence[Any], state: State) -> tuple[State | None, list[Any]]:
    """A state in which the variables of a call are no greater than its ceilings, or None if they cannot be; and the
    numbers that stand there for the lengths of lists."""
    work = Work(state)
    counted = []
    for place, is_list, most in ceilings:
        number = variables[place]
        if is_list:
            number = fresh()
            counted.append(number)
            work.suspend(Length.draft((variables[place], number)))
        if not work.narrow(number, 0, most):
            return None, counted
    return work.finish(), counted


def without_ceilings(state: State, counted: Sequence[Any]) -> State:
    """A state without what was said there of the lengths of lists, where nothing else speaks of these: whoever has made
    the call says so, too."""
    store = state.store
    if store is None or not counted:
        return state
    dropped = set()
    for number in counted:
        speaking = [c for n in store.watch.get(number, ()) if (c := store.constraints.get(n)) is not None]
        if number not in state.bindings and len(speaking) == 1:
            dropped.add(reify_term(speaking[0], state.bindings))
    return without(state, dropped)
