"""Extents as `tvm.te` and `tvm.tir` name them: `te.var("n")`, `tir.Any()`, `tir.IntImm("int32", 3)`.

An extent that a program does not know is a type parameter of kind ShapeVar; arithmetic on it is normalised.
"""

from __future__ import annotations

from typing import Any as _Any

from ..logic.numbers import Unknown as Any
from ..types import TypeVar, dim_max, dim_min

__all__ = ["Any", "IntImm", "SizeVar", "Var", "floordiv", "floormod", "indexdiv", "indexmod", "max", "min", "size_var", "var"]


def var(name: str = "tindex", dtype: str = "int32", span: _Any = None) -> _Any:
    """An extent that stands for any natural number, the same wherever it occurs."""
    del dtype, span
    return TypeVar(name, "ShapeVar")


Var = SizeVar = size_var = var


class IntImm(int):
    """An integer with a dtype; in a shape it is that integer."""

    dtype: str

    def __new__(cls, dtype: str, value: int, span: _Any = None) -> IntImm:
        """`IntImm("int32", 3)`."""
        new = super().__new__(cls, value)
        new.dtype = dtype
        return new

    @property
    def value(self) -> int:
        """The integer."""
        return int(self)


def floordiv(a: _Any, b: _Any, span: _Any = None) -> _Any:
    """The floor of a / b."""
    return a // b


def floormod(a: _Any, b: _Any, span: _Any = None) -> _Any:
    """a - b * floordiv(a, b)."""
    return a % b


def min(a: _Any, b: _Any, span: _Any = None) -> _Any:
    """The lesser of two extents."""
    return dim_min(a, b)


def max(a: _Any, b: _Any, span: _Any = None) -> _Any:
    """The greater of two extents."""
    return dim_max(a, b)


indexdiv, indexmod = floordiv, floormod
