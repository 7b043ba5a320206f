"""Infix arithmetic on numbers that are terms: `n + 1`, `2 * n`, `n // 2` in the shapes that a program writes in Python.

A mixin of the classes of `numbers` and of `Symbol`; results are normalised there. Comparison stays identity. What is
neither an integer nor a term has no sum with a number: Python raises TypeError.
"""

from __future__ import annotations

from typing import Any

from .variables import VARIABLES

__all__ = ["Infix"]


class Infix:
    """Gives `+ - * // %` to a number that is not an int."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return _made("add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _made("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _made("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return _made("mul", self, other)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return -1 * self

    def __floordiv__(self, other: Any) -> Any:
        return _made("quotient", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _made("quotient", other, self)

    def __mod__(self, other: Any) -> Any:
        return _made("remainder", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _made("remainder", other, self)


def _made(operation: str, left: Any, right: Any) -> Any:
    """The result of an operation on two numbers; NotImplemented if one of them is none."""
    from . import numbers
    from .terms import Term

    operands = []
    for item in (left, right):
        if isinstance(item, Term) or type(item) in VARIABLES:
            operands.append(item)
        elif hasattr(item, "__index__"):
            operands.append(item.__index__())
        else:
            return NotImplemented
    if operation == "subtract":
        return numbers.add(operands[0], numbers.mul(-1, operands[1]))
    made = getattr(numbers, operation)(*operands)
    if made is None:
        raise ZeroDivisionError("division by zero in a shape")
    return made
