"""Types as text that reads back: `str(type)`, with function types in parentheses where a `where` needs
them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..types import show_type

__all__ = ["parameters_text", "type_text"]


def type_text(term: Any) -> str:
    """A type as text; a hole is `_`."""
    return show_type(term)


def parameters_text(parameters: Iterable[Any]) -> str:
    """`[A, n: ShapeVar]`, or nothing if there are none."""
    texts = [p.name_hint if p.kind == "Type" else f"{p.name_hint}: {p.kind}" for p in parameters]
    return f"[{', '.join(texts)}]" if texts else ""
