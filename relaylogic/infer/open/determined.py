"""Results that calls leave open one by one, and determine together.

`add(%x, %y)` has the extent of one of the two where the other is 1. If the other calls of a program allow only one of
these cases, or the same extent comes of all, it is known. That is found by refutation: no types satisfy all calls and
give the result another extent. And calls of one operator with the same arguments have one result; what a call gives of
what another one is given may be what that one gives: `add(%y, %x)` beside `add(%x, %y)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...logic.search.jointly import Jointly
from ...logic.states.unknown import has_unknown
from ...logic.terms.numbers import Arith
from ...logic.terms.terms import variables_of
from ...logic.terms.variables import VARIABLES
from ...types import TensorType, TypeVar
from ..numbers.extents import Extents
from ..sites.demand_goals import parameters_in, said_by_two
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import parts_of, substitute
from ..sites.site import Site
from .claims import Claim, demand_of, leaves_attributes
from .witnesses import drawn_witnesses

__all__ = ["alike", "determined", "open_results", "results_of_others", "without_implied"]

MOST_CANDIDATES = 8
MOST_CLAIMS = 8
MOST_TRIED = 32

Open = tuple[Any, list[Any]]
"""The variable of an extent, and the extents (variables, numbers) that it may be."""

Same = tuple[Site, Any, Any]
"""A call, its result, and what that is."""


def open_results(sites: Sequence[Any], inputs: Any, extents: Extents, driver: Driver) -> list[tuple[Any, Open]]:
    """The extents of results that sites with several answers leave open: not those of `inputs`, nor solved ones."""
    several = [site for site in sites if isinstance(site, RelationSite) and _has_several_answers(site)]
    found: list[tuple[Any, Open]] = []
    known = {*variables_of(inputs, driver.store.bindings), *extents.values} if several else set()
    for site in several:
        *arguments, result = map(driver.store.reify, site.arguments)
        candidates = _extents(arguments)
        for extent in _extents([result]):
            if type(extent) in VARIABLES and extent not in known and extent not in candidates:
                found.append((site, (extent, candidates[:MOST_CANDIDATES])))
    return found


def _has_several_answers(site: RelationSite) -> bool:
    solution = site.solution
    if solution is None or solution.limit:
        return False
    return len(solution.answers) > 1 or (bool(solution.answers) and not solution.exhausted)


def determined(
    results: Sequence[tuple[Any, Open]], claims: Sequence[Claim], driver: Driver
) -> Iterator[tuple[Any, Any]]:
    """Which of the open extents must be which of their candidates, by the claims of all calls.

    That is looked for only where the candidates depend on each other, and among the claims that speak of the same.
    """
    reify = driver.store.reify
    claims = [claim for claim in claims if not leaves_attributes(claim.site)]
    parts = {claim.site: {p for p in parts_of((claim.constraint,)) if type(p) is TypeVar} for claim in claims}
    tried = 0
    for site, (extent, candidates) in results:
        known = [reify(candidate) for candidate in candidates]
        mine = parts.get(site, set())
        about = [claim for claim in claims if parts[claim.site] & mine][:MOST_CLAIMS]
        if not about or not any(type(number) is Arith for number in known):
            continue  # its own answers say all
        from .inhabited import must_equal  # the search of `typings`, which few programs need

        demands = [demand_of(claim, driver) for claim in about]
        wanted = reify(extent)
        drawn = list(drawn_witnesses(demands, driver.rules))
        for candidate, number in zip(candidates, known, strict=True):
            if any(_differ(wanted, number, values) for values in drawn):
                continue
            tried += 1
            if tried > MOST_TRIED:
                return
            if must_equal(wanted, number, demands, driver.rules):
                yield extent, candidate
                break


def _differ(extent: Any, other: Any, values: Mapping[Any, Any]) -> bool:
    """Whether two extents are not equal where type parameters have some values."""
    equations: list[Any] = []
    a, b = substitute((extent, other), values, equations)
    return not equations and type(a) is int and type(b) is int and a != b


def alike(claims: Sequence[Claim], driver: Driver) -> Iterator[Same]:
    """Results of calls of one operator with the same arguments and attributes, which are not known to be one yet.

    Nothing is concluded where `?` stands in a result: an annotation may say less than another one.
    """
    first: dict[Any, Claim] = {}
    for claim in claims:
        site, constraint = claim
        if not isinstance(site, RelationSite):
            continue
        *arguments, result = constraint.arguments
        call = driver.attributes.call(site.relation, site.attrs, arguments)
        if call is None:
            continue
        other = first.setdefault(call, claim)
        its = other.constraint.arguments[-1]
        if result is not its and not has_unknown((result, its)) and isinstance(other.site, RelationSite):
            yield site, site.arguments[-1], other.site.arguments[-1]


def results_of_others(claims: Sequence[Claim], driver: Driver) -> Iterator[Same]:
    """Results of calls that are something else where another call is right, too: an argument, or a part of that one."""
    for claim, other, said in _said_by_two(claims, driver):
        terms = (*claim.constraint.arguments, *other.constraint.arguments)
        last = len(claim.constraint.arguments) - 1
        for number, place in enumerate(said.places or ()):
            is_other = place == said.places[last] and terms[number] is not terms[last]  # type: ignore[index]
            if is_other and not has_unknown((terms[number], terms[last])):
                meant = (*claim.site.terms, *other.site.terms)
                yield claim.site, meant[last], meant[number]
                break


def without_implied(claims: Sequence[Claim], driver: Driver) -> list[Claim]:
    """The claims without those of calls that are right wherever another one is."""
    kept = dict.fromkeys(claims)
    for claim, other, said in _said_by_two(claims[::-1], driver):
        if said.is_told and claim in kept and other in kept:
            del kept[claim]
    return list(kept)


def _said_by_two(claims: Sequence[Claim], driver: Driver) -> Iterator[tuple[Claim, Claim, Jointly]]:
    """Calls, each with another one that speaks of all that this one is given, and what both say jointly of the terms of
    the one and of the other."""
    told = [claim for claim in claims if isinstance(claim.site, RelationSite) and not leaves_attributes(claim.site)]
    about: dict[Any, dict[Claim, None]] = {}  # the calls that speak of a type parameter
    for claim in told:
        for parameter in parameters_in(claim.constraint.arguments):
            about.setdefault(parameter, {})[claim] = None
    tried = 0
    for claim in told:
        first, *others = [about[parameter] for parameter in parameters_in(claim.constraint.arguments[:-1])] or [{}]
        for other in first:
            if other is not claim and all(other in speaking for speaking in others):
                tried += 1
                if tried > MOST_TRIED:
                    return
                said = said_by_two(demand_of(other, driver), demand_of(claim, driver), driver.rules)
                if said is not None:
                    yield claim, other, said


def _extents(types: Sequence[Any]) -> list[Any]:
    """The extents of tensors, each once."""
    shapes = [t.shape for t in types if type(t) is TensorType and type(t.shape) is tuple]
    return list(dict.fromkeys(extent for shape in shapes for extent in shape))
