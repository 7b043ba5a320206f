"""What a simple type is made of, seen at a glance and once: most annotations are simple, and programs repeat them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..logic.terms.variables import VARIABLES
from .dtypes import normal_dtype
from .terms import ANY, FuncType, GlobalTypeVar, TensorType, TupleType, Type, TypeCall, TypeVar, kind_of_hole

__all__ = ["Glance", "glance"]

_MOST = 200
"""So many parts of a type are seen at a glance; a small type may hold others many times over."""


class Glance(NamedTuple):
    """What a type is made of that binds no type parameters, and is well-kinded if its data types are.

    Its type parameters, which all are types, the data types in it with what they are applied to, and its holes.
    """

    parameters: tuple[Any, ...]
    calls: tuple[Any, ...]
    holes: tuple[Any, ...]


_PLAIN = Glance((), (), ())


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
    holes: dict[Any, None] = {}
    agenda: list[Any] = [type_]
    for _ in range(_MOST):
        if not agenda:
            is_plain = not (parameters or calls or holes)
            return _PLAIN if is_plain else Glance(tuple(parameters), tuple(calls), tuple(holes))
        term = agenda.pop()
        form = type(term)
        if form is TensorType:
            if not _is_plain(term.shape, term.dtype, holes):
                return None
        elif form in VARIABLES:
            if not _is_hole(term, "Type", holes):
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


def _is_hole(term: Any, kind: str, holes: dict[Any, None]) -> bool:
    """Whether a term is a hole of a kind, which joins the holes."""
    if type(term) not in VARIABLES or kind_of_hole(term) != kind:
        return False
    holes[term] = None
    return True


def _is_plain(shape: Any, dtype: Any, holes: dict[Any, None]) -> bool:
    """Whether these are known extents, or `?`, and a dtype, but for holes, which join the others."""
    if type(shape) is tuple:
        for extent in shape:
            if type(extent) is int:
                if extent < 0:
                    return False
            elif extent is not ANY and not _is_hole(extent, "ShapeVar", holes):
                return False
    elif not _is_hole(shape, "Shape", holes):
        return False
    if type(dtype) is not str:
        return _is_hole(dtype, "BaseType", holes)
    try:
        normal_dtype(dtype)
    except ValueError:
        return False
    return True
