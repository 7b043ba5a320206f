"""Functions that call themselves at ever smaller extents: whatever they demand, no call of them is right.

Each call of `def @f<n: ShapeVar>(%x: Tensor[(n), float32]) ...`, which crops %x by one and calls itself, comes to one
for n - 1, that to one for n - 2: there is none for less than 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import Call, Expr, Function, post_order
from ..logic.numbers import is_number
from ..logic.terms import is_ground
from ..types import FuncType, TypeVar
from .driver import Driver

__all__ = ["descending_call"]


def descending_call(
    function: Function, variable: Expr, scheme: Any, type_of: Callable[[Expr], Any], driver: Driver
) -> Call | None:
    """A call by which a function calls itself with less of some extent wherever its type allows it to be called."""
    from .inhabited import must_be_less  # the search of `typings`, which few programs need

    demands = []
    for constraint in scheme.type_constraints:
        relation = driver.rules.relation(constraint.name)
        demands.append((relation, constraint.arguments, driver.attributes.complete(relation, constraint.attrs)))
    for node in post_order(function):
        if type(node) is Call and node.op == variable:
            values = _values(scheme, tuple(map(type_of, node.args)))
            for parameter, value in values.items():
                if value is not parameter and must_be_less(value, parameter, demands, driver.rules):
                    return node
    return None


def _values(scheme: Any, arguments: tuple[Any, ...]) -> dict[Any, Any]:
    """What extents stand for the type parameters of a function in a call, as far as its arguments show them."""
    found: dict[Any, Any] = {}
    stack: list[tuple[Any, Any]] = [(scheme.arg_types, arguments)]
    while stack:
        declared, given = stack.pop()
        if type(declared) is TypeVar and declared.kind == "ShapeVar":
            if is_number(given) and is_ground(given):
                found.setdefault(declared, given)
        elif type(declared) is type(given) and type(declared) is not FuncType:
            below = [t if type(t) is tuple else getattr(t, "args", ()) for t in (declared, given)]
            stack.extend(zip(*below, strict=False))
    return found
