"""The bindings of a program, and which of them are holes: annotations that are left out or contain `_`.

A parameter's hole is a question, whatever follows for it. The type of a let-bound variable or of a result that follows
from what is annotated, without any choice, is no hole: it is not listed, it may still be spoken of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..infer.program import Inference
from ..ir import Call, Function, GlobalVar, IRModule, Let, Op, post_order
from ..logic.constraints.unseen import MOST
from ..logic.terms.terms import is_ground
from ..rulebase.attribute_universe import AttributeBounds
from ..rulebase.attributes import as_term
from ..types import FuncType
from ..types.universe import Universe

__all__ = [
    "AttributeHole",
    "Binding",
    "Hole",
    "Nodes",
    "attributes_of",
    "bindings_of",
    "bounds_of",
    "holes_of",
    "nodes_of",
]


class Binding:
    """A parameter, let-bound variable or result: its `name`, the expression it belongs to, whether it is `open`."""

    __slots__ = ("asked", "expr", "function", "name", "open", "parameter", "result", "span")
    kind = "type"

    def __init__(self, name: str, expr: Any, annotation: Any, function: str, result: bool = False) -> None:
        self.parameter = False  # whether it is a parameter of `function`, which is a global one
        self.name = name
        self.expr = expr
        self.function = function
        self.result = result
        self.open = annotation is None or not is_ground(annotation)
        self.asked = False  # whether it is a parameter, or `_` is written in its annotation
        self.span = expr.span

    def type_in(self, inference: Inference) -> Any:
        """The type as far as an inference knows it."""
        known = inference.type_of(self.expr)
        if not self.result:
            return known
        return known.ret_type if type(known) is FuncType else known


class AttributeHole:
    """An attribute of a call that is `_`, or a list in which `_` stands.

    It is named after the variable that the call is bound to, `%y.strides`, or else after the operator.
    """

    __slots__ = ("attribute", "call", "function", "name", "operator", "span")
    kind = "value"
    open = asked = True
    parameter = result = False

    def __init__(self, name: str, call: Call, operator: str, attribute: str, function: str) -> None:
        self.name = name
        self.operator = operator
        self.call = call
        self.attribute = attribute
        self.function = function
        self.span = call.span

    def type_in(self, inference: Inference) -> Any:
        """The attribute as it is written; what an inference has found of it is in its store."""
        return as_term((self.call.given or {})[self.attribute])


Hole = Binding | AttributeHole


def bounds_of(universe: Universe) -> AttributeBounds:
    """What attributes that are not known range over in a universe: they get values if it bounds them, or is ground."""
    most = MOST if universe.max_attr is None and universe.ground else universe.max_attr
    return AttributeBounds(most, universe.max_attr_length, universe.dtypes)


Nodes = Mapping[GlobalVar, Sequence[Any]]
"""The nodes of each function of a program, children before parents."""


def nodes_of(module: IRModule) -> Nodes:
    """The nodes of a program."""
    return {variable: list(post_order(function)) for variable, function in module.functions.items()}


def attributes_of(nodes_of_each: Nodes) -> list[AttributeHole]:
    """The attributes of a program that are not known, in the order of its text."""
    found: list[AttributeHole] = []
    several = len(nodes_of_each) > 1
    for variable, nodes in nodes_of_each.items():
        prefix = f"@{variable.name_hint} " if several else ""
        bound = {id(node.value): f"%{node.var.name_hint}" for node in nodes if type(node) is Let}
        for node in nodes:
            if type(node) is Call and node.given and type(node.op) is Op:
                for name, value in node.given.items():
                    if not is_ground(as_term(value)):
                        whose = bound.get(id(node), node.op.name)
                        found.append(
                            AttributeHole(f"{prefix}{whose}.{name}", node, node.op.name, name, variable.name_hint)
                        )
    _tell_apart(found)
    return found


def bindings_of(nodes_of_each: Nodes) -> list[Binding]:
    """The bindings of a program, in the order of its text; names that occur twice are told apart by their places."""
    found: list[Binding] = []
    several = len(nodes_of_each) > 1
    for variable, nodes in nodes_of_each.items():
        function = nodes[-1]
        owner = variable.name_hint
        prefix = f"@{owner} " if several else ""

        def bound(var: Any, asked: bool, owner: str = owner, prefix: str = prefix) -> None:
            made = Binding(f"{prefix}%{var.name_hint}", var, var.type_annotation, owner)
            made.asked = asked or var.type_annotation is not None
            found.append(made)

        for parameter in function.params:
            bound(parameter, True)
            found[-1].parameter = True
        for node in nodes:
            if type(node) is Let:
                bound(node.var, False)
            elif type(node) is Function and node is not function:
                for parameter in node.params:
                    bound(parameter, True)
        result = Binding(f"@{owner}", function, function.ret_type, owner, True)
        result.asked = function.ret_type is not None
        found.append(result)
    _tell_apart([binding for binding in found if binding.open])
    taken = {binding.name for binding in found if binding.open}
    _tell_apart([binding for binding in found if not binding.open], taken)
    return found


def holes_of(bindings: list[Binding], inference: Inference) -> list[Binding]:
    """The holes among the bindings of a program, given what follows for it."""
    reify = inference.driver.store.reify
    return [b for b in bindings if b.open and (b.asked or not is_ground(reify(b.type_in(inference))))]


def _tell_apart(bindings: Sequence[Hole], taken: set[str] | frozenset[str] = frozenset()) -> None:
    names: dict[str, int] = {}
    for binding in bindings:
        names[binding.name] = names.get(binding.name, 0) + 1
    seen: dict[str, int] = {}
    for binding in bindings:
        name, span = binding.name, binding.span
        if names[name] > 1 or name in taken:
            seen[name] = seen.get(name, 0) + 1
            binding.name = f"{name} at {span.line}:{span.column}" if span is not None else f"{name} at #{seen[name]}"
