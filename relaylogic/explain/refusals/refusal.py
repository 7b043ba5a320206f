"""Why a relation refuses a call: the premise that failed, with its values, and what would fit instead."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...infer.sites.structure import InstanceSite, StructureSite
from ...logic.constraints.premise import Premise
from ...logic.search.search import search
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import Slot
from ...rulebase import Clause, Relation, RuleBase, RuleError
from ...types import TupleType, show_type
from ...types.possible import are_possible, flaw
from .differences import compatible, denied
from .trace import Failure, Trace
from .words import failed

if TYPE_CHECKING:
    from ...infer.sites.driver import Driver

__all__ = ["Reason", "explain_refusal", "explain_structure"]

STEPS = 20_000

_FREED = 10_000
"""The number of the slot that stands for what is left open, above those that are there."""

_MOST_FIELDS = 8
"""Of so many fields of a tuple it is asked what would fit."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A refusal in parts: the clause that came furthest, the premise that failed there, and types that would fit."""

    clause: str
    premise: str
    hints: tuple[str, ...]


def explain_refusal(rules: RuleBase, relation: Relation, arguments: tuple[Any, ...], attrs: Any) -> Reason:
    """The reason why no clause of `relation` accepts the canonical `arguments`."""
    premises, detail, clause = _failing(rules, relation, arguments, attrs)
    premise = ": ".join([*premises[-1:], detail] if detail else premises[-1:])
    hints = _hints(rules, relation, arguments, attrs)
    return Reason(clause, premise or _not_said(relation), hints)


def _not_said(relation: Relation) -> str:
    """What is said where no clause says why: what the relation is about."""
    about = " ".join(relation.doc.split())
    return f"no clause applies; {relation.name} says: {about}" if about else "no clause applies"


def _failing(rules: RuleBase, relation: Relation, arguments: tuple[Any, ...], attrs: Any) -> tuple[list[str], str, str]:
    """Of the failure that came furthest: the premises that it is within, what it was, the clause; all may be empty."""
    trace = Trace()
    terms = instantiate(arguments, {})
    # A relation may call itself without an end, or trip over an attribute; some premise has failed until then.
    with suppress(RecursionError, RuleError):
        control = rules.control(STEPS, relation, arguments, attrs, trace=trace)
        for answer in search(relation.cases(terms, attrs), terms, control).answers:
            if not are_possible(answer.terms):
                return [], flaw(answer.terms), answer.clause
    told = [_told(failure) for failure in trace.furthest()]
    if len(told) > 1 and told[0][0] == told[1][0] and not told[0][1]:
        return told[1]
    return next((said for said in told if said[0] or said[1]), told[0] if told else ([], "", ""))


def _told(failure: Failure) -> tuple[list[str], str, str]:
    clauses = [step[0].name for step in failure.path if type(step) is tuple and isinstance(step[0], Clause)]
    texts = [step.text for step in failure.path if type(step) is Premise]
    return texts, failed(failure.what), clauses[0] if clauses else ""


def explain_structure(driver: Driver, site: StructureSite, message: str) -> tuple[str, str]:
    """What is said of a refused constructor, pattern or projection: what does not fit, and the clause that says so.

    All that fits is as the clause wants it, so the premise that fails is the one about the rest.
    """
    arguments = tuple(map(driver.store.reify, site.arguments))
    if isinstance(site, InstanceSite) and site.refused is not None:
        wrong = driver.store.reify(site.actual)
        arguments = (*arguments[: site.refused], wrong, *arguments[site.refused + 1 :])
    premises, _, clause = _failing(driver.rules, site.relation, canonical(arguments, {}), None)
    clause = clause or site.relation.clauses[0].name
    stated = f"; {premises[-1]}" if premises else ""
    return f"{message}{stated} [{site.relation.name}, clause {clause}]", clause


def _hints(rules: RuleBase, relation: Relation, arguments: tuple[Any, ...], attrs: Any) -> tuple[str, ...]:
    """For each argument that could be otherwise to make the call right: what it would have to be; of a tuple, for each
    field."""
    found = []
    count = len(arguments)
    for i, given in enumerate(arguments):
        if type(given) is Slot or count < 2:
            continue
        name = "the result" if i == count - 1 else f"`{relation.parameters[i]}`"
        fitting = _fitting(rules, relation, arguments, i, Slot(_FREED), attrs)
        if fitting is not None and _is_denied(given, fitting):
            found.append(f"{name} would fit as {show_type(fitting)}")
        fields = given.fields if type(given) is TupleType and type(given.fields) is tuple else ()
        for k, field in enumerate(fields[:_MOST_FIELDS] if len(fields) > 1 else ()):
            freed = TupleType((*fields[:k], Slot(_FREED), *fields[k + 1 :]))
            whole = _fitting(rules, relation, arguments, i, freed, attrs)
            if whole is not None and _is_denied(field, whole.fields[k]):
                found.append(f"field .{k} of {name} would fit as {show_type(whole.fields[k])}")
    return tuple(found[:2])


def _fitting(rules: RuleBase, relation: Relation, arguments: tuple[Any, ...], i: int, freed: Any, attrs: Any) -> Any:
    """What an argument, of which that is left open which is `freed`, would have to be beside the others; None if
    nothing fits, or nothing is said."""
    key = _renumbered(canonical((*arguments[:i], freed, *arguments[i + 1 :]), {}))
    try:
        solution = rules.solve(relation, key, attrs, steps=STEPS)
    except RuleError:  # asked like this, the rule trips over an attribute
        return None
    return None if solution.general is None or type(solution.general[i]) is Slot else solution.general[i]


def _is_denied(given: Any, fitting: Any) -> bool:
    """Whether what is given is not what would fit: what is there may fit already, as far as the text tells."""
    asked, would = instantiate(given, {}), instantiate(fitting, {})
    return not compatible(asked, would) and bool(denied(asked, would))


def _renumbered(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with their slots numbered from 0 in order of occurrence."""
    return canonical(instantiate(arguments, {}), {})
