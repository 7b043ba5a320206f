"""Generalisation: what a function leaves open becomes its type parameters, with the undecided relations as `where`.

`fn (%x, %y) { add(%x, %y) }` gets `fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)`. What an undecided
relation has made known of its arguments (that they are tensors of one dtype) is implied by the constraint, so it is
not repeated in the type, unless something else builds on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...logic.terms.numbers import Arith, substitute, symbols_of
from ...logic.terms.terms import is_ground
from ...types import FuncType, IncompleteType, TupleType, TypeVar
from ..numbers.expressions import OpenNumber
from ..numbers.extents import Extents
from ..sites.always import Naturals, always_holds
from ..sites.demands import EquationSite
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import parts_of, replaced
from ..sites.site import Site
from .absorbed import Parts, kinds_in, says_a_default, taken_in
from .claims import Claim, about_extents, claim_of, leaves_attributes, possible
from .determined import alike, determined, open_results, results_of_others, without_implied
from .solved import Solved, solved
from .subsumed import without_subsumed
from .unwound import share, unknown_tuples, unwound

__all__ = ["generalise", "says_nothing_of_open"]


class _Bound(NamedTuple):
    """Types in which parameters stand for what was open.

    `sites` go into them, and `claims` say what these demand; `over` are the parameters that stand for the symbols of
    numbers; `tuples` are the variables that are tuples of nobody knows what, each with the list of its fields.
    """

    solved: Solved
    sites: list[Site]
    parameters: list[Any]
    over: dict[Any, Any]
    claims: list[Claim]
    tuples: dict[Any, Any]


def generalise(
    driver: Driver, types: list[Any], fixed: Iterable[Any] = (), local: bool = False
) -> tuple[list[Any], bool]:
    """The given function types with what they leave open as type parameters, and whether there was anything.

    Variables in the terms `fixed` (the types of the environment) stay as they are, and so does an attribute that is not
    known: that is one value, whoever calls the function. The `where` of a `local` function may speak of them, `fn (%y)
    { add(%x, %y) }` adds to one %x whatever it is given; and so does that of any function if there are such attributes.
    """
    reified = [driver.store.reify(t) for t in types]
    if all(getattr(t, "ground", False) for t in reified):
        return reified, False
    fixed = (*fixed, *driver.unknown_attributes)
    local = local or bool(driver.unknown_attributes)
    around = (*reified, *map(driver.store.reify, fixed))
    taken = driver.names_within.union(p.name_hint for p in parts_of(around) if type(p) is TypeVar)
    bound = _bound(driver, _open_parts(driver, types), fixed, local, taken)
    if bound is None:
        return [driver.store.reify(t) for t in types], False
    _absorb(bound.sites, driver)
    return _schemes(driver, types, bound, local), True


def says_nothing_of_open(driver: Driver, types: list[Any]) -> bool:
    """Whether nothing is demanded of what function types leave open: no site waits, nor must an extent be natural."""
    if driver.waiting or any(type(t) is FuncType and t.type_params for t in types):
        return False
    return not any(type(part) is Arith for part in parts_of(tuple(map(driver.store.reify, types))))


def _bound(driver: Driver, parts: Parts, fixed: tuple[Any, ...], local: bool, taken: set[str]) -> _Bound | None:
    """Put parameters for what is open, of other names than those `taken`, as soon as what the sites claim together
    tells nothing new; None if nothing is open."""
    store = driver.store
    differing: set[Site] = set()
    while True:
        found = solved(driver, parts, fixed, local)
        sites, open_kinds, extents = found.sites, found.open_kinds, found.extents
        share((site for site in sites if isinstance(site, RelationSite) and site.soft), driver)
        tuples = unknown_tuples(driver)
        hidden = unwound(driver, parts, found.said) | set(tuples)
        if hidden:
            sites, open_kinds, _ = taken_in(driver, parts, fixed, hidden, local)
        if not open_kinds:
            return None
        natural = {extents.values[v] for v in _shown(driver, parts) if v in extents.values} if found.needed else set()
        results = [] if hidden or _is_supposed(driver) else open_results(sites, parts.inputs, extents, driver)
        before = {v: store.bindings[v] for v in open_kinds if v in store.bindings} if hidden else {}
        made: dict[Any, Any] = {}  # extents over the parameters
        parameters, over = _bind(driver, open_kinds, extents, _names(taken), made)
        shown = Naturals(substitute(number, over, made) for number in natural)
        left = _unsaid(driver, sites, found, natural, shown)
        claims = list(filter(None, (claim_of(site, driver) for site in left)))
        same = [each for each in alike(claims, driver) if each[0] not in differing]
        told = list(determined(results, claims, driver)) if results and not same else []
        if not (same or told or hidden or _is_supposed(driver)):
            same = [each for each in results_of_others(claims, driver) if each[0] not in differing]
        if not told and not same:
            return _Bound(found, sites, parameters, over, claims, tuples)
        for variable in open_kinds:
            del store.bindings[variable]
        store.bindings.update(before)
        for extent, known in told:
            store.unify(extent, known)
        # Where something else says of a result what it is, it may differ.
        differing.update(site for site, result, other in same if not store.agree(result, other))
        driver.run(final=False)


def _is_supposed(driver: Driver) -> bool:
    """Whether a what-if question is answered: nobody reads the types then, and what holds anyway need not be found."""
    return driver.relaxation is not None


def _unsaid(driver: Driver, sites: list[Site], found: Solved, natural: set[Any], shown: Naturals) -> list[Site]:
    """The sites that say something which neither the types say nor always holds.

    What is needed does not hold always, unless it is that an extent in the types, which all see, is natural.
    """
    return [
        site
        for site in sites
        if site not in found.said
        and not isinstance(site, EquationSite)
        and (
            _is_supposed(driver)
            or not natural.issuperset(found.needed.get(site, ()))
            or says_a_default(site)
            or not _always_holds(site, shown, driver)
        )
    ]


def _absorb(sites: list[Site], driver: Driver) -> None:
    """Have sites wait no more, which the types speak of now."""
    for site in sites:
        site.state = "absorbed"
        if not _unknown(site):
            driver.absorbed.append(site)
            driver.waiting.pop(site, None)


def _schemes(driver: Driver, types: list[Any], bound: _Bound, local: bool) -> list[Any]:
    """The types over the parameters, with what is claimed as `where`."""
    store, found, parameters = driver.store, bound.solved, bound.parameters
    claims = [*bound.claims, *about_extents(found.extents, found.needed, bound.over, driver)]
    order = {site: i for i, site in enumerate(bound.sites)}
    claims.sort(key=lambda claim: order.get(claim.site, 0))
    ends = {TupleType(store.reify(fields)): store.reify(variable) for variable, fields in bound.tuples.items()}
    if ends:
        claims = [Claim(site, replaced(constraint, ends)) for site, constraint in claims]
    known = [replaced(store.reify(t), ends) if ends else store.reify(t) for t in types]
    serving = [s for s in bound.sites if local and isinstance(s, RelationSite) and not _is_closed(s, driver)]
    if serving or not all(map(is_ground, known)):  # they speak of what may yet be a type parameter outside
        driver.names_within.update(p.name_hint for p in parameters)
    wanted = possible(claims, found.together, driver)
    if not _is_supposed(driver):
        wanted = without_implied(wanted, driver)
    constraints = without_subsumed((claim.constraint for claim in wanted), tuple(known))
    schemes = [_quantified(function, parameters, constraints) for function in known]
    demanded = [_demand_once(site, parameters, driver) for site in serving]
    if demanded:
        driver.demanded += [(scheme, demanded) for scheme in schemes]
    return schemes


def _always_holds(site: Site, naturals: Naturals, driver: Driver) -> bool:
    """Whether a site says nothing of what stays open but that some numbers are natural."""
    if not isinstance(site, RelationSite) or leaves_attributes(site):
        return False
    return always_holds(site.relation, driver.store.reify(site.arguments), site.attrs, naturals, driver)


def _is_closed(site: RelationSite, driver: Driver) -> bool:
    """Whether a site says nothing of the environment."""
    return is_ground(driver.store.reify(site.arguments))


def _demand_once(site: RelationSite, parameters: list[Any], driver: Driver) -> Site:
    """The demand that what a function says of the environment may hold, even if nobody calls it."""
    some = {parameter: IncompleteType(parameter.kind) for parameter in parameters}
    arguments = replaced(driver.store.reify(site.arguments), some)
    again = RelationSite(site.relation, arguments, site.attrs, site.expr, site.owner, site.callee)
    again.given = site.given
    driver.add(again)
    return again


def _open_parts(driver: Driver, types: list[Any]) -> Parts:
    """What is open in some types. Most is not: a network has one input, and hundreds of weights."""
    inputs: list[Any] = []
    others: list[Any] = []
    for known in map(driver.store.walk, types):
        if type(known) is FuncType:
            inputs.extend(a for a in known.arg_types if not is_ground(a))
            others.extend((known.ret_type, known.type_constraints))
        else:
            others.append(known)
    return Parts(tuple(inputs), tuple(others))


def _shown(driver: Driver, parts: Parts) -> Iterable[Any]:
    """The variables in the types."""
    return kinds_in((*parts.inputs, *parts.others), driver.store.bindings, driver.module)


def _bind(
    driver: Driver, open_kinds: dict[Any, str], extents: Extents, names: Any, made: dict[Any, Any]
) -> tuple[list[Any], dict[Any, Any]]:
    """Put type parameters for independent variables, expressions over them for the others, which are kept in `made`.

    The parameters, in order, and those that stand for the symbols of numbers.
    """
    bindings = driver.store.bindings
    parameters: dict[Any, Any] = {}
    for variable, kind in open_kinds.items():
        if variable not in extents.values:
            bindings[variable] = parameters[variable] = TypeVar(next(names), kind)
    over = {symbol: parameters[variable] for variable, symbol in extents.symbols.items() if variable in parameters}
    for variable in open_kinds:
        if variable not in extents.values:
            continue
        value = extents.values[variable]
        for symbol in symbols_of(value):
            if isinstance(symbol, OpenNumber) and symbol not in over:
                over[symbol] = parameters[symbol] = TypeVar(next(names), "ShapeVar")
        bindings[variable] = substitute(value, over, made)
    return list(parameters.values()), over


def _unknown(site: Site) -> bool:
    """Whether a limit was reached before anything was known of a site: the constraint may be one that never holds."""
    solution = site.solution if isinstance(site, RelationSite) else None
    return solution is not None and not solution.answers and not solution.exhausted


def _names(taken: set[str]) -> Any:
    number = 1
    while True:
        if f"t{number}" not in taken:
            yield f"t{number}"
        number += 1


def _quantified(function: Any, parameters: list[Any], constraints: list[Any]) -> Any:
    """The function type over those of the parameters that it needs, directly or through a constraint."""
    known = set(parameters)
    about = [known.intersection(parts_of((constraint,))) for constraint in constraints]
    users: dict[Any, list[int]] = {}  # the constraints about a parameter
    for i, some in enumerate(about):
        for parameter in some:
            users.setdefault(parameter, []).append(i)
    needed = known.intersection(parts_of((function,)))
    agenda = list(needed)
    used: set[int] = set()
    while agenda:
        for i in users.get(agenda.pop(), ()):
            if i not in used:
                used.add(i)
                agenda.extend(about[i] - needed)
                needed |= about[i]
    return FuncType(
        function.arg_types,
        function.ret_type,
        (*function.type_params, *(p for p in parameters if p in needed)),
        (*function.type_constraints, *(constraint for i, constraint in enumerate(constraints) if i in used)),
    )
