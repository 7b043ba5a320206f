"""Explicit type arguments at calls, `@f<(10, 10), n, float32>(%x)`.

What an argument means depends on the kind of the parameter, and the callee may not be known yet. So a call
keeps

- a type as a type; a type parameter as itself;
- a list with at least one dimension in it, `(10, n)`, as a tuple of dimensions; `()` as the unit type;
- a dimension as an int, `ANY` or an expression;
- a dtype as the scalar type of that dtype, since `float32` is both;
- `_` as a hole of kind Type

and `coerce_type_argument` makes of it what the parameter's kind asks for.
"""

from __future__ import annotations

from typing import Any

from ..errors import said
from ..logic.terms.terms import Term
from ..logic.terms.variables import VARIABLES
from ..types import ANY, IncompleteType, TensorType, TupleType, TypeVar
from ..types import Type as RelayType

__all__ = ["coerce_type_argument"]


def coerce_type_argument(argument: Any, kind: str) -> Any:
    """The type, shape, dimension or dtype that `argument` is for a type parameter of that kind.

    Raises ValueError, saying why, if it cannot be one.
    """
    if type(argument) in VARIABLES:
        return argument if kind == "Type" else IncompleteType(kind)
    if type(argument) is TypeVar:
        if argument.kind != kind:
            raise ValueError(f"`{argument}` is of kind {argument.kind}, but a {kind} is wanted")
        return argument
    is_dimension = type(argument) is int or argument is ANY or not isinstance(argument, (RelayType, tuple))
    if kind == "ShapeVar" and is_dimension:
        return argument
    if kind == "Shape" and type(argument) is tuple:
        return argument
    if kind == "Shape" and type(argument) is TupleType and all(type(f) in VARIABLES for f in argument.fields):
        return tuple(IncompleteType("ShapeVar") for _ in argument.fields)
    if (
        kind == "Shape"
        and type(argument) is TupleType
        and all(type(f) is TypeVar and f.kind == "ShapeVar" for f in argument.fields)
    ):
        return argument.fields
    if kind == "BaseType" and type(argument) is TensorType and argument.shape == ():
        return argument.dtype
    if kind == "Type" and isinstance(argument, RelayType):
        return argument
    raise ValueError(f"`{_shown(argument)}` cannot stand for a type parameter of kind {kind}")


def _shown(argument: Any) -> str:
    if type(argument) is tuple:
        return f"({', '.join(map(_part, argument))})"
    return _part(argument)


def _part(argument: Any) -> str:
    return str(argument) if isinstance(argument, Term) or type(argument) in VARIABLES else said(argument)
