"""Walking expressions with an explicit stack, so that no depth of nesting is too deep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import IllFormed, said
from .adt import Clause, Constructor, Match, Pattern, PatternConstructor, PatternTuple, PatternVar
from .expr import Call, Expr, Op, TupleGetItem
from .nodes import Constant, Function, GlobalVar, If, Let, RefCreate, RefRead, RefWrite, Tuple, Var

__all__ = ["bound_by", "children", "free_beside", "free_vars", "parts", "pattern_vars", "post_order", "used_once"]

_LEAVES = frozenset({Var, GlobalVar, Constant, Op, Constructor})
_IDENTICAL = frozenset({Var, Call, Let, Tuple, TupleGetItem})  # classes of nodes that are equal to themselves only
_GIVE_OUT = object()


class _Table(dict[type, Callable[[Any], tuple[Expr, ...]]]):
    """By class of node, its children."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Expr, ...]]:
        raise IllFormed(f"an expression is expected, which nothing of the class {kind.__name__} is")


def _body(arm: Any) -> Expr:
    if not isinstance(arm, Clause):
        raise IllFormed(f"an arm of a match is a Clause, which {said(arm)} is not")
    return arm.rhs


_CHILDREN = _Table(
    {
        Call: lambda e: (e.op, *e.args),
        Tuple: lambda e: e.fields,
        TupleGetItem: lambda e: (e.tuple_value,),
        Function: lambda e: (e.body,),
        Let: lambda e: (e.value, e.body),
        If: lambda e: (e.cond, e.true_branch, e.false_branch),
        Match: lambda e: (e.data, *map(_body, e.clauses)),
        RefCreate: lambda e: (e.value,),
        RefRead: lambda e: (e.ref,),
        RefWrite: lambda e: (e.ref, e.value),
    }
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The sub-expressions of `expr` in the order of evaluation; variables that it binds are not among
    them."""
    kind = type(expr)
    return () if kind in _LEAVES else _CHILDREN[kind](expr)


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The children of a node and the expressions among the attributes of a call."""
    if type(expr) is Call and expr.given and isinstance(expr.given, Mapping):
        return (*children(expr), *(value for value in expr.given.values() if isinstance(value, Expr)))
    return children(expr)


def post_order(expr: Expr, parts: Callable[[Expr], tuple[Expr, ...]] = children) -> Iterator[Expr]:
    """Every node of `expr`, children before parents, a shared node once, where it is first met.

    Children come in this order: a call's callee, then its arguments; a let's value, then its body; condition,
    then branches; scrutinee, then arms; a function's body. `parts` says what else is a child of a node.
    """
    seen: set[Any] = set()
    # A node is on the stack to be entered; and again, below its children and a mark, to be given out.
    stack: list[Any] = [expr]
    while stack:
        item = stack.pop()
        if item is _GIVE_OUT:
            yield stack.pop()
            continue
        kind = type(item)
        key = item if kind in _IDENTICAL else id(item)  # the number is an object, too
        if key not in seen:
            seen.add(key)
            if kind in _LEAVES:
                yield item
            else:
                stack += (item, _GIVE_OUT)
                stack.extend(reversed(parts(item)))


def used_once(expr: Expr) -> set[Var]:
    """The variables that occur once in an expression; none if it calls functions of the module."""
    met: set[Var] = set()
    again: set[Var] = set()
    seen: set[Any] = set()
    stack: list[Any] = [expr]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Var:
            (again if item in met else met).add(item)
        elif kind is GlobalVar:
            return set()
        elif kind not in _LEAVES:
            key = item if kind in _IDENTICAL else id(item)
            if key not in seen:
                seen.add(key)
                stack += parts(item)
    return met - again


def pattern_vars(pattern: Pattern) -> list[Var]:
    """The variables that a pattern binds, from left to right."""
    found: list[Var] = []
    stack = [pattern]
    while stack:
        item = stack.pop()
        if isinstance(item, PatternVar):
            if not isinstance(item.var, Var):
                raise IllFormed(f"what a pattern binds is a Var, which {said(item.var)} is not")
            found.append(item.var)
        elif isinstance(item, (PatternConstructor, PatternTuple)):
            stack.extend(reversed(item.patterns))
    return found


def bound_by(expr: Expr) -> Sequence[Var]:
    """The variables that a node itself binds, in the order of the text."""
    kind = type(expr)
    if kind is Function:
        return expr.params  # type: ignore[attr-defined, no-any-return]
    if kind is Let:
        return (expr.var,)  # type: ignore[attr-defined]
    if kind is Match:
        return [variable for clause in expr.clauses for variable in pattern_vars(clause.lhs)]  # type: ignore[attr-defined]
    return ()


def free_vars(expr: Expr) -> list[Var]:
    """The variables that occur in `expr` and are bound nowhere in it, in order of first occurrence.

    A variable is bound at one place only, so it is free if no node of `expr` binds it.
    """
    return free_beside(expr, {})


def free_beside(expr: Expr, known: Mapping[int, Iterable[Var]]) -> list[Var]:
    """The same, where it is known of some expressions, by identity: nobody looks into these."""
    bound: set[Var] = set()
    occurring: dict[Var, None] = {}
    seen: set[Any] = set()
    stack: list[Any] = [expr]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Var:
            occurring[item] = None
            continue
        if kind in _LEAVES:
            continue
        key = item if kind in _IDENTICAL else id(item)
        if key in seen:
            continue
        seen.add(key)
        found = known.get(id(item))
        if found is not None:
            occurring.update(dict.fromkeys(found))
            continue
        stack.extend(reversed(_CHILDREN[kind](item)))
        if kind is Let:
            if not isinstance(item.var, Var):
                raise IllFormed(f"a let binds a variable, which {said(item.var)} is not")
            bound.add(item.var)
        elif kind is Function:
            for parameter in item.params:
                if not isinstance(parameter, Var):
                    raise IllFormed(f"a parameter of a function is a Var, which {said(parameter)} is not")
                bound.add(parameter)
        elif kind is Match:
            for clause in item.clauses:
                bound.update(pattern_vars(clause.lhs))
    return [variable for variable in occurring if variable not in bound]
