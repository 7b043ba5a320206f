"""Constants that have no literal, on their way into the metadata section of a text.

Small tensors are written with their elements; of large ones, and of those whose elements nobody knows, only the type is
(the data behind the header are left out), which is also all that is read of them.
"""

from __future__ import annotations

import base64
import json
import struct
from math import prod
from typing import Any

from ..ir import Constant, MetaRef
from ..types import TensorType, Type, bits, family, has_value, lanes, show_type
from ..types.values import MOST_ELEMENTS
from .literals import number_text
from .metadata import FAMILIES, FORMATS, MAGIC

__all__ = ["ConstantTable"]

_CODES = {name: code for code, name in FAMILIES.items()} | {"bool": 1}


class ConstantTable:
    """Numbers constants, behind those that a metadata section already holds."""

    def __init__(self, metadata: str | None = None) -> None:
        self._given = metadata
        self._known: dict[int, MetaRef] = {}
        self._new: list[Constant] = []
        self._section: Any = None
        self._first = 0

    def reference(self, constant: Constant) -> MetaRef:
        """The place of a constant in the section, a new one if it has none.

        Raises ValueError if its type is not known, or has no number in the format of arrays (void, custom dtypes).
        """
        known = self._known.get(id(constant))
        if known is None:
            if not _is_concrete(constant.tensor_type):
                raise ValueError(f"a constant of {_shown(constant.tensor_type)} cannot be written")
            if self._section is None:
                self._open()
            known = self._known[id(constant)] = MetaRef("relay.Constant", self._first + len(self._new))
            self._new.append(constant)
        return known

    def text(self, constant: Constant) -> str:
        """A constant as text: a literal, or its place in the section.

        Raises ValueError if its type is not known, or if its value is none of that type.
        """
        if constant.meta is None and not has_value(constant.tensor_type, constant.value):
            raise ValueError(f"a constant whose value is none of {_shown(constant.tensor_type)} cannot be written")
        return _literal(constant) or repr(self.reference(constant))

    def _open(self) -> None:
        """Read the given section, or begin one."""
        if self._given is not None:
            self._section = json.loads(self._given)
        else:
            nodes: list[Any] = [
                {"type_key": ""},
                {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]},
                {"type_key": "Array", "data": []},
            ]
            self._section = {"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.14.0"}}
        nodes = self._section["nodes"]
        table = nodes[self._section["root"]]
        if "relay.Constant" not in table["keys"]:
            table["keys"].append("relay.Constant")
            table["data"].append(len(nodes))
            nodes.append({"type_key": "Array", "data": []})
        self._array = nodes[table["data"][table["keys"].index("relay.Constant")]]
        self._first = len(self._array["data"])

    def section(self) -> str | None:
        """The text of the section, None if there is none."""
        if not self._new:
            return self._given
        nodes, arrays = self._section["nodes"], self._section.setdefault("b64ndarrays", [])
        for constant in self._new:
            self._array["data"].append(len(nodes))
            attrs = {"_checked_type_": "0", "data": str(len(arrays)), "span": "0", "virtual_device_": "0"}
            nodes.append({"type_key": "relay.Constant", "attrs": attrs})
            arrays.append(base64.b64encode(_saved(constant)).decode("ascii"))
        self._new = []
        self._given = json.dumps(self._section, indent=2)
        return self._given


def _is_concrete(tensor_type: Any) -> bool:
    return (
        isinstance(tensor_type, TensorType)
        and isinstance(tensor_type.dtype, str)
        and isinstance(tensor_type.shape, tuple)
        and all(type(d) is int for d in tensor_type.shape)
        and family(tensor_type.dtype) in _CODES
    )


def _shown(tensor_type: Any) -> str:
    return f"the type `{show_type(tensor_type)}`" if isinstance(tensor_type, Type) else "a type that is not known"


def _saved(constant: Constant) -> bytes:
    """A constant as TVM saves arrays: header, shape, number of bytes, elements."""
    shape, dtype = constant.tensor_type.shape, constant.tensor_type.dtype
    count = prod(shape)
    code, width = _CODES[family(dtype)], bits(dtype)
    head = struct.pack("<QQiiiBBH", MAGIC, 0, 1, 0, len(shape), code, width, lanes(dtype))
    head += struct.pack(f"<{len(shape)}q", *shape)
    head += struct.pack("<q", count * ((width * lanes(dtype) + 7) // 8))
    value = constant.value
    if isinstance(value, (bool, int, float)):
        value = (value,) * count if count <= MOST_ELEMENTS else None
    if value is None or dtype not in FORMATS:
        return head
    return head + struct.pack(f"<{count}{FORMATS[dtype]}", *value)


def _literal(constant: Constant) -> str | None:
    if isinstance(constant.meta, MetaRef):
        return repr(constant.meta)
    tensor_type = constant.tensor_type
    if isinstance(tensor_type, TensorType):
        if tensor_type.shape == ():
            text = number_text(constant.value, tensor_type.dtype)
            if text is not None:
                return text
        shape = ", ".join(str(extent) for extent in tensor_type.shape)
        if isinstance(constant.value, (bool, int, float)):
            number = number_text(constant.value, "float32") if type(constant.value) is float else constant.value
            comma = "," if len(tensor_type.shape) == 1 else ""
            return f"Constant({number}, ({shape}{comma}), {tensor_type.dtype})"
    return None
