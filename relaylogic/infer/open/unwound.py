"""What is known of a type only because a site that goes into it says so: it need not be said twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
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
        candidates, hidden = _bare(candidates, driver)
        view = Without(store.bindings, hidden)
        seen = (*parts.inputs, *parts.others, *(t for s in (*sites, *settled) for t in s.terms))
        visible = set(kinds_in(seen, view, driver.module)) if candidates else set()
        apart = _told_apart(candidates, view)
        kept = [s for s in candidates if s not in apart and not any(walk(v, view) in visible for v in s.introduced)]
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


def _bare(sites: list[RelationSite], driver: Driver) -> tuple[list[RelationSite], set[Any]]:
    """Those of some sites of whose arguments nothing is known but by such sites, and the variables of which these are
    all that says something.

    What a site says counts where it is none of them; so along a chain of calls, one after the other may be none.
    """
    bindings = driver.store.bindings
    one_for_all = set(driver.unknown_attributes)
    sayers: Counter[Any] = Counter()
    users: defaultdict[Any, list[RelationSite]] = defaultdict(list)
    left = dict.fromkeys(sites)
    for site in sites:
        sayers.update(_said_by(site, bindings) - one_for_all)
    agenda: list[RelationSite] = []
    for site in sites:
        for argument in site.arguments:
            last, is_known = _last(argument, bindings)
            if is_known:
                users[last].append(site)
                if not sayers[last]:
                    agenda.append(site)
    while agenda:
        site = agenda.pop()
        if site not in left:
            continue
        del left[site]
        for variable in _said_by(site, bindings) - one_for_all:
            sayers[variable] -= 1
            if not sayers[variable]:
                agenda += users[variable]
    return list(left), {variable for variable, count in sayers.items() if count}


def _said_by(site: RelationSite, bindings: Mapping[Any, Any]) -> set[Any]:
    """The variables of which a site says what they are, and not that they are other variables."""
    return {variable for variable in site.soft if type(bindings.get(variable)) not in VARIABLES}


def _last(term: Any, bindings: Mapping[Any, Any]) -> tuple[Any, bool]:
    """The last of the variables that a term is, one bound to the next, and whether that is bound to something else; a
    term that is no variable is known itself."""
    while type(term) in VARIABLES:
        known = bindings.get(term)
        if type(known) not in VARIABLES:
            return term, known is not None
        term = known
    return term, True


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
