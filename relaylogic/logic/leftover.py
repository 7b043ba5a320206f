"""What is left of a problem when nothing more is asked: constraints to state, or a solution that must merely exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .arithmetic import Compare
from .calls import Call
from .circuit import Alternative, Filled, Node, answers
from .lists import Delayed
from .search import canonical
from .split import Part
from .state import State, Work
from .terms import Slot

__all__ = ["Existence", "residual"]


class Existence(Node):
    """A part of which nothing is wanted: one answer if there is any."""

    __slots__ = ("part", "solver")

    def __init__(self, part: Part, solver: Any) -> None:
        super().__init__()
        self.part = part
        self.solver = solver

    @property
    def width(self) -> int:
        """No variable is wanted."""
        return 0

    def produce(self) -> Iterator[Any]:
        """The first answer, without its values."""
        state = self.part.state
        if any(type(c) is Call for c in state.constraints()):
            first = next(answers(self.solver.problem(self.part)), None)
            if first is not None:
                yield _closed(Filled(first, 0))
            return
        found = _instance(state)
        if found is True:
            yield Alternative(())
        elif found is None:
            yield residual(state, {}, ())


def _closed(filled: Filled) -> Alternative:
    """An answer as the alternative of a node of its own."""
    numbering: dict[Any, Any] = {}
    terms = canonical(filled.terms, numbering)
    for constraint in filled.residue:
        for variable in constraint.variables({}):
            numbering.setdefault(variable, Slot(len(numbering)))
    residue = tuple(c.reified(numbering) for c in filled.residue)
    return Alternative(terms, (), residue, len(numbering), 0, filled.steps)


def residual(state: State, numbering: dict[Any, Any], terms: tuple[Any, ...]) -> Alternative:
    """What is left when nothing more is to be decided."""
    bindings = state.bindings
    residue = [c.reified(bindings) for c in state.constraints()]
    for constraint in residue:
        for variable in constraint.variables({}):
            numbering.setdefault(variable, Slot(len(numbering)))
    kept: list[Any] = [c.reified(numbering) for c in residue]
    for variable, (low, high) in {} if state.store is None else state.store.bounds.items():
        if variable in numbering and variable not in bindings:
            if low > 0:
                kept.append(Compare("<=", low, numbering[variable]))
            if high is not None:
                kept.append(Compare("<=", numbering[variable], high))
    return Alternative(terms, (), tuple(kept), len(numbering))


def _instance(state: State) -> bool | None:
    """Whether the suspended constraints have a solution in numbers; None where that is not found out quickly."""
    steps = 2000
    stack = [state]
    unsure = False
    while stack and steps:
        steps -= 1
        current = stack.pop()
        constraints = current.constraints()
        if any(type(c) is Delayed for c in constraints):
            return None
        variables = [v for c in constraints for v in c.variables(current.bindings)]
        if not constraints:
            return True
        if not variables:
            return None
        numeric = [v for c in constraints if type(c) is Compare for v in c.variables(current.bindings)]
        if len(numeric) < len(variables):
            return None
        variable = min(
            numeric, key=lambda v: (current.bounds(v)[1] is None, (current.bounds(v)[1] or 0) - current.bounds(v)[0])
        )
        low, high = current.bounds(variable)
        unsure = unsure or high is None or high - low > 200
        for value in reversed(range(low, (low + 200 if high is None else min(high, low + 200)) + 1)):
            work = Work(current)
            if work.unify(variable, value):
                new = work.finish()
                if new is not None:
                    stack.append(new)
    return None if unsure or stack else False
