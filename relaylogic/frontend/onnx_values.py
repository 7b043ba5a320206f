"""What the names of a graph stand for while it is converted: tensors and sequences of tensors.

A tensor has an expression, which is made when it is first asked for (a weight that only says a shape never becomes a
parameter), a type, and its elements where the graph determines them: numbers, or extents with symbols in them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ..ir import Expr

__all__ = ["Sequence", "Value", "number", "room", "single"]


def single(number: float) -> float:
    """The float32 nearest to a number."""
    import numpy

    with numpy.errstate(over="ignore"):  # it may become infinite
        return float(numpy.float32(number))


def room(shape: Iterable[int]) -> int:
    """How much elements of this shape may take as lists in lists: without elements, too, they are as many as the
    extents before a 0 say."""
    return math.prod(max(extent, 1) for extent in shape)


class Value:
    """A tensor. `known` is an object array of its elements (`ANY` for one that is not known), or None."""

    __slots__ = ("_expr", "_known", "graph", "type")

    def __init__(self, graph: Any, expr: Expr | Callable[[], Expr], type_: Any, known: Any = None) -> None:
        self.graph = graph
        self.type = type_
        self._expr = expr
        self._known = known

    @property
    def expr(self) -> Expr:
        """The expression."""
        if not isinstance(self._expr, Expr):
            self._expr = self._expr()
        return self._expr

    @property
    def known(self) -> Any:
        """The elements, as far as they are known at conversion."""
        if callable(self._known):
            self._known = self._known()
        return self._known

    @property
    def numbers(self) -> Any:
        """The elements if all of them are numbers, else None."""
        known = self.known
        return known if known is not None and all(isinstance(item, number) for item in known.flat) else None

    def _with(self, op: str, other: Any, swapped: bool = False) -> Value:
        if not isinstance(other, Value):
            other = self.graph.scalar(other, self.type.dtype)
        first, second = (other, self) if swapped else (self, other)
        result: Value = self.graph.call(op, first, second)
        return result

    def __add__(self, other: Any) -> Value:
        return self._with("add", other)

    def __sub__(self, other: Any) -> Value:
        return self._with("subtract", other)

    def __rsub__(self, other: Any) -> Value:
        return self._with("subtract", other, swapped=True)

    def __mul__(self, other: Any) -> Value:
        return self._with("multiply", other)

    def __truediv__(self, other: Any) -> Value:
        return self._with("divide", other)

    def __lt__(self, other: Any) -> Value:
        return self._with("less", other)

    def __gt__(self, other: Any) -> Value:
        return self._with("greater", other)

    __radd__ = __add__
    __rmul__ = __mul__


class Sequence:
    """A sequence of tensors, whose length the graph determines; None stands for an item whose extents it does not."""

    __slots__ = ("items",)

    def __init__(self, items: list[Value | None]) -> None:
        self.items = items

    def position(self, at: int | None, ends: bool = False) -> int | None:
        """An index counted from the front; None is the last (with `ends`: behind it). None if it is outside."""
        size = len(self.items) + ends
        at = size - 1 if at is None else at + size - ends if at < 0 else at
        return at if 0 <= at < size else None


number = (int, float, bool)
