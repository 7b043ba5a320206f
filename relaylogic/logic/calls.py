"""Calls of relations kept for later, so that a search may choose in which order to make them.

Inside `with exploring(...)`, a relation that is called within a clause is not run: it becomes a `Call` in the store, a
constraint that never decides by itself. What fills in a default (`relaylogic.logic.defaults`) holds back as well: a
default is one possibility among others when all of them are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .state import State, Work, as_state
from .terms import reify_term, variables_of

__all__ = ["EXPLORATION", "Call", "Lineage", "exploring", "postpone", "undecided"]

Lineage = tuple[tuple[str, int], ...]


class _Exploration:
    """Whether calls are kept, whether defaults hold back, and how often each relation's clauses are being run."""

    __slots__ = ("lineage", "on", "undecided")

    def __init__(self) -> None:
        self.on = False
        self.undecided = False
        self.lineage: Lineage = ()


EXPLORATION = _Exploration()


@contextmanager
def exploring(lineage: Lineage = ()) -> Iterator[None]:
    """Keep the calls made inside the block; they descend from `lineage`."""
    outer = (EXPLORATION.on, EXPLORATION.lineage)
    EXPLORATION.on, EXPLORATION.lineage = True, lineage
    try:
        yield
    finally:
        EXPLORATION.on, EXPLORATION.lineage = outer


@contextmanager
def undecided() -> Iterator[None]:
    """Inside the block, nothing is filled in by default."""
    outer, EXPLORATION.undecided = EXPLORATION.undecided, True
    try:
        yield
    finally:
        EXPLORATION.undecided = outer


class Call:
    """A relation that must hold of terms; `lineage` says how often each relation was called on the way to it."""

    __slots__ = ("arguments", "lineage", "options", "relation")

    def __init__(self, relation: Any, arguments: tuple[Any, ...], lineage: Lineage = ()) -> None:
        self.relation = relation
        self.arguments = arguments
        self.lineage = lineage
        self.options: Any = None  # what `choices` knows of the call, while none of its variables is bound

    def __repr__(self) -> str:
        return f"{self.relation.name}({', '.join(map(str, self.arguments))})"

    @property
    def depth(self) -> int:
        """How often the relation was called on the way to this call of it."""
        for name, count in self.lineage:
            if name == self.relation.name:
                return count
        return 0

    @property
    def inside(self) -> Lineage:
        """The lineage of calls that this one makes."""
        name, depth = self.relation.name, self.depth
        return (*(pair for pair in self.lineage if pair[0] != name), (name, depth + 1))

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables of the arguments."""
        return variables_of(self.arguments, bindings)

    def reified(self, bindings: Mapping[Any, Any]) -> Call:
        """The call with bound variables replaced."""
        arguments = reify_term(self.arguments, bindings)
        return Call(self.relation, arguments, self.lineage)

    def propagate(self, work: Work) -> bool | None:
        """Never decides by itself."""
        return None


def postpone(relation: Any, arguments: tuple[Any, ...], state: Any) -> Iterator[State]:
    """The state in which the call is kept."""
    work = Work(as_state(state))
    work.suspend(Call(relation, arguments, EXPLORATION.lineage))
    new = work.finish()
    return iter(() if new is None else (new,))
