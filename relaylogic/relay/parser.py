"""Relay text under the names of `tvm.relay`: `parse`, `fromtext`, `parse_expr`, `astext`."""

from __future__ import annotations

from typing import Any

from ..ir import Expr, IRModule
from ..text import parse as _parse
from ..text import parse_expr as _parse_expr

__all__ = ["astext", "fromtext", "parse", "parse_expr"]


def parse(
    source: str,
    source_name: str = "from_string",
    init_module: IRModule | None = None,
    init_meta_table: Any = None,
) -> IRModule:
    """The module that a text writes, checked: `match` must be exhaustive, types well-kinded.

    With `init_module`, whose functions and data types the text may use: a module of these and of what the text defines,
    in place of what has the same name. Raises ParseError for text that is no program, TypeInferenceError for one that
    is refuted.
    """
    from .transform import InferType

    del init_meta_table
    module = _parse(source, source_name, init_module)
    if init_module is not None:
        base = init_module.shallow_copy()
        base.update(module)
        module = base
    return InferType()(module)


def fromtext(source: str, source_name: str = "from_string") -> IRModule:
    """As `parse`."""
    return parse(source, source_name)


def parse_expr(source: str) -> Expr:
    """The expression that a text writes. Raises ParseError."""
    return _parse_expr(source)


def astext(obj: Any, show_meta_data: bool = True, annotate: Any = None) -> str:
    """The text of a module, an expression or a type."""
    return obj.astext(show_meta_data, annotate) if isinstance(obj, (Expr, IRModule)) else str(obj)
