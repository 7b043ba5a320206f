"""Relay's expressions under the names of `tvm.relay.expr`, and what makes them conveniently."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import IllFormed, said
from ..ir import (
    Call,
    Constant,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
)
from ..ir.plain import plain
from ..types import TensorType, TupleType, Type
from .constants import const

__all__ = [
    "Call",
    "Constant",
    "Expr",
    "Function",
    "GlobalVar",
    "If",
    "Let",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "RelayExpr",
    "Tuple",
    "TupleGetItem",
    "TupleWrapper",
    "Var",
    "bind",
    "const",
    "var",
]

RelayExpr = ExprWithOp = Expr


def __getattr__(name: str) -> Any:
    if name.endswith("WithFields"):
        from . import with_fields

        return getattr(with_fields, name)
    raise AttributeError(f"there is no `relay.expr.{name}`")


def var(
    name_hint: str,
    type_annotation: Any = None,
    shape: Sequence[Any] | None = None,
    dtype: Any = "float32",
    span: Any = None,
) -> Var:
    """A local variable, annotated with a type, or with the tensor type of a shape and a dtype, or not at all.

    A dtype as the annotation is that of a scalar: `var("x", "float32")`. Raises ValueError if both a type and a shape
    are given.
    """
    if type_annotation is not None and shape is not None:
        raise ValueError("a variable has a type annotation or a shape, not both")
    if shape is not None:
        type_annotation = TensorType(shape, dtype)
    elif isinstance(type_annotation, str):
        type_annotation = TensorType((), type_annotation)
    return Var(name_hint, type_annotation, span)


class TupleWrapper(Sequence[Any]):
    """The call of an operator with several results: a tuple expression that can be unpacked, indexed and measured."""

    __slots__ = ("size", "tuple_value")

    def __init__(self, tuple_value: Expr, size: int) -> None:
        if size > sys.maxsize:
            raise IllFormed("no tuple has so many fields")
        self.tuple_value = tuple_value
        self.size = max(0, size)  # inference says what is wrong with a negative number of sections

    def astuple(self) -> Expr:
        """The tuple as one expression."""
        return self.tuple_value

    def astext(self) -> str:
        """The text of the tuple expression."""
        return self.tuple_value.astext()

    def __getitem__(self, index: Any) -> Any:
        index = plain(index)
        if not isinstance(index, int) or not 0 <= index < self.size:
            raise IndexError(f"there is no result {index}; there are {self.size}")
        return TupleGetItem(self.tuple_value, index)

    def __iter__(self) -> Iterator[Any]:
        return (TupleGetItem(self.tuple_value, i) for i in range(self.size))

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"TupleWrapper({self.tuple_value!r}, {self.size})"

    def astype(self, _: Any) -> Any:
        """Not for tuples. Raises TypeError."""
        raise TypeError("a tuple has no one dtype to cast; cast its fields")


def as_expr(value: Any) -> Any:
    """An operand as an expression: wrappers and lists as tuples, numbers and arrays as constants. Raises TypeError."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, TupleWrapper):
        return value.astuple()
    if isinstance(value, (list, tuple)) and all(isinstance(v, (Expr, TupleWrapper)) for v in value):
        return Tuple([as_expr(v) for v in value])
    if isinstance(value, (int, float, list, tuple)) or hasattr(value, "tolist"):
        return const(value)
    what = "a type" if isinstance(value, (Type, TupleType)) else f"{said(value)}"
    raise TypeError(f"an operator takes expressions, which {what} is not")


def bind(expr: Expr, binds: Mapping[Var, Expr]) -> Expr:
    """The expression with some free variables, or parameters of the function that it is, replaced."""
    from ..ir.free import bound_vars
    from .expr_functor import ExprMutator

    if not isinstance(binds, Mapping):
        raise TypeError(f"what replaces variables is a dict, which {said(binds)} is not")
    inner = expr.body if isinstance(expr, Function) else expr
    bound = set(bound_vars(inner))
    binds = {variable: value for variable, value in binds.items() if variable not in bound}

    class Binder(ExprMutator):
        def visit_var(self, variable: Var) -> Any:
            return binds.get(variable, variable)

    if isinstance(expr, Function):
        body = Binder().visit(expr.body)
        params = [p for p in expr.params if p not in binds]
        return Function(params, body, expr.ret_type, expr.type_params, expr.attrs, expr.span, expr.type_constraints)
    result: Expr = Binder().visit(expr)
    return result
