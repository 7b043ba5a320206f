"""Arithmetic expressions over numbers and variables: building them, evaluating them, writing them.

An expression is a number, a variable, or an `Arith(operator, operands)`; operands of `sum` and `prod` are one list,
which may be open. `UNKNOWN` absorbs: an expression with an unknown operand is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from . import numbers
from .numbers import UNKNOWN, is_number
from .terms import Cons, reify_term, walk

__all__ = [
    "Arith",
    "as_operation",
    "ceildiv",
    "difference",
    "evaluate",
    "floordiv",
    "has_open_list",
    "maximum",
    "minimum",
    "mod",
    "open_occurrences",
    "plus",
    "prod",
    "reified",
    "show",
    "times",
    "total",
]


class Arith:
    """An arithmetic operator applied to operands."""

    __slots__ = ("operands", "operator")

    def __init__(self, operator: str, operands: tuple[Any, ...]) -> None:
        self.operator = operator
        self.operands = operands

    def __repr__(self) -> str:
        return show(self)


def plus(*operands: Any) -> Arith:
    """The sum of the operands."""
    return Arith("+", operands)


def difference(a: Any, b: Any) -> Arith:
    """a - b."""
    return Arith("-", (a, b))


def times(*operands: Any) -> Arith:
    """The product of the operands."""
    return Arith("*", operands)


def floordiv(a: Any, b: Any) -> Arith:
    """The floor of a / b."""
    return Arith("//", (a, b))


def ceildiv(a: Any, b: Any) -> Arith:
    """The ceiling of a / b."""
    return Arith("//", (plus(a, b, -1), b))


def mod(a: Any, b: Any) -> Arith:
    """The remainder of a by b."""
    return Arith("%", (a, b))


def minimum(a: Any, b: Any) -> Arith:
    """The lesser of a and b."""
    return Arith("min", (a, b))


def maximum(a: Any, b: Any) -> Arith:
    """The greater of a and b."""
    return Arith("max", (a, b))


def total(items: Any) -> Arith:
    """The sum of the elements of a list, which may still be open."""
    return Arith("sum", (items,))


def prod(items: Any) -> Arith:
    """The product of the elements of a list, which may still be open; 1 for the empty list."""
    return Arith("prod", (items,))


_BINARY = {"//": numbers.floordiv, "%": numbers.mod, "min": numbers.minimum, "max": numbers.maximum}


def as_operation(expression: Arith, bindings: Mapping[Any, Any]) -> Any:
    """`sum([a, b])` as `a + b`, `prod([a, b])` as `a * b`; None while the list is open."""
    items = reify_term(expression.operands[0], bindings)
    if type(items) is not tuple:
        return None
    return Arith("+" if expression.operator == "sum" else "*", items)


def evaluate(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """The number that `expression` is, or None while that is open.

    Raises ZeroDivisionError for a division by zero, TypeError for an operand that is no number.
    """
    kind = type(expression)
    if kind is int:
        return expression
    if kind is Var:
        value = walk(expression, bindings)
        kind = type(value)
        if kind is int:
            return value
        if kind is Var:
            return None
        if not is_number(value):
            raise TypeError(f"{value!r} is no number")
        return value
    if kind is not Arith:
        if not is_number(expression):
            raise TypeError(f"{expression!r} is no number")
        return expression
    operator = expression.operator
    operands = expression.operands
    if operator in ("sum", "prod"):
        expanded = as_operation(expression, bindings)
        if expanded is None:
            return None
        operator, operands = expanded.operator, expanded.operands
    values = [evaluate(operand, bindings) for operand in operands]
    if UNKNOWN in values:
        return UNKNOWN
    if None in values:
        return 0 if operator == "*" and 0 in values else None
    if operator == "+":
        result: Any = 0
        for value in values:
            result = result + value if type(result) is int and type(value) is int else numbers.add(result, value)
    elif operator == "*":
        result = 1
        for value in values:
            result = result * value if type(result) is int and type(value) is int else numbers.mul(result, value)
    elif operator == "-":
        a, b = values
        result = a - b if type(a) is int and type(b) is int else numbers.add(a, numbers.mul(-1, b))
    else:
        result = _BINARY[operator](values[0], values[1])
        if result is None:
            raise ZeroDivisionError
    return result


def open_occurrences(expression: Any, bindings: Mapping[Any, Any]) -> list[Any]:
    """The unbound variables of an expression, with repetitions; open lists count as their tail."""
    found = []
    stack = [expression]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Arith:
            stack.extend(reversed(item.operands))
        elif kind is Var:
            item = walk(item, bindings)
            if type(item) is Var:
                found.append(item)
            elif type(item) in (tuple, Cons):
                stack.append(item)
        elif kind is tuple:
            stack.extend(reversed(item))
        elif kind is Cons:
            stack.extend((item.tail, *reversed(item.prefix)))
    return found


def has_open_list(expression: Any, bindings: Mapping[Any, Any]) -> bool:
    """Whether the sum or product of a list that is still open occurs in an expression."""
    return any(
        type(item) is Arith
        and item.operator in ("sum", "prod")
        and type(reify_term(item.operands[0], bindings)) is not tuple
        for item in _subexpressions(expression)
    )


def _subexpressions(expression: Any) -> list[Any]:
    found, stack = [], [expression]
    while stack:
        item = stack.pop()
        found.append(item)
        if type(item) is Arith:
            stack.extend(item.operands)
    return found


def reified(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """An expression with bound variables replaced."""
    if type(expression) is Arith:
        return Arith(expression.operator, tuple(reified(operand, bindings) for operand in expression.operands))
    return reify_term(expression, bindings)


def show(expression: Any, name: Any = str, outer: int = 0) -> str:
    """An expression in infix notation; `name` writes variables."""
    if type(expression) is not Arith:
        if type(expression) is Var:
            return str(name(expression))
        if type(expression) is tuple:
            return "(" + ", ".join(show(e, name) for e in expression) + ")"
        if type(expression) is Cons:
            elements = [*(show(e, name) for e in expression.prefix), "..." + show(expression.tail, name)]
            return f"({', '.join(elements)})"
        return str(expression)
    operator, operands = expression.operator, expression.operands
    if operator in ("sum", "prod", "min", "max"):
        return f"{operator}({', '.join(show(e, name) for e in operands)})"
    strength = 1 if operator in "+-" else 2
    parts = [show(e, name, strength + (i > 0 and operator not in "+*")) for i, e in enumerate(operands)]
    text = parts[0] if parts else ("0" if operator == "+" else "1")
    for part in parts[1:]:
        text += f" - {part[1:]}" if operator == "+" and part.startswith("-") else f" {operator} {part}"
    return f"({text})" if strength < outer else text
