"""Premises with a name, so that a refusal can say in words what did not hold.

In a search that is traced (`Search.trace`), every primitive that fails is reported with the path of relations, clauses
and premises that led to it; in one that is not, a named premise costs a function call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..states.foreign import as_state
from ..states.goals import Goal, Step, eq, lall, members
from ..states.state import State
from ..states.work import Work
from ..terms.look import Look, written
from .comparisons import Post

__all__ = ["Premise", "enclosed", "stating"]


@dataclass(frozen=True, slots=True)
class Premise:
    """A named premise, as the trace knows it: its words, and the goal that says it."""

    text: str
    body: Goal

    def said(self) -> Iterator[Any]:
        """What it says, as far as that can be written down: constraints, and pairs of terms that are equal."""
        for part in members(self.body):
            with suppress(Look):  # what is not known there cannot be written down
                if type(part) is eq:
                    yield written((part.u, part.v))
                elif type(part) is Post:
                    yield written(part.constraint)

    def __str__(self) -> str:
        return self.text


def enclosed(step: Any, run: Goal) -> Goal:
    """`run`, with `step` on the path of what it reports to the trace."""

    def traced(state: Any) -> Iterator[Any]:
        state = as_state(state)
        search = state.search
        if search.trace is None:
            yield from run(state)
            return
        for result in run(State(state.bindings, state.store, search.followed(search.trace.inside(step)))):
            after = search.followed(search.trace.after(result.search.trace))
            yield State(result.bindings, result.store, after)

    return traced


class _Stated(Step):
    __slots__ = ("body", "text")

    def __init__(self, text: str, body: Step) -> None:
        self.text = text
        self.body = body

    def run(self, work: Work) -> bool:
        outer = work.search
        if outer.trace is None:
            return self.body.run(work)
        work.search = outer.followed(outer.trace.inside(Premise(self.text, self.body)))
        holds = self.body.run(work) and (not work.queue or work.run())
        work.search = outer.followed(outer.trace.after(work.search.trace))
        return holds


def stating(text: str, *goals: Goal) -> Goal:
    """The conjunction of `goals`, which together say `text`: "the inner dimensions agree"."""
    body = lall(*goals)
    return _Stated(text, body) if isinstance(body, Step) else enclosed(Premise(text, body), body)
