"""Of which kinds the arguments of relations are: what clause notation makes of it, and how rules in Python say it.

`def BroadcastShapes(a: Shape, b: Shape, c: Shape)`: so clauses that call the relation know that `(2)` is a shape there,
and refuse a variable that stands for an extent elsewhere. What is not annotated may be anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["TERM_KINDS", "BaseType", "Shape", "ShapeVar", "annotated_kinds"]

TERM_KINDS = {"Type": "type", "Shape": "shape", "BaseType": "dtype", "ShapeVar": "dim"}
"""What a parameter of a kind stands for in a clause."""


class Shape:
    """The kind of lists of extents."""


class ShapeVar:
    """The kind of extents."""


class BaseType:
    """The kind of dtypes."""


def annotated_kinds(declaration: Callable[..., Any], parameters: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """What the parameters of a relation stand for in clauses, by the annotations of its function; None without any."""
    written = declaration.__annotations__
    if not written:
        return None
    names = (getattr(written.get(parameter), "__name__", written.get(parameter)) for parameter in parameters)
    return tuple(TERM_KINDS.get(name) if isinstance(name, str) else None for name in names)
