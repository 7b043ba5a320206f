"""Expressions in a few words, for `repr`: one level deep, whatever the size of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .adt import Constructor, Match
from .expr import Call, Op, TupleGetItem
from .nodes import Constant, Function, GlobalVar, If, Let, RefCreate, RefRead, RefWrite, Tuple, Var

__all__ = ["callee_name", "short_text"]

_MOST = 8


def short_text(expr: Any) -> str:
    """The expression with `...` for every operand that is not a name or a number."""
    write = _WRITERS.get(type(expr))
    return "..." if write is None else write(expr)


def _operand(expr: Any) -> str:
    return short_text(expr) if type(expr) in _ATOMS else "..."


def _listed(exprs: Any) -> str:
    shown = [_operand(e) for e in exprs[:_MOST]]
    return ", ".join([*shown, "..."] if len(exprs) > _MOST else shown)


def _constant(expr: Constant) -> str:
    if isinstance(expr.value, (bool, int, float)):
        return f"{expr.value!r}, {expr.tensor_type}"
    return str(expr.tensor_type) if expr.meta is None else repr(expr.meta)


def _let(expr: Let) -> str:
    return f"{_operand(expr.var)} = {_operand(expr.value)}; {_operand(expr.body)}"


_ATOMS = frozenset({Var, GlobalVar, Op, Constructor, Constant})

_WRITERS: dict[type, Callable[[Any], str]] = {
    Var: lambda e: f"%{e.name_hint}",
    GlobalVar: lambda e: f"@{e.name_hint}",
    Op: lambda e: str(e.name),
    Constructor: lambda e: str(e.name_hint),
    Constant: _constant,
    Call: lambda e: f"{_operand(e.op)}({_listed(e.args)})",
    Tuple: lambda e: f"({_listed(e.fields)})",
    TupleGetItem: lambda e: f"{_operand(e.tuple_value)}.{e.index}",
    Function: lambda e: f"fn ({_listed(e.params)}) {{ {_operand(e.body)} }}",
    Let: _let,
    If: lambda e: f"if ({_operand(e.cond)}) {{ {_operand(e.true_branch)} }} else {{ {_operand(e.false_branch)} }}",
    Match: lambda e: f"match ({_operand(e.data)}) {{ {len(e.clauses)} arms }}",
    RefCreate: lambda e: f"ref({_operand(e.value)})",
    RefRead: lambda e: f"ref_read({_operand(e.ref)})",
    RefWrite: lambda e: f"ref_write({_operand(e.ref)}, {_operand(e.value)})",
}


def callee_name(call: Call) -> str:
    """What a call calls, for reports: `nn.conv2d`, `@f`, `%g`, `Cons`, `fn` or the kind of expression."""
    op = call.op
    if isinstance(op, Op):
        return op.name
    if isinstance(op, GlobalVar):
        return f"@{op.name_hint}"
    if isinstance(op, Var):
        return f"%{op.name_hint}"
    if isinstance(op, Constructor):
        return op.name_hint
    names = {"Function": "fn", "Call": "call", "TupleGetItem": "projection", "RefRead": "ref_read"}
    kind = type(op).__name__
    return names.get(kind, kind.lower())
