"""Programs as text with the types that were inferred last: what `str` of a module, or of an expression, is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.checked import TYPES
from .printer import HEADER, astext

__all__ = ["plain_text", "typed_text"]


def typed_text(program: Any, show_meta_data: bool = True, annotate: Callable[[Any], Any] | None = None) -> str:
    """A module or an expression as Relay text, with the types that were inferred (or `annotate` gives) as comments.

    Constants without a literal are in a metadata section behind the text, unless `show_meta_data` is unset.
    """
    return f"{HEADER}\n{plain_text(program, annotate, show_meta_data)}"


def plain_text(program: Any, annotate: Callable[[Any], Any] | None = None, show_meta_data: bool = False) -> str:
    """As `typed_text`, without the header."""
    text = astext(program, annotate or TYPES.get).removeprefix(f"{HEADER}\n")
    return text if show_meta_data else text.partition("\n#[metadata]")[0]
