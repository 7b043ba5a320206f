"""Solving goals as circuits: which node a part of a problem is.

A part branches on its calls only where these tell answers apart, or where nothing better is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from ..constraints.systems import system_of
from ..control import Search, StepLimit
from ..search.profiles import Gradual
from ..search.split import Kinds, Part
from ..states.calls import Call
from ..states.goals import Goal
from ..states.state import State
from ..states.suspended import Suspended
from .circuit import Node, count
from .disjoint import Disjoint
from .existence import Existence
from .forced import Forced
from .kernel import Interval, Kernel
from .problem import Problem, doubtful
from .solver import Solver
from .space import Space

__all__ = ["Branching", "Root", "counted", "solve_goal"]

_SEARCHED = frozenset({Call, Suspended})


class Branching(Solver):
    """Makes arithmetic of what is only that, and has the rest branch."""

    def _make(self, part: Part) -> Node:
        if not part.wanted:
            return Existence(part, self)
        return self._kernel(part) or Problem(part, self)

    def _kernel(self, part: Part) -> Node | None:
        """The node of a part that is purely arithmetic, and bounded."""
        space, state = self.space, part.state
        if part.scope or not all(space.is_number(kind) for kind in part.wanted.values()):
            return None
        if not _SEARCHED.isdisjoint(state.kinds()):
            return None
        constrained = state.store is not None and state.store.constraints
        if not constrained and len(part.wanted) == 1:
            return self._free_number(part)
        system = system_of(state, list(part.wanted))
        if system is None:
            return None
        possible = system.narrow()
        limits = system.bounds[: len(part.wanted)]
        if not all(space.labels(kind, *limit) for kind, limit in zip(part.wanted.values(), limits, strict=True)):
            return None
        if possible and not system.finite:
            return None
        self.labelled.update(dict.fromkeys(part.wanted.values()))
        return Kernel(system, len(part.wanted))

    def _free_number(self, part: Part) -> Node | None:
        """The node of one number of which nothing is said but its bounds."""
        ((variable, kind),) = part.wanted.items()
        low, high = part.state.bounds(variable)
        labelled = high is not None and self.space.labels(kind, low, high)
        if not labelled or high is None:
            return None
        self.labelled[kind] = None
        return Kernel(Interval(low, high), 1)


def solve_goal(
    goal: Goal, wanted: Kinds, space: Space, search: Search, scope: Kinds | None = None, ends: bool = False
) -> Root:
    """The circuit of all answers for `wanted` (variables with kinds) of a goal.

    `scope`: variables that are not asked for, but must have a value of their kind. The search must postpone calls.
    `ends`: the goal has finitely many states, which are soon known.
    """
    options = search.rules.options if search.rules is not None else {}
    solver = Branching(space, search, options)
    hidden = scope or {}

    def starts() -> Iterator[Any]:
        disjoint = Disjoint(wanted, space, hidden)
        states = disjoint.in_order(_told(goal(State({}, None, search)), search), lambda state: state)
        ready: Iterator[Forced] = chain.from_iterable(solver.concluded(state, wanted, hidden) for state in states)
        if ends:
            ready = disjoint.most_general(ready, lambda made: made.state)
        for one in solver.apart(ready, disjoint, wanted, hidden):
            made = solver.alternative(one.state, wanted, hidden, steps=one.steps)
            if made is not None:
                yield made

    return Root(starts, len(wanted), solver)


def _told(states: Iterator[State], search: Search) -> Iterator[State]:
    """The states of a goal. Where there is one, and nobody had to ask for it whether something may be `?`, whoever asks
    later is told of it."""
    first = next(states, None)
    if first is None:
        return
    second = next(states, None)
    if second is None:
        if isinstance(search.gradual, Gradual):
            search.gradual.told(first)
        yield first
    else:
        yield from chain((first, second), states)


class Root(Node):
    """The states that a query starts from; if there are several, their answers may be the same."""

    __slots__ = ("_width", "solver", "starts")

    def __init__(self, starts: Any, width: int, solver: Solver) -> None:
        super().__init__()
        self.starts = starts
        self.solver = solver
        self._width = width

    @property
    def width(self) -> int:
        """The number of variables that are asked for."""
        return self._width

    def produce(self) -> Iterator[Any]:
        """One alternative for each state."""
        running = self.starts()
        first = next(running, None)
        if first is None:
            return
        second = next(running, None)
        yield from (first,) if second is None else doubtful(chain((first, second), running))


def counted(root: Root, progress: Callable[[int], None] | None = None) -> int:
    """The number of answers (see `count`). Raises StepLimit, at once where something has values without a last one, and
    where answers that are to have none leave variables open."""
    solver = root.solver
    solver.counts = True
    try:
        number = count(root, progress)
    finally:
        solver.counts = False
    if number and solver.left:
        raise StepLimit
    return number
