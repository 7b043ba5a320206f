"""Patterns over expressions under the names of `tvm.relay.dataflow_pattern`: to ask whether an expression looks like
something, and to put something else in its place.

    >>> from relaylogic import relay
    >>> from relaylogic.relay.dataflow_pattern import is_op, wildcard
    >>> x = relay.var("x", shape=(2, 3))
    >>> is_op("nn.relu")(wildcard() + wildcard()).match(relay.nn.relu(x + x))
    True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir import Expr
from ..absent import absent
from ..op.op import get
from .patterns import (
    AltPattern,
    AttrPattern,
    CallPattern,
    ConstantPattern,
    DataTypePattern,
    DFPattern,
    ExprPattern,
    FunctionPattern,
    IfPattern,
    LetPattern,
    ShapePattern,
    TupleGetItemPattern,
    TuplePattern,
    TypePattern,
    VarPattern,
    WildcardPattern,
    checked,
)
from .rewriting import DFPatternCallback, rewrite

__all__ = [
    "AltPattern",
    "AttrPattern",
    "CallPattern",
    "ConstantPattern",
    "DFPattern",
    "DFPatternCallback",
    "DataTypePattern",
    "ExprPattern",
    "FunctionPattern",
    "IfPattern",
    "LetPattern",
    "ShapePattern",
    "TupleGetItemPattern",
    "TuplePattern",
    "TypePattern",
    "VarPattern",
    "WildcardPattern",
    "has_attr",
    "has_dtype",
    "has_shape",
    "has_type",
    "is_constant",
    "is_expr",
    "is_if",
    "is_let",
    "is_op",
    "is_tuple",
    "is_tuple_get_item",
    "is_var",
    "match",
    "rewrite",
    "wildcard",
]

wildcard = WildcardPattern
is_var = VarPattern
is_constant = ConstantPattern
is_expr = ExprPattern
is_tuple = TuplePattern
is_tuple_get_item = TupleGetItemPattern
is_if = IfPattern
is_let = LetPattern


def is_op(op_name: str) -> ExprPattern:
    """An operator, to be called with the patterns of its arguments. Raises RuleError if there is none of the name."""
    return ExprPattern(get(op_name))


def has_type(ttype: Any, pattern: DFPattern | None = None) -> TypePattern:
    """An expression of a type."""
    return TypePattern(pattern or wildcard(), ttype)


def has_dtype(dtype: str, pattern: DFPattern | None = None) -> DataTypePattern:
    """A tensor of a dtype."""
    return DataTypePattern(pattern or wildcard(), dtype)


def has_shape(shape: Sequence[Any], pattern: DFPattern | None = None) -> ShapePattern:
    """A tensor of a shape."""
    return ShapePattern(pattern or wildcard(), shape)


def has_attr(attrs: Mapping[str, Any], pattern: DFPattern | None = None) -> AttrPattern:
    """A call, a function or an operator that has attributes of these values."""
    return AttrPattern(pattern or wildcard(), attrs)


def match(pattern: DFPattern, expr: Expr) -> bool:
    """Whether an expression looks like a pattern."""
    return checked(pattern).match(expr)


def __getattr__(name: str) -> Any:
    raise absent("relay.dataflow_pattern", name)
