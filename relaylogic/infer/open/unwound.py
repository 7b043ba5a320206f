"""What is known of a type only because a site that goes into it says so: it need not be said twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...logic.terms.terms import Cons, walk
from ...logic.terms.variables import VARIABLES
from ...types import TensorType, TupleType
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.site import Site
from .absorbed import Parts, Without, kinds_in, open_sites

__all__ = ["share", "unknown_tuples", "unwound"]


def unwound(driver: Driver, parts: Parts, said: dict[Site, None]) -> set[Any]:
    """The variables whose bindings only repeat what an undecided site says of any call.

    Those are the arguments of a site of which only that is known, and nothing (no rank, no extent, no dtype) that
    attributes, other arguments or other sites tell. Not those of sites that are `said` by the types, nor those of which
    a site that is settled has made something: that would speak of what is in no type, and be one for all uses.
    """
    store = driver.store
    sites = open_sites(driver)
    candidates = [
        s for s in sites if isinstance(s, RelationSite) and s not in said and s.soft and _tells_nothing(s, store)
    ]
    settled = [s for s in driver.sites[driver.begun :] if s.state == "done"] if candidates else []
    while candidates:
        hidden = {v for s in candidates for v in s.soft if type(store.bindings.get(v)) not in VARIABLES}
        hidden.difference_update(driver.unknown_attributes)  # these are one for all uses
        view = Without(store.bindings, hidden)
        kept = [s for s in candidates if _is_bare(s, view)]
        if not kept:
            break
        seen = (*parts.inputs, *parts.others, *(t for s in (*sites, *settled) for t in s.terms))
        visible = set(kinds_in(seen, view, driver.module))
        apart = _told_apart(candidates, view)
        kept = [s for s in kept if s not in apart and not any(walk(v, view) in visible for v in s.introduced)]
        if len(kept) == len(candidates):
            return hidden
        candidates = kept
    return set()


def unknown_tuples(driver: Driver) -> dict[Any, Any]:
    """The variables of which a site says that they are tuples, and nothing says of what, each with that list.

    A type parameter stands for the whole: none stands for a list of types.
    """
    store = driver.store
    sites = [site for site in open_sites(driver) if isinstance(site, RelationSite)]
    known = ((variable, store.bindings.get(variable)) for site in sites for variable in site.soft)
    tuples = {v: store.walk(term.fields) for v, term in known if type(term) is TupleType}
    return {variable: fields for variable, fields in tuples.items() if type(fields) in VARIABLES}


def share(sites: Iterable[RelationSite], driver: Driver) -> None:
    """Where sites say the same of several variables, one stands for all.

    They have been made one, and would be told apart if what is known of them did not count.
    """
    store = driver.store
    first: dict[Any, Any] = {}
    for site in sites:
        for variable in site.soft:
            if type(store.bindings[variable]) not in VARIABLES:
                one = first.setdefault(store.reify(variable), variable)
                if one is not variable:
                    store.bindings[variable] = one


def _told_apart(sites: list[RelationSite], view: Any) -> set[RelationSite]:
    """The sites of which one has brought in what another one has, though no argument of theirs is one.

    So something else has told that, a call that is decided: `nn.dense` of what two calls of `nn.batch_flatten` give.
    """
    arguments = {site: {walk(argument, view) for argument in site.arguments} for site in sites}
    first: dict[Any, RelationSite] = {}
    apart: set[RelationSite] = set()
    for site in sites:
        for variable in site.introduced:
            other = first.setdefault(walk(variable, view), site)
            if arguments[other].isdisjoint(arguments[site]):
                apart.update((site, other))
    return apart


def _is_bare(site: RelationSite, view: Any) -> bool:
    """Whether nothing is known of the arguments of a site but by that site."""
    return all(type(walk(argument, view)) in VARIABLES for argument in site.arguments)


def _tells_nothing(site: RelationSite, store: Any) -> bool:
    """Whether what a site says of its arguments, it says of any: its attributes tell nothing."""
    # Something else has told what it brought in: a value, or that two of these are one.
    brought = [store.walk(v) for v in site.introduced]
    if len(set(brought)) < len(brought) or any(type(known) not in VARIABLES for known in brought):
        return False
    if not (site.relation.takes_attrs or site.relation.asked):
        return True
    said = [store.reify(variable) for variable in site.soft]
    return all(
        type(t) in VARIABLES or (type(t) in (TensorType, TupleType) and all(map(_is_open, t.args))) for t in said
    )


def _is_open(part: Any) -> bool:
    """Whether nothing is known of a dtype or a shape, but perhaps how many extents it has at least: an axis that is
    among the attributes of a constraint says so there."""
    if type(part) is Cons:
        return type(part.tail) in VARIABLES and all(type(extent) in VARIABLES for extent in part.prefix)
    return type(part) in VARIABLES
