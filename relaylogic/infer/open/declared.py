"""What a function with declared type parameters demands of them.

`fn <h: ShapeVar>(%x: Tensor[(1, 3, h, h), float32]) { nn.max_pool2d(%x, pool_size=[3, 3]) }` has a type for each h
that a window fits into, so its type says so in a `where`, as it would if h were a hole. It says, too, that each extent
in its body is a natural number, `h - 2` say, unless it shows that extent itself: then every caller sees that. And it
states what holds of a number that nobody knows, but not of each that it may be: `squeeze` keeps h unless that is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...ir import Expr, Function, post_order
from ...types import FuncType, TypeVar
from ..checks.kinds import SIZES, open_kinds
from ..numbers.conditions import extents_in, implied
from ..numbers.extents import Extents, Unsolvable
from ..sites.always import Naturals, always_holds
from ..sites.demands import EquationSite
from ..sites.driver import Driver
from ..sites.relation_site import RelationSite
from ..sites.schemes import Equation, parts_of, replaced
from ..sites.site import Site
from .claims import about_extents, claim_of
from .subsumed import without_subsumed

__all__ = ["with_demands"]


def with_demands(
    driver: Driver,
    type_: Any,
    function: Function,
    owner: str,
    among: Iterable[Site],
    type_of: Callable[[Expr], Any],
) -> Any:
    """The type of a function with what its body demands of its type parameters in its `where`.

    `among` are sites, those of the body too; `type_of` gives the types of its expressions.
    """
    if type(type_) is not FuncType or not type_.type_params:
        return type_
    own = [site for site in among if site.owner == owner and site.state == "done"]
    sites = [site for site in own if isinstance(site, RelationSite) and site.solution is not None]
    if not sites and not any(parameter.kind in SIZES for parameter in type_.type_params):
        return type_
    # What is found to be open is stated where it is found (`generalise`).
    nodes = list(post_order(function)) if function.type_params else []
    inner = {p for node in nodes if node is not function for p in _parameters(node, type_of)}
    about = _About(set(type_.type_params), inner)
    known = {site: driver.store.reify(site.arguments) for site in sites}
    sites = [site for site in sites if about.all(known[site])]
    numeric = {site: found for site in sites if (found := site.numbers()) is not None}
    said = [(site, constraint, slots) for site, (constraints, slots) in numeric.items() for constraint in constraints]
    try:
        extents = Extents.solve(said, {}, driver.expressions)
    except Unsolvable as problem:
        driver.contradict(problem.source, f"no extents satisfy this call: {problem.equation}")
        return type_
    # Of conditions that say the same, the first is stated: that of what is seen anyway, which is None, then of calls.
    extents.conditions[:0] = [(None, number) for number in extents_in((type_,))]
    extents.conditions += [
        (EquationSite(Equation(number, number), expr, owner), number)
        for expr, number in _within(nodes, own, driver, type_of)
        if about.all((number,))
    ]
    needed, impossible = implied(extents)
    if impossible is not None:
        driver.contradict(impossible, "no extents satisfy this call")
        return type_
    needed.pop(None, None)
    open_ones = {*needed, *extents.other, *(site for site, _ in extents.left)}
    stated = Naturals(number for _, number in extents.conditions)
    always: dict[Any, bool] = {}  # layers repeat what they demand
    asked = {site: (site.relation, _whatever(known[site], driver), site.attrs) for site in sites}
    for site, key in asked.items():
        if site in open_ones or (site not in numeric and _is_conditional(site)) or key in always:
            continue
        always[key] = always_holds(*key, stated, driver)
    claims = [
        claim_of(site, driver)
        for site in sites
        if site in open_ones or (site not in numeric and _is_conditional(site)) or not always[asked[site]]
    ]
    claims += about_extents(extents, needed, {}, driver)
    constraints = [claim.constraint for claim in claims if claim is not None]
    already = set(type_.type_constraints)
    new = [c for c in without_subsumed(constraints, (type_,)) if c not in already]
    if not new:
        return type_
    return FuncType(type_.arg_types, type_.ret_type, type_.type_params, (*type_.type_constraints, *new))


class _About:
    """Whether terms speak of a function's own type parameters, and of none that is bound within it."""

    def __init__(self, own: set[Any], inner: set[Any]) -> None:
        self._own = own
        self._inner = inner
        self._known: dict[Any, tuple[bool, bool]] = {}

    def all(self, terms: tuple[Any, ...]) -> bool:
        """Whether all of some terms, together, do."""
        of_own, of_inner = zip(*map(self._of, terms), strict=True)
        return any(of_own) and not any(of_inner)

    def _of(self, term: Any) -> tuple[bool, bool]:
        """Whether a term speaks of them, and of what is bound within; calls repeat their types."""
        found = self._known.get(term)
        if found is None:
            parts = parts_of((term,))
            found = self._known[term] = not self._own.isdisjoint(parts), not self._inner.isdisjoint(parts)
        return found


def _parameters(node: Expr, type_of: Callable[[Expr], Any]) -> tuple[Any, ...]:
    """The type parameters that a function literal binds, declared or found."""
    known = type_of(node) if type(node) is Function else None
    return known.type_params if type(known) is FuncType else ()


def _whatever(arguments: tuple[Any, ...], driver: Driver) -> tuple[Any, ...]:
    """Arguments with type parameters for what is open in them, and which nobody will ever know more of."""
    opened = open_kinds(arguments, driver.module)
    names = {variable: TypeVar(f"_{i}", kind) for i, (variable, kind) in enumerate(opened.items())}
    return tuple([replaced(argument, names) for argument in arguments])


def _is_conditional(site: RelationSite) -> bool:
    """Whether a site that is done states conditions on numbers that are never known."""
    solution = site.solution
    return solution is not None and not solution.is_settled


def _within(
    nodes: Iterable[Expr], sites: Iterable[Site], driver: Driver, type_of: Callable[[Expr], Any]
) -> Iterator[tuple[Expr, Any]]:
    """The extents in a body that may be negative, as far as type parameters are not known, with what shows them."""
    seen: set[int] = set()
    for site in sites:
        if isinstance(site, EquationSite):
            for number in extents_in((driver.store.reify(site.equation.hole),), seen):
                yield site.expr, number
    for node in nodes:
        for number in extents_in((type_of(node),), seen):
            yield node, number
