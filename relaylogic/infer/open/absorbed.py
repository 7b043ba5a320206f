"""Which of the sites that wait go into the type of a function, and what these leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from ...ir import IRModule
from ...logic.terms.numbers import Arith, is_fold
from ...logic.terms.terms import Term, walk
from ...logic.terms.variables import VARIABLES
from ...types import TensorType, TypeCall
from ..checks.kinds import argument_kinds
from ..sites.demands import EquationSite
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.site import Site
from ..sites.structure import ProjectionSite

__all__ = ["Parts", "Without", "kinds_in", "open_sites", "says_a_default", "taken_in"]


class Without(Mapping[Any, Any]):
    """The bindings of a store without those of some variables. It is no copy: a program binds many more."""

    __slots__ = ("_bindings", "_hidden")

    def __init__(self, bindings: Mapping[Any, Any], hidden: set[Any]) -> None:
        self._bindings = bindings
        self._hidden = hidden

    def __getitem__(self, variable: Any) -> Any:
        if variable in self._hidden:
            raise KeyError(variable)
        return self._bindings[variable]

    def get(self, variable: Any, default: Any = None) -> Any:
        """What the variable is bound to, if that counts."""
        return default if variable in self._hidden else self._bindings.get(variable, default)

    def __iter__(self) -> Iterator[Any]:
        return (variable for variable in self._bindings if variable not in self._hidden)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Parts(NamedTuple):
    """The terms in some types that something is open in: the arguments of functions, and all others."""

    inputs: tuple[Any, ...]
    others: tuple[Any, ...]


def open_sites(driver: Driver) -> list[Site]:
    """The sites that wait for what they relate."""
    return [s for s in driver.waiting if isinstance(s, (RelationSite, EquationSite, ProjectionSite))]


def taken_in(
    driver: Driver, parts: Parts, fixed: tuple[Any, ...], hidden: set[Any], local: bool
) -> tuple[list[Site], dict[Any, str], set[Site]]:
    """The sites that go into the types, the variables that these and the types leave open, with their kinds, and which
    of the sites each use makes anew with what is around the function.

    Bindings of variables that are `hidden` do not count.
    """
    bindings = driver.store.bindings
    view = Without(bindings, hidden) if hidden else bindings
    kept = set(kinds_in(fixed, view, driver.module))
    in_types = kinds_in((*parts.inputs, *parts.others), view, driver.module)
    of_types = {v: kind for v, kind in in_types.items() if v not in kept}
    kinds = dict(of_types)
    touched: dict[Site, list[Any]] = {}
    serving: dict[Site, set[Any]] = {}

    def looked_at(site: Site) -> list[Any]:
        found = _kinds_at(site, view, driver.module)
        for variable, kind in found.items():
            kinds.setdefault(variable, kind)
        return list(found)

    for site in open_sites(driver):
        # A projection waits for the tuple, not for the component; some calls wait for what is as by default otherwise.
        partly = hidden or type(site) is ProjectionSite or says_a_default(site)
        found = [] if partly else list(dict.fromkeys([walk(v, view) for v in site.open]))
        if partly or not VARIABLES.issuperset(map(type, found)):
            found = looked_at(site)
        touched[site] = found
        if local and isinstance(site, RelationSite):
            serving[site] = set(kinds_in(site.inputs, view, driver.module))
    sites = _connected(touched, of_types, kept, kinds, serving, looked_at)
    return sites, of_types, {site for site in sites if site in serving and not kept.isdisjoint(touched[site])}


def says_a_default(site: Site) -> bool:
    """Whether a site says what something is where nobody else does: that is for whoever uses the function to say."""
    return isinstance(site, RelationSite) and site.solution is not None and bool(site.solution.kept)


def _connected(
    touched: dict[Site, list[Any]],
    open_kinds: dict[Any, str],
    kept: set[Any],
    kinds: dict[Any, str],
    serving: Mapping[Site, set[Any]],
    looked_at: Callable[[Site], list[Any]],
) -> list[Site]:
    """The sites that share open variables with the types, or with each other; their variables join `open_kinds`.

    `touched` are the variables of each site; their `kinds`, if they are not known yet, are where it is `looked_at`. A
    site that also touches a variable that is kept holds back all its own, which join those that are `kept`. Those that
    may be `serving` every use anew do not, if something that they are given is open, and not kept; that is their value.
    """
    sites, variables_of_site = list(touched), list(touched.values())
    users: dict[Any, list[int]] = {}
    for i, variables in enumerate(variables_of_site):
        for variable in variables:
            users.setdefault(variable, []).append(i)
    held: set[int] = set()
    agenda = [variable for variable in kept if variable in users]
    while agenda:
        for i in users[agenda.pop()]:
            if i not in held and (sites[i] not in serving or serving[sites[i]] <= kept):
                held.add(i)
                new = [variable for variable in variables_of_site[i] if variable not in kept]
                kept.update(new)
                agenda += new
                for variable in new:
                    open_kinds.pop(variable, None)
    # In rounds: each looks at the sites in their order, so that variables come in the order in which they are met.
    rounds = [(0, i) for variable in open_kinds for i in users.get(variable, ())]
    heapify(rounds)
    found: set[int] = set()
    while rounds:
        number, i = heappop(rounds)
        if i in held or i in found:
            continue
        found.add(i)
        its = variables_of_site[i]
        for variable in its if all(map(kinds.__contains__, its)) else looked_at(sites[i]):
            if variable not in open_kinds and variable not in kept:
                open_kinds[variable] = kinds[variable]
                for other in users[variable]:
                    heappush(rounds, (number if other > i else number + 1, other))
    return [site for i, site in enumerate(sites) if i in found]


def _kinds_at(site: Site, bindings: Any, module: IRModule | None) -> dict[Any, str]:
    """The open variables that a site speaks of, in order, with their kinds."""
    if isinstance(site, EquationSite):
        return kinds_in((site.equation.hole, site.equation.expression), bindings, module, "ShapeVar")
    return kinds_in(site.terms, bindings, module)


def kinds_in(terms: tuple[Any, ...], bindings: Any, module: IRModule | None, of_all: str = "Type") -> dict[Any, str]:
    """The open variables of some terms, which are `of_all` one kind, in order, with the kind that its place wants."""
    found: dict[Any, str] = {}
    stack: list[tuple[Any, str]] = [(t, of_all) for t in reversed(terms)]
    seen: set[int] = set()
    while stack:
        item, kind = stack.pop()
        item = walk(item, bindings)
        if type(item) in VARIABLES:
            found.setdefault(item, kind)
        elif type(item) is tuple:
            inner = "ShapeVar" if kind == "Shape" else kind
            stack.extend([(i, inner) for i in reversed(item) if not (isinstance(i, Term) and i.ground)])
        elif not isinstance(item, Term) or item.ground:
            continue
        elif type(item) is TensorType:
            stack.append((item.dtype, "BaseType"))
            stack.append((item.shape, "Shape"))
        elif id(item) not in seen:
            seen.add(id(item))
            if type(item) is Arith:
                operand = "Shape" if is_fold(item) else "ShapeVar"
                stack.extend((i, operand) for i in reversed(item.operands))
                continue
            kinds = argument_kinds(item, module) if type(item) is TypeCall else None
            arguments = walk(item.args[1], bindings) if kinds is not None else None
            if kinds is None or type(arguments) is not tuple:  # of a data type without arguments, nothing is known
                stack.extend((i, kind) for i in reversed(item.args))
            else:
                stack.extend(reversed(list(zip(arguments, kinds, strict=False))))
    return found
