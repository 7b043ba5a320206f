"""Proof trees: which clause of which relation gave an answer, premise by premise.

An answer is proved again with everything it says put in, in a traced search (`relaylogic.logic.premise`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..clauses.show import Namer, show_term
from ..logic.control import Budget, Search, StepLimit
from ..logic.goals import Goal
from ..logic.search import completed
from ..logic.state import State
from ..logic.terms import reify_term
from ..rulebase import Attrs

__all__ = ["Proof", "prove"]

STEPS = 200_000


@dataclass(frozen=True)
class Proof:
    """A conclusion, the clause that gave it (or the premise in words), and what it rests on."""

    conclusion: str
    clause: str
    place: str
    premises: tuple[Proof, ...]

    def __str__(self) -> str:
        lines: list[str] = []
        stack = [(self, 0)]
        while stack:
            proof, depth = stack.pop()
            label = f"  [{proof.clause}]" if proof.clause else ""
            lines.append(f"{'  ' * depth}{proof.conclusion}{label}")
            stack.extend((premise, depth + 1) for premise in reversed(proof.premises))
        return "\n".join(lines)


class _Record:
    """A trace that remembers the steps that held."""

    __slots__ = ("done", "step")

    def __init__(self, step: Any = None, done: tuple[Any, ...] = ()) -> None:
        self.step = step
        self.done = done

    def inside(self, step: Any) -> _Record:
        """The record of what happens within a step."""
        return _Record(step)

    def after(self, inner: Any) -> _Record:
        """This record with a step that held."""
        return _Record(self.step, (*self.done, inner))

    def failed(self, what: Any, state: Mapping[Any, Any]) -> None:
        """Failures are not kept."""


def prove(goal: Goal) -> tuple[Proof, ...] | None:
    """The proofs of the calls that a goal makes, as its first solution makes them; None if it is not found."""
    try:
        for state in goal(State({}, None, Search(Budget(STEPS), trace=_Record()))):
            for complete in completed(state):
                return _proofs(complete.search.trace.done, complete)
    except (StepLimit, RecursionError):
        pass
    return None


def _proofs(records: tuple[Any, ...], state: State) -> tuple[Proof, ...]:
    namer = Namer(())
    # Bottom-up: a record is built when its own records are.
    built: dict[int, Proof] = {}
    stack = [(record, False) for record in records]
    while stack:
        record, ready = stack.pop()
        if not ready:
            stack.append((record, True))
            stack.extend((inner, False) for inner in record.done)
            continue
        premises = tuple(built[id(inner)] for inner in record.done)
        if isinstance(record.step, tuple):
            clause, arguments = record.step
            terms = [a for a in reify_term(arguments, state.bindings) if not isinstance(a, Attrs) and a is not None]
            shown = ", ".join(show_term(term, namer) for term in terms)
            conclusion = f"{clause.relation.name}({shown})"
            built[id(record)] = Proof(conclusion, clause.name, f"{clause.file}:{clause.line}", premises)
        else:
            built[id(record)] = Proof(str(record.step), "", "", premises)
    return tuple(built[id(record)] for record in records)
