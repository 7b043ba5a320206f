"""Proof trees: which clause of which relation gave an answer, premise by premise.

An answer is proved again with everything it says put in, in a traced search (`relaylogic.logic.constraints.premise`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..clauses.show import Namer, show_constraint, show_term
from ..logic.constraints.gradual import Agree, Follows, completed
from ..logic.constraints.lengths import Length, SameLength
from ..logic.constraints.premise import Premise
from ..logic.control import Budget, Search, StepLimit
from ..logic.states.goals import Goal
from ..logic.states.state import State
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import is_ground
from ..rulebase import Attrs
from ..types.table import types_in, written_size

__all__ = ["Proof", "prove"]

STEPS = 200_000

MOST_VALUES = 4
"""So many values of one premise are told,"""

LONGEST = 100
"""of so many characters each."""


@dataclass(frozen=True)
class Proof:
    """A conclusion, the clause that gave it (or the premise in words, with its values), and what it rests on."""

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

    def ended(self, what: Any, state: Mapping[Any, Any]) -> None:
        """Nor is what had no outcome."""


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
            built[id(record)] = Proof(_stated(record.step, state, namer), "", "", premises)
    return tuple(built[id(record)] for record in records)


def _stated(premise: Premise, state: State, namer: Namer) -> str:
    """A premise in words, with the values that it has in a state, as far as these are known."""
    said = (reify_term(what, state.bindings) for what in premise.said())
    values = dict.fromkeys(filter(None, (_value(what, namer) for what in said if is_ground(what))))
    return f"{premise.text}: {', '.join(islice(values, MOST_VALUES))}" if values else premise.text


def _value(what: Any, namer: Namer) -> str:
    """What a pair of equal terms, or a constraint, says of its values; "" if nothing short is to be said."""
    terms = what if type(what) is tuple else what.args
    if written_size(types_in(terms)) > LONGEST:
        return ""
    if type(what) is tuple or (type(what) is Follows and not what.args[2]):
        text = show_term(terms[0], namer)
    elif isinstance(what, (Agree, Follows)):
        left, right = terms[1:3] if type(what) is Agree else terms[:2]
        sides = [show_term(left, namer), show_term(right, namer)]
        text = " agrees with ".join(dict.fromkeys(sides))
    elif isinstance(what, (Length, SameLength)):
        text = ""
    else:
        text = show_constraint(what, namer)
    return text if len(text) <= LONGEST else ""
