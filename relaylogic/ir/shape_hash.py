"""A hash of programs that `structural_equal` respects: of classes, names and numbers in the order of a walk.

What equality may exchange is counted instead of named: variables that are bound, and type parameters, by the order in
which they are met; so are nodes that are met again, since it matters which ones are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isnan
from typing import Any

from ..logic.terms.terms import Term
from ..logic.terms.variables import VARIABLES
from ..types import GlobalTypeVar, TypeVar
from .adt import Clause, Constructor, Match, PatternConstructor, PatternTuple, PatternVar, TypeData
from .expr import Call, Expr, Op, TupleGetItem
from .module import IRModule
from .nodes import Constant, Function, GlobalVar, If, Let, RefCreate, RefRead, RefWrite, Tuple, Var

__all__ = ["shape_hash"]

MOST_PIECES = 100_000
"""What comes later counts no more: a list may contain itself, or be its own part very often."""


def shape_hash(item: Any, map_free_vars: bool = False) -> int:
    """The hash of a module, an expression or a type, or of a sequence of these."""
    bound = {id(variable) for node in _met(item) for variable in _binds(node)}
    numbers: dict[int, int] = {}  # of what was met and is known by its identity
    pieces: list[Any] = []
    for node in _met(item):
        if _is_counted(node):
            if id(node) in numbers:
                pieces.append(numbers[id(node)])
                continue
            numbers[id(node)] = len(numbers)
        name = "sequence" if isinstance(node, (list, tuple)) else type(node).__name__
        if isinstance(node, Var):
            pieces.append((name, "" if map_free_vars or id(node) in bound else node.name_hint))
        elif isinstance(node, IRModule):
            pieces.append((name, tuple(map(hash, _definitions(node)))))
        else:
            pieces.append((name, _own(node)))
    return hash(tuple(pieces))


def _met(item: Any) -> Iterator[Any]:
    """All that is met on a walk: what is counted may come again, but what it is made of does not."""
    agenda: list[Any] = [item]
    seen: set[int] = set()
    for _ in range(MOST_PIECES):
        if not agenda:
            return
        node = agenda.pop()
        yield node
        if _is_counted(node):
            if id(node) in seen:
                continue
            seen.add(id(node))
        agenda.extend(reversed(_made_of(node)))


def _is_counted(node: Any) -> bool:
    """Whether it matters where else something is met."""
    if isinstance(node, Tuple):
        return bool(node.fields)
    if isinstance(node, (Expr, Term)):
        return not isinstance(node, _NAMED)
    return type(node) in VARIABLES


_NAMED = (GlobalVar, Op, Constructor, Constant, TupleGetItem, GlobalTypeVar)


def _binds(node: Any) -> tuple[Any, ...]:
    """The variables that a node binds."""
    if isinstance(node, Function):
        return node.params
    return (node.var,) if isinstance(node, (Let, PatternVar)) else ()


def _made_of(node: Any) -> tuple[Any, ...] | list[Any]:
    """What a node is made of, as far as equality looks at it."""
    if isinstance(node, (list, tuple)):
        return node
    if isinstance(node, Mapping):
        return [node[key] for key in sorted(node, key=repr)]
    look = _PARTS.get(type(node))
    if look is not None:
        return look(node)
    return (node.args,) if isinstance(node, Term) and not isinstance(node, (TypeVar, GlobalTypeVar)) else ()


_PARTS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    Var: lambda e: (e.type_annotation,),
    Constant: lambda e: (e.value, e.tensor_type),
    Call: lambda e: (e.op, e.explicit_type_args, e.args, e.told),
    Tuple: lambda e: (e.fields,),
    TupleGetItem: lambda e: (e.tuple_value, e.index),
    Let: lambda e: (e.var, e.value, e.body),
    If: lambda e: (e.cond, e.true_branch, e.false_branch),
    RefCreate: lambda e: (e.value,),
    RefRead: lambda e: (e.ref,),
    RefWrite: lambda e: (e.ref, e.value),
    Function: lambda e: (e.type_params, e.params, e.ret_type, e.type_constraints, e.attrs, e.body),
    Match: lambda e: (e.complete, e.data, e.clauses),
    Clause: lambda e: (e.lhs, e.rhs),
    PatternVar: lambda e: (e.var,),
    PatternConstructor: lambda e: (e.constructor, e.patterns),
    PatternTuple: lambda e: (e.patterns,),
    TypeData: lambda e: (e.extern, e.header, e.type_vars, tuple((c.name_hint, c.inputs) for c in e.constructors)),
}


def _own(node: Any) -> Any:
    """What a node is besides what it is made of."""
    if isinstance(node, (GlobalVar, GlobalTypeVar, Constructor)):
        return node.name_hint
    if isinstance(node, Op):
        return node.name
    if isinstance(node, TypeVar):
        return node.kind
    if isinstance(node, (list, tuple)):
        return len(node)
    if isinstance(node, Mapping):
        return tuple(sorted(map(repr, node)))
    if isinstance(node, float) and isnan(node):
        return "nan"
    return node if isinstance(node, (int, float, str)) else None


def _definitions(module: IRModule) -> Iterator[Any]:
    """The names of what a module defines, each with the hash of it: they are equal or not one by one."""
    yield tuple(sorted(module.imports))
    yield from sorted(module.declarations)
    for table in (module.type_definitions, module.functions):
        named: dict[str, Any] = {handle.name_hint: item for handle, item in table.items()}
        yield from ((name, shape_hash(named[name])) for name in sorted(named))
