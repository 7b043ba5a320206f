"""Expressions as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..large import shown
from .arith import Arith, parts_first
from .terms import Cons, Slot
from .variables import VARIABLES

__all__ = ["OPENING", "opening_of", "show_number"]

OPENING = 400
"""So many characters of a number are told where it is put in an order: all of a number that anybody would read."""

_TIGHTEST = 4
_Part = Callable[[Any, int], str]
"""The text of an operand that stands where something binds so tightly."""


def show_number(expression: Any, name: Any = str, outer: int = 0) -> str:
    """An expression in infix notation, `2 * n + 1`; `name` writes variables."""
    told: dict[int, tuple[str, int]] = {}
    names = _named(expression, name)

    def part(operand: Any, outer: int) -> str:
        kind = type(operand)
        if kind is Arith:
            text, strength = told.get(id(operand)) or _text(operand, part)
            return f"({text})" if strength < outer else text
        if kind in (Slot, *VARIABLES):
            return names[operand]
        if kind is tuple:
            return "(" + ", ".join(show_number(e, names.__getitem__) for e in operand) + ")"
        if kind is Cons:
            elements = [show_number(e, names.__getitem__) for e in (*operand.prefix, operand.tail)]
            elements[-1] = f"...{elements[-1]}"
            return f"({', '.join(elements)})"
        return shown(operand) if kind is int else str(operand)

    for item in parts_first(expression, lambda item: id(item) in told):
        told[id(item)] = _text(item, part)
    return part(expression, outer)


def _named(expression: Any, name: Any) -> dict[Any, str]:
    """The names of the variables in an expression, given in the order in which they are read."""
    names: dict[Any, str] = {}
    stack = [expression]
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is tuple:
            stack.extend(reversed(item))
        elif kind is Cons:
            stack.extend((item.tail, *reversed(item.prefix)))
        elif kind is Arith:
            if id(item) not in seen:
                seen.add(id(item))
                stack.extend(reversed(item.args[1]))
        elif kind in (Slot, *VARIABLES) and item not in names:
            names[item] = str(name(item))
    return names


def opening_of(expression: Any, outer: int = 0) -> str:
    """The first characters of an expression as text, `OPENING` of them.

    Of expressions that stand in others again and again, the text may be longer by far than they are together.
    """
    if type(expression) is not Arith:
        return show_number(expression)[:OPENING]
    for item in parts_first(expression, lambda item: hasattr(item, "head")):
        text, strength = _text(item, opening_of)
        item.head = (text[:OPENING], strength)
    text, strength = expression.head
    return f"({text})"[:OPENING] if strength < outer else text


def _text(expression: Any, part: _Part) -> tuple[str, int]:
    """An operator and its operands as text, and how tightly that binds."""
    operator, operands = expression.args
    if operator in ("sum", "prod", "min", "max"):
        return f"{operator}({', '.join([part(e, 0) for e in operands])})", _TIGHTEST
    if operator == "+" and operands:
        return _sum(operands, part), 1
    if _is_negated(expression):
        return f"-{_factor(expression, part, 3)}", 1
    strength = 1 if operator in "+-" else 2
    parts = [part(e, _needed(operator, strength, i, e)) for i, e in enumerate(operands)]
    if operator in ("//", "%") and parts[0].startswith("-"):
        parts[0] = f"({parts[0]})"  # `n - 2 // m` would be another number
    return f" {operator} ".join(parts) if parts else "0" if operator == "+" else "1", strength


def _is_negated(expression: Any) -> bool:
    """Whether an expression is a product of -1 and others."""
    if type(expression) is not Arith or expression.args[0] != "*":
        return False
    operands = expression.args[1]
    return len(operands) > 1 and type(operands[0]) is int and operands[0] == -1


def _factor(expression: Any, part: _Part, outer: int) -> str:
    """What -1 is multiplied with; a division stands in brackets where a sign would bind tighter."""
    operands = expression.args[1][1:]
    if len(operands) > 1:
        return part(Arith.draft(("*", operands)), 2)
    divided = type(operands[0]) is Arith and operands[0].args[0] in ("//", "%")
    return part(operands[0], outer if divided else 2)


def _sum(operands: tuple[Any, ...], part: _Part) -> str:
    """Terms with their signs between them; the first one without a sign comes first. Each is told once: what is told
    twice at each level takes twice as long with each."""
    told = [None if _is_negated(e) else part(e, 1) for e in operands]
    first = next((i for i, text in enumerate(told) if text is not None and not text.startswith("-")), 0)
    parts = [
        f"-{_factor(e, part, 3 if i == first else 2)}" if text is None else text
        for i, (e, text) in enumerate(zip(operands, told, strict=True))
    ]
    parts.insert(0, parts.pop(first))
    return parts[0] + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in parts[1:])


def _needed(operator: str, strength: int, place: int, operand: Any) -> int:
    """How tightly an operand must bind to stand without brackets."""
    if operator in "+-":
        return strength + (place > 0 and operator == "-")
    # Factors and dividends that are themselves divided are bracketed, as in `2 * (n // 2)`.
    divided = type(operand) is Arith and operand.args[0] in ("//", "%")
    return 3 if place > 0 and operator in ("//", "%") else 3 if divided else strength
