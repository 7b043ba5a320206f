"""Of the families of typings, those that some types are known to belong to.

What is left over of an open typing is mostly decided where it is left: numbers that nothing satisfies are refuted
there, and so are lists that have no lengths. Goals that wait for more are not; so types are looked for that they hold
of. Where none are found, it is not known whether there is such a typing: it is not listed, and the status says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..infer.open.inhabited import exists
from ..logic import eq
from ..logic.circuits.branching import Root
from ..logic.circuits.circuit import Filled, runs
from ..logic.control import Search
from ..logic.states.goals import Goal, goal, lall
from ..logic.states.suspended import Suspended
from ..logic.states.work import Work
from ..types.universe import Universe
from .answers import Answers, Ended
from .asked import Asked

__all__ = ["Typings", "belongs", "with_members"]

STEPS = 10_000
PLACES = (
    Universe(max_rank=6, min_dim=0, max_arity=4),
    Universe(max_rank=4, max_dim=6, min_dim=0, dtypes=("float32", "int32", "bool"), max_arity=3),
)
"""Where types are looked for, one after the other; extents are not bounded in the first."""


class Typings(Answers):
    """The typings of a program, one after the other."""

    def __init__(self, node: Root, asked: Asked, limit: int | None, steps: int, search: Search) -> None:
        self._root = node
        self._asked = asked
        super().__init__(node, asked.typing, limit, steps, search, asked.universe, asked.outside, asked.names)

    def _walk(self) -> Iterator[list[Any]]:
        return with_members(self._root, self._asked)


def with_members(node: Root, asked: Asked) -> Iterator[list[Any]]:
    """The walks to the answers that something belongs to, in runs. Raises Ended if that was not found out of all."""
    doubted = 0
    for run in runs(node):
        if not node.solver.undecided:
            yield run
            continue
        for path in run:
            if _has_member(Filled(path, node.width), asked):
                yield [path]
            else:
                doubted += 1
    if doubted:
        raise Ended(f"unknown: whether any types belong to {doubted} more was not found out")


def belongs(wanted: tuple[Any, ...], form: Filled) -> Goal:
    """The goal that the terms that are wanted are of a form."""
    return lall(eq(wanted, form.terms), _stated(form))


def _stated(form: Filled) -> Goal:
    """The goal that what a form leaves over holds."""

    def stated(work: Work) -> bool:
        for constraint in form.residue:
            if isinstance(constraint, Suspended):
                work.suspend(constraint)
            elif not work.post(constraint):
                return False
        return True

    return goal(stated)


def _has_member(form: Filled, asked: Asked) -> bool:
    """Whether types are found that are of a form."""
    return not form.residue or any(
        exists(_stated(form), universe.open(zip(form.terms, asked.kinds, strict=True)), universe, asked.rules, STEPS)
        for universe in PLACES
    )
