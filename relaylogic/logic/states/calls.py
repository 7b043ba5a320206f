"""Calls of relations kept for later, so that a search may choose in which order to make them.

In a search that postpones (`Search.postpones`), a relation that is called within a clause is not run: it becomes a
`Call` in the store, a constraint that never decides by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..terms.rebuilding import reify_term
from ..terms.terms import open_in
from .state import Constraint, State
from .work import Work

__all__ = ["Call", "is_disjunction", "postpone"]


class Call(Constraint):
    """A relation that must hold of terms."""

    __slots__ = ()
    MAY_HOLD_RULES = True
    DECIDES = False

    @property
    def relation(self) -> Any:
        """What must hold."""
        return self.args[0]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Of what it must hold."""
        return self.args[1:]

    @property
    def is_choice(self) -> bool:
        """Whether it is no call that somebody has written, but a disjunction."""
        return is_disjunction(self.relation)

    def __repr__(self) -> str:
        return f"{self.relation.name}({', '.join(map(str, self.arguments))})"

    def reified(self, bindings: Mapping[Any, Any]) -> Any:
        """A draft: calls are compared by their patterns, and a search meets most of them once."""
        for variable in open_in(self):
            if variable in bindings:
                return Call.draft(reify_term(self.args, bindings))
        return self

    def propagate(self, work: Work) -> bool | None:
        """Never decides by itself."""
        return None


def is_disjunction(relation: Any) -> bool:
    """Whether a relation is a disjunction in a question or a clause: it has no name, and is met nowhere else."""
    return not relation.name


def postpone(call: Call, state: State) -> Iterator[State]:
    """The state in which a call is kept."""
    work = Work(state)
    work.suspend(call)
    new = work.finish()
    return iter(() if new is None else (new,))
