"""Attribute values and type arguments as text."""

from __future__ import annotations

from typing import Any

from ..ir import MetaRef
from ..types import Type as RelayType
from ..types import attributes, show_dimension, show_shape, show_type

__all__ = ["attribute_text", "type_argument_text"]


def attribute_text(value: Any) -> str:
    """An attribute's value as text. Raises ValueError for what Relay text cannot write."""
    return attributes.attribute_text(value, lambda item: repr(item) if isinstance(item, MetaRef) else None)


def type_argument_text(argument: Any) -> str:
    """An explicit type argument as text."""
    if type(argument) is tuple:
        return show_shape(argument)
    return show_type(argument) if isinstance(argument, RelayType) else show_dimension(argument)
