"""The lengths of open lists: whether those that suspended goals demand can be at all."""

from __future__ import annotations

from typing import Any

from .compare import Compare
from .control import Search
from .lists import Length, SameLength
from .numbers import plus
from .state import State, Work
from .suspended import Suspended
from .systems import system_of
from .terms import Cons, fresh, reify_term
from .variables import VARIABLES

__all__ = ["lengths_possible"]


def lengths_possible(state: State) -> bool:
    """Whether there are lengths for the lists of a state that fit what is suspended of them.

    What lists hold is not looked at; so `True` says nothing more than that.
    """
    lengths: dict[Any, Any] = {}
    posed: list[Any] = []

    def length(items: Any) -> Any:
        known = reify_term(items, state.bindings)
        if type(known) is tuple:
            return len(known)
        if type(known) is Cons:
            return plus(len(known.prefix), lengths.setdefault(known.tail, fresh()))
        return lengths.setdefault(known, fresh()) if type(known) in VARIABLES else None

    def equate(left: list[Any], right: list[Any], more: int) -> None:
        if None not in left and None not in right:
            posed.append(Compare.make(("=", plus(*left, 0), plus(*right, more))))

    for constraint in state.constraints():
        if isinstance(constraint, Suspended):
            for left, right, more in constraint.primitive.lengths(*constraint.arguments):
                equate([length(items) for items in left], [length(items) for items in right], more)
        elif type(constraint) is SameLength:
            first, *others = constraint.lists
            for other in others:
                equate([length(first)], [length(other)], 0)
        elif type(constraint) is Length and type(constraint.length) is int:
            equate([length(constraint.items)], [], constraint.length)
    if not posed:
        return True
    work = Work(State({}, None, Search(gradual=False)))
    if not all(work.post(equation) for equation in posed):
        return False
    counted = work.finish()
    if counted is None:
        return False
    system = system_of(counted, ())
    return system is None or bool(system.narrow())
