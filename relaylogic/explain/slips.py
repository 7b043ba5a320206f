"""Slips at the very place of a refusal: arguments in the wrong order, a part for the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..infer.callsite import solve_site
from ..infer.repairs import exchanged
from ..infer.sites import EqualSite, RelationSite
from ..infer.structure import InstanceSite
from ..ir import Call, Function, Tuple, post_order
from ..ir import Var as LocalVar
from ..logic.terms import canonical
from ..types import TupleType

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["slipped"]


def slipped(site: Site, inference: Inference) -> bool:
    """Whether the refused `site` would hold with what stands there put a little differently."""
    if isinstance(site, RelationSite):
        return _swapped(site, inference)
    return isinstance(site, (EqualSite, InstanceSite)) and (_misplaced(site, inference) or _forgotten(site, inference))


def _swapped(site: RelationSite, inference: Inference) -> bool:
    """Whether the call is right with two of its arguments exchanged."""
    store = inference.driver.store
    arguments = tuple(store.reify(a) for a in site.arguments)
    for inputs in exchanged(arguments[:-1]):
        if inputs != arguments[:-1]:
            key = canonical((*inputs, arguments[-1]), {})
            if solve_site(inference.driver.rules, site.relation, key, site.attrs).answers:
                return True
    return False


def _misplaced(site: EqualSite | InstanceSite, inference: Inference) -> bool:
    """Whether another argument of the call, or a part of what stands there, has the wanted type."""
    store, types = inference.driver.store, inference.generator.types
    wanted, actual = store.reify(site.expected), store.reify(site.actual)
    if type(wanted) is TupleType and wanted.fields == (actual,):
        return True
    expr = site.expr
    parts = expr.args if type(expr) is Call else expr.fields if type(expr) is Tuple else ()
    if type(expr) is Call and site.place.startswith("the "):
        return False
    return any(store.reify(types[id(p)]) == wanted for p in parts if id(p) in types)


def _forgotten(site: EqualSite | InstanceSite, inference: Inference) -> bool:
    """Whether a variable that nobody uses has just the type that is missing."""
    missing = getattr(site.error.__cause__, "right", None) if site.error is not None else None
    function = next((f for v, f in inference.module.functions.items() if v.name_hint == site.owner), None)
    if missing is None or function is None:
        return False
    store, types = inference.driver.store, inference.generator.types
    missing = store.reify(missing)
    used = {id(node) for node in post_order(function) if isinstance(node, LocalVar)}
    return any(id(v) not in used and store.reify(types.get(id(v))) == missing for v in bound_variables(function))


def bound_variables(function: Any) -> list[Any]:
    """All variables that a function binds: parameters, lets, patterns."""
    from ..ir import Let, Match, pattern_vars

    found: list[Any] = []
    for node in post_order(function):
        if type(node) is Function:
            found.extend(node.params)
        elif type(node) is Let:
            found.append(node.var)
        elif type(node) is Match:
            for clause in node.clauses:
                found.extend(pattern_vars(clause.lhs))
    return found
