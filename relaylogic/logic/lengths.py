"""The lengths of open lists: whether those that suspended goals demand can be at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .elimination import Row, refuted
from .lists import Length, SameLength
from .state import State
from .suspended import Suspended
from .terms import Cons, reify_term
from .variables import VARIABLES

__all__ = ["lengths_possible"]


def lengths_possible(state: State) -> bool:
    """Whether there are lengths for the lists of a state that fit what is suspended of them.

    What lists hold is not looked at; so `True` says nothing more than that.
    """
    lengths = _Lengths(state)
    for constraint in state.constraints():
        if isinstance(constraint, Suspended):
            for left, right, more in constraint.primitive.lengths(*constraint.arguments):
                lengths.equate(left, right, more)
            for left, right, is_all in constraint.primitive.contents(*constraint.arguments):
                lengths.equate(left, right, 0 if is_all else None)
        elif type(constraint) is SameLength:
            first, *others = constraint.lists
            for other in others:
                lengths.equate([first], [other], 0)
        elif type(constraint) is Length and type(constraint.length) is int:
            lengths.equate([constraint.items], [], constraint.length)
    state.search.budget.charge(len(lengths.equations) + len(lengths.bounds))
    return not refuted(lengths.equations, [*lengths.bounds, *(Row({end: -1}, 0) for end in lengths.ends)])


class _Lengths:
    """Linear equations between the lengths of the ends of open lists, and bounds of sums of some."""

    def __init__(self, state: State) -> None:
        self.bindings = state.bindings
        self.ends: dict[Any, None] = {}
        self.equations: list[Row] = []
        self.bounds: list[Row] = []

    def equate(self, left: Iterable[Any], right: Iterable[Any], more: int | None) -> None:
        """The lists on the left are as long as those on the right and `more`, or at most as long as those on the right;
        nothing, if some are no lists."""
        ends: dict[Any, int] = {}
        known = -(more or 0)
        for sign, lists in ((1, left), (-1, right)):
            for items in lists:
                found = reify_term(items, self.bindings)
                prefix, end = (found.prefix, found.tail) if type(found) is Cons else ((), found)
                if type(end) in VARIABLES:
                    ends[end] = ends.get(end, 0) + sign
                elif type(end) is tuple:
                    prefix = end
                else:
                    return
                known += sign * len(prefix)
        self.ends.update(dict.fromkeys(ends))
        rows = self.bounds if more is None else self.equations
        rows.append(Row({end: c for end, c in ends.items() if c}, -known))
