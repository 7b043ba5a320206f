"""Attribute values as text."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from ..errors import said
from ..logic.terms.numbers import UNKNOWN
from ..logic.terms.variables import VARIABLES
from .values import GREATEST_FLOAT

__all__ = ["attribute_text", "float_text"]


_INTEGERS = frozenset({int})


class _Raw(str):
    """Text that is written as it is."""

    __slots__ = ()


def _none(_: Any) -> str | None:
    return None


def attribute_text(value: Any, special: Callable[[Any], str | None] = _none) -> str:
    """An attribute's value as Relay text; `special` writes what is no plain value, or gives None.

    Raises ValueError for what Relay text cannot write.
    """
    kind = type(value)
    if kind in (tuple, list) and _INTEGERS.issuperset(map(type, value)):  # as it mostly is
        return f"[{', '.join(map(str, value))}]"
    if kind is int or kind is bool:
        return str(value)
    out: list[str] = []
    agenda = [value]
    while agenda:
        item = agenda.pop()
        if type(item) is _Raw:
            out.append(item)
        elif isinstance(item, (tuple, list)):
            agenda.append(_Raw("]"))
            for index, element in enumerate(reversed(item)):
                if index:
                    agenda.append(_Raw(", "))
                agenda.append(element)
            out.append("[")
        else:
            text = special(item)
            out.append(_scalar_text(item) if text is None else text)
    return "".join(out)


def _scalar_text(value: Any) -> str:
    if value is UNKNOWN:
        return "?"
    if type(value) in VARIABLES:
        return "_"
    if value is None or type(value) in (bool, int):
        return str(value)
    if isinstance(value, float):
        return f"{float_text(value)}f{'64' if GREATEST_FLOAT['float32'] < abs(value) < inf else ''}"
    if isinstance(value, str) and '"' not in value:
        return f'"{value}"'
    raise ValueError(f"{said(value)} cannot be written as an attribute")


def float_text(value: float) -> str:
    """The shortest digits of a float that read back as it, without the `.0` of whole numbers."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text
