"""Types as text, the way TVM's Relay printer writes them.

What TVM has no syntax for is written in the extended syntax of `relaylogic.text`: a hole is `_`, an open list of
dimensions ends in `...`. Iterative, so that a type nested 10,000 deep prints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unification import Var

from ..logic.numbers import is_number, show_number
from ..logic.terms import Cons, Slot
from .terms import (
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
)

__all__ = ["show_dimension", "show_shape", "show_type"]

Namer = Callable[[Any], str]


def _hole(variable: Any) -> str:
    return str(variable) if getattr(getattr(variable, "token", None), "constraints", ()) else "_"


def show_dimension(dim: Any, name: Namer = _hole) -> str:
    """A dimension as text: `3`, `?`, `n`, `2 * n + 1`, or the name of a hole."""
    kind = type(dim)
    if kind is int:
        return str(dim) if dim.bit_length() < 14000 else hex(dim)
    if kind is Var or kind is Slot:
        return name(dim)
    if kind is TypeVar:
        return dim.name_hint  # type: ignore[no-any-return]
    return show_number(dim) if is_number(dim) else str(dim)


def show_shape(shape: Any, name: Namer = _hole) -> str:
    """A shape as text: `(2, 3)`, `(3)` for rank 1 as TVM writes it, `()` for rank 0."""
    kind = type(shape)
    if kind is tuple:
        return f"({', '.join(show_dimension(d, name) for d in shape)})"
    if kind is Cons:
        return f"({', '.join(show_dimension(d, name) for d in shape.prefix)}, {_rest(shape.tail, name)})"
    if kind is Var or kind is Slot:
        return name(shape)
    return shape.name_hint if kind is TypeVar else str(shape)


def _rest(tail: Any, name: Namer) -> str:
    """What an open list ends in: a hole, or the type parameter that a generalised one has become."""
    return f"...{tail.name_hint if type(tail) is TypeVar else name(tail)}"


def _dtype(dtype: Any, name: Namer) -> str:
    if type(dtype) is str:
        return dtype
    return dtype.name_hint if type(dtype) is TypeVar else name(dtype)


def show_type(term: Any, name: Namer = _hole) -> str:
    """A type as text; `name` says how a logic variable is written."""
    out: list[str] = []
    agenda: list[Any] = [(term,)]  # strings are written, (term,) is visited
    while agenda:
        item = agenda.pop()
        if type(item) is str:
            out.append(item)
            continue
        (node,) = item
        kind = type(node)
        if kind is TensorType:
            if node.shape == () and type(node.dtype) is str and node.dtype:
                out.append(node.dtype)
            else:
                out.append(f"Tensor[{show_shape(node.shape, name)}, {_dtype(node.dtype, name)}]")
        elif kind is Var or kind is Slot:
            out.append(name(node))
        elif kind in (TypeVar, GlobalTypeVar):
            out.append(node.name_hint)
        else:
            agenda.extend(reversed(_pieces(node, name)))
    return "".join(out)


def _separated(items: Any, name: Namer, open_end: str = "") -> list[Any]:
    pieces: list[Any] = []
    if type(items) is Cons:
        open_end = f", {_rest(items.tail, name)}"
        items = items.prefix
    elif type(items) in (Var, Slot, TypeVar):
        return [_rest(items, name)]
    for index, item in enumerate(items):
        if index:
            pieces.append(", ")
        pieces.append((item,))
    return [*pieces, open_end] if open_end else pieces


def _pieces(node: Any, name: Namer) -> list[Any]:
    kind = type(node)
    if kind is TupleType:
        last = ",)" if type(node.fields) is tuple and len(node.fields) == 1 else ")"
        return ["(", *_separated(node.fields, name), last]
    if kind is FuncType:
        head = "fn "
        if node.type_params:
            head += f"[{', '.join(show_parameter(p) for p in node.type_params)}]"
        pieces: list[Any] = [head, "(", *_separated(node.arg_types, name), ") -> ", (node.ret_type,)]
        if node.type_constraints:
            pieces += [" where ", *_separated(node.type_constraints, name)]
        return pieces
    if kind is TypeCall:
        return [(node.func,), "[", *_separated(node.type_args, name), "]"]
    if kind is RefType:
        return ["ref(", (node.value,), ")"]
    if kind is TypeRelation:
        return [f"{node.name}(", *_separated(node.arguments, name), ")"]
    if kind in (tuple, Cons):
        return [show_shape(node, name)]
    return [show_dimension(node, name)]


def show_parameter(parameter: Any) -> str:
    """A type parameter as it is declared: its name, with its kind unless that is Type."""
    if parameter.kind == "Type":
        return parameter.name_hint  # type: ignore[no-any-return]
    return f"{parameter.name_hint}: {parameter.kind}"
