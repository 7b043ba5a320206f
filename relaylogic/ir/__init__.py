"""Relay programs as data: expressions, patterns, data types, modules, and the places they came from."""

from __future__ import annotations

from typing import Any

from ..host.above import above, register
from .adt import (
    Clause,
    Constructor,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    TypeData,
)
from .equal import assert_structural_equal, structural_equal, structural_hash
from .expr import Call, Expr, Op, TupleGetItem, without_type_key
from .module import IRModule
from .nodes import Constant, Function, GlobalVar, If, Let, MetaRef, RefCreate, RefRead, RefWrite, Tuple, Var
from .source import Source, SourceName, Span
from .type_args import coerce_type_argument
from .visit import children, free_beside, free_vars, parts, pattern_vars, post_order, used_once

__all__ = [
    "Call",
    "Clause",
    "Constant",
    "Constructor",
    "Expr",
    "Function",
    "GlobalVar",
    "IRModule",
    "If",
    "Let",
    "Match",
    "MetaRef",
    "Op",
    "Pattern",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "Source",
    "SourceName",
    "Span",
    "Tuple",
    "TupleGetItem",
    "TypeData",
    "Var",
    "assert_structural_equal",
    "children",
    "coerce_type_argument",
    "free_beside",
    "free_vars",
    "parts",
    "pattern_vars",
    "post_order",
    "structural_equal",
    "structural_hash",
    "used_once",
    "without_type_key",
]

register({"few words": "relaylogic.ir.short:short_text"})


def __getattr__(name: str) -> Any:
    """What only `tvm.ir` calls so."""
    if name.startswith("__"):
        raise AttributeError(name)
    return above("names of tvm.ir")(name)
