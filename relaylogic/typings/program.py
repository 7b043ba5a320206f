"""All consistent typings of a program: assignments of types to its holes that satisfy every call site.

Inference propagates what follows; what it leaves waiting becomes the calls of a search
(`relaylogic.logic.branching`). A hole is an annotation that is left out or contains `_`: of a parameter, a let-bound
variable, a function's result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import IllFormed, RelayLogicError
from ..governor import governed
from ..infer.program import Inference
from ..infer.sites import EquationSite, ProjectSite, RelationSite, Site
from ..infer.well_formed import check_well_formed
from ..ir import Function, IRModule, Let, post_order
from ..logic import eq, equals, fail, fresh, fresh_list, lall, ntho
from ..logic.branching import Root, solve_goal
from ..logic.circuit import count
from ..logic.control import Search
from ..logic.goals import Goal
from ..logic.profiles import asked_about
from ..logic.terms import is_ground
from ..rulebase import RuleBase, default_rules
from ..text import parse
from ..types import FuncType, TupleType, show_type
from ..types.universe import Universe
from .answers import Answers, QueryAnswer
from .query import COUNT_STEPS, STEPS

__all__ = ["Hole", "Typing", "count_typings", "typings"]


class Hole:
    """An annotation that is left out or open: its `name`, the expression or function it belongs to, its place."""

    __slots__ = ("expr", "name", "result", "span")

    def __init__(self, name: str, expr: Any, result: bool = False) -> None:
        self.name = name
        self.expr = expr
        self.result = result
        self.span = expr.span


class Typing(QueryAnswer):
    """One typing: `bindings` from holes to types, `residue`, and the program annotated with them."""

    __slots__ = ()

    def annotated(self) -> str:
        """The program with the type of every binding, call and result in comments."""
        from ..text import astext

        inference = self._source(self.bindings)
        return astext(inference.module, inference.type_of)

    def _goal(self) -> Goal:
        """Every call of the program, with its types."""
        inference = self._source(self.bindings)
        sites = [site for site in inference.driver.sites if isinstance(site, RelationSite)]
        return lall(*[_demand(site, inference.driver.store) for site in sites])


def typings(
    program: IRModule | str,
    *,
    rules: RuleBase | None = None,
    limit: int | None = None,
    max_rank: int | None = None,
    max_dim: int | None = None,
    dtypes: Sequence[str] | None = None,
    ground: bool = False,
    min_dim: int = 1,
    max_arity: int | None = None,
    steps: int = STEPS,
) -> Answers:
    """The typings of a program, lazily, each once, smallest first.

    `steps` bounds the search for each typing. A refuted program has none. How the search ended is in the result's
    `status` once it is consumed. Raises ParseError for text that is no program, IllFormed for a module that no text
    could say and for what is neither, UniverseError for a bound that is none.
    """
    base = rules or default_rules()
    universe = Universe.of(
        max_rank=max_rank, max_dim=max_dim, dtypes=dtypes, ground=ground, min_dim=min_dim, max_arity=max_arity
    )

    def found() -> Answers:
        module = _module_of(program)
        node, names, search, outside = _start(module, base, universe, steps)
        kinds = ("type",) * len(names)

        def typing(path: Any) -> Typing:
            return Typing(path, names, kinds, lambda bindings: _filled(module, base, bindings))

        return Answers(node, typing, limit, steps, search, universe, outside)

    return governed(found, lambda reached: Answers.stopped(universe, reached))


def count_typings(
    program: IRModule | str, *, rules: RuleBase | None = None, steps: int = COUNT_STEPS, **bounds: Any
) -> int:
    """How many typings a program has, without enumerating them.

    Raises StepLimit, LimitReached, ParseError, UniverseError.
    """
    base = rules or default_rules()
    universe = Universe.of(**bounds)
    return governed(
        lambda: count(_start(_module_of(program), base, universe, steps)[0])
    )


def _module_of(program: IRModule | str) -> IRModule:
    """The module that is given, or that a text writes. Raises ParseError, IllFormed."""
    if isinstance(program, str):
        return parse(program)
    if not isinstance(program, IRModule):
        raise IllFormed(f"a program is an IRModule or Relay text, which {program!r:.60} is not")
    check_well_formed(program)
    return program


def _start(
    module: IRModule, rules: RuleBase, universe: Universe, steps: int
) -> tuple[Root, tuple[str, ...], Search, list[str]]:
    """The circuit of typings, the names of the holes, the search, and what of a hole lies outside of the universe."""
    inference = _inferred(module, rules)
    store = inference.driver.store
    holes = _holes(module)
    wanted = dict.fromkeys(fresh_list(len(holes)), "type")
    if inference.driver.failed:
        demands: list[Goal] = [fail]
    else:
        demands = [eq(v, store.reify(_type_of(hole, inference))) for v, hole in zip(wanted, holes, strict=True)]
        demands += [_demand(site, store) for site in inference.driver.waiting]
    goal = lall(*demands)
    search = asked_about(goal, rules)
    search.budget.grant(steps)
    names = tuple(hole.name for hole in holes)
    known = [store.reify(_type_of(hole, inference)) for hole in holes]
    outside = [
        f"{name} is {show_type(type_)}, which lies outside of the universe: no typing is within these bounds"
        for name, type_ in zip(names, known, strict=True)
        if not inference.driver.failed and not universe.admits(type_, "type")
    ]
    return solve_goal(goal, wanted, universe, search), names, search, outside


def _filled(module: IRModule, rules: RuleBase, bindings: dict[str, Any]) -> Inference:
    """The inference of a program with types for its holes."""
    inference = _inferred(module, rules)
    for hole in _holes(module):
        inference.driver.store.unify(_type_of(hole, inference), bindings[hole.name])
    inference.driver.run()
    return inference


def _inferred(module: IRModule, rules: RuleBase) -> Inference:
    """What follows for a program without defaults: a default is one typing among others."""
    return Inference(module, rules, monomorphic=True, defaults=False)


def _type_of(hole: Hole, inference: Inference) -> Any:
    known = inference.type_of(hole.expr)
    if not hole.result:
        return known
    return known.ret_type if type(known) is FuncType else known


def _holes(module: IRModule) -> list[Hole]:
    """The holes of a program, in the order of its text; a name that occurs twice is told apart by its place."""
    found: list[Hole] = []
    several = len(module.functions) > 1
    for variable, function in module.functions.items():
        prefix = f"@{variable.name_hint} " if several else ""
        for parameter in function.params:
            if _is_open(parameter.type_annotation):
                found.append(Hole(f"{prefix}%{parameter.name_hint}", parameter))
        for node in post_order(function):
            if type(node) is Let and _is_open(node.var.type_annotation):
                found.append(Hole(f"{prefix}%{node.var.name_hint}", node.var))
            elif type(node) is Function and node is not function:
                found.extend(Hole(f"{prefix}%{p.name_hint}", p) for p in node.params if _is_open(p.type_annotation))
        if _is_open(function.ret_type):
            found.append(Hole(f"@{variable.name_hint}", function, True))
    names: dict[str, int] = {}
    for hole in found:
        names[hole.name] = names.get(hole.name, 0) + 1
    seen: dict[str, int] = {}
    for hole in found:
        if names[hole.name] > 1:
            seen[hole.name] = seen.get(hole.name, 0) + 1
            place = f"{hole.span.line}:{hole.span.column}" if hole.span is not None else f"#{seen[hole.name]}"
            hole.name = f"{hole.name} at {place}"
    return found


def _is_open(annotation: Any) -> bool:
    return annotation is None or not is_ground(annotation)


def _demand(site: Site, store: Any) -> Goal:
    """What a waiting site demands, as a goal."""
    if isinstance(site, RelationSite):
        arguments = tuple(store.reify(argument) for argument in site.arguments)
        given = (*arguments, site.attrs) if site.relation.takes_attrs else arguments
        return site.relation(*given)
    if isinstance(site, EquationSite):
        extent: Goal = equals(store.reify(site.equation.hole), site.equation.expression)
        return extent
    if isinstance(site, ProjectSite):
        fields = fresh()
        known = eq(store.reify(site.tuple_type), TupleType(fields))
        return lall(known, ntho(fields, site.index, store.reify(site.result)))
    where = f"{site.span.line}:{site.span.column}: " if site.span is not None else ""
    raise RelayLogicError(f"{where}what this {site.relation_name} demands cannot be enumerated")
