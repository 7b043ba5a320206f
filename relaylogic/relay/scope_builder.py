"""`ScopeBuilder`: lets and conditionals in the order in which one thinks of them.

    sb = ScopeBuilder()
    with sb.if_scope(cond):
        sb.ret(sb.let("t", relay.log(x)))
    with sb.else_scope():
        sb.ret(x)
    expr = sb.get()

The builder keeps a stack of open scopes; a scope holds its bindings, its result, and the condition with the first
branch of a conditional that waits for its `else_scope`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..ir import Expr, If, Let, Var
from ..types import IncompleteType
from .expr import TupleWrapper, var

__all__ = ["ScopeBuilder"]


class _Scope:
    """What is known so far of one block."""

    __slots__ = ("bindings", "condition", "result")

    def __init__(self) -> None:
        self.bindings: list[tuple[Var, Expr]] = []
        self.result: Expr | None = None
        self.condition: tuple[Expr, Expr] | None = None

    def finished(self) -> Expr:
        """The block as an expression. Raises RuntimeError if it has no result."""
        if self.condition is not None:
            raise RuntimeError("an if_scope needs its else_scope")
        if self.result is None:
            raise RuntimeError("this scope has no result: call `ret`")
        expr = self.result
        for variable, value in reversed(self.bindings):
            expr = Let(variable, value, expr)
        return expr

    def return_(self, value: Expr) -> None:
        if self.result is not None or self.condition is not None:
            raise RuntimeError("this scope has a result already")
        self.result = value


class ScopeBuilder:
    """Builds nested lets and conditionals."""

    def __init__(self) -> None:
        self._scopes = [_Scope()]

    def let(self, name: Var | str | tuple[Any, ...], value: Any) -> Var:
        """Bind a value to a variable, a new one of that name, or a new one of that (name, type); the variable."""
        if isinstance(name, (tuple, list)):
            if len(name) > 2:
                raise ValueError("a variable is named by its name, or by its name and its type")
            name = var(*name)
        elif isinstance(name, str):
            name = var(name)
        self._scopes[-1].bindings.append((name, _plain(value)))
        return name

    @contextmanager
    def if_scope(self, cond: Expr) -> Iterator[None]:
        """The block that is evaluated if `cond` is true; an `else_scope` must follow."""
        outer = self._scopes[-1]
        if outer.result is not None or outer.condition is not None:
            raise RuntimeError("this scope has a result already")
        self._scopes.append(_Scope())
        try:
            yield
        finally:
            branch = self._scopes.pop()
        outer.condition = (cond, branch.finished())

    @contextmanager
    def else_scope(self) -> Iterator[None]:
        """The block that is evaluated otherwise; the conditional becomes the result of the scope around it."""
        outer = self._scopes[-1]
        if outer.condition is None:
            raise RuntimeError("an else_scope must follow an if_scope")
        self._scopes.append(_Scope())
        try:
            yield
        finally:
            branch = self._scopes.pop()
        (cond, true_branch), outer.condition = outer.condition, None
        outer.return_(If(cond, true_branch, branch.finished()))

    def type_of(self, expr: Expr) -> Any:
        """The type of an expression as far as it is written; else a hole that inference fills."""
        if isinstance(expr, Var) and expr.type_annotation is not None:
            return expr.type_annotation
        hole = IncompleteType()
        self.let(var("unify", hole), expr)
        return hole

    def ret(self, value: Any) -> None:
        """The result of this scope. Raises RuntimeError if it has one."""
        self._scopes[-1].return_(_plain(value))

    def get(self) -> Expr:
        """The expression that was built. Raises RuntimeError inside of a scope, or without a result."""
        if len(self._scopes) != 1:
            raise RuntimeError("the expression is complete only behind all scopes")
        return self._scopes[0].finished()


def _plain(value: Any) -> Any:
    return value.astuple() if isinstance(value, TupleWrapper) else value
