"""Nodes with some of their fields exchanged: `CallWithFields(call, args=[...])`, as mutators of TVM's users call them.

What is None stays as it is. `virtual_device` is taken and dropped: it says where a value is computed.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ..errors import said
from ..ir import (
    Call,
    Constant,
    Expr,
    Function,
    If,
    Let,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
)
from .constants import const

__all__ = [
    "CallWithFields",
    "ConstantWithFields",
    "FunctionWithFields",
    "IfWithFields",
    "LetWithFields",
    "RefCreateWithFields",
    "RefReadWithFields",
    "RefWriteWithFields",
    "TupleGetItemWithFields",
    "TupleWithFields",
    "VarWithFields",
]


Node = TypeVar("Node", bound=Expr)


def _of(kind: type[Node], node: Any) -> Node:
    """The node, if it is of that kind. Raises TypeError."""
    if not isinstance(node, kind):
        raise TypeError(f"the fields of a {kind.__name__} are exchanged, which {said(node)} is not")
    return node


def _new(node: Node, made: Node, span: Any) -> Node:
    """What was made in place of a node, at its place."""
    made.span = node.span if span is None else span
    return made


def _or(new: Any, old: Any) -> Any:
    return old if new is None else new


def ConstantWithFields(constant: Constant, data: Any = None, virtual_device: Any = None, span: Any = None) -> Constant:
    """A constant with other data."""
    constant = _of(Constant, constant)
    made = Constant(constant.value, constant.tensor_type, constant.meta) if data is None else const(data)
    return _new(constant, made, span)


def TupleWithFields(tup: Tuple, fields: Any = None, virtual_device: Any = None, span: Any = None) -> Tuple:
    """A tuple with other fields."""
    tup = _of(Tuple, tup)
    return _new(tup, Tuple(_or(fields, tup.fields)), span)


def VarWithFields(
    variable: Var, vid: Any = None, type_annotation: Any = None, virtual_device: Any = None, span: Any = None
) -> Var:
    """Another variable, of the name of the variable `vid`, with another annotation."""
    variable = _of(Var, variable)
    name = variable.name_hint if vid is None else _of(Var, vid).name_hint
    return _new(variable, Var(name, _or(type_annotation, variable.type_annotation)), span)


def CallWithFields(
    call: Call,
    op: Any = None,
    args: Any = None,
    attrs: Any = None,
    type_args: Any = None,
    virtual_device: Any = None,
    span: Any = None,
) -> Call:
    """A call with another callee, other arguments, attributes or type arguments."""
    call = _of(Call, call)
    types = _or(type_args, call.explicit_type_args)
    made = Call(_or(op, call.op), _or(args, call.args), _or(attrs, call.given), types)
    return _new(call, made, span)


def LetWithFields(
    let: Let, variable: Any = None, value: Any = None, body: Any = None, virtual_device: Any = None, span: Any = None
) -> Let:
    """A let with another variable, value or body."""
    let = _of(Let, let)
    return _new(let, Let(_or(variable, let.var), _or(value, let.value), _or(body, let.body)), span)


def IfWithFields(
    if_expr: If,
    cond: Any = None,
    true_branch: Any = None,
    false_branch: Any = None,
    virtual_device: Any = None,
    span: Any = None,
) -> If:
    """A conditional with another condition or other branches."""
    if_expr = _of(If, if_expr)
    parts = (_or(cond, if_expr.cond), _or(true_branch, if_expr.true_branch), _or(false_branch, if_expr.false_branch))
    return _new(if_expr, If(*parts), span)


def TupleGetItemWithFields(
    tuple_get_item: TupleGetItem,
    tuple_value: Any = None,
    index: Any = None,
    virtual_device: Any = None,
    span: Any = None,
) -> TupleGetItem:
    """A projection of another tuple, or to another field."""
    item = _of(TupleGetItem, tuple_get_item)
    made = TupleGetItem(_or(tuple_value, item.tuple_value), _or(index, item.index))
    return _new(item, made, span)


def RefCreateWithFields(
    ref_create: RefCreate, value: Any = None, virtual_device: Any = None, span: Any = None
) -> RefCreate:
    """A new cell of another value."""
    ref_create = _of(RefCreate, ref_create)
    return _new(ref_create, RefCreate(_or(value, ref_create.value)), span)


def RefReadWithFields(ref_read: RefRead, ref: Any = None, virtual_device: Any = None, span: Any = None) -> RefRead:
    """The reading of another cell."""
    ref_read = _of(RefRead, ref_read)
    return _new(ref_read, RefRead(_or(ref, ref_read.ref)), span)


def RefWriteWithFields(
    ref_write: RefWrite, ref: Any = None, value: Any = None, virtual_device: Any = None, span: Any = None
) -> RefWrite:
    """The writing of another value, or to another cell."""
    ref_write = _of(RefWrite, ref_write)
    return _new(ref_write, RefWrite(_or(ref, ref_write.ref), _or(value, ref_write.value)), span)


def FunctionWithFields(
    function: Function,
    params: Any = None,
    body: Any = None,
    ret_type: Any = None,
    ty_params: Any = None,
    attrs: Any = None,
    virtual_device: Any = None,
    span: Any = None,
) -> Function:
    """A function with other parameters, another body, result type, other type parameters or attributes."""
    function = _of(Function, function)
    made = Function(
        _or(params, function.params),
        _or(body, function.body),
        _or(ret_type, function.ret_type),
        _or(ty_params, function.type_params),
        _or(attrs, function.attrs),
        None,
        function.type_constraints,
    )
    return _new(function, made, span)
