"""Expressions as text."""

from __future__ import annotations

from typing import Any

from ..large import shown
from .arith import Arith
from .terms import Cons, Slot
from .variables import VARIABLES

__all__ = ["show_number"]


def show_number(expression: Any, name: Any = str, outer: int = 0) -> str:
    """An expression in infix notation, `2 * n + 1`; `name` writes variables."""
    kind = type(expression)
    if kind is not Arith:
        if kind in (Slot, *VARIABLES):
            return str(name(expression))
        if kind is tuple:
            return "(" + ", ".join(show_number(e, name) for e in expression) + ")"
        if kind is Cons:
            elements = [*(show_number(e, name) for e in expression.prefix), "..." + show_number(expression.tail, name)]
            return f"({', '.join(elements)})"
        return shown(expression) if kind is int else str(expression)
    operator, operands = expression.args
    if operator in ("sum", "prod", "min", "max"):
        return f"{operator}({', '.join(show_number(e, name) for e in operands)})"
    if operator == "+" and operands:
        text = _sum(operands, name)
        return f"({text})" if outer > 1 else text
    if _is_negated(expression):
        text = f"-{_factor(expression, name, 3)}"
        return f"({text})" if outer > 1 else text
    strength = 1 if operator in "+-" else 2
    parts = [show_number(e, name, _needed(operator, strength, i, e)) for i, e in enumerate(operands)]
    if operator in ("//", "%") and parts[0].startswith("-"):
        parts[0] = f"({parts[0]})"  # `n - 2 // m` would be another number
    text = f" {operator} ".join(parts) if parts else "0" if operator == "+" else "1"
    return f"({text})" if strength < outer else text


def _is_negated(expression: Any) -> bool:
    """Whether an expression is a product of -1 and others."""
    if type(expression) is not Arith or expression.args[0] != "*":
        return False
    operands = expression.args[1]
    return len(operands) > 1 and type(operands[0]) is int and operands[0] == -1


def _factor(expression: Any, name: Any, outer: int) -> str:
    """What -1 is multiplied with; a division stands in brackets where a sign would bind tighter."""
    operands = expression.args[1][1:]
    if len(operands) > 1:
        return show_number(Arith.draft(("*", operands)), name, 2)
    divided = type(operands[0]) is Arith and operands[0].args[0] in ("//", "%")
    return show_number(operands[0], name, outer if divided else 2)


def _sum(operands: tuple[Any, ...], name: Any) -> str:
    """Terms with their signs between them; the first one without a sign comes first."""
    parts = [f"-{_factor(e, name, 2)}" if _is_negated(e) else show_number(e, name, 1) for e in operands]
    first = next((i for i, part in enumerate(parts) if not part.startswith("-")), 0)
    if first == 0:
        parts[0] = show_number(operands[0], name, 1)
    parts.insert(0, parts.pop(first))
    return parts[0] + "".join(f" - {part[1:]}" if part.startswith("-") else f" + {part}" for part in parts[1:])


def _needed(operator: str, strength: int, place: int, operand: Any) -> int:
    """How tightly an operand must bind to stand without brackets."""
    if operator in "+-":
        return strength + (place > 0 and operator == "-")
    # Factors and dividends that are themselves divided are bracketed, as in `2 * (n // 2)`.
    divided = type(operand) is Arith and operand.args[0] in ("//", "%")
    return 3 if place > 0 and operator in ("//", "%") else 3 if divided else strength
