"""Lists unrolled to their elements, once their length is known.

What is said of "the third element from the end" or of "every element but these" needs the length. `unroll` waits for
it, then states it on tuples of elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .goals import Goal, conjoin, eq
from .lists import when
from .state import State
from .terms import reify_term
from .variables import fresh_list

__all__ = ["unroll"]


def unroll(lists: tuple[Any, ...], state_of: Callable[..., Goal], longer: tuple[int, ...] = ()) -> Goal:
    """The goal `state_of(*tuples)` on the elements of all lists, as soon as the length of one of them is known.

    The lists have equal lengths, but for what `longer` says: list i has `longer[i]` elements more than the first
    one's length minus `longer[0]`.
    """
    more = longer or (0,) * len(lists)

    def elements(state: State) -> Iterator[Any]:
        known = [reify_term(items, state.bindings) for items in lists]
        bases = [len(items) - extra for items, extra in zip(known, more, strict=True) if type(items) is tuple]
        # What is known to its end and no tuple is rigid: it has no elements to speak of.
        if not bases or any(bases[0] + extra < 0 for extra in more):
            return iter(())
        rows = [
            items if type(items) is tuple else fresh_list(bases[0] + extra)
            for items, extra in zip(known, more, strict=True)
        ]
        if any(len(row) != bases[0] + extra for row, extra in zip(rows, more, strict=True)):
            return iter(())
        goals: list[Any] = [eq(a, b) for a, b in zip(known, rows, strict=True) if a is not b]
        goals.append(state_of(*rows))
        return conjoin(goals, state)

    return when("unroll", lists, elements)
