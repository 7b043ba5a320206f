"""Attribute values and type arguments as text."""

from __future__ import annotations

from typing import Any

from ..ir import MetaRef
from ..types import ANY, show_dimension, show_shape, show_type
from ..types import Type as RelayType
from .literals import number_text

__all__ = ["attribute_text", "type_argument_text"]


def attribute_text(value: Any) -> str:
    """An attribute's value as text. Raises ValueError for what Relay text cannot write."""
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
            out.append(_scalar_text(item))
    return "".join(out)


class _Raw(str):
    """Text that is written as it is."""

    __slots__ = ()


def _scalar_text(value: Any) -> str:
    if value is None:
        return "None"
    if value is ANY:
        return "?"
    if type(value) is bool:
        return str(value)
    if type(value) is int:
        return str(value)
    if isinstance(value, float):
        return str(number_text(value, "float32"))
    if isinstance(value, MetaRef):
        return repr(value)
    if isinstance(value, str) and '"' not in value:
        return f'"{value}"'
    raise ValueError(f"{value!r} cannot be written as an attribute")


def type_argument_text(argument: Any) -> str:
    """An explicit type argument as text."""
    if type(argument) is tuple:
        return show_shape(argument)
    return show_type(argument) if isinstance(argument, RelayType) else show_dimension(argument)
