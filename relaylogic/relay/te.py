"""Extents as `tvm.te` and `tvm.tir` name them: `te.var("n")`, `tir.Any()`, `tir.IntImm("int32", 3)`.

An extent that a program does not know is a type parameter of kind ShapeVar; arithmetic on it is normalised.
"""

from __future__ import annotations

from typing import Any as _Any

from ..logic.terms.numbers import Unknown as Any
from ..types import TypeVar, dim_max, dim_min

__all__ = [
    "Any",
    "IntImm",
    "SizeVar",
    "Var",
    "const",
    "floordiv",
    "floormod",
    "indexdiv",
    "indexmod",
    "max",
    "min",
    "size_var",
    "var",
]


class _ExtentClass(type):
    """Makes `isinstance(dim, Var)` hold of extents that a program does not know."""

    def __instancecheck__(cls, instance: object) -> bool:
        return type(instance) is TypeVar and instance.kind == "ShapeVar"


class Var(metaclass=_ExtentClass):
    """An extent that stands for any natural number, the same wherever it occurs: a type parameter of kind ShapeVar."""

    def __new__(cls, name: str = "tindex", dtype: str = "int32", span: _Any = None) -> _Any:
        """A new extent, different from all others."""
        del dtype, span
        return TypeVar(name, "ShapeVar")


SizeVar = var = size_var = Var


class _IntegerClass(type):
    """Makes `isinstance(dim, IntImm)` hold of the integers of a shape."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, int) and not isinstance(instance, bool)


class IntImm(int, metaclass=_IntegerClass):
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


def const(value: int, dtype: str = "int32", span: _Any = None) -> IntImm:
    """An integer with a dtype."""
    return IntImm(dtype, value)


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
