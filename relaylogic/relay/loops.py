"""`while_loop`: a loop as a function that calls itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import said
from ..ir import Expr, Function, Let, Var
from .expr import Tuple
from .scope_builder import ScopeBuilder

__all__ = ["while_loop"]


def while_loop(
    cond: Callable[..., Expr], loop_vars: Sequence[Expr], loop_bodies: Callable[..., Sequence[Expr]]
) -> Expr:
    """A function of the variables' first values that gives their last ones, as a tuple.

    `cond` and `loop_bodies` are given the variables of one round: whether there is another, and their values there. The
    types of the variables are those that `loop_vars` are annotated with, or inferred.
    """
    if not callable(cond) or not callable(loop_bodies):
        raise TypeError(f"a loop has two functions, which {said(cond)} and {said(loop_bodies)} are not")
    itself = Var("while_loop")
    variables = []
    for index, given in enumerate(loop_vars):
        named = given if isinstance(given, Var) else Var(f"arg{index}")
        variables.append(Var(named.name_hint, named.type_annotation))
    builder = ScopeBuilder()
    with builder.if_scope(cond(*variables)):
        builder.ret(itself(*loop_bodies(*variables)))
    with builder.else_scope():
        builder.ret(Tuple(variables))
    return Let(itself, Function(variables, builder.get()), itself)


