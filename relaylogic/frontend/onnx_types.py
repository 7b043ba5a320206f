"""Types of ONNX as types of Relay: element types, extents, declarations of values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import said
from ..text.errors import nearest
from ..text.names import is_bare, is_scalar
from ..types import ANY, IncompleteType, TensorType, TypeVar
from .onnx_errors import ONNXError

__all__ = ["DTYPES", "Extents", "denied", "dtype_of", "element_type"]

# Strings are handles, as everything in TVM that is no number; they are opaque to every operator of Relay.
_NAMES = {
    "FLOAT": "float32",
    "DOUBLE": "float64",
    "FLOAT16": "float16",
    "BFLOAT16": "bfloat16",
    "BOOL": "bool",
    "STRING": "handle",
    "FLOAT8E4M3FN": "e4m3_float8",
    "FLOAT8E5M2": "e5m2_float8",
} | {f"{sign.upper()}{width}": f"{sign}{width}" for sign in ("int", "uint") for width in (2, 4, 8, 16, 32, 64)}

_CODES = "UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 COMPLEX64 \
COMPLEX128 BFLOAT16 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ UINT4 INT4 FLOAT4E2M1 FLOAT8E8M0 UINT2 INT2"

DTYPES = {code: _NAMES[name] for code, name in enumerate(_CODES.split()) if name in _NAMES}
"""The dtype of each element type of ONNX that Relay has."""


def dtype_of(code: int, span: Any = None) -> str:
    """The dtype of an element type. Raises ONNXError if Relay has none."""
    if code in DTYPES:
        return DTYPES[code]
    names = _CODES.split()
    raise ONNXError(f"the element type {names[code] if 0 <= code < len(names) else code} has no dtype in Relay", span)


_ELEMENTS = {dtype: name.lower() for name, dtype in _NAMES.items()}


def element_type(dtype: Any) -> str | None:
    """The element type of a dtype, as operators' specifications write it; None if the dtype is not known."""
    return _ELEMENTS.get(dtype) if isinstance(dtype, str) else None


class Extents:
    """Declared shapes of one model: a symbol of the model is one type parameter everywhere.

    `given` maps names of inputs to the shapes that the caller wants for them.
    """

    def __init__(self, given: Mapping[str, Sequence[Any]] | None = None) -> None:
        self.symbols: dict[str, Any] = {}
        self.given = dict(given or {})

    def check(self, inputs: Sequence[str]) -> None:
        """Raises ONNXError if the caller gives a shape to something that is no input."""
        for name in self.given:
            if name not in inputs:
                hints = nearest(name, list(inputs)) or (f"the inputs are {', '.join(inputs[:10])}",)
                raise ONNXError(f"the model has no input `{name}` that a shape could be given to", hints=hints)

    def input_type(self, value: Any, span: Any) -> Any:
        """The type of an input: with the caller's shape, or the declared one. Raises ONNXError."""
        tensor = _tensor(value, span)
        dtype = dtype_of(tensor.elem_type, span)
        if value.name in self.given:
            return TensorType(tuple(self._wanted(extent, value.name) for extent in self.given[value.name]), dtype)
        if not tensor.HasField("shape"):
            return TensorType(IncompleteType("Shape"), dtype)
        return TensorType(tuple(self._declared(extent) for extent in tensor.shape.dim), dtype)

    def output_type(self, value: Any, span: Any) -> Any:
        """What the model says of an output: a hole where it says nothing, or something that no input says.

        Raises ONNXError for an element type that Relay lacks.
        """
        if value.type.WhichOneof("value") != "tensor_type":
            return IncompleteType()
        tensor = value.type.tensor_type
        dtype = dtype_of(tensor.elem_type, span) if tensor.elem_type else IncompleteType("BaseType")
        if not tensor.HasField("shape") or self.given:
            return TensorType(IncompleteType("Shape"), dtype)
        shape = []
        for extent in tensor.shape.dim:
            said = extent.WhichOneof("value")
            known = extent.dim_value if said == "dim_value" else self.symbols.get(extent.dim_param)
            shape.append(IncompleteType("ShapeVar") if known is None else known)
        return TensorType(tuple(shape), dtype)

    def _symbol(self, name: str) -> Any:
        if name not in self.symbols:
            plain = re.sub(r"\W", "_", name, flags=re.ASCII)
            plain = plain if plain[0].isalpha() and is_bare(plain) and not is_scalar(plain) else f"d_{plain}"
            taken = {symbol.name_hint for symbol in self.symbols.values()}
            fresh = next(n for n in (plain, *(f"{plain}_{i}" for i in range(len(taken) + 1))) if n not in taken)
            self.symbols[name] = TypeVar(fresh, "ShapeVar")
        return self.symbols[name]

    def _declared(self, extent: Any) -> Any:
        number = _number(extent)
        if number is not None:
            return number
        return self._symbol(extent.dim_param) if extent.dim_param else ANY

    def _wanted(self, extent: Any, name: str) -> Any:
        if extent is None or extent is ANY or extent == "?":
            return ANY
        if isinstance(extent, str) and extent:
            return self._symbol(extent)
        if isinstance(extent, int) and not isinstance(extent, bool) and extent >= 0:
            return extent
        if isinstance(extent, TypeVar) and extent.kind == "ShapeVar":
            return self.symbols.setdefault(extent.name_hint, extent)
        raise ONNXError(
            f"the shape for `{name}` has {said(extent)} as an extent: it is a natural number, a name, or None"
        )


def denied(value: Any, own: Any, are_others: bool) -> str:
    """What a model says of a value, if that cannot be of its type; a name may stand for any extent. "" if it can.

    Nothing that it says of extents counts if the inputs have others (`are_others`) than it says.
    """
    if value.type.WhichOneof("value") != "tensor_type" or not isinstance(own, TensorType):
        return ""
    tensor, shape = value.type.tensor_type, own.shape
    if tensor.elem_type in DTYPES and isinstance(own.dtype, str) and DTYPES[tensor.elem_type] != own.dtype:
        return f"of dtype {DTYPES[tensor.elem_type]}"
    if are_others or not tensor.HasField("shape") or not isinstance(shape, tuple):
        return ""
    said = [_number(extent) for extent in tensor.shape.dim]
    pairs = zip(said, shape)
    if len(said) == len(shape) and all(a == b for a, b in pairs if a is not None and isinstance(b, int)):
        return ""
    shown = [str(extent.dim_param or "?") if a is None else str(a) for a, extent in zip(said, tensor.shape.dim)]
    return f"of shape ({', '.join(shown)})"


def _number(extent: Any) -> int | None:
    """The number that an extent of a model is; None if it is none."""
    return extent.dim_value if extent.WhichOneof("value") == "dim_value" and extent.dim_value >= 0 else None


def _tensor(value: Any, span: Any) -> Any:
    kind = value.type.WhichOneof("value")
    if kind == "tensor_type":
        return value.type.tensor_type
    name = "" if kind is None else kind.removesuffix("_type").replace("_", " ")
    what = f"{'an' if name[0] in 'aeiou' else 'a'} {name} type" if name else "no type"
    raise ONNXError(f"the input `{value.name}` has {what}; only tensors can be inputs of a Relay function here", span)
