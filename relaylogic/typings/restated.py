"""What an answer leaves over that clause notation has no words for: then the goals are restated that it is left of.

A rule is a program; what a function of its own waits for can be said by the goal alone that calls the rule. With the
values of the answer such a goal holds of no more than the answers of the question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ..clauses.compile import nodes_in
from ..clauses.scope import Names
from ..clauses.show import Namer, is_written, show_constraint
from ..clauses.syntax import Syntax
from ..logic.states.calls import Call
from ..logic.states.state import State
from ..logic.states.work import Work
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import is_ground, variables_of

__all__ = ["Waiting", "goals_of", "residue_of", "restated_calls", "restated_goals"]

Waiting = tuple[Any, tuple[Any, ...]]
"""A relation with its arguments, attributes among them."""


def residue_of(residue: Sequence[Any], name: Namer, restated: Iterable[str]) -> tuple[str, ...]:
    """What is left over, as goals; those that are `restated` if there are no words for some of it."""
    found = [show_constraint(constraint, name) for constraint in residue if is_written(constraint)]
    if len(found) < len(residue):
        found += restated
    return tuple(dict.fromkeys(filter(None, found)))


def _touched(residue: Sequence[Any]) -> set[Any]:
    """The variables that have to do with what there are no words for."""
    parts = [(is_written(constraint), set(variables_of(constraint))) for constraint in residue]
    touched = {variable for written, variables in parts if not written for variable in variables}
    size = -1
    while size < len(touched):
        size = len(touched)
        for _, variables in parts:
            if not touched.isdisjoint(variables):
                touched |= variables
    return touched


def goals_of(body: Syntax, names: Names) -> list[Syntax]:
    """The goals of a query that call relations or operators; all that is said in a disjunction is one."""
    items = body.items if body.kind == "conjunction" else (body,)
    return [item for item in items if any(_calls(node, names) for node in nodes_in(item))]


def _calls(node: Syntax, names: Names) -> bool:
    if node.kind != "call":
        return False
    name = node.value[0]
    return name == "map" or names.relation(name) is not None or names.operator(name) is not None


def restated_goals(goals: Sequence[Syntax], terms: dict[str, Any], residue: Sequence[Any]) -> Iterator[str]:
    """Those goals of a query, as they are written, that what there are no words for may be left of."""
    touched = _touched(residue)
    alone = len(goals) == 1
    for goal in goals:
        mentioned = {node.value for node in nodes_in(goal) if node.kind in ("name", "spread")}
        if alone or "_" in mentioned or any(_touches(terms[name], touched) for name in mentioned & terms.keys()):
            text = " ".join(goal.text.split())
            yield f"({text})" if goal.kind == "disjunction" else text


def _touches(term: Any, touched: Collection[Any]) -> bool:
    return not is_ground(term) and any(variable in touched for variable in variables_of(term))


def restated_calls(
    calls: Sequence[Waiting], asked: Sequence[Any], terms: Sequence[Any], residue: Sequence[Any], name: Namer
) -> Iterator[str]:
    """Those calls of a program that what there are no words for may be left of, with the types of an answer.

    `asked` are the terms in the program that the `terms` of the answer are about.
    """
    work = Work(State({}, None))
    if not work.unify(tuple(asked), tuple(terms)):
        return
    state = work.finish()
    bindings = {} if state is None else state.bindings
    for variable in variables_of(tuple(terms)):
        kept = reify_term(variable, bindings)
        name.names.setdefault(kept, name(variable))
    touched = {reify_term(variable, bindings) for variable in _touched(residue)}
    for relation, arguments in calls:
        known = reify_term(arguments, bindings)
        if not is_ground(known):
            hidden = set(variables_of(known)) - set(name.names)
            for argument in known:
                name.look(argument, None)
            if hidden or any(variable in touched for variable in variables_of(known)):
                yield show_constraint(Call.draft((relation, *known)), name)
