"""Calls of known types some attributes of which are open, answered by programs that tell all that they may come to."""

from __future__ import annotations

from typing import Any

from ...logic.control import Budget, Search
from ...logic.search.antiunify import generalise
from ...logic.search.search import Answer, Solution, told
from ...logic.search.sketch import FAR
from ...logic.states.state import State
from ...logic.states.unknown import may_be_unknown
from ...logic.states.work import Work
from ...logic.terms.rebuilding import instantiate
from ...logic.terms.terms import Slot, is_ground
from ...types.possible import are_possible
from ..attribute_universe import UNBOUNDED
from .compiled import UNTOLD
from .question import RESULT

__all__ = ["inputs_asked", "solution_of_all"]

_STEPS = 5_000
"""So many steps at most are taken to compare two types."""


def inputs_asked(relation: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The inputs of a call of a relation that asks for attributes, the result last, if nothing is known of these; None
    if something is."""
    spec = relation.asked[1]
    inputs, values = arguments[: -1 - len(spec.open)], arguments[-1 - len(spec.open) : -1]
    is_open = spec.bounds == UNBOUNDED and not any(spec.written) and all(type(value) is Slot for value in values)
    return inputs if is_open else None


def solution_of_all(relation: Any, arguments: tuple[Any, ...], rules: Any) -> Solution | None:
    """What is known of such a call, if a program tells all that it may come to, and each of that is sure; None if not.

    Its answers say nothing of the attributes.
    """
    inputs, result = inputs_asked(relation, arguments), arguments[-1]
    if inputs is None or not all(map(is_ground, inputs)) or may_be_unknown(arguments):
        return None
    found = rules.all_of(*relation.asked, inputs, RESULT)
    if found is UNTOLD:
        return None
    start = State({}, None, Search(Budget(_STEPS)))
    fitting = [pair for pair in found if Work(start).unify(instantiate(result, {}), pair[0])]
    if not all(is_sure and is_ground(value) and are_possible((value,)) for value, is_sure in fitting):
        return None
    answers = tuple([Answer((*arguments[:-1], value), "", ()) for value, _ in fitting])
    general = answers[0].terms if answers else None
    for answer in answers[1:]:
        general = generalise(general, answer.terms, FAR)  # type: ignore[arg-type]
    return told(answers, general)
