"""The steps of an inference in words, one after the other: what a `Recording` says, for people and other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...ir import Call
from ...ir.short import callee_name
from ...logic.terms.flat import Record
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import Slot
from ...types import show_type
from ..sites.relation_site import RelationSite
from ..sites.site import Site
from ..sites.structure import StructureSite
from .recording import Attempt, Recording

__all__ = ["MOST_ALTERNATIVES", "TRACE_VERSION", "Conclusion", "Step", "steps_of"]

TRACE_VERSION = 1
"""The form of `Step.to_dict`, and of the header of a file of steps."""

MOST_ALTERNATIVES = 4
"""So many alternatives of a step are told; `Step.alternatives` counts all that are known."""


@dataclass(frozen=True, slots=True)
class Conclusion(Record):
    """A variable `_3` became something: what it was known to be `before` and `after`, as texts.

    Before, an unknown one is itself.
    """

    variable: str
    before: str
    after: str

    def to_dict(self) -> dict[str, str]:
        """The conclusion as plain data."""
        return {"variable": self.variable, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Step(Record):
    """One step of the worklist: an attempt of a site, or what generalising a function concluded (`site` is 0).

    Unknown types, shapes, extents and dtypes are `_1`, `_2` ... in all texts of one trace. A site is known by its
    number; its place is `span` in `function`, and `place` in words where it is about a part of an expression;
    `callee` is what is called there, or the kind of expression; `relation` what it asks. `attempt` counts the attempts
    of the site. `knew` are the terms that it relates, as they were known before, its result last. `alternatives` is
    how many answers the rules gave, None if they were not asked, `answers` are the first of them (`_` is open), and
    `exhausted` says that there are no others. `clause` is what answered, if one clause did. `concluded` is what became
    known: applied one after the other, the conclusions of all steps give the types of the program. `outcome` is
    "done", "waiting", "refused", "given up" or "generalised", `message` its reason, if there is one to tell. `woke` are
    the numbers of the sites that are tried again for it.
    """

    number: int
    site: int
    function: str
    callee: str
    place: str
    relation: str
    span: Any
    attempt: int
    knew: tuple[str, ...]
    alternatives: int | None
    answers: tuple[tuple[str, ...], ...]
    exhausted: bool
    clause: str
    concluded: tuple[Conclusion, ...]
    outcome: str
    message: str
    woke: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """The step as plain data; lines and columns count from 1, and are null for what was not read from a text."""
        span = self.span
        place = (None,) * 4 if span is None else (span.line, span.column, span.end_line, span.end_column)
        said = {name: getattr(self, name) for name in ("number", "site", "function", "callee", "place", "relation")}
        return {
            **said,
            **dict(zip(("line", "col", "end_line", "end_col"), place, strict=True)),
            "attempt": self.attempt,
            "knew": list(self.knew),
            "alternatives": self.alternatives,
            "answers": [list(answer) for answer in self.answers],
            "exhausted": self.exhausted,
            "clause": self.clause,
            "concluded": [conclusion.to_dict() for conclusion in self.concluded],
            "outcome": self.outcome,
            "message": self.message,
            "woke": list(self.woke),
        }


def steps_of(recording: Recording) -> Iterator[Step]:
    """The steps of a recording; what each knew is worked out by applying the conclusions of those before."""
    known: dict[Any, Any] = {}
    names: dict[Any, str] = {}

    def named(term: Any) -> str:
        if type(term) is Slot:
            return "_"
        return names.setdefault(term, f"_{len(names) + 1}")

    def show(term: Any) -> str:
        return show_type(reify_term(term, known), named)

    for attempt in recording.attempts:
        yield _step(attempt, recording, known, show, named)


def _step(
    attempt: Attempt,
    recording: Recording,
    known: dict[Any, Any],
    show: Callable[[Any], str],
    named: Callable[[Any], str],
) -> Step:
    """A step; what it concluded is known from there on."""
    site, solution = attempt.site, attempt.solution
    knew = tuple(map(show, attempt.terms))
    changed = [(variable, new, show(variable)) for variable, _, new in attempt.changed()]
    for variable, new, _ in changed:
        if new is None:
            known.pop(variable, None)
        else:
            known[variable] = new
    concluded = tuple([Conclusion(named(variable), before, show(variable)) for variable, _, before in changed])
    answers = () if solution is None else solution.answers
    return Step(
        attempt.number,
        0 if site is None else recording.number(site),
        attempt.owner,
        "" if site is None else _callee(site),
        getattr(site, "place", ""),
        "" if site is None else site.relation_name,
        None if site is None else site.span,
        attempt.tried,
        knew,
        None if solution is None else len(answers),
        tuple(tuple(show_type(term, named) for term in answer.terms) for answer in answers[:MOST_ALTERNATIVES]),
        solution is not None and solution.exhausted,
        clause_of(attempt),
        concluded,
        attempt.outcome,
        attempt.message,
        tuple(map(recording.number, attempt.woken)),
    )


def clause_of(attempt: Attempt) -> str:
    """The clause that answered, "" if it was not one."""
    site, solution = attempt.site, attempt.solution
    if solution is not None and len(solution.answers) == 1:
        return solution.clause
    if isinstance(site, StructureSite) and len(site.relation.clauses) == 1 and attempt.outcome == "done":
        return site.relation.clauses[0].name
    return ""


def _callee(site: Site) -> str:
    """What a site is about: what is called, or the kind of expression."""
    expr = site.expr
    if isinstance(site, RelationSite) and site.callee:
        return site.callee
    return callee_name(expr) if isinstance(expr, Call) else type(expr).__name__.lower()
