"""Nodes with some of their fields exchanged: `CallWithFields(call, args=[...])`, as mutators of TVM's users call them.

What is None stays as it is. `virtual_device` is taken and dropped: it says where a value is computed.
"""

from __future__ import annotations

from typing import Any, TypeVar

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


def _new(node: Node, made: Node, span: Any) -> Node:
    """What was made in place of a node, at its place."""
    made.span = node.span if span is None else span
    return made


def _or(new: Any, old: Any) -> Any:
    return old if new is None else new


def ConstantWithFields(constant: Constant, data: Any = None, virtual_device: Any = None, span: Any = None) -> Constant:
    """A constant with other data."""
    made = Constant(constant.value, constant.tensor_type, constant.meta) if data is None else Constant(data)
    return _new(constant, made, span)


def TupleWithFields(tup: Tuple, fields: Any = None, virtual_device: Any = None, span: Any = None) -> Tuple:
    """A tuple with other fields."""
    return _new(tup, Tuple(_or(fields, tup.fields)), span)


def VarWithFields(
    variable: Var, vid: Any = None, type_annotation: Any = None, virtual_device: Any = None, span: Any = None
) -> Var:
    """Another variable, of the name of the variable `vid`, with another annotation."""
    name = variable.name_hint if vid is None else vid.name_hint
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
    types = _or(type_args, call.explicit_type_args)
    made = Call(_or(op, call.op), _or(args, call.args), _or(attrs, call.given), types)
    return _new(call, made, span)


def LetWithFields(
    let: Let, variable: Any = None, value: Any = None, body: Any = None, virtual_device: Any = None, span: Any = None
) -> Let:
    """A let with another variable, value or body."""
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
    item = tuple_get_item
    made = TupleGetItem(_or(tuple_value, item.tuple_value), _or(index, item.index))
    return _new(item, made, span)


def RefCreateWithFields(
    ref_create: RefCreate, value: Any = None, virtual_device: Any = None, span: Any = None
) -> RefCreate:
    """A new cell of another value."""
    return _new(ref_create, RefCreate(_or(value, ref_create.value)), span)


def RefReadWithFields(ref_read: RefRead, ref: Any = None, virtual_device: Any = None, span: Any = None) -> RefRead:
    """The reading of another cell."""
    return _new(ref_read, RefRead(_or(ref, ref_read.ref)), span)


def RefWriteWithFields(
    ref_write: RefWrite, ref: Any = None, value: Any = None, virtual_device: Any = None, span: Any = None
) -> RefWrite:
    """The writing of another value, or to another cell."""
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
