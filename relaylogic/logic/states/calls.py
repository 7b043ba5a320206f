"""Calls of relations kept for later, so that a search may choose in which order to make them.

In a search that postpones (`Search.postpones`), a relation that is called within a clause is not run: it becomes a
`Call` in the store, a constraint that never decides by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..terms.rebuilding import reify_term
from ..terms.terms import open_in
from .foreign import as_state
from .state import Constraint, State
from .work import Work

__all__ = ["Call", "Called", "is_disjunction", "keep_calls", "postpone"]


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


class Called:
    """The goal that a call is made: kept, where calls are postponed; how it is made elsewhere, `make` says."""

    __slots__ = ("call", "make")

    def __init__(self, call: Call, make: Callable[[State], Iterator[Any]]) -> None:
        self.call = call
        self.make = make

    def __call__(self, state: Any) -> Iterator[Any]:
        state = as_state(state)
        return postpone(self.call, state) if state.search.postpones else self.make(state)


def keep_calls(goals: Sequence[Any], index: int, state: Any) -> tuple[Any, int]:
    """The state in which the calls are kept that come next among some goals, from `index` on, if it is one in which
    they are; and where the goals go on. A state of many calls is made once for all of them."""
    if type(state) is not State or not state.search.postpones:
        return state, index
    work = Work(state)
    while index < len(goals) and type(goals[index]) is Called:
        work.suspend(goals[index].call)
        index += 1
    return work.finish(), index
