"""Data types as text: what TVM accepts in place of `float32` in `Tensor[(2), float32]`."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["CUSTOM", "bits", "dtype_list", "family", "is_float", "is_integer", "lanes", "normal_dtype"]

_CUSTOM = r"custom\[\w+\]"
CUSTOM = rf"{_CUSTOM}[0-9]+(?:x[0-9]+)?"
"""How a dtype is written that somebody registered with TVM by a name of his own: brackets and all, it is one word."""

_PATTERN = re.compile(
    rf"(bool|handle|void|e4m3_float8|e5m2_float8|((?:int|uint|float|bfloat)|{_CUSTOM})([0-9]*))(?:x([0-9]+))?\Z"
)
_DEFAULT_BITS = {"bfloat": "16"}


@lru_cache(maxsize=4096)
def normal_dtype(text: str) -> str:
    """The canonical spelling of a dtype: `float` is `float32`, `uint1` is `bool`, `void` is the empty dtype.

    Raises ValueError if `text` is no dtype.
    """
    if text in ("", "void"):
        return ""
    match = _PATTERN.match(text)
    if match is None:
        raise ValueError(f"`{text}` is not a dtype; a dtype is bool, int8, uint16, float32, bfloat16, float32x4 ...")
    base, name, width, lane_count = match.groups()
    if width == "":
        base += _DEFAULT_BITS.get(name, "32")
    if width is not None and width != "" and (width[0] == "0" or _number(width) > 65535):
        raise ValueError(f"`{text}` is not a dtype: its width must be 1 to 65535 bits")
    if base == "uint1":
        base = "bool"
    if lane_count is not None and not 0 < _number(lane_count) <= 65535:
        raise ValueError(f"`{text}` is not a dtype: it has 1 to 65535 lanes")
    return base if lane_count in (None, "1") else f"{base}x{int(lane_count)}"


def _number(digits: str) -> int:
    """What the digits say, if it is no more than a dtype can have; a million otherwise."""
    return int(digits) if len(digits) <= 6 else 1_000_000


def dtype_list(text: str) -> tuple[str, ...]:
    """The dtypes in a text that separates them by commas, in canonical spelling, each once.

    Raises ValueError if there are none, or something in the text is no dtype.
    """
    names = [name.strip() for name in text.split(",")]
    if names[-1] == "":
        names.pop()
    if not names:
        raise ValueError("dtypes are expected, separated by commas: float32, int8 ...")
    return tuple(dict.fromkeys(map(_named_dtype, names)))


def _named_dtype(text: str) -> str:
    if not text:
        raise ValueError("there is nothing between two commas")
    return normal_dtype(text)


@lru_cache(maxsize=4096)
def _parts(dtype: str) -> tuple[str, int, int]:
    match = _PATTERN.match(dtype)
    if match is None:
        return ("", 0, 1)
    base, name, width, lane_count = match.groups()
    size = int(width) if width else {"bool": 1, "handle": 64, "e4m3_float8": 8, "e5m2_float8": 8}.get(base, 0)
    return (name or base, size, int(lane_count or 1))


def family(dtype: str) -> str:
    """`int`, `uint`, `float`, `bfloat`, `bool`, `handle`, a float8 or one of one's own by the whole name,
    or `""` for void."""
    return _parts(dtype)[0]


def bits(dtype: str) -> int:
    """The width of one lane in bits; bool has 1."""
    return _parts(dtype)[1]


def lanes(dtype: str) -> int:
    """The number of lanes: 4 for `float32x4`."""
    return _parts(dtype)[2]


def is_integer(dtype: str) -> bool:
    """Whether `dtype` is a signed or unsigned integer (bool is not)."""
    return family(dtype) in ("int", "uint")


def is_float(dtype: str) -> bool:
    """Whether `dtype` is a float or bfloat."""
    return family(dtype) in ("float", "bfloat")
