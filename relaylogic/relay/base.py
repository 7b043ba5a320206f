"""What `tvm.relay.base` offers: places and texts."""

from __future__ import annotations

from typing import Any

from ..ir import SourceName, Span
from .parser import astext

__all__ = ["SourceName", "Span", "astext", "pretty_print"]


def pretty_print(obj: Any) -> str:
    """The text of a module, an expression or a type, without version and metadata."""
    return str(obj)
