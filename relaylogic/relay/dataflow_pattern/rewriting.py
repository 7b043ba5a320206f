"""Putting something else in the place of what matches a pattern."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import no_list, said
from ...ir import Constant, Expr, Function, IRModule, Op, Var, post_order, structural_equal
from ..expr import as_expr
from ..expr_functor import ExprMutator
from .patterns import DFPattern, Match

__all__ = ["DFPatternCallback", "rewrite"]

_MOST_ROUNDS = 100
_ANYWHERE = (Op, Function, Constant, Var)
"""What may be used by several matches, and by what is around them."""


class DFPatternCallback:
    """What to put in the place of what matches `pattern`: to be derived from.

    With `require_type`, types are inferred before; with `rewrite_once`, what was put there is not looked at again.
    """

    pattern: Any = None

    def __init__(self, require_type: bool = False, rewrite_once: bool = False) -> None:
        self.require_type = require_type
        self.rewrite_once = rewrite_once

    def rewrite(self, expr: Expr) -> Expr:
        """The expression with all that matches replaced."""
        return rewrite(self, expr)

    def callback(self, pre: Expr, post: Expr, node_map: dict[DFPattern, list[Expr]]) -> Any:
        """What stands for `pre`, which matches. `post` is `pre` with its parts replaced already, and `node_map` has the
        expression that each pattern stands for, with its parts replaced, in a list."""
        raise NotImplementedError(f"{type(self).__name__} has no method `callback`")


def rewrite(
    callbacks: DFPatternCallback | Sequence[DFPatternCallback], expr: Expr, mod: IRModule | None = None
) -> Expr:
    """The expression with all that matches replaced, again and again until nothing changes, at most 100 times.

    The expression may use the functions of `mod`. Matches do not overlap: the outer and later one comes first, and what
    is within a match is used by nothing around it.
    """
    if not isinstance(callbacks, (DFPatternCallback, Iterable)):
        raise no_list("callbacks", callbacks)
    wanted = [callbacks] if isinstance(callbacks, DFPatternCallback) else list(callbacks)
    for callback in wanted:
        if not isinstance(callback, DFPatternCallback) or not isinstance(callback.pattern, DFPattern):
            raise TypeError(f"what stands for a pattern is said by a callback with one, not by {said(callback)}")
    if not isinstance(mod, IRModule | None):
        raise TypeError(f"an expression uses the functions of an IRModule, which {said(mod)} is not")
    done: set[DFPatternCallback] = set()
    for _ in range(_MOST_ROUNDS):
        before = expr
        for callback in wanted:
            if callback not in done:
                expr = _replaced(callback, expr, mod)
                if callback.rewrite_once:
                    done.add(callback)
        if len(done) == len(wanted) or structural_equal(before, expr):
            break
    return expr


def _replaced(callback: DFPatternCallback, expr: Expr, mod: IRModule | None) -> Expr:
    """One round of one callback."""
    if callback.require_type:
        _infer(expr, mod)
    groups = _groups(callback.pattern, expr)
    mutator = ExprMutator()
    for node in post_order(expr):
        made = mutator.visit(node)
        found = groups.get(id(node))
        if found is not None:
            node_map = {pattern: [mutator.visit(part)] for pattern, part in found.items() if part is not node}
            node_map |= {pattern: [made] for pattern, part in found.items() if part is node}
            mutator.memo_map[node] = as_expr(callback.callback(node, made, node_map))
    return mutator.visit(expr)  # type: ignore[no-any-return]


def _infer(expr: Expr, mod: IRModule | None) -> None:
    from ..transform import InferType

    whole = IRModule() if mod is None else mod.shallow_copy()
    whole["main"] = expr
    InferType()(whole)


def _groups(pattern: DFPattern, expr: Expr) -> dict[int, Match]:
    """The matches by the ids of their roots."""
    nodes = list(post_order(expr))
    users: dict[int, list[int]] = {}
    for node in nodes:
        for child in ExprMutator().children(node):
            users.setdefault(id(child), []).append(id(node))
    groups: dict[int, Match] = {}
    taken: set[int] = set()
    for node in reversed(nodes):
        if id(node) in taken:
            continue
        found = next(pattern.matches(node, {}), None)
        if found is None:
            continue
        within = {id(e) for p, e in found.items() if p.composes and not isinstance(e, _ANYWHERE)} | {id(node)}
        alone = all(user in within for part in within if part != id(node) for user in users.get(part, ()))
        if alone and taken.isdisjoint(within):
            groups[id(node)] = found
            taken |= within
    return groups
