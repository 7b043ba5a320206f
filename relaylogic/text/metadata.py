"""The metadata section: constants kept as JSON behind the program.

The format is the one in which TVM saves objects: a list of numbered nodes, of which `root` is a map from type
keys to arrays; a `relay.Constant` refers to one of `b64ndarrays`, a base64 string of header, shape and bytes.
"""

from __future__ import annotations

import base64
import json
import struct
from math import prod
from typing import Any

from ..types import TensorType, normal_dtype
from ..types.values import MOST_ELEMENTS

__all__ = ["FAMILIES", "FORMATS", "MAGIC", "constants"]

MAGIC = 0xDD5E40F096B4A13F
FAMILIES = {0: "int", 1: "uint", 2: "float", 3: "handle", 4: "bfloat"}
FORMATS = {"bool": "?", "float16": "e", "float32": "f", "float64": "d"}
FORMATS |= {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}
FORMATS |= {"uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q"}


def constants(text: str) -> list[tuple[Any, Any]]:
    """Type and value of each `meta[relay.Constant][i]`; (None, None) for one that is not understood.

    The value is a number for a scalar, a flat tuple of numbers for a tensor of at most `MOST_ELEMENTS`, None
    for others. Raises ValueError if the text is not JSON of the expected form.
    """
    try:
        section = json.loads(text)
    except RecursionError:
        raise ValueError("the metadata section is nested too deeply") from None
    try:
        nodes = section["nodes"]
        table = nodes[section["root"]]
        if "relay.Constant" not in table["keys"]:
            return []
        array = nodes[table["data"][table["keys"].index("relay.Constant")]]
        return [_constant(nodes[index], nodes, section.get("b64ndarrays", [])) for index in array["data"]]
    except (KeyError, IndexError, TypeError, AttributeError) as problem:
        raise ValueError(f"the metadata section has no table of constants ({problem!r})") from None


def _constant(node: Any, nodes: Any, arrays: Any) -> tuple[Any, Any]:
    try:
        return _array(base64.b64decode(arrays[int(node["attrs"]["data"])], validate=True))
    except (KeyError, IndexError, TypeError, ValueError, struct.error):
        return None, None


def _array(data: bytes) -> tuple[Any, Any]:
    magic, _, _, _, rank, code, bits, lanes = struct.unpack_from("<QQiiiBBH", data)
    if magic != MAGIC or not 0 <= rank <= 4096:
        raise ValueError("not a saved array")
    at = struct.calcsize("<QQiiiBBH")
    shape = struct.unpack_from(f"<{rank}q", data, at)
    at += 8 * rank + 8  # behind the number of bytes
    dtype = normal_dtype(f"{FAMILIES[code]}{bits}" + (f"x{lanes}" if lanes > 1 else ""))
    elements = prod(shape)
    value: Any = None
    if dtype in FORMATS and elements <= MOST_ELEMENTS:
        value = struct.unpack_from(f"<{elements}{FORMATS[dtype]}", data, at)
        value = value if shape else value[0]
    return TensorType(shape, dtype), value
