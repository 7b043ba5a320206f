"""What is open in a body and shows in no type outside: the type of a closure in a tuple that nobody takes it out of.

It is one type, and nobody will know which. So it is enough that there is one: then the body is typed. The type
parameters of the function are not chosen; there must be one whatever they stand for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ...logic.terms.terms import variables_of
from ...types import TypeVar
from ..checks.kinds import open_kinds
from ..sites.demands import EquationSite
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import parts_of
from ..sites.site import Site
from ..sites.structure import ProjectionSite
from .claims import claim_of, demand_of

__all__ = ["settle_local"]


def settle_local(driver: Driver, owners: Collection[str], fixed: Iterable[Any]) -> None:
    """Settle what waits in the bodies of some functions, and has nothing to do with what else is open: with variables
    in the terms `fixed`, with attributes that are not known."""
    bindings = driver.store.bindings
    outside = set(variables_of(tuple(fixed), bindings))
    for sites in list(_tied(driver.waiting, bindings)):
        own = all(site.owner in owners and _is_plain(site) and site not in driver.exhausted for site in sites)
        if own and outside.isdisjoint(variables_of(tuple([site.terms for site in sites]), bindings)):
            _settle(sites, driver)


def _is_plain(site: Site) -> bool:
    """Whether a site speaks of types and extents, and nothing besides."""
    return isinstance(site, (EquationSite, ProjectionSite)) or (
        isinstance(site, RelationSite) and site.relation.asked is None
    )


def _tied(waiting: Iterable[Site], bindings: Any) -> Iterator[list[Site]]:
    """The sites, those together that have a variable in common, or others that tie them."""
    touched = {site: variables_of(site.terms, bindings) for site in waiting}
    users: dict[Any, list[Site]] = {}
    for site, variables in touched.items():
        for variable in variables:
            users.setdefault(variable, []).append(site)
    met: set[Site] = set()
    for site in touched:
        group = [] if site in met else [site]
        met.update(group)
        for member in group:  # it grows meanwhile
            for variable in touched[member]:
                new = [other for other in users.pop(variable, ()) if other not in met]
                met.update(new)
                group += new
        if group:
            yield group


def _settle(sites: Sequence[Site], driver: Driver) -> None:
    """Settle sites that have nothing to do with others, if there are types for what is open."""
    from .inhabited import has_types  # the search of `typings`, which few programs need

    reify = driver.store.reify
    demands = [demand_of(claim, driver) for site in sites if (claim := claim_of(site, driver)) is not None]
    equations = [s.equation for s in sites if isinstance(s, EquationSite)]
    said = [(reify(e.hole), reify(e.expression)) for e in equations]
    terms = (*(terms for _, terms, _ in demands), *said)
    found = has_types(demands, said, open_kinds(terms, driver.module), driver.rules)
    if found:
        for site in sites:
            site.state = "absorbed"
            driver.absorbed.append(site)
            driver.waiting.pop(site)
    elif not any(type(part) is TypeVar for part in parts_of(terms)):
        if found is None:
            driver.exhausted[sites[-1]] = "satisfiability"
        else:
            *others, last = sites
            driver.settled_none = True
            driver.contradict(last, f"no types satisfy this call{' together with the others' if others else ''}")
