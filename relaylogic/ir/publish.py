"""Entering what was inferred, or declared, into the side table of types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..types import FuncType
from .checked import TYPES
from .expr import Expr
from .visit import bound_by, post_order

__all__ = ["publish", "publish_declared", "typed_nodes"]


def publish(roots: Iterable[Expr], type_of: Callable[[Expr], Any]) -> None:
    """Enter the types of all nodes below `roots`, and of the variables that they bind."""
    for node, found in typed_nodes(roots, type_of):
        TYPES[node] = found


def publish_declared(module: Any) -> None:
    """Enter the types of the functions of a module, and of those that it imports, that annotations say all of."""
    for part in module.scopes():
        for variable, function in part.functions.items():
            arguments = [parameter.type_annotation for parameter in function.params]
            if None not in (function.ret_type, *arguments):
                constraints = function.type_constraints
                declared = FuncType(arguments, function.ret_type, function.type_params, constraints)
                TYPES[variable] = TYPES[function] = declared


def typed_nodes(roots: Iterable[Expr], type_of: Callable[[Expr], Any]) -> Iterator[tuple[Expr, Any]]:
    """The nodes below `roots`, and the variables that they bind, each with its type, if it has one."""
    for root in roots:
        for node in post_order(root):
            for typed in (node, *bound_by(node)):
                found = type_of(typed)
                if found is not None:
                    yield typed, found
