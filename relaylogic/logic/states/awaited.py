"""A goal that waits for a term, and holds whatever it turns out to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .state import State
from .suspended import primitive

__all__ = ["awaited"]


@primitive("awaited", 0)
def awaited(state: State, _: Any) -> Iterator[Any]:
    """The goal that a term is known: a call is not decided before."""
    return iter((state,))
