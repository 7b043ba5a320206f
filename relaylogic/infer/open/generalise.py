"""Generalisation: what a function leaves open becomes its type parameters, with the undecided relations as `where`.

`fn (%x, %y) { add(%x, %y) }` gets `fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)`. What an undecided
relation has made known of its arguments (that they are tensors of one dtype) is implied by the constraint, so it is
not repeated in the type, unless something else builds on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from ...ir import IRModule
from ...logic.terms.numbers import Arith, is_fold, substitute, symbols_of
from ...logic.terms.terms import Cons, Term, is_ground, walk
from ...logic.terms.variables import VARIABLES
from ...types import FuncType, IncompleteType, TensorType, TupleType, TypeCall, TypeVar
from ..checks.kinds import argument_kinds
from ..numbers.conditions import forced, implied
from ..numbers.expressions import OpenNumber
from ..numbers.extents import Extents, Said, Unsolvable
from ..sites.always import Naturals, always_holds
from ..sites.demands import EquationSite
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import parts_of, replaced
from ..sites.site import Site
from ..sites.structure import ProjectionSite
from .claims import Claim, about_extents, claim_of, possible
from .determined import alike, determined, open_results
from .subsumed import without_subsumed

__all__ = ["generalise"]


class Parts(NamedTuple):
    """The terms in some types that something is open in: the arguments of functions, and all others."""

    inputs: tuple[Any, ...]
    others: tuple[Any, ...]


class Solved(NamedTuple):
    """The sites that go into some types, the open variables with their kinds, what the sites say of extents.

    `said` are the sites of which that is all, `needed` the conditions that imply all, by site. `together` is what the
    sites say of extents with what they say of those around a function, which each of its uses is told anew.
    """

    sites: list[Site]
    open_kinds: dict[Any, str]
    extents: Extents
    said: dict[Site, None]
    needed: dict[Site, list[Any]]
    together: Extents


class _Without(Mapping[Any, Any]):
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


def generalise(
    driver: Driver, types: list[Any], fixed: Iterable[Any] = (), local: bool = False
) -> tuple[list[Any], bool]:
    """The given function types with what they leave open as type parameters, and whether there was anything.

    Variables in the terms `fixed` (the types of the environment) stay as they are, and so does what depends on an
    attribute that is not known: that is one value, whoever calls the function. The `where` of a `local` function may
    speak of them: `fn (%y) { add(%x, %y) }` adds to one %x whatever it is given.
    """
    store = driver.store
    reified = [store.reify(t) for t in types]
    if all(getattr(t, "ground", False) for t in reified):
        return reified, False
    asked = [site.arguments for site in driver.waiting if isinstance(site, RelationSite) and site.relation.asked]
    fixed = (*fixed, *asked)
    parts = _open_parts(driver, types)
    around = (*reified, *map(store.reify, fixed))
    taken = driver.names_within.union(p.name_hint for p in parts_of(around) if type(p) is TypeVar)
    differing: set[Site] = set()
    is_supposed = driver.relaxation is not None  # nobody reads it then, and what holds anyway need not be found
    while True:
        absorbed, open_kinds, extents, said, needed, together = _solved(driver, parts, fixed, local)
        _share((site for site in absorbed if isinstance(site, RelationSite) and site.soft), driver)
        tuples = _unknown_tuples(driver)
        hidden = _unwound(driver, parts, said) | set(tuples)
        if hidden:
            absorbed, open_kinds, _ = _absorbed(driver, parts, fixed, hidden, local)
        if not open_kinds:
            return [store.reify(t) for t in types], False
        natural = {extents.values[v] for v in _shown(driver, parts) if v in extents.values} if needed else set()
        results = [] if hidden or is_supposed else open_results(absorbed, parts.inputs, extents, driver)
        before = {v: store.bindings[v] for v in open_kinds if v in store.bindings} if hidden else {}
        made: dict[Any, Any] = {}  # extents over the parameters
        parameters, over = _bind(driver, open_kinds, extents, _names(taken), made)
        rest = (s for s in absorbed if s not in said and not isinstance(s, EquationSite))
        # What is needed does not hold always, unless it is that an extent in the types, which all see, is natural.
        shown = Naturals(substitute(number, over, made) for number in natural)
        left = [
            s
            for s in rest
            if is_supposed
            or not natural.issuperset(needed.get(s, ()))
            or _says_a_default(s)
            or not _always_holds(s, shown, driver)
        ]
        claims = list(filter(None, (claim_of(site, driver) for site in left)))
        same = [pair for pair in alike(claims, driver) if pair[0] not in differing]
        told = list(determined(results, claims, driver)) if results and not same else []
        if not told and not same:
            break
        for variable in open_kinds:
            del store.bindings[variable]
        store.bindings.update(before)
        for extent, known in told:
            store.unify(extent, known)
        # Where something else says of each result what it is, they may differ.
        differing.update(s for s, other in same if not store.agree(s.arguments[-1], other.arguments[-1]))
        driver.run(final=False)
    for site in absorbed:
        site.state = "absorbed"
        if not _unknown(site):
            driver.absorbed.append(site)
            driver.waiting.pop(site, None)
    claims.extend(about_extents(extents, needed, over, driver))
    order = {site: i for i, site in enumerate(absorbed)}
    claims.sort(key=lambda claim: order.get(claim.site, 0))
    ends = {TupleType(store.reify(fields)): store.reify(variable) for variable, fields in tuples.items()}
    if ends:
        claims = [Claim(site, replaced(constraint, ends)) for site, constraint in claims]
    found = [replaced(store.reify(t), ends) if ends else store.reify(t) for t in types]
    serving = [site for site in absorbed if local and isinstance(site, RelationSite) and not _is_closed(site, driver)]
    if serving or not all(map(is_ground, found)):  # they speak of what may yet be a type parameter outside
        driver.names_within.update(p.name_hint for p in parameters)
    constraints = without_subsumed((claim.constraint for claim in possible(claims, together, driver)), tuple(found))
    schemes = [_quantified(function, parameters, constraints) for function in found]
    demanded = [_demand_once(site, parameters, driver) for site in serving]
    if demanded:
        driver.demanded.update((scheme.type_params, demanded) for scheme in schemes)
    return schemes, True


def _always_holds(site: Site, naturals: Naturals, driver: Driver) -> bool:
    """Whether a site says nothing of what stays open but that some numbers are natural."""
    if not isinstance(site, RelationSite):
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
    return _kinds((*parts.inputs, *parts.others), driver.store.bindings, driver.module)


def _open_sites(driver: Driver) -> list[Site]:
    return [s for s in driver.waiting if isinstance(s, (RelationSite, EquationSite, ProjectionSite))]


def _absorbed(
    driver: Driver, parts: Parts, fixed: tuple[Any, ...], hidden: set[Any], local: bool
) -> tuple[list[Site], dict[Any, str], set[Site]]:
    """The sites that go into the types, the variables that these and the types leave open, with their kinds, and which
    of the sites each use makes anew with what is around the function.

    Bindings of variables that are `hidden` do not count.
    """
    bindings = driver.store.bindings
    view = _Without(bindings, hidden) if hidden else bindings
    kept = set(_kinds(fixed, view, driver.module))
    in_types = _kinds((*parts.inputs, *parts.others), view, driver.module)
    of_types = {v: kind for v, kind in in_types.items() if v not in kept}
    kinds = dict(of_types)
    touched: dict[Site, list[Any]] = {}
    serving: set[Site] = set()

    def looked_at(site: Site) -> list[Any]:
        found = _kinds_at(site, view, driver.module)
        for variable, kind in found.items():
            kinds.setdefault(variable, kind)
        return list(found)

    for site in _open_sites(driver):
        # A projection waits for the tuple, not for the component; some calls wait for what is as by default otherwise.
        partly = hidden or type(site) is ProjectionSite or _says_a_default(site)
        found = [] if partly else list(dict.fromkeys([walk(v, view) for v in site.open]))
        if partly or not VARIABLES.issuperset(map(type, found)):
            found = looked_at(site)
        touched[site] = found
        if local and _may_serve(site):
            serving.add(site)
    sites = _connected(touched, of_types, kept, kinds, serving, looked_at)
    return sites, of_types, {site for site in sites if site in serving and not kept.isdisjoint(touched[site])}


def _may_serve(site: Site) -> bool:
    """Whether a site may be one that each use of a function makes anew, though it speaks of the environment.

    An attribute that is not known is one value.
    """
    return isinstance(site, RelationSite) and site.relation.asked is None


def _solved(driver: Driver, parts: Parts, fixed: tuple[Any, ...], local: bool) -> Solved:
    """What the open sites say of extents in solved form, and the sites that say nothing more than that.

    What turns out to be known, or to be one, is put into the store, until that tells nothing new.
    """
    store = driver.store
    while True:
        sites, open_kinds, anew = _absorbed(driver, parts, fixed, set(), local)
        classes = dict.fromkeys(open_kinds, 1) | dict.fromkeys(_kinds(parts.inputs, store.bindings, driver.module), 0)
        numeric = {site: found for site in sites if (found := site.numbers()) is not None}
        own = {site: found for site, found in numeric.items() if site not in anew}
        try:
            extents = Extents.solve(_said(own), classes, driver.expressions)
            together = extents
            if len(own) < len(numeric):
                together = Extents.solve(_said(numeric), classes, driver.expressions)
            news = _put(driver, extents)
        except Unsolvable as problem:
            driver.contradict(problem.source, f"no extents satisfy this call: {problem.equation}")
            continue
        if news:
            driver.run(final=False)
            continue
        values = forced(extents) if extents.left else {}
        if values is None:
            driver.contradict(extents.left[-1][0], "no extents satisfy this call together with the others")
            continue
        # A rigid extent that has one value only stays what it is: that is for the `where` to say.
        known = {symbol: value for symbol, value in values.items() if type(symbol) is OpenNumber}
        if known:
            for symbol, value in known.items():
                store.unify(driver.expressions.variables[symbol], value)
            driver.run(final=False)
            continue
        needed, impossible = implied(extents)
        if impossible is not None:
            driver.contradict(impossible, "no extents satisfy this call")
            continue
        more = {site for site, _ in extents.left} | set(extents.other) | set(needed)
        said = dict.fromkeys(site for site in own if site not in more)
        return Solved(sites, open_kinds, extents, said, needed, together)


def _said(numeric: Mapping[Site, tuple[tuple[Any, ...], dict[int, Any]]]) -> Iterator[Said]:
    """What sites say of numbers, one by one."""
    return ((site, constraint, slots) for site, (constraints, slots) in numeric.items() for constraint in constraints)


def _put(driver: Driver, extents: Extents) -> bool:
    """Unify what is one; whether there was anything."""
    store = driver.store
    news = False
    for variable, known in extents.same():
        if store.walk(variable) is not store.walk(known):
            store.unify(variable, known)
            news = True
    return news


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


def _says_a_default(site: Site) -> bool:
    """Whether a site says what something is where nobody else does: that is for whoever uses the function to say."""
    return isinstance(site, RelationSite) and site.solution is not None and bool(site.solution.kept)


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


def _kinds_at(site: Site, bindings: Any, module: IRModule | None) -> dict[Any, str]:
    """The open variables that a site speaks of, in order, with their kinds."""
    if isinstance(site, EquationSite):
        return _kinds((site.equation.hole, site.equation.expression), bindings, module, "ShapeVar")
    return _kinds(site.terms, bindings, module)


def _kinds(terms: tuple[Any, ...], bindings: Any, module: IRModule | None, of_all: str = "Type") -> dict[Any, str]:
    """The open variables of some terms, which are `of_all` one kind, in order, with the kind that their place asks for.
    """
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


def _connected(
    touched: dict[Site, list[Any]],
    open_kinds: dict[Any, str],
    kept: set[Any],
    kinds: dict[Any, str],
    serving: set[Site],
    looked_at: Callable[[Site], list[Any]],
) -> list[Site]:
    """The sites that share open variables with the types, or with each other; their variables join `open_kinds`.

    `touched` are the variables of each site; their `kinds`, if they are not known yet, are where it is `looked_at`. A
    site that also touches a variable that is kept holds back all its own, which join those that are `kept`, if it is
    not one of those that serve every use anew.
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
            if i not in held and sites[i] not in serving:
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


def _unwound(driver: Driver, parts: Parts, said: dict[Site, None]) -> set[Any]:
    """The variables whose bindings only repeat what an undecided site says of any call.

    Those are the arguments of a site of which only that is known, and nothing (no rank, no extent, no dtype) that
    attributes, other arguments or other sites tell. Not those of sites that are `said` by the types, nor those of which
    a site that is settled has made something: that would speak of what is in no type, and be one for all uses.
    """
    store = driver.store
    sites = _open_sites(driver)
    candidates = [
        s for s in sites if isinstance(s, RelationSite) and s not in said and s.soft and _tells_nothing(s, store)
    ]
    settled = [s for s in driver.sites[driver.begun :] if s.state == "done"] if candidates else []
    while candidates:
        hidden = {v for s in candidates for v in s.soft if type(store.bindings.get(v)) not in VARIABLES}
        view = _Without(store.bindings, hidden)
        kept = [s for s in candidates if _is_bare(s, view)]
        if not kept:
            break
        seen = (*parts.inputs, *parts.others, *(t for s in (*sites, *settled) for t in s.terms))
        visible = set(_kinds(seen, view, driver.module))
        apart = _told_apart(candidates, view)
        kept = [s for s in kept if s not in apart and not any(walk(v, view) in visible for v in s.introduced)]
        if len(kept) == len(candidates):
            return hidden
        candidates = kept
    return set()


def _unknown_tuples(driver: Driver) -> dict[Any, Any]:
    """The variables of which a site says that they are tuples, and nothing says of what, each with that list.

    A type parameter stands for the whole: none stands for a list of types.
    """
    store = driver.store
    sites = [site for site in _open_sites(driver) if isinstance(site, RelationSite)]
    known = ((variable, store.bindings.get(variable)) for site in sites for variable in site.soft)
    tuples = {v: store.walk(term.fields) for v, term in known if type(term) is TupleType}
    return {variable: fields for variable, fields in tuples.items() if type(fields) in VARIABLES}


def _share(sites: Iterable[RelationSite], driver: Driver) -> None:
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
    if not site.relation.takes_attrs:
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
