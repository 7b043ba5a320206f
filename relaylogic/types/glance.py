"""What a simple type is made of, seen at a glance and once: most annotations are simple, and programs repeat them."""

from __future__ import annotations

from typing import Any, NamedTuple

from .dtypes import normal_dtype
from .terms import ANY, FuncType, GlobalTypeVar, TensorType, TupleType, Type, TypeCall, TypeVar

__all__ = ["Glance", "glance"]

_MOST = 200
"""So many parts of a type are seen at a glance; a small type may hold others many times over."""


class Glance(NamedTuple):
    """What a type is made of that binds no type parameters, has no holes, and is well-kinded if its data types are.

    Its type parameters, which all are types, and the data types in it with what they are applied to.
    """

    parameters: tuple[Any, ...]
    calls: tuple[Any, ...]


_PLAIN = Glance((), ())


def glance(type_: Any) -> Glance | None:
    """What is seen of a type at a glance; None if that is not enough, or if it is no type.

    A term keeps it: like what a term is made of, it does not depend on who asks.
    """
    if not isinstance(type_, Type):
        return None
    try:
        return type_.seen  # type: ignore[no-any-return]
    except AttributeError:
        found = type_.seen = _seen(type_)
        return found


def _seen(type_: Type) -> Glance | None:
    parameters: dict[Any, None] = {}
    calls: dict[Any, None] = {}
    agenda: list[Any] = [type_]
    for _ in range(_MOST):
        if not agenda:
            return Glance(tuple(parameters), tuple(calls)) if parameters or calls else _PLAIN
        term = agenda.pop()
        form = type(term)
        if form is TensorType:
            if not _is_plain(*term.args):
                return None
        elif form is TypeVar:
            if term.args[1] != "Type":
                return None
            parameters[term] = None
        elif form is TypeCall:
            handle, arguments = term.args
            if type(handle) is not GlobalTypeVar or type(arguments) is not tuple:
                return None
            calls[term] = None
            agenda += reversed(arguments)
        elif form is FuncType:
            arguments, result, bound, constraints = term.args
            if type(arguments) is not tuple or bound or constraints:
                return None
            agenda.append(result)
            agenda += reversed(arguments)
        elif form is TupleType and type(term.fields) is tuple:
            agenda += reversed(term.fields)
        else:
            return None
    return None


def _is_plain(shape: Any, dtype: Any) -> bool:
    """Whether these are known extents, or `?`, and a dtype."""
    if type(shape) is not tuple or type(dtype) is not str:
        return False
    for extent in shape:
        if (extent < 0) if type(extent) is int else extent is not ANY:
            return False
    try:
        normal_dtype(dtype)
    except ValueError:
        return False
    return True
