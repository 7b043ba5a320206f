"""What a rule compares as a number although it can never be one: a mistake of the rule, and no refusal.

A shape, or a dtype, of a type that a call is given is a list, or a text, whoever calls: a clause that compares it as a
number holds of nothing. What is given as such, or as an attribute, may be anything: there it is the call that is wrong.
"""

from __future__ import annotations

from typing import Any

from ..logic.terms.numbers import Arith
from ..logic.terms.terms import Cons
from ..types import TensorType, TupleType

__all__ = ["misread"]


def misread(comparison: Any, arguments: tuple[Any, ...]) -> str:
    """What is wrong with a comparison that was refused, if it is about a part of the types among the arguments that is
    no number; else an empty text."""
    inside, given = _parts(arguments)
    for operand in _operands(comparison):
        if type(operand) in (tuple, str) and operand in inside and operand not in given:
            kind = "a list" if type(operand) is tuple else "a text"
            return f"{operand!r}, {kind}, is compared as a number; that terms are not equal is said by `differ`"
    return ""


def _operands(comparison: Any) -> list[Any]:
    """What numbers are made of in a comparison."""
    found, stack = [], [*comparison.args[1:]]
    while stack:
        item = stack.pop()
        if type(item) is Arith and item.operator not in ("sum", "prod"):
            stack.extend(item.operands)
        else:
            found.append(item)
    return found


def _parts(arguments: tuple[Any, ...]) -> tuple[set[Any], set[Any]]:
    """The shapes, fields and dtypes of types, and what is given beside the types."""
    inside: set[Any] = set()
    given: set[Any] = set()
    stack = [*arguments]
    while stack:
        item = stack.pop()
        if type(item) is TensorType:
            inside.update(item.args)
        elif type(item) is TupleType:
            inside.add(item.fields)
            stack.extend(item.fields if type(item.fields) is tuple else ())
        elif type(item) is tuple:
            given.add(item)
            stack.extend(item)
        elif type(item) is Cons:
            stack.extend((*item.prefix, item.tail))
        elif hasattr(item, "items"):
            stack.extend(value for _, value in item.items())
        else:
            given.add(item)
    return inside, given
