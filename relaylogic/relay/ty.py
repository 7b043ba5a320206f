"""Relay's types under the names of `tvm.relay.ty`, kinds as an enumeration."""

from __future__ import annotations

from enum import Enum
from typing import Any as _Any

from ..logic.numbers import Unknown as Any
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


def ShapeVar(name: str) -> _Any:
    """A type parameter that stands for an extent."""
    return TypeVar(name, TypeKind.ShapeVar)
