"""Lists that are put together with what they are put together to: `append(t, s, [2, 1 | t])`.

How often such a list goes round nobody knows; but s has two elements then, which are 2 and 1 in one of their turns: a
word s such that t is followed by s as w is by t is w turned (Lothaire, "Combinatorics on Words", 1.3).
"""

from __future__ import annotations

from typing import Any

from ..exact import exact
from ..states.least import beginning, begun
from ..states.state import State
from ..states.work import Work
from ..terms.variables import VARIABLES, fresh_list

__all__ = ["overlap"]

MOST_TURNS = 8
"""A list of more elements is not turned."""


def overlap(work: Work, front: Any, whole: Any, back: Any) -> bool:
    """State what follows where the list `whole`, which is `front` and then `back`, ends as one of these does, openly;
    False if that cannot be."""
    all_of_it, last = begun(whole, work)
    if type(last) not in VARIABLES:
        return True
    added, rest = begun(back, work)
    if rest is last:
        return _has_exactly(front, all_of_it - added, work)
    own, end = begun(front, work)
    if end is last:
        return _has_exactly(back, all_of_it - own, work) and _is_turned(back, whole, own, work)
    return True


def _has_exactly(items: Any, number: int, work: Work) -> bool:
    """State that a list has so many elements."""
    count, end = begun(items, work)
    if type(end) not in VARIABLES:
        return count == number
    return number >= count and work.unify(end, fresh_list(number - count))


def _is_turned(items: Any, whole: Any, start: int, work: Work) -> bool:
    """State that a list, known to its end, is what the first elements of `whole` are behind `start`, in some turn."""
    turned, around = (tuple(map(work.walk, beginning(each, work))) for each in (items, whole))
    around = around[start:]
    if not 0 < len(around) <= MOST_TURNS:
        return True
    turns = {exact(turn): turn for turn in (around[i:] + around[:i] for i in range(len(around)))}
    possible = [turn for turn in turns.values() if Work(State(work.bindings, None, work.search)).unify(turned, turn)]
    return len(possible) > 1 or (bool(possible) and work.unify(turned, possible[0]))
