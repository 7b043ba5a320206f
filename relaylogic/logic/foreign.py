"""States that come from elsewhere: kanren's searches start with a plain dict and may hold constraints of its own.

`as_state` makes our state of either. A search that kanren runs does not settle what was suspended, so the goals of such
a search do that themselves (`Search.settles`).
"""

from __future__ import annotations

from typing import Any

from .control import Search
from .state import State

__all__ = ["as_state"]


def as_state(state: Any) -> State:
    """`state` as a `State`. Raises TypeError for constraints that are not known here."""
    if type(state) is State:
        return state
    if hasattr(state, "constraints"):
        from .kanren_states import from_constrained

        return from_constrained(state)
    return State(dict(state), None, Search(settles=True))
