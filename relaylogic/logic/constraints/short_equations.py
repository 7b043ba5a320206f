"""Equations that are seen to say what a number is, or which integers compare, once they are in fewer words.

While numbers get known, comparisons are put in fewer words as far as that is cheap. Minima and maxima may still cancel
out: `min(n, 2) - min(n, 2) = m` says that m is 0. Normal forms tell; they are asked for when an answer is labelled.
"""

from __future__ import annotations

from typing import Any

from ..states.state import State
from ..states.work import Work
from ..terms.rebuilding import reify_term
from ..terms.terms import is_ground
from ..terms.variables import VARIABLES
from .compare import Compare
from .equations import is_defined
from .simpler import has_each_once, in_fewer_words, is_told_at_length

__all__ = ["shortened", "with_short_equations"]


def shortened(comparison: tuple[str, Any, Any], work: Work) -> tuple[str, Any, Any]:
    """A comparison, as how it compares what, in fewer words: itself if there are none, or if these would leave out what
    may be divided by 0, which is no number, whatever it is taken off."""
    sides = comparison[1:]
    if is_told_at_length(*sides) and all(is_defined(side, work) for side in sides):
        return in_fewer_words(*comparison)
    return comparison


def with_short_equations(state: State) -> State | None:
    """`state` with what follows from such comparisons; None if they do not hold, `state` itself if there are none.

    No number in them may turn out to be `?`.
    """
    store = state.store
    if store is None:
        return state
    work: Work | None = None
    for number, constraint in store.constraints.items():
        if type(constraint) is not Compare or all(map(has_each_once, constraint.args[1:])):
            continue
        told = _told(constraint, state)
        if told is None:
            continue
        work = work or Work(state)
        if work.own_store().constraints.pop(number, None) is not None and not work.post(told):
            return None
    return state if work is None else work.finish()


def _told(constraint: Compare, state: State) -> Compare | None:
    """The comparison of two integers, or of a number with an integer, that a comparison is in fewer words, if it is."""
    written = reify_term(constraint.args, state.bindings)
    found = shortened(written, Work(state))
    is_short = all(type(side) in VARIABLES or is_ground(side) for side in found[1:])
    return Compare.draft(found) if is_short and found != written else None
