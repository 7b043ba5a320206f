"""Generalisation: what a function leaves open becomes its type parameters, with the undecided relations as `where`.

`fn (%x, %y) { add(%x, %y) }` gets `fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)`. What an undecided
relation has made known of its arguments (that they are tensors of one dtype) is implied by the constraint, so it is
not repeated in the type, unless something else builds on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unification import Var

from ..logic.numbers import evaluate
from ..logic.terms import Term, walk
from ..types import FuncType, TensorType, TypeRelation, TypeVar
from .driver import PROJECTION, Driver, site_terms
from .sites import EquationSite, ProjectSite, RelationSite, Site

__all__ = ["generalise"]


def generalise(driver: Driver, types: list[Any], fixed: Iterable[Any] = ()) -> tuple[list[Any], bool]:
    """The given function types with what they leave open as type parameters, and whether there was anything.

    Variables in the terms `fixed` (the types of the environment) stay as they are.
    """
    store = driver.store
    reified = [store.reify(t) for t in types]
    if all(getattr(t, "ground", False) for t in reified):
        return reified, False
    sites: list[Site] = [s for s in driver.waiting if isinstance(s, (RelationSite, EquationSite, ProjectSite))]
    hidden = _unwound(driver, types, sites)
    view = {v: t for v, t in store.bindings.items() if v not in hidden} if hidden else store.bindings
    kept = set(_kinds(tuple(fixed), view))
    open_kinds = {v: kind for v, kind in _kinds(tuple(types), view).items() if v not in kept}
    absorbed = _connected(sites, open_kinds, kept, view)
    if not open_kinds:
        return reified, False
    for site in absorbed:
        site.state = "absorbed"
        if not _unknown(site):
            driver.absorbed.append(site)
            driver.waiting.pop(site, None)
    equations = [s for s in absorbed if isinstance(s, EquationSite)]
    defined = {walk(s.equation.hole, view) for s in equations}
    taken = {p.name_hint for t in reified if isinstance(t, FuncType) for p in t.type_params}
    names = _names(taken)
    parameters: list[Any] = []
    for variable, kind in open_kinds.items():
        if variable not in defined:
            parameters.append(TypeVar(next(names), kind))
            store.bindings[variable] = parameters[-1]
    for site in equations:
        hole = store.walk(site.equation.hole)
        value = evaluate(site.equation.expression, store.bindings)
        if type(hole) is Var and value is not None:
            store.bindings[hole] = value
    constraints = [_constraint(s, driver) for s in absorbed if not isinstance(s, EquationSite)]
    return [_quantified(store.reify(t), parameters, constraints) for t in types], True


def _unknown(site: Site) -> bool:
    """Whether a limit was reached before anything was known of a site: the constraint may be one that never holds."""
    solution = site.solution if isinstance(site, RelationSite) else None
    return solution is not None and not solution.answers and not solution.exhausted


def _constraint(site: Site, driver: Driver) -> Any:
    """An undecided site as a constraint of a function type."""
    reify = driver.store.reify
    if isinstance(site, ProjectSite):
        return TypeRelation(f"{PROJECTION}{site.index}", (reify(site.tuple_type), reify(site.result)))
    assert isinstance(site, RelationSite)
    return TypeRelation(site.relation.name, tuple(reify(a) for a in site.arguments), attrs=site.attrs)


def _names(taken: set[str]) -> Any:
    number = 1
    while True:
        if f"t{number}" not in taken:
            yield f"t{number}"
        number += 1


def _quantified(function: Any, parameters: list[Any], constraints: list[Any]) -> Any:
    """The function type over those of the parameters that it needs, directly or through a constraint."""
    needed = _parts((function,))
    used: list[Any] = []
    growing = True
    while growing:
        growing = False
        for constraint in constraints:
            parts = _parts((constraint,))
            if constraint not in used and any(p in needed and p in parts for p in parameters):
                used.append(constraint)
                needed |= parts
                growing = True
    used.sort(key=constraints.index)
    return FuncType(
        function.arg_types,
        function.ret_type,
        (*function.type_params, *(p for p in parameters if p in needed)),
        (*function.type_constraints, *used),
    )


def _parts(terms: tuple[Any, ...]) -> set[Any]:
    """The type parameters that occur in some terms."""
    found: set[Any] = set()
    seen: set[int] = set()
    stack: list[Any] = list(terms)
    while stack:
        item = stack.pop()
        if type(item) is TypeVar:
            found.add(item)
        elif type(item) is tuple:
            stack.extend(item)
        elif isinstance(item, Term) and id(item) not in seen:
            seen.add(id(item))
            stack.extend(item.args)
    return found


def _kinds(terms: tuple[Any, ...], bindings: Any) -> dict[Any, str]:
    """The open variables of some terms, in order, with the kind that their place asks for."""
    found: dict[Any, str] = {}
    stack: list[tuple[Any, str]] = [(t, "Type") for t in reversed(terms)]
    seen: set[int] = set()
    while stack:
        item, kind = stack.pop()
        item = walk(item, bindings)
        if type(item) is Var:
            found.setdefault(item, kind)
        elif type(item) is tuple:
            inner = "ShapeVar" if kind == "Shape" else kind
            stack.extend((i, inner) for i in reversed(item))
        elif type(item) is TensorType:
            stack.append((item.dtype, "BaseType"))
            stack.append((item.shape, "Shape"))
        elif isinstance(item, Term) and not item.ground and id(item) not in seen:
            seen.add(id(item))
            stack.extend((i, kind) for i in reversed(item.args))
    return found


def _connected(sites: list[Site], open_kinds: dict[Any, str], kept: set[Any], view: Any) -> list[Site]:
    """The sites that share open variables with the types, or with each other; their variables join `open_kinds`.

    A site that also touches a variable that is kept holds back all its variables.
    """
    found: dict[Site, None] = {}
    kinds = {site: _kinds(site_terms(site), view) for site in sites}
    changed = True
    while changed:
        changed = False
        for site in sites:
            variables = kinds[site]
            if any(v in kept for v in variables):
                for variable in variables:
                    if variable not in kept:
                        kept.add(variable)
                        open_kinds.pop(variable, None)
                        changed = True
                found.pop(site, None)
            elif site not in found and any(v in open_kinds for v in variables):
                found[site] = None
                changed = True
                for variable, kind in variables.items():
                    open_kinds.setdefault(variable, kind)
    return [site for site in sites if site in found]


def _unwound(driver: Driver, types: list[Any], sites: list[Site]) -> set[Any]:
    """The variables whose bindings only repeat what an undecided site says."""
    store = driver.store
    candidates = [
        s
        for s in sites
        if isinstance(s, RelationSite) and s.soft and all(type(store.walk(v)) is Var for v in s.introduced)
    ]
    while candidates:
        hidden = {v for s in candidates for v in s.soft}
        view = {v: t for v, t in store.bindings.items() if v not in hidden}
        visible = set(_kinds((*types, *(t for s in sites for t in site_terms(s))), view))
        kept = [s for s in candidates if not any(v in visible for v in s.introduced)]
        if len(kept) == len(candidates):
            return hidden
        candidates = kept
    return set()
