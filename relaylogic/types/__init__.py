"""Types, shapes and dimensions of Relay as terms of the logic engine."""

from __future__ import annotations

from typing import Any

from ..host.above import register
from ..logic.terms import numbers as _numbers
from .dtypes import bits, family, is_float, is_integer, lanes, normal_dtype
from .show import is_bare, show_dimension, show_shape
from .table import show_type
from .terms import (
    ANY,
    KINDS,
    STORAGE,
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
    kind_of_hole,
    scalar_type,
)
from .values import has_number, has_value, integer_range, number_as

__all__ = [
    "ANY",
    "KINDS",
    "STORAGE",
    "FuncType",
    "GlobalTypeVar",
    "IncompleteType",
    "RefType",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeRelation",
    "TypeVar",
    "bits",
    "dim_add",
    "dim_floordiv",
    "dim_max",
    "dim_min",
    "dim_mod",
    "dim_mul",
    "dim_sub",
    "family",
    "has_number",
    "has_value",
    "integer_range",
    "is_bare",
    "is_float",
    "is_integer",
    "kind_of_hole",
    "lanes",
    "normal_dtype",
    "number_as",
    "scalar_type",
    "show_dimension",
    "show_shape",
    "show_type",
]

dim_add = _numbers.add
dim_mul = _numbers.mul
dim_floordiv = _numbers.quotient
dim_mod = _numbers.remainder
dim_min = _numbers.minimum
dim_max = _numbers.maximum


def dim_sub(a: Any, b: Any) -> Any:
    """a - b for ground dimensions."""
    return _numbers.add(a, _numbers.mul(-1, b))


register({"text of a type": "relaylogic.types.table:show_type"})
