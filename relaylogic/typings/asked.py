"""What is asked of a program: its waiting calls and what is demanded besides, as a goal over its holes.

Inference propagates what follows; what it leaves waiting becomes the calls of a search (`logic.circuits.branching`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..clauses.show import Namer, show_value
from ..errors import RelayLogicError
from ..infer.program import Inference
from ..infer.sites.demands import ApplySite, EquationSite
from ..infer.sites.relation_site import RelationSite
from ..infer.sites.site import Site
from ..infer.sites.structure import StructureSite
from ..ir import Function, IRModule
from ..logic import eq, equals, fail, fresh, fresh_list, lall
from ..logic.circuits.branching import Root, solve_goal
from ..logic.circuits.circuit import Filled, answers
from ..logic.control import FREE, Search, StepLimit
from ..logic.search.profiles import asked_about
from ..logic.states.goals import Goal
from ..logic.terms.terms import variables_of
from ..rulebase import RuleBase, RuleError, program_rules
from ..rulebase.attribute_universe import AttributeBounds
from ..rulebase.open_attributes import Open
from ..types import FuncType, show_type
from ..types.universe import Universe
from .answers import QueryAnswer
from .conditions import Conditions, chosen
from .holes import Binding, Hole, attributes_of, bindings_of, bounds_of, holes_of, nodes_of
from .polymorphic import bound_in
from .restated import Waiting, restated_calls

__all__ = ["Asked", "Typing"]


NOT_OF_ONE_TYPE = "is used at several types: what stands in it is of another type at each use, and is not listed"
OF_ONE_TYPE = "is of one type in each typing; there may be more where it has one at each use: see --polymorphic"


class Asked:
    """The typings of a program that are asked for: those that satisfy `where`, as far as `project` looks at them.

    Functions that are `polymorphic`, given with their names, have a type of their own at each use. `names` are those of
    the holes that are listed. Raises RelayLogicError for a program that is wrong whatever its
    types are, ClauseError for conditions that are none.
    """

    def __init__(
        self,
        module: IRModule,
        rules: RuleBase | None,
        universe: Universe,
        where: Sequence[str] = (),
        project: Sequence[str] | None = None,
        objective: str | None = None,
        polymorphic: Mapping[Function, str] | None = None,
    ) -> None:
        self.module = module
        self.rules = rules = program_rules(rules, module)
        data = tuple((d.header, d.kinds) for d in module.data_types())
        self.universe = replace(universe, data=data) if data else universe
        self._polymorphic = polymorphic or {}
        self.at_several: tuple[str, ...] = ()
        """The names of polymorphic functions that are taken to be of one type, though they have several uses."""
        self.inference = inference = self._inferred()
        _refuse_malformed(inference)
        self.nodes = nodes_of(module)
        bindings, self._attributes = self._bindings(), attributes_of(self.nodes)
        self._holes: list[Hole] = [*holes_of(bindings, inference), *self._attributes]
        self._spoken_of: list[Hole] = [*bindings, *self._attributes]
        self._listed = self._holes
        if project is not None:
            known = {hole.name: hole for hole in self._spoken_of}
            self._listed = list(dict.fromkeys(chosen(name, known) for name in project))
        self.names = tuple(hole.name for hole in self._listed)
        self.kinds = tuple(hole.kind for hole in self._listed)
        self.objective = objective
        self._conditions = Conditions(where, objective, rules, module, self._spoken_of, inference, universe)

    def _inferred(self) -> Inference:
        """What follows for the program without defaults: a default is one typing among others."""
        polymorphic = frozenset(map(id, self._polymorphic))
        return Inference(self.module, self.rules, monomorphic=True, defaults=FREE, polymorphic=polymorphic)

    def _bindings(self) -> list[Binding]:
        """The bindings of the program that are of one type."""
        others = set(map(id, bound_in(self._polymorphic)))
        return [binding for binding in bindings_of(self.nodes) if id(binding.expr) not in others]

    def outside(self) -> list[str]:
        """What of a hole lies outside of the universe, and what no typing speaks of, in words."""
        if self.inference.driver.failed:
            return []
        seen: set[Any] = set()
        found = [f"{name} {NOT_OF_ONE_TYPE}" for name in self._polymorphic.values()]
        found += [f"{name} {OF_ONE_TYPE}" for name in self.at_several]
        for hole in self._holes:
            known = self._known(hole)
            if hole.kind == "value":
                if not self._is_beyond(hole):
                    continue
                shown = show_value(known, Namer(()))
            elif self.universe.admits([(known, "type")], seen):
                continue
            else:
                seen = set()
                shown = show_type(known)
            where = "which lies outside of the universe: no typing is within these bounds"
            found.append(f"{hole.name} is {shown}, {where}")
        return found

    def _is_beyond(self, hole: Hole) -> bool:
        """Whether an attribute, where it is not written, is a number that is larger than they are in the universe."""
        most = bounds_of(self.universe).most
        stack = list(self.inference.driver.store.reify(tuple(variables_of(hole.type_in(self.inference)))))
        while stack and most is not None:
            value = stack.pop()
            if type(value) is tuple:
                stack.extend(value)
            elif type(value) is int and abs(value) > most:
                return True
        return False

    def root(
        self,
        steps: int,
        *more: Goal,
        value: Any = None,
        value_is: int | None = None,
        universe: Universe | None = None,
        attributes: AttributeBounds | None = None,
        witness: bool = False,
        listed: tuple[Any, ...] | None = None,
        addends: Callable[[Any], Goal] | None = None,
    ) -> tuple[Root, Search]:
        """The circuit of the answers, and its search: of types for the holes that are listed, then `value`; of one
        answer without any if a `witness` is enough.

        `value` is a variable for what the objective comes to, if that is asked for; or it comes to `value_is`. `more`
        must hold besides; it may speak of the variables `listed`, which stand for the holes that are listed. If there
        is `addends`, the numbers that the objective is the sum of are asked for after the holes; it says of them what
        must hold of each.
        """
        wanted = dict(zip(listed or fresh_list(len(self._listed)), self.kinds, strict=True))
        named = dict(zip(self._listed, wanted, strict=True))
        others = {hole: fresh() for hole in self._holes if hole not in named}
        numbers: list[Any] = []
        if self.inference.driver.failed:
            demands: list[Goal] = [fail]
        else:
            store = self.inference.driver.store
            demands = [eq(variable, self._known(hole)) for hole, variable in (named | others).items()]
            bounds = attributes or bounds_of(universe or self.universe)
            demands += [demand_of(site, store, self.rules, bounds) for site in self._undecided(bounds)]
            if addends is None:
                demands += self._conditions.goals(value if value_is is None else value_is)
            else:
                stated, numbers = self._conditions.with_addends()
                demands += [*stated, *map(addends, numbers)]
        goal = lall(*demands, *more)
        search = asked_about(goal, self.rules)
        search.budget.grant(steps)
        numbers = numbers if value is None else [value]
        asked = {**wanted, **dict.fromkeys(numbers, "number")}
        scope = {variable: hole.kind for hole, variable in others.items()}
        if witness:
            asked, scope = {}, {**wanted, **scope}
        return solve_goal(goal, asked, universe or self.universe, search, scope), search

    def has_none(self, steps: int) -> bool:
        """Whether there are no typings, as far as is found out in so many steps."""
        if self.inference.driver.failed:
            return True
        try:
            return next(answers(self.root(steps, witness=True)[0]), None) is None
        except (StepLimit, RecursionError, RuleError):
            return False

    def place_of(self, attribute: str) -> Any:
        """Where the first call stands of which an attribute of that name is not known."""
        return next((hole.span for hole in self._attributes if hole.attribute == attribute), None)

    def _undecided(self, bounds: AttributeBounds) -> Iterator[Site]:
        """The sites that wait; where attributes are given values, also those that are done, whose attributes may be
        open, or lie outside of the bounds."""
        driver = self.inference.driver
        yield from driver.waiting
        if not bounds.valued:
            return
        for site in driver.sites:
            if site.state == "done" and isinstance(site, RelationSite) and site.relation.asked:
                yield site

    @property
    def typing(self) -> Callable[[Any], Typing]:
        """What makes a typing of its walk through the circuit."""
        return partial(Typing, self)

    def goal_of(self, terms: Sequence[Any]) -> Goal:
        """Every call of the program, with types for the holes that are listed."""
        inference = self.filled(dict(zip(self.names, terms, strict=True)))
        sites = [site for site in inference.driver.sites if isinstance(site, (RelationSite, StructureSite))]
        sites = [site for site in sites if site.state != "absorbed"]
        return lall(*[demand_of(site, inference.driver.store) for site in sites])

    def restated(self, answer: Filled, name: Namer) -> Iterator[str]:
        """Waiting calls that say what a typing leaves over."""
        store = self.inference.driver.store
        calls = [call for site in self.inference.driver.waiting if (call := _call_of(site, store)) is not None]
        asked = [self._known(hole) for hole in self._listed]
        yield from restated_calls(calls, asked, answer.terms, answer.residue, name)

    def filled(self, bindings: dict[str, Any]) -> Inference:
        """The inference of the program with types for its holes."""
        inference = self._inferred()
        for hole in self._spoken_of:
            if hole.name in bindings:
                inference.driver.store.unify(hole.type_in(inference), bindings[hole.name])
        inference.driver.run()
        return inference

    def _known(self, hole: Any) -> Any:
        return self.inference.driver.store.reify(hole.type_in(self.inference))


class Typing(QueryAnswer):
    """One typing: `bindings` from holes to types, `residue`, and the program annotated with them."""

    __slots__ = ()

    _question: Asked

    def annotated(self) -> str:
        """The program with the type of every binding, call and result in comments."""
        from ..text import astext

        inference = self._question.filled(self.bindings)
        return astext(inference.module, inference.type_of)


def _refuse_malformed(inference: Inference) -> None:
    """Raise RelayLogicError for what is wrong whatever the types are, as inference says it."""
    for site in inference.failed():
        if site.state == "malformed" and site.error is not None:
            raise RelayLogicError(site.error.message, site.span)


def _call_of(site: Site, store: Any) -> Waiting | None:
    """The relation that a site applies, with what it is applied to."""
    if isinstance(site, RelationSite):
        arguments = tuple(store.reify(argument) for argument in site.arguments)
        if site.relation.asked:
            relation, spec = site.relation.asked
            first = relation.arity - 1
            return relation, (*arguments[:first], arguments[-1], Open.make((spec, arguments[first:-1])))
        return site.relation, (*arguments, site.attrs) if site.relation.takes_attrs else arguments
    if isinstance(site, StructureSite):
        return site.relation, tuple(map(store.reify, site.arguments))
    return None


def demand_of(site: Site, store: Any, rules: RuleBase | None = None, bounds: AttributeBounds | None = None) -> Goal:
    """What a waiting site demands, as a goal; attributes that are not known lie within bounds."""
    if isinstance(site, RelationSite):
        arguments = tuple(store.reify(argument) for argument in site.arguments)
        if site.relation.asked and rules is not None and bounds is not None:
            relation, spec = site.relation.asked
            return rules.asking(relation, replace(spec, bounds=bounds))(*arguments)
        given = (*arguments, site.attrs) if site.relation.takes_attrs else arguments
        return site.relation(*given)
    if isinstance(site, EquationSite):
        extent: Goal = equals(store.reify(site.equation.hole), site.equation.expression)
        return extent
    if isinstance(site, StructureSite):
        return site.relation(*map(store.reify, site.arguments))
    if isinstance(site, ApplySite):
        arguments = tuple(map(store.reify, site.arg_types))
        return eq(store.reify(site.callee), FuncType(arguments, store.reify(site.result)))
    raise RelayLogicError(f"what this {site.relation_name or 'expression'} demands cannot be enumerated", site.span)
