"""What stands in the `where` of an open function type: what its calls demand of types and extents that stay open.

A call of a relation is a constraint as it stands. An equation between extents that could not be solved for one of them
is `Identity` of its two sides; that an expression is a natural number is `Identity` of it with itself. Together they
must be possible: some types satisfy them, or the program is refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...logic.search.rows import Row
from ...logic.terms import numbers
from ...logic.terms.mistakes import RuleError
from ...logic.terms.numbers import Arith
from ...rulebase.open_attributes import Open
from ...types import TypeRelation
from ..numbers.conditions import has_sample
from ..numbers.expressions import sides_of
from ..numbers.extents import Extents
from ..sites.demand_goals import Demand
from ..sites.demands import EquationSite
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import parts_of
from ..sites.site import Site
from ..sites.structure import ProjectionSite
from .witnesses import witness

__all__ = ["Claim", "about_extents", "claim_of", "demand_of", "leaves_attributes", "possible"]

MOST_MINIMISED = 12
"""Of at most so many constraints that contradict each other those are found that matter."""


class Claim(NamedTuple):
    """A constraint, and the site that it comes from."""

    site: Site
    constraint: Any


def claim_of(site: Site, driver: Driver) -> Claim | None:
    """What an undecided site demands; None if a `where` cannot say it."""
    reify = driver.store.reify
    if isinstance(site, ProjectionSite):
        return Claim(site, TypeRelation(site.relation.name, tuple(map(reify, site.arguments))))
    if not isinstance(site, RelationSite):
        return None
    relation, given, inputs = site.relation, site.attrs, site.inputs
    if relation.asked is not None:
        relation, spec = relation.asked
        given = Open.make((spec, site.arguments[len(inputs) : -1]))  # as it is written, whatever becomes known of it
    terms = tuple(map(reify, (*inputs, site.arguments[-1])))
    return Claim(site, TypeRelation(relation.name, terms, attrs=driver.attributes.written(relation, given)))


def leaves_attributes(site: Site) -> bool:
    """Whether a call leaves attributes open: what it may be depends on what they are for all."""
    return isinstance(site, RelationSite) and site.relation.asked is not None


def about_extents(
    extents: Extents, needed: Mapping[Site, Sequence[Any]], over: Mapping[Any, Any], driver: Driver
) -> Iterator[Claim]:
    """What calls of open functions demand of extents, beyond what types say.

    `over` are the type parameters that stand for symbols. A rule base without the relation Identity cannot say it:
    then it stays undecided.
    """
    sources = [source for source in (*(s for s, _ in extents.left), *needed) if isinstance(source, EquationSite)]
    if "Identity" not in driver.rules.relations:
        driver.exhausted.update(dict.fromkeys(sources, "no relation Identity"))
        driver.waiting.update(dict.fromkeys(sources))
        return
    for source, gap in extents.left:
        if isinstance(source, EquationSite):
            yield Claim(source, TypeRelation("Identity", sides_of(numbers.substitute(gap, over))))
    for source, conditions in needed.items():
        if isinstance(source, EquationSite):
            for condition in conditions:
                number = numbers.substitute(condition, over)
                yield Claim(source, TypeRelation("Identity", (number, number)))


def possible(claims: list[Claim], extents: Extents, driver: Driver) -> list[Claim]:
    """The claims, without one that cannot hold together with others; its site is refused.

    Nothing is searched for a program that is refuted anyway.
    """
    related = _related([claim for claim in claims if not leaves_attributes(claim.site)])
    numeric = not extents.other and all(claim.site.numbers() is not None for claim in related)
    is_supposed = driver.relaxation is not None
    if driver.failed or (numeric and has_sample(extents)) or _independent(related):
        return claims

    def holds(chosen: list[Claim]) -> bool | None:
        demands = [demand_of(claim, driver) for claim in chosen]
        if not is_supposed and witness(demands, driver.rules) is not None:
            return True
        from .inhabited import has_instance  # the search of `typings`, which few programs need

        return has_instance(demands, driver.rules, is_supposed)

    try:
        found = holds(related)
    except RuleError:
        tripping = _tripping(related, holds)
        for claim, reason in tripping.items():
            driver.contradict(claim.site, reason)
        return [claim for claim in claims if claim not in tripping]
    if found is None and not any(_was_cut_short(claim.site) for claim in related):
        driver.exhausted[related[-1].site] = "satisfiability"
        driver.waiting[related[-1].site] = None
    if found is not False:
        return claims
    conflict = related
    # Of what is supposed only, nobody is told which claims cannot hold together.
    for claim in related if len(related) <= MOST_MINIMISED and not is_supposed else ():
        fewer = [c for c in conflict if c is not claim]
        if fewer and holds(fewer) is False:
            conflict = fewer
    *others, last = conflict
    named = ", ".join(dict.fromkeys(_named(claim.site) for claim in others if claim.site is not last.site))
    driver.contradict(last.site, f"no types satisfy this call{f' together with {named}' if named else ''}")
    if last.site in driver.absorbed:
        driver.absorbed.remove(last.site)
    return [claim for claim in claims if claim.site is not last.site]


def _related(claims: list[Claim]) -> list[Claim]:
    """The claims without those of components of tuples of which no other relation says anything; the others first."""
    related = [claim for claim in claims if not isinstance(claim.site, ProjectionSite)]
    if not related or len(related) == len(claims):
        return related
    known = parts_of(tuple(claim.constraint for claim in related))
    components = (claim for claim in claims if isinstance(claim.site, ProjectionSite))
    return [*(claim for claim in components if claim.constraint.arguments[0] in known), *related]


def _tripping(claims: list[Claim], holds: Callable[[list[Claim]], bool | None]) -> dict[Claim, str]:
    """The claims whose rules trip over their attributes, with what they say; all, if it is all of them together."""
    found: dict[Claim, str] = {}
    for claim in claims:
        try:
            holds([claim])
        except RuleError as problem:
            found[claim] = problem.message
    return found or dict.fromkeys(claims, "this cannot be asked with these attributes")


def demand_of(claim: Claim, driver: Driver) -> Demand:
    """The relation of a claim, what it relates, and the attributes to ask it with."""
    site, constraint = claim
    if isinstance(site, RelationSite):
        return site.relation, constraint.arguments, site.attrs
    return driver.rules.relation(constraint.name), constraint.arguments, None


def _was_cut_short(site: Site) -> bool:
    """Whether a limit was reached at a site before: then that is what leaves it undecided."""
    return isinstance(site, RelationSite) and site.solution is not None and site.solution.limit == "step limit"


def _named(site: Site) -> str:
    name = getattr(site, "callee", "") or site.relation_name
    return f"`{name}`" if site.span is None else f"`{name}` at {site.span.line}:{site.span.column}"


def _independent(claims: Sequence[Claim]) -> bool:
    """Whether the claims have no unknown in common, and each has an answer of which nothing is left but open rows."""
    seen: set[Any] = set()
    for site, constraint in claims:
        solution = site.solution if isinstance(site, RelationSite) else None
        if solution is None or not any(all(type(c) is Row for c in a.residue) for a in solution.answers):
            return False
        parts = set(parts_of((constraint,)))
        if parts & seen or any(type(part) is Arith for part in parts):
            return False
        seen |= parts
    return True
