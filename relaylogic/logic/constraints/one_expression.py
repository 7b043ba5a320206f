"""Whether equations make one expression of two numbers: of 12 * n and, where m is 3 * n, of 4 * m.

If one of the numbers in such an expression is `?`, it is `?`, however it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..terms.numbers import Arith, difference, polynomial
from ..terms.rebuilding import reify_term
from ..terms.terms import variables_of
from .compare import Compare
from .equations import operators_of

__all__ = ["are_one_expression", "expressions_of"]

MOST_ROUNDS = 16
LONGEST = 50

Told = Callable[[Any], Iterable[Any]]
"""The expressions that a variable is equal to."""


def expressions_of(variable: Any, equations: Iterable[Any]) -> list[Any]:
    """What equations among some constraints, as far as they are known, say that a variable is."""
    return [
        expression
        for equation in equations
        if type(equation) is Compare and equation.relation == "="
        for name, expression in ((equation.left, equation.right), (equation.right, equation.left))
        if name is variable
    ]


def are_one_expression(left: Any, right: Any, told: Told, within: frozenset[Any] = frozenset()) -> bool:
    """Whether two numbers are one expression, when what is told of variables takes their places; not of those `within`
    which the numbers stand. What grows long, holds lists or may be undefined is not looked at."""
    here = _written_out(left, told, within)
    there = None if here is None else _written_out(right, told, within)
    if there is None or set(variables_of(here)) != set(variables_of(there)):
        return False
    return not any(polynomial(difference(here, there)).values())


def _written_out(number: Any, told: Told, within: frozenset[Any]) -> Any:
    """A number over the variables of which no expression over others is told; None if that grows long."""
    gone = set(within)
    for _ in range(MOST_ROUNDS):
        if not _is_plain(number):
            return None
        for variable in variables_of(number):
            found = (e for e in told(variable) if _is_plain(e) and variable not in variables_of(e))
            expression = next((e for e in found if gone.isdisjoint(variables_of(e))), None)
            if expression is not None:
                gone.add(variable)
                number = reify_term(number, {variable: expression})
                break
        else:
            return number
    return None


def _is_plain(number: Any) -> bool:
    """Whether a number is short, and has a value whatever its variables are."""
    parts, stack = 0, [number]
    while stack and parts <= LONGEST:
        item = stack.pop()
        parts += 1
        if type(item) is Arith:
            stack.extend(item.operands)
    return parts <= LONGEST and (type(number) is not Arith or operators_of(number) is not None)
