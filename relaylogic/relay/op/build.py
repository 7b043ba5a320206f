"""Functions of operators, made from the operator table.

A function takes the inputs as expressions and the attributes as Python values, and returns a `Call` with those
attributes that differ from their defaults. Where an operator has a twin for operands that are known only at run time
(`dyn.reshape`), the function chooses between them. An operator with several results returns a `TupleWrapper`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...ir import Call, Expr, Op
from ...rulebase import Operator, default_rules
from ..expr import TupleWrapper, as_expr, const
from .coerce import coerced, same, static_list
from .defaults import complete, number_dtype
from .documentation import documentation
from .results import result_count
from .signatures import NOTHING, Parameter, signatures

__all__ = ["call", "function_of", "parameters_of", "plain_call"]

_TUPLES = {"concatenate", "stack", "einsum", "meshgrid", "adv_index", "qnn.concatenate"}  # take a list of expressions


def parameters_of(operator: Operator) -> list[Parameter]:
    """The parameters of an operator's function, in order; no default is Ellipsis any more."""
    listed = signatures().get(operator.name)
    if listed is None:
        attributes = [a for a in operator.attributes.values() if a.name not in operator.inputs]
        attributes.sort(key=lambda a: not a.required)
        listed = [Parameter(name, name, ...) for name in (*operator.inputs, *(a.name for a in attributes))]
    found = []
    for name, target, default in listed:
        if default is ...:
            attribute = operator.attributes.get(target)
            own = target not in operator.inputs and attribute is not None and not attribute.required
            default = attribute.default if own else NOTHING  # type: ignore[union-attr]
        found.append(Parameter(name, target, default))
    return found


def function_of(name: str) -> Callable[..., Any]:
    """The function of an operator. Raises RuleError if there is no such operator."""
    operator = default_rules().operator(name)
    parameters = parameters_of(operator)
    targets = {p.name: p.target for p in parameters}
    shown = [
        inspect.Parameter(
            p.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if p.default is NOTHING else p.default,
        )
        for p in parameters
    ]
    if operator.variadic:
        shown.append(inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL))
    signature = inspect.Signature(shown)

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        rest = bound.arguments.pop("args", ()) if operator.variadic else ()
        return call(operator, {targets[n]: value for n, value in bound.arguments.items()}, rest)

    function.__name__ = name.rpartition(".")[2]
    function.__qualname__ = function.__name__
    function.__module__ = "relaylogic.relay.op"
    function.__doc__ = documentation(operator, parameters)
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def plain_call(name: str, /, *inputs: Any, **attributes: Any) -> Call:
    """A call of an operator with just these inputs and attributes."""
    return Call(Op(name), [as_expr(value) for value in inputs], attributes or None)


def call(operator: Operator, given: dict[str, Any], rest: tuple[Any, ...] = ()) -> Any:
    """A call of an operator with inputs and attributes by name; its twin's for operands of run time.

    Raises TypeError for an input that is no expression, AttributeProblem for an attribute of a wrong kind.
    """
    twin = default_rules().operators.get(f"dyn.{operator.name}")
    if twin is not None:
        dynamic = _dynamic(operator, twin, given)
        if dynamic is not None:
            return call(twin, dynamic)
    complete(operator.name, given)
    inputs = [_input(operator, name, given[name]) for name in operator.inputs]
    attrs: dict[str, Any] = {}
    for name, attribute in operator.attributes.items():
        if name in operator.inputs:
            value = given[name]
            if isinstance(value, (int, float)):
                attrs[name] = value
            elif attribute.required:
                attrs[name] = attribute.omitted if attribute.may_be_omitted else None
            continue
        if name not in given:
            if attribute.required:
                attrs[name] = None
            continue
        value = coerced(operator, attribute, given[name])
        if attribute.required or not same(value, attribute.default):
            attrs[name] = value
    built = Call(Op(operator.name), [*inputs, *map(as_expr, rest)], attrs or None)
    count = result_count(operator.name, given)
    return built if count is None else TupleWrapper(built, count)


def _input(operator: Operator, name: str, value: Any) -> Expr:
    if isinstance(value, (list, tuple)) and operator.name.startswith("dyn."):
        parts = [v if isinstance(v, Expr) else const(v, "int64") for v in value]
        if any(isinstance(v, Expr) for v in value):
            columns = [Call(Op("expand_dims"), [p], {"axis": 0}) for p in parts]
            return function_of("concatenate")(columns, 0)  # type: ignore[no-any-return]
        return const(list(value), "int64")
    if isinstance(value, int) and operator.name.startswith("dyn.") and name in _ROOTS_OF_LISTS:
        return const([value], "int64")
    if isinstance(value, (int, float)):
        return const(value, number_dtype(operator.name, name))
    if operator.name in _TUPLES and not isinstance(value, (Expr, TupleWrapper)):
        value = [as_expr(v) for v in value]
    expr: Expr = as_expr(value)
    return expr


_ROOTS_OF_LISTS = {"newshape", "shape", "reps", "axes", "begin", "end", "strides"}


def _dynamic(operator: Operator, twin: Operator, given: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments for the twin, if an operand that it takes as an input is an expression, and not a constant.

    Constants among them are turned into plain values of `given`.
    """
    chosen = dict(given)
    needed = False
    for name in twin.inputs:
        target = "axis" if name == "axes" else name
        value = given.get(target)
        if target in operator.inputs or value is None:
            continue
        if isinstance(value, TupleWrapper):
            value = value.astuple()
        plain = static_list(value)
        if plain is not None:
            given[target] = chosen[name] = plain
            continue
        del chosen[target]  # the twin may have an attribute of this name
        chosen[name] = value
        needed = (
            needed
            or isinstance(value, Expr)
            or (isinstance(value, (list, tuple)) and any(isinstance(v, Expr) for v in value))
        )
    return chosen if needed else None
