"""Numbers as they are written: `1`, `2i64`, `3u8`, `0.5f`, `1e-3f16`, `-inff`, `0xff`; and what most attributes are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ..types.attributes import float_text
from ..types.dtypes import bits
from ..types.values import GREATEST_FLOAT, has_number, integer_range
from .tokens import shown

__all__ = ["MOST_DIGITS", "number_text", "parse_attribute", "parse_integer", "parse_number"]

_NUMBER = re.compile(
    r"(-?)(?:0x([0-9a-fA-F]+)|(inf|nan)f([0-9]*)|([0-9]+)((?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)(?:([fiu])([0-9]*))?)\Z"
)
_INTEGERS = tuple(f"{family}{width}" for family in ("int", "uint") for width in (8, 16, 32, 64))
_SUFFIX_FAMILY = {"f": "float", "i": "int", "u": "uint"}


MOST_DIGITS = 300
"""No number in a text has more digits. Python turns no number of more than 4,300 into decimal digits."""


@lru_cache(maxsize=4096)
def parse_number(text: str) -> tuple[Any, str]:
    """The value and the dtype of a number.

    An integer without a suffix is an int32, or an int64 if it does not fit. Raises ValueError if it is out of
    range.
    """
    match = _NUMBER.match(text)
    if match is None:
        raise ValueError(f"`{shown(text)}` is no number")
    sign, _, special, special_width, digits, fraction, family, suffix_width = match.groups()
    if special:
        return float(sign + special), f"float{_width(text, special_width, 'float')}"
    if family == "f" or (family is None and fraction):
        width = _width(text, suffix_width, "float")
        value = float(sign + digits + (fraction or ""))
        if abs(value) > GREATEST_FLOAT[f"float{width}"]:
            raise ValueError(f"`{shown(text)}` is out of the range of float{width}")
        return value, f"float{width}"
    integer = parse_integer(text)
    if family is None:
        for width in (32, 64):
            if -(1 << (width - 1)) <= integer < 1 << (width - 1):
                return integer, f"int{width}"
        raise ValueError(f"`{shown(text)}` is out of the range of int64")
    name = _SUFFIX_FAMILY[family]
    width = _width(text, suffix_width, name)
    least, most = integer_range(f"{name}{width}")
    if not least <= integer <= most:
        raise ValueError(f"`{shown(text)}` is out of the range of {name}{width}")
    return integer, f"{name}{width}"


@lru_cache(maxsize=4096)
def parse_attribute(text: str) -> tuple[str, Any]:
    """Name and value of an attribute that the lexer takes for one token. Raises ValueError as `parse_number` does.

    >>> parse_attribute("strides=[2, 2]")
    ('strides', (2, 2))
    """
    name, _, value = text.partition("=")
    if value[0] == '"':
        return name, value[1:-1]
    if value[0] in "TF":
        return name, value == "True"
    if value[0] == "[":
        return name, tuple(map(int, value[1:-1].split(",")))
    return name, parse_number(value)[0]


def parse_integer(text: str) -> int:
    """The value of an integer of any suffix. Raises ValueError if it is none, or has more than `MOST_DIGITS` digits."""
    match = _NUMBER.match(text)
    if match is None or match.group(3) or match.group(6) or match.group(7) == "f":
        raise ValueError(f"`{shown(text)}` is not an integer")
    sign, hexadecimal, digits = match.group(1), match.group(2), match.group(5)
    length = len(hexadecimal or digits)
    if length > MOST_DIGITS:
        raise ValueError(f"a number of {length} digits is too long; it may have {MOST_DIGITS}")
    if hexadecimal:
        return int(sign + hexadecimal, 16)
    return int(sign + digits)


def _width(text: str, width: str | None, family: str) -> int:
    bits = int(width[:6]) if width else 32
    if bits not in ((16, 32, 64) if family == "float" else (8, 16, 32, 64)):
        raise ValueError(f"`{shown(text)}` has a width that no {family} constant has")
    return bits


def number_text(value: Any, dtype: str) -> str | None:
    """How a scalar constant of that dtype is written, or None if text has no literal for it."""
    if not has_number(dtype, value):
        return None
    if dtype == "bool":
        return "True" if value else "False"
    if dtype in _INTEGERS:
        return str(value) if dtype == "int32" else f"{value}{dtype[0]}{bits(dtype)}"
    if dtype in GREATEST_FLOAT:
        return f"{float_text(value)}f{dtype[5:] if dtype != 'float32' else ''}"
    return None
