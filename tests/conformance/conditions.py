"""What the conditions of deviations.toml may ask of a measured fact: small functions on the text of types.

An extent is an int, or the text "?".
"""

from __future__ import annotations

import re
from math import prod
from typing import Any

Extent = Any

_TENSOR = re.compile(r"Tensor\[\((.*?)\), ?(.*)\]\Z")


def fields(text: str) -> list[str] | None:
    """The types of the components of a tuple type; None if `text` is none."""
    if not (text.startswith("(") and text.endswith(")")):
        return None
    parts, depth, start = [], 0, 1
    for i, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if (char == "," and depth == 1) or (char == ")" and depth == 0):
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in parts if part]


def shape(text: str) -> list[Extent] | None:
    """The extents of a tensor type; None if `text` is no tensor type."""
    if text.startswith(("(", "fn ")) or text == "_":
        return None
    match = _TENSOR.match(text)
    if match is None:
        return [] if re.match(r"[a-z]\w*\Z", text) else None
    extents = [part.strip() for part in match.group(1).split(",") if part.strip()]
    return [int(e.removesuffix("i64")) if re.match(r"-?\d", e) else "?" for e in extents]


def rank(text: str) -> int | None:
    """The number of extents of a tensor type; None if `text` is no tensor type."""
    extents = shape(text)
    return None if extents is None else len(extents)


def dtype(text: str) -> str | None:
    """The dtype of a tensor type; None if `text` is no tensor type."""
    match = _TENSOR.match(text)
    return match.group(2) if match else (text if shape(text) == [] else None)


def tensors(text: str) -> list[str]:
    """The tensor types in `text`, a tensor type or a tuple of them, nested or not."""
    inside = fields(text)
    return [text] if inside is None else [t for field in inside for t in tensors(field)]


def negative(text: str | None) -> bool:
    """Whether a tensor type in `text` has a negative extent."""
    return text is not None and any(e != "?" and e < 0 for t in tensors(text) for e in shape(t) or ())


def count(text: str) -> Extent:
    """The number of elements of a tensor type; "?" if an extent is."""
    extents = shape(text) or []
    return "?" if "?" in extents else prod(extents)


def agrees(a: Extent, b: Extent) -> bool:
    """Whether two extents are equal or one is `?`."""
    return a == b or "?" in (a, b)


def all_agree(a: list[Extent], b: list[Extent]) -> bool:
    """Whether two shapes agree extent by extent."""
    return len(a) == len(b) and all(agrees(x, y) for x, y in zip(a, b, strict=True))
