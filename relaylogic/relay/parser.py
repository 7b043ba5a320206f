"""Relay text under the names of `tvm.relay`: `parse`, `fromtext`, `parse_expr`, `astext`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import RelayLogicError, said
from ..ir import Constant, Expr, IRModule
from ..text import parse as _parse
from ..text import parse_expr as _parse_expr
from .constants import const

__all__ = ["astext", "fromtext", "parse", "parse_expr"]


def parse(
    source: str,
    source_name: str = "from_string",
    init_module: IRModule | None = None,
    init_meta_table: Any = None,
) -> IRModule:
    """The module that a text writes, checked: `match` must be exhaustive, types well-kinded.

    With `init_module`, whose functions and data types the text may use: a module of these and of what the text defines,
    in place of what has the same name. `init_meta_table["relay.Constant"]` lists what `meta[relay.Constant][0]` and so
    on stand for where the text has no metadata. Raises ParseError for text that is no program, TypeInferenceError for
    one that is refuted.
    """
    from .transform import InferType

    module = _parse(source, source_name, init_module)
    if init_meta_table is not None:
        _with_constants(module, init_meta_table)
    if init_module is not None:
        base = init_module.shallow_copy()
        base.update(module)
        module = base
    return InferType()(module)


def _with_constants(module: IRModule, table: Mapping[str, Sequence[Any]]) -> None:
    """Put constants of a table in the place of those that a text names, and knows no more of."""
    from .expr_functor import ExprMutator

    if not isinstance(table, Mapping) or not all(isinstance(listed, Sequence) for listed in table.values()):
        raise TypeError(f"a metadata table has a list for each kind of object, which {said(table)} has not")

    class Known(ExprMutator):
        def visit_constant(self, constant: Constant) -> Any:
            meta = constant.meta
            if meta is None or constant.tensor_type is not None or meta.type_key not in table:
                return constant
            listed = table[meta.type_key]
            if meta.index >= len(listed):
                raise RelayLogicError(f"the metadata table has {len(listed)} of {meta.type_key}", constant.span)
            found = const(listed[meta.index])
            return Constant(found.value, found.tensor_type, None, constant.span)

    for variable, function in list(module.functions.items()):
        module.functions[variable] = Known().visit(function)


def fromtext(source: str, source_name: str = "from_string") -> IRModule:
    """As `parse`."""
    return parse(source, source_name)


def parse_expr(source: str) -> Expr:
    """The expression that a text writes. Raises ParseError."""
    return _parse_expr(source)


def astext(obj: Any, show_meta_data: bool = True, annotate: Any = None) -> str:
    """The text of a module, an expression or a type."""
    return obj.astext(show_meta_data, annotate) if isinstance(obj, (Expr, IRModule)) else str(obj)
