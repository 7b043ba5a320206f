"""Constructors, patterns and projections: call sites of the relations that rules/adt.py states.

These relations are decided by unification alone (`relaylogic.rulebase.head`): what there is to say of a call is said by
the most general answer, which the table has after the first call. So a call is unified, in the program's store, with an
instance of that; the store knows what an extent that is `?` agrees with, and which functions serve where one is wanted.
A relation that speaks of a list of unknown length (a projection: of a tuple with any number of further fields) is
matched with what is known of its first argument, and waits if that is too little: no type says what it would tell.
A relation that more than equations decide is asked like that of an operator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import several
from ...logic.terms.rebuilding import instantiate
from ...logic.terms.terms import Cons
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import Relation
from ...rulebase.head import Head, Unlike
from ...types import IncompleteType, TupleType
from .demands import misfit
from .places import use_span
from .relation_site import RelationSite
from .site import UNNAMED, Refusal, Site
from .store import Mismatch

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = [
    "ConstructorSite",
    "InstanceSite",
    "PatternSite",
    "ProjectionSite",
    "StructureSite",
    "constructed",
    "projected",
    "taken_apart",
]


class StructureSite(Site):
    """A relation of the program's data types or tuples; `arguments` are what it relates, in its order."""

    __slots__ = ("arguments", "head", "relation")

    def __init__(self, relation: Relation, head: Head, arguments: tuple[Any, ...], expr: Any, owner: str) -> None:
        super().__init__(expr, owner)
        self.relation = relation
        self.head = head
        self.arguments = arguments

    @property
    def terms(self) -> tuple[Any, ...]:
        """What is related."""
        return self.arguments

    @property
    def relation_name(self) -> str:  # type: ignore[override]
        """The name of the relation."""
        return self.relation.name


class InstanceSite(StructureSite):
    """A call that is unified with an instance of the relation, which is its `arguments`.

    `written` are the types that are there without the call, by the place where they stand among the arguments; the
    others are what the instance says. `refused` is the first place where what is written does not fit.
    """

    __slots__ = ("refused", "written")

    def __init__(
        self,
        relation: Relation,
        head: Head,
        arguments: tuple[Any, ...],
        written: Mapping[int, Any],
        expr: Any,
        owner: str,
    ) -> None:
        super().__init__(relation, head, arguments, expr, owner)
        self.written = written
        self.refused: int | None = None

    @property
    def actual(self) -> Any:
        """What stands where something does not fit."""
        return None if self.refused is None else self.written[self.refused]

    @property
    def expected(self) -> Any:
        """What is wanted there."""
        return None if self.refused is None else self.arguments[self.refused]

    @property
    def place(self) -> str:
        """Where that is, in words."""
        return "" if self.refused is None else self.place_of(self.refused)

    @property
    def identity(self) -> Any:
        """What this call is known by in another inference of the same program."""
        return type(self).__name__, self.relation.name, id(self.expr), ""

    def place_of(self, index: int) -> str:
        """Where an argument stands, in words."""
        raise NotImplementedError

    def span_of(self, index: int) -> Any:
        """Where an argument stands in the text."""
        return self.expr.span

    def waive(self, driver: Worklist) -> None:
        """Let what fits say what it says."""
        super().waive(driver)
        self._unify(driver)

    def attempt(self, driver: Worklist) -> list[Any]:
        """Unify; never waits."""
        wrong = self._unify(driver)
        if not wrong:
            return []
        self.refused, first = wrong[0]
        self.where = self.span_of(self.refused)
        said = (
            misfit(self.place_of(i), self.written[i], self.arguments[i], mismatch, driver).message
            for i, mismatch in wrong
        )
        raise Refusal("; ".join(said)) from first

    def _unify(self, driver: Worklist) -> list[tuple[int, Mismatch]]:
        """Unify what is written with the instance; the places where it does not fit, and why."""
        wrong: list[tuple[int, Mismatch]] = []
        for index, actual in self.written.items():
            try:
                driver.fit(actual, self.arguments[index])
            except Mismatch as mismatch:
                wrong.append((index, mismatch))
        return wrong


class ConstructorSite(InstanceSite):
    """A call of a constructor: what is written are the fields."""

    __slots__ = ()

    def place_of(self, index: int) -> str:
        """Where an argument stands, in words."""
        return f"argument {index + 1}"

    def span_of(self, index: int) -> Any:
        """Where an argument stands in the text."""
        return use_span(self.expr.args[index], self.expr)


class PatternSite(InstanceSite):
    """A pattern of a constructor: what is written is the scrutinee."""

    __slots__ = ()

    def place_of(self, index: int) -> str:
        """Where an argument stands, in words."""
        return "the matched value"


class ProjectionSite(StructureSite):
    """`tuple.index`: matched with what is known of the tuple."""

    __slots__ = ("index",)

    def __init__(
        self, relation: Relation, head: Head, index: int, data: Any, component: Any, expr: Any, owner: str
    ) -> None:
        super().__init__(relation, head, (data, component), expr, owner)
        self.index = index

    def attempt(self, driver: Worklist) -> list[Any]:
        """Wait for the tuple, then take the component."""
        data, _ = self.arguments
        try:
            values, waiting = self.head.match(0, data, driver.store.walk)
        except Unlike:
            assumed = self._assumed(driver)
            if assumed is None:
                raise Refusal(_no_component(self.index, data, driver)) from None
            return self._take(assumed, driver)
        return waiting or self._take(instantiate(self.head.terms[1], values), driver)

    def _assumed(self, driver: Worklist) -> Any:
        """The component as a `where` says it; None if none does."""
        if self.given is None or not self.given.constraints:
            return None
        data, component = map(driver.store.walk, self.arguments)
        assumed = self.given.assumed(self.relation.name, None, (data, component))
        return None if assumed is None else assumed[1]

    def _take(self, component: Any, driver: Worklist) -> list[Any]:
        try:
            driver.store.unify(component, self.arguments[1])
        except Mismatch as mismatch:
            wanted, found = driver.show(self.arguments[1]), driver.show(component)
            raise Refusal(f"field .{self.index} has type {found}, but {wanted} is wanted") from mismatch
        return []


def constructed(
    driver: Worklist,
    relation: Relation,
    head: Head | None,
    arg_types: tuple[Any, ...],
    expr: Any,
    owner: str,
    values: Sequence[Any],
) -> tuple[Any, Site]:
    """The type of a call of a constructor, and its site. `values` are the first type arguments.

    If what is written is the instance itself, nothing is left to be done.
    """
    if head is None:
        general = RelationSite(relation, (*arg_types, UNNAMED), None, expr, owner, relation.name)
        driver.add(general)
        return general.arguments[-1], general
    instance = head.instance(dict(zip(head.parameters, values, strict=False)))
    site = ConstructorSite(relation, head, instance, dict(enumerate(arg_types)), expr, owner)
    if arg_types != instance[:-1]:
        driver.add(site)
    return instance[-1], site


def taken_apart(driver: Worklist, relation: Relation, scrutinee: Any, pattern: Any, owner: str) -> tuple[Any, ...]:
    """The types of the fields of a constructor's pattern."""
    head = driver.rules.head(relation)
    if head is None:
        fields = tuple(IncompleteType() for _ in relation.parameters[1:])
        driver.add(RelationSite(relation, (scrutinee, *fields), None, pattern, owner, relation.name))
        return fields
    instance = head.instance({})
    driver.add(PatternSite(relation, head, instance, {0: scrutinee}, pattern, owner))
    return instance[1:]


def projected(driver: Worklist, index: int, data: Any, component: Any, expr: Any, owner: str) -> Any:
    """The type of a component of a tuple; `component` is what it must be, or UNNAMED."""
    known = driver.rules.projection(index)
    if known is None:
        _far(driver, index, data, Site(expr, owner))
        return IncompleteType()
    relation, head = known
    if head is None or not head.is_open:
        general = RelationSite(relation, (data, component), None, expr, owner, relation.name)
        driver.add(general)
        return general.arguments[-1]
    if component is UNNAMED:
        component = head.part(data, driver.store.walk)
        if component is not None:
            return component
        component = fresh()
    driver.add(ProjectionSite(relation, head, index, data, component, expr, owner))
    return component


def _far(driver: Worklist, index: int, data: Any, site: Site) -> None:
    """A component behind more than relations speak of: there is none, or that is not found out."""
    known = driver.store.walk(data)
    fields = driver.store.walk(known.fields) if type(known) is TupleType else known
    if index >= 0 and (type(fields) in (*VARIABLES, Cons) or (type(fields) is tuple and index < len(fields))):
        driver.give_up(site, "field limit")
    else:
        driver.refuse(site, _no_component(index, data, driver))


def _no_component(index: int, data: Any, driver: Worklist) -> str:
    """Why there is no such component."""
    known = driver.store.walk(data)
    if type(known) is not TupleType:
        return f"field .{index} is taken of a value of type {driver.show(known)}, which is no tuple"
    fields = driver.store.walk(known.fields)
    count = several(len(fields), "field") if type(fields) is tuple else "fewer fields"
    return f"there is no field .{index} in a value of type {driver.show(known)}, which has {count}"
