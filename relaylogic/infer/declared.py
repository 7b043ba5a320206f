"""What a function with declared type parameters demands of them.

`fn <h: ShapeVar>(%x: Tensor[(1, 3, h, h), float32]) { nn.max_pool2d(%x, pool_size=[3, 3]) }` has a type for each h
that a window fits into, so its type says so in a `where`, as it would if h were a hole.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..types import FuncType
from .claims import claim_of
from .conditions import implied
from .driver import Driver
from .extents import Extents, Unsolvable
from .schemes import parts_of
from .sites import RelationSite, Site
from .subsumed import without_subsumed

__all__ = ["with_demands"]


def with_demands(driver: Driver, function: Any, owner: str, among: Iterable[Site]) -> Any:
    """The type of a function with what its calls, `among` some sites, demand of its type parameters in its `where`."""
    if type(function) is not FuncType or not function.type_params:
        return function
    parameters = set(function.type_params)
    sites = [site for site in among if isinstance(site, RelationSite) and _is_conditional(site, owner)]
    sites = [
        site for site in sites if parameters.intersection(parts_of(tuple(map(driver.store.reify, site.arguments))))
    ]
    if not sites:
        return function
    numeric = {site: found for site in sites if (found := site.numbers()) is not None}
    said = [(site, constraint, slots) for site, (constraints, slots) in numeric.items() for constraint in constraints]
    try:
        extents = Extents.solve(said, {}, driver.expressions)
    except Unsolvable as problem:
        driver.contradict(problem.source, f"no extents satisfy this call: {problem.equation}")
        return function
    needed, impossible = implied(extents)
    if impossible is not None:
        driver.contradict(impossible, "no extents satisfy this call")
        return function
    open_ones = {*needed, *extents.other, *(site for site, _ in extents.left)}
    claims = [claim_of(site, driver) for site in sites if site not in numeric or site in open_ones]
    constraints = [claim.constraint for claim in claims if claim is not None]
    known = set(function.type_constraints)
    new = [c for c in without_subsumed(constraints, (function,)) if c not in known]
    return (
        FuncType(function.arg_types, function.ret_type, function.type_params, (*function.type_constraints, *new))
        if new
        else function
    )


def _is_conditional(site: RelationSite, owner: str) -> bool:
    """Whether a site of a function is done, but for conditions on numbers that are never known."""
    solution = site.solution
    return site.owner == owner and site.state == "done" and solution is not None and not solution.decided
