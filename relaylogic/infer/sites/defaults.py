"""What rules fill in by default (`gradual`), where all else has spoken: a weight without a type gets the dtype of
the data if nothing else says what its dtype is.

So a default is no demand. It is left where calls disagree about it, and where it would refuse another call: then what
is open stays open. All are taken at once, so it does not matter in which order the calls of a program stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...logic.terms.terms import variables_of
from .relation_site import RelationSite

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = ["drawn"]


def drawn(driver: Worklist) -> dict[RelationSite, list[tuple[Any, Any]]]:
    """The open variables that are something by default, and what, by the waiting sites that say so."""
    offered: dict[RelationSite, list[tuple[Any, Any]]] = {}
    values: dict[Any, Any] = {}
    disputed: set[Any] = set()
    for site in driver.waiting:
        if type(site) is not RelationSite or not (found := site.defaults(driver.store)):
            continue
        offered[site] = found
        for variable, value in found:
            if values.setdefault(variable, value) != value:
                disputed.add(variable)
    for variable in disputed:
        del values[variable]
    while values and (refused := _refused(values, driver)):
        for variable in refused:
            values.pop(variable, None)
    chosen = {site: [pair for pair in found if pair[0] in values] for site, found in offered.items()}
    return {site: found for site, found in chosen.items() if found}


def _refused(values: dict[Any, Any], driver: Worklist) -> set[Any]:
    """The variables of the sites that cannot hold if variables have these values.

    A site that leaves nothing but defaults holds of others as well.
    """
    store = driver.store
    touched: dict[RelationSite, list[Any]] = {}
    for site in driver.waiting:
        if type(site) is RelationSite and not site.waits_for_defaults:
            variables = variables_of(site.arguments, store.bindings)
            if not values.keys().isdisjoint(variables):
                touched[site] = variables
    if not touched:
        return set()
    with store.tentatively():
        for variable, value in values.items():
            store.bind(variable, value)
        refused = [site for site in touched if not site.is_possible(driver)]
    return {variable for site in refused for variable in touched[site]}
