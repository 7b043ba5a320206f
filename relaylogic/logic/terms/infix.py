"""Infix arithmetic on numbers that are terms: `n + 1`, `2 * n`, `n // 2` in the shapes that a program writes in Python.

A mixin of the classes of `numbers` and of `Symbol`; results are normalised there. Comparison stays identity.
"""

from __future__ import annotations

from typing import Any

from ...host.above import above

__all__ = ["Infix"]


class Infix:
    """Gives `+ - * // %` to a number that is not an int."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return above("infix arithmetic")("add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return above("infix arithmetic")("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return above("infix arithmetic")("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return above("infix arithmetic")("mul", self, other)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return -1 * self

    def __floordiv__(self, other: Any) -> Any:
        return above("infix arithmetic")("quotient", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return above("infix arithmetic")("quotient", other, self)

    def __mod__(self, other: Any) -> Any:
        return above("infix arithmetic")("remainder", self, other)

    def __rmod__(self, other: Any) -> Any:
        return above("infix arithmetic")("remainder", other, self)
