"""Results that calls leave open one by one, and determine together.

`add(%x, %y)` has the extent of one of the two where the other is 1. If the other calls of a program allow only one of
these cases, or the same extent comes of all, it is known. That is found by refutation: no types satisfy all calls and
give the result another extent. And calls of one operator with the same arguments have one result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...logic.states.unknown import has_unknown
from ...logic.terms.numbers import Arith
from ...logic.terms.terms import variables_of
from ...logic.terms.variables import VARIABLES
from ...types import TensorType, TypeVar
from ..numbers.extents import Extents
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import parts_of, substitute
from .claims import Claim, demand_of
from .witnesses import drawn_witnesses

__all__ = ["alike", "determined", "open_results"]

MOST_CANDIDATES = 8
MOST_CLAIMS = 8
MOST_TRIED = 32

Open = tuple[Any, list[Any]]
"""The variable of an extent, and the extents (variables, numbers) that it may be."""


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


def alike(claims: Sequence[Claim], driver: Driver) -> Iterator[tuple[RelationSite, RelationSite]]:
    """Calls of operators with the same arguments and attributes, whose results are not known to be one yet.

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
            yield site, other.site


def _extents(types: Sequence[Any]) -> list[Any]:
    """The extents of tensors, each once."""
    shapes = [t.shape for t in types if type(t) is TensorType and type(t.shape) is tuple]
    return list(dict.fromkeys(extent for shape in shapes for extent in shape))
