"""A hash of programs that `structural_equal` respects: of the classes, names and numbers in the order of a walk.

Names of variables and type parameters are left out, since equality may exchange them.
"""

from __future__ import annotations

from typing import Any

from ..logic.terms import Term
from ..types import GlobalTypeVar, TypeVar
from .adt import TypeData
from .expr import Call, Constant, Expr, Function, GlobalVar, Op, TupleGetItem, Var
from .module import IRModule
from .visit import children

__all__ = ["shape_hash"]

MOST_PIECES = 100_000
"""What comes later counts no more: a list may contain itself, or be its own part very often."""


def shape_hash(item: Any) -> int:
    """The hash of a module, an expression or a type, or of a sequence of these."""
    pieces: list[Any] = []
    agenda: list[Any] = [item]
    seen: set[int] = set()
    while agenda and len(pieces) < MOST_PIECES:
        node = agenda.pop()
        if isinstance(node, (Expr, Term)) and not isinstance(node, (Var, TypeVar)):
            if id(node) in seen:
                continue
            seen.add(id(node))
        name = type(node).__name__
        if isinstance(node, (list, tuple)):
            pieces.append(len(node))
            agenda.extend(reversed(node))
        elif isinstance(node, (GlobalVar, GlobalTypeVar)):
            pieces.append((name, node.name_hint))
        elif isinstance(node, Op):
            pieces.append((name, node.name))
        elif isinstance(node, Expr):
            pieces.append((name, _own(node)))
            agenda.extend(reversed(children(node)))
        elif isinstance(node, TypeVar):
            pieces.append((name, node.kind))
        elif isinstance(node, Term):
            pieces.append(name)
            agenda.append(node.args)
        elif isinstance(node, TypeData):
            pieces.append((name, node.header.name_hint, tuple(c.name_hint for c in node.constructors)))
        elif isinstance(node, IRModule):
            named = {v.name_hint: f for v, f in node.functions.items()}
            pieces.append((name, tuple(sorted(named))))
            agenda.extend(named[key] for key in sorted(named))
        elif isinstance(node, (int, float, str, bool)):
            pieces.append(node)
    return hash(tuple(pieces))


def _own(node: Expr) -> Any:
    """What a node is besides its children."""
    if isinstance(node, Call):
        return tuple(sorted(node.attrs or ()))
    if isinstance(node, TupleGetItem):
        return str(node.index)
    if isinstance(node, Function):
        return len(node.params)
    return repr(node.value) if isinstance(node, Constant) else None
