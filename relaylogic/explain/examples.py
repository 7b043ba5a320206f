"""An example call for each operator: one that is written down (`example_table`), or else one found by trying."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..host.governor import LimitReached, governed, limits
from ..infer.program import Inference
from ..ir import IRModule
from ..rulebase import Operator, RuleBase
from ..text import parse_type
from ..types import FuncType, IncompleteType, TensorType, TupleType, show_type
from .example_table import EXAMPLES
from .report import add_call

__all__ = ["example_call", "example_of"]

TRIALS = 60
STEPS, ALL_STEPS = 5_000, 20_000
"""So many steps one call may take, and all that are tried: of a relation that calls itself, they may have no end."""


def example_of(rules: RuleBase, operator: Operator) -> list[str]:
    """A call of the operator with its type, and what the call's `_` turn out to be; empty if no call was found."""
    return next((shown for _, _, shown in _found(rules, operator)), [])


def example_call(rules: RuleBase, operator: Operator) -> tuple[list[Any], dict[str, Any]] | None:
    """The arguments and attributes of that call."""
    return next(((arguments, attrs) for arguments, attrs, _ in _found(rules, operator)), None)


def _found(rules: RuleBase, operator: Operator) -> Iterator[tuple[list[Any], dict[str, Any], list[str]]]:
    with limits(steps=ALL_STEPS) as all_calls:
        for arguments, attrs in _candidates(operator):
            if all_calls.steps_left <= 0:
                break
            shown = _typed(rules, operator, arguments, attrs)
            if shown:
                yield arguments, attrs, shown


def _candidates(operator: Operator) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Calls to try, the most telling first."""
    for key in (operator.name, operator.relation.name):
        if key in EXAMPLES:
            text, attrs = EXAMPLES[key]
            yield _types(text), attrs
    yield from _usual(operator)


def _types(text: str) -> list[Any]:
    return list(parse_type(f"({text},)").fields) if text else []


# What is tried on operators that the table does not know.
_SHAPES: list[tuple[int, ...]] = [(2, 3), (1, 3, 8, 8), (2, 3, 4), (), (4,), (1, 2, 3, 4, 4)]
_DTYPES = ("float32", "int32", "bool")
_VALUES: dict[str, tuple[Any, ...]] = {
    "int": (1,),
    "bool": (False,),
    "float": (1.0,),
    "str": ("",),
    "dtype": ("float32",),
    "integer": (1, None),
    "dim": (1, None),
    "list": ((1,), (0,), (1, 1), None),
    "floats": ((1.0,), None),
    "expr": ({"const": 1, "dtype": "int32", "shape": ()},),
    "object": (None, 1),
}


def _usual(operator: Operator) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Calls on tensors of the usual shapes: with the other arguments open, like the first, or scalars."""
    required = [attribute for attribute in operator.attributes.values() if attribute.required]
    count = 1 if operator.variadic else len(operator.inputs)
    tried = 0
    for turn in range(4):
        attrs = {a.name: _VALUES[a.kind][min(turn, len(_VALUES[a.kind]) - 1)] for a in required}
        if turn and all(len(_VALUES[a.kind]) <= turn for a in required):
            return
        for dtype in _DTYPES:
            for shape in _SHAPES:
                tensor, scalar = TensorType(shape, dtype), TensorType((), dtype)
                for first in (tensor, TupleType((tensor, tensor))):
                    for others in ([tensor] * (count - 1), [scalar] * (count - 1), _open(count - 1)):
                        tried += 1
                        if tried > TRIALS:
                            return
                        yield [first, *others][:count], attrs


def _open(count: int) -> list[Any]:
    return [IncompleteType() for _ in range(count)]


def _typed(rules: RuleBase, operator: Operator, arguments: list[Any], attrs: dict[str, Any]) -> list[str]:
    with limits(steps=STEPS):
        main = governed(lambda: _inferred(rules, operator, arguments, attrs), _none_within_its_steps)
    if main is None:
        return []
    given = [show_type(argument, lambda _: "_") for argument in arguments]
    call = ", ".join([*given, *(f"{name}={_literal(value)}" for name, value in attrs.items())])
    lines = [f"{operator.name}({call}) : {show_type(main.ret_type)}"]
    names = operator.inputs if not operator.variadic else ()
    for name, text, found in zip(names, given, main.arg_types, strict=False):
        if "_" in text.split() or text == "_":
            lines.append(f"  {name} = {show_type(found)}")
    return lines


def _inferred(rules: RuleBase, operator: Operator, arguments: list[Any], attrs: dict[str, Any]) -> FuncType | None:
    """The type of a call as a function of its arguments; None if it is not typed, of which nobody asks why."""
    module = IRModule()
    add_call(operator.name, arguments, module, attrs)
    inference = Inference(module, rules, closed=True, monomorphic=True)
    if inference.verdict() != "typed":
        return None
    (type_,) = inference.globals.values()
    found = inference.driver.store.reify(type_)
    assert type(found) is FuncType
    return found


def _none_within_its_steps(reached: LimitReached) -> None:
    if reached.limit != "steps":
        raise reached


def _literal(value: Any) -> str:
    """An attribute as Relay's text has it, as far as it has it."""
    if isinstance(value, dict) and "const" in value:
        return str(value["const"])
    if isinstance(value, str):
        return f'"{value}"'
    return repr(list(value) if isinstance(value, tuple) else value)
