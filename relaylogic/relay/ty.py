"""Relay's types under the names of `tvm.relay.ty`, kinds as an enumeration."""

from __future__ import annotations

from enum import Enum
from typing import Any as _Any

from ..logic.terms.numbers import Unknown as Any
from ..types import (
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeRelation,
    TypeVar,
    scalar_type,
)

__all__ = [
    "Any",
    "FuncType",
    "GlobalTypeVar",
    "IncompleteType",
    "RefType",
    "ShapeVar",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeConstraint",
    "TypeKind",
    "TypeRelation",
    "TypeVar",
    "is_dynamic",
    "scalar_type",
]


class TypeKind(str, Enum):
    """The kinds; each is also its name, which all functions accept as well."""

    Type = "Type"
    ShapeVar = "ShapeVar"
    BaseType = "BaseType"
    Shape = "Shape"
    Constraint = "Constraint"
    AdtHandle = "AdtHandle"
    TypeData = "TypeData"


TypeConstraint = TypeRelation


def is_dynamic(tensor_type: _Any) -> bool:
    """Whether a tensor type, or one within a type, has an extent that is no number, such as `Any()`."""
    agenda, seen = [tensor_type], set()
    while agenda:
        part = agenda.pop()
        if type(part) is TensorType:
            if type(part.shape) is not tuple or not all(type(extent) is int for extent in part.shape):
                return True
        elif part not in seen:
            seen.add(part)
            agenda += part if type(part) is tuple else getattr(part, "args", ())
    return False


def ShapeVar(name: str) -> _Any:
    """A type parameter that stands for an extent."""
    return TypeVar(name, TypeKind.ShapeVar)
