"""What a constant may hold: the numbers of each dtype, and values of types."""

from __future__ import annotations

import sys
from math import isfinite, prod
from typing import Any

from .dtypes import bits, family, is_float, is_integer
from .terms import TensorType

__all__ = ["GREATEST_FLOAT", "MOST_ELEMENTS", "has_number", "has_value", "integer_range", "number_as", "wrapped"]

MOST_ELEMENTS = 1024
"""A constant of more elements has none, unless all of them are one number: its type is all that counts."""

GREATEST_FLOAT = {"float16": 65504.0, "float32": 3.4028234663852886e38, "float64": sys.float_info.max}
"""The greatest finite number of each dtype of floats that constants are written in."""


def integer_range(dtype: str) -> tuple[int, int]:
    """The least and the greatest number of a dtype of integers."""
    width = bits(dtype)
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if family(dtype) == "int" else (0, (1 << width) - 1)


def wrapped(number: int, dtype: str) -> int:
    """The number that a dtype of integers has in place of another, as arithmetic of so many bits says."""
    least, greatest = integer_range(dtype)
    return (number - least) % (greatest - least + 1) + least


def has_number(dtype: str, number: Any) -> bool:
    """Whether a number is one of a dtype's, rounded where that has floats; a dtype of another kind may have any."""
    kind = type(number)
    if dtype == "bool":
        return kind in (bool, int) and number in (0, 1)
    if is_integer(dtype):
        least, greatest = integer_range(dtype)
        return kind is int and least <= number <= greatest
    if dtype in GREATEST_FLOAT and (kind is int or (kind is float and isfinite(number))):
        return bool(abs(number) <= GREATEST_FLOAT[dtype])
    return kind in (bool, int, float)


def number_as(dtype: str, number: Any) -> Any:
    """A number that a dtype has, as its numbers are: 1 is 1.0 among floats, and True among truth values."""
    if dtype == "bool":
        return bool(number)
    return float(number) if is_float(dtype) else number


def has_value(tensor_type: Any, value: Any) -> bool:
    """Whether a constant of that type may have that value: no data, one number, or as many as the type has elements."""
    if value is None:
        return True
    numbers = value if type(value) is tuple else (value,)
    shape, dtype = tensor_type.args if type(tensor_type) is TensorType else (None, None)
    if type(value) is tuple and type(shape) is tuple and all(type(extent) is int for extent in shape):
        if len(value) != prod(shape):
            return False
    return all(has_number(dtype if type(dtype) is str else "", number) for number in numbers)
