"""Variables and type parameters of expressions and types: all that occur, those that are bound, those that are free.

In order of first occurrence, where a binder comes before what it binds. One walk serves all: it gives the occurrences
as events, from left to right, with an explicit agenda.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..logic.terms.terms import Term
from ..types import FuncType, TypeVar
from .adt import Match, Pattern, PatternConstructor, PatternTuple, PatternVar, TypeData
from .expr import Call, Expr
from .nodes import Constant, Function, Let, Var
from .visit import children

__all__ = ["all_type_vars", "all_vars", "bound_type_vars", "bound_vars", "free_type_vars"]

_BOUND, _USED = "bound", "used"
_Event = tuple[str, Any]


def all_vars(expr: Any) -> list[Var]:
    """The variables of an expression, bound or free."""
    return list(dict.fromkeys(item for _, item in _events(expr) if isinstance(item, Var)))


def bound_vars(expr: Any) -> list[Var]:
    """The variables that an expression or a pattern binds."""
    return list(dict.fromkeys(item for what, item in _events(expr) if what is _BOUND and isinstance(item, Var)))


def all_type_vars(item: Any) -> list[Any]:
    """The type parameters of an expression or a type, bound or free."""
    return list(dict.fromkeys(item for _, item in _events(item) if type(item) is TypeVar))


def bound_type_vars(item: Any) -> list[Any]:
    """The type parameters that functions and function types in an expression or a type bind."""
    return list(dict.fromkeys(item for what, item in _events(item) if what is _BOUND and type(item) is TypeVar))


def free_type_vars(item: Any) -> list[Any]:
    """The type parameters that occur in an expression or a type, or in a tuple of them, and are bound nowhere in it.

    Extents (of kind ShapeVar) that nothing binds are constants of the program and are not among them.
    """
    found = [(what, v) for what, v in _events(item) if type(v) is TypeVar]
    bound = {v for what, v in found if what is _BOUND}
    return list(dict.fromkeys(v for _, v in found if v not in bound and v.kind != "ShapeVar"))


def _events(root: Any) -> Iterator[_Event]:
    """Each occurrence of a variable or type parameter, with what happens to it there; a shared node counts once."""
    seen: set[int] = set()
    agenda: list[Any] = [root]
    while agenda:
        item = agenda.pop()
        if type(item) is tuple:
            if len(item) == 2 and item[0] is _BOUND:
                yield item
                agenda.append(getattr(item[1], "type_annotation", None))
            else:
                agenda.extend(reversed(item))
            continue
        if type(item) is TypeVar:
            yield (_USED, item)
            continue
        if item is None or id(item) in seen or not isinstance(item, (Expr, Pattern, Term, TypeData)):
            continue
        seen.add(id(item))
        if isinstance(item, Var):
            yield (_USED, item)
        agenda.extend(reversed(_parts(item)))


def _bound(items: Any) -> list[Any]:
    return [(_BOUND, item) for item in items]


def _parts(item: Any) -> list[Any]:
    """What an item consists of, in the order in which it is read; binders are marked."""
    if isinstance(item, Var):
        return [item.type_annotation]
    if isinstance(item, Function):
        where = item.type_constraints
        return [*_bound(item.type_params), *_bound(item.params), item.ret_type, *where, item.body]
    if isinstance(item, Let):
        return [*_bound([item.var]), item.value, item.body]
    if isinstance(item, Match):
        return [item.data, *(part for clause in item.clauses for part in (clause.lhs, clause.rhs))]
    if isinstance(item, Call):
        return [item.op, *item.explicit_type_args, *item.args]
    if isinstance(item, Constant):
        return [item.tensor_type]
    if isinstance(item, PatternVar):
        return _bound([item.var])
    if isinstance(item, (PatternConstructor, PatternTuple)):
        return list(item.patterns)
    if isinstance(item, Pattern):
        return []
    if isinstance(item, TypeData):
        return [*_bound(item.type_vars), *(field for c in item.constructors for field in c.inputs)]
    if isinstance(item, FuncType):
        return [*_bound(item.type_params), item.arg_types, item.ret_type, *item.type_constraints]
    return list(item.args) if isinstance(item, Term) else list(children(item))
