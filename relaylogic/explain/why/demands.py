"""What places say of the nodes that they are about, as sites of a driver: each as it is asked for, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...infer.sites.demands import EqualSite
from ...infer.sites.driver import Driver
from ...infer.sites.places import tail
from ...infer.sites.site import UNNAMED
from ...infer.sites.structure import projected
from ...ir import Call, Function, Tuple, TupleGetItem
from ...rulebase import RuleBase
from ...types import IncompleteType, TupleType
from ..places.place import Place
from .segments import Types

__all__ = ["Demand", "Demands"]

Demand = Callable[[Driver, Types], None]
"""States what a place says, of the types of nodes."""


class Demands:
    """What the places of the function `owner` say; `node` is the node that has the type of an expression."""

    def __init__(self, rules: RuleBase, owner: str, node: Callable[[Any], Any]) -> None:
        self._rules = rules
        self._owner = owner
        self._node = node
        self._made: dict[int, Demand] = {}  # of places

    def state(self, place: Place, driver: Driver, types: Types) -> None:
        """State what a place says."""
        found = self._made.get(place.index)
        if found is None:
            made = self._demand(place.node) if place.binds is None else self.equal(place.binds, place.node)
            found = self._made[place.index] = made
        found(driver, types)

    def equal(self, variable: Any, value: Any) -> Demand:
        """That a variable has the type of a value."""
        name, node = id(variable), id(self._node(value))

        def demand(driver: Driver, types: Types) -> None:
            driver.add(EqualSite(types[node], types[name], "", value, self._owner))

        return demand

    def _demand(self, node: Any) -> Demand:
        """What a call, a constant, a tuple, a projection or the result type of the function says."""
        head, owner = id(node), self._owner
        if type(node) is Function:
            body = id(self._node(node.body))

            def result(driver: Driver, types: Types) -> None:
                driver.add(EqualSite(types[body], node.ret_type, "the body", tail(node.body)[0], owner))

            return result
        if type(node) is Call:
            operator = self._rules.operators[node.op.name]  # type: ignore[attr-defined]
            arguments = [id(self._node(argument)) for argument in node.args]

            def call(driver: Driver, types: Types) -> None:
                inputs = tuple([types[argument] for argument in arguments])
                given = (TupleType(inputs),) if operator.variadic else inputs
                types[head] = driver.operator_call(node, operator, given, owner)

            return call
        if type(node) is Tuple:
            fields = [id(self._node(part)) for part in node.fields]

            def tuple_(driver: Driver, types: Types) -> None:
                types[head] = TupleType(tuple([types[field] for field in fields]))

            return tuple_
        if type(node) is TupleGetItem:
            data = id(self._node(node.tuple_value))

            def projection(driver: Driver, types: Types) -> None:
                types[head] = projected(driver, node.index, types[data], UNNAMED, node, owner)

            return projection

        def constant(driver: Driver, types: Types) -> None:
            types[head] = IncompleteType() if node.tensor_type is None else node.tensor_type

        return constant
