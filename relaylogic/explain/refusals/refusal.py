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
from ...types import show_type
from ...types.possible import are_possible, flaw
from .differences import compatible, denied
from .trace import Failure, Trace
from .words import failed

if TYPE_CHECKING:
    from ...infer.sites.driver import Driver

__all__ = ["Reason", "explain_refusal", "explain_structure"]

STEPS = 20_000


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
    """For each argument that could be otherwise to make the call right: what it would have to be."""
    found = []
    count = len(arguments)
    for i in range(count):
        if type(arguments[i]) is Slot or count < 2:
            continue
        freed = canonical((*arguments[:i], Slot(10_000), *arguments[i + 1 :]), {})
        freed = _renumbered(freed)
        try:
            solution = rules.solve(relation, freed, attrs, steps=STEPS)
        except RuleError:  # asked like this, the rule trips over an attribute
            continue
        if solution.general is None or type(solution.general[i]) is Slot:
            continue
        asked, fitting = instantiate(arguments[i], {}), instantiate(solution.general[i], {})
        # What is there fits already, as far as the text tells: something else does not.
        if compatible(asked, fitting) or not denied(asked, fitting):
            continue
        place = "the result" if i == count - 1 else f"`{relation.parameters[i]}`"
        fits = show_type(solution.general[i])
        found.append(f"{place} would fit as {fits}")
    return tuple(found[:2])


def _renumbered(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with their slots numbered from 0 in order of occurrence."""
    return canonical(instantiate(arguments, {}), {})
