"""Functions that come back to themselves at ever smaller extents: whatever they demand, no call of them is right.

Each call of `def @f<n: ShapeVar>(%x: Tensor[(n), float32]) ...`, which crops %x by one and calls itself, comes to one
for n - 1, that to one for n - 2: there is none for less than 0. It may call itself by way of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...ir import Call, Expr, post_order
from ...logic.terms.numbers import is_number
from ...logic.terms.terms import is_ground
from ...types import FuncType, TypeVar
from ..sites.driver import Driver
from ..sites.schemes import substitute
from .beliefs import News

__all__ = ["descending_calls"]

MOST_WAYS = 200
"""So many ways from a function to others are followed, the shortest first,"""
MOST_ROUNDS = 2
"""which come to each function so often: one that exchanges two extents has less of each after two calls."""


def descending_calls(
    news: Sequence[News], others: Iterable[News], type_of: Callable[[Expr], Any], driver: Driver
) -> Iterator[tuple[Call, str]]:
    """Calls by which functions of the `news` come back to themselves, perhaps through others, with less of some extent
    wherever their types allow them to be called: one for each such cycle, and whose body it stands in."""
    from .inhabited import must_be_less  # the search of `typings`, which few programs need

    known = {function.variable: function for function in (*others, *news)}
    calls: dict[Expr, list[Call]] = {}
    told: set[Expr] = set()
    for start in news:
        demands = []
        for constraint in start.scheme.type_constraints:
            relation = driver.rules.relation(constraint.name)
            demands.append((relation, constraint.arguments, driver.attributes.complete(relation, constraint.attrs)))
        ways: list[tuple[tuple[Expr, ...], dict[Any, Any]]] = [((start.variable,), {})]
        tried = 0
        while ways and tried < MOST_WAYS and start.variable not in told:
            tried += 1
            way, meant = ways.pop()
            caller = known[way[-1]]
            if caller.variable not in calls:
                nodes = post_order(caller.function)
                calls[caller.variable] = [node for node in nodes if type(node) is Call and node.op in known]
            for call in calls[caller.variable]:
                arguments = substitute(tuple(map(type_of, call.args)), meant, [])
                values = _values(known[call.op].scheme, arguments)
                if call.op == start.variable and any(
                    value is not parameter and must_be_less(value, parameter, demands, driver.rules)
                    for parameter, value in values.items()
                ):
                    told.update(way)
                    yield call, caller.owner
                    break
                if way.count(call.op) < MOST_ROUNDS:
                    ways.insert(0, ((*way, call.op), values))


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
