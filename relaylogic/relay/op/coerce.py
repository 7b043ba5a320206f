"""What a caller may write for an attribute, turned into what the attribute holds: `strides=2` into `(2, 2)`."""

from __future__ import annotations

from math import prod
from typing import Any

from ...ir import Constant
from ...ir.plain import plain
from ...logic.terms.variables import VARIABLES
from ...rulebase import Attribute, Operator
from ...types import TensorType

__all__ = ["coerced", "same", "static_list"]

_DIMENSIONS = {"1d": 1, "2d": 2, "3d": 3}


def coerced(operator: Operator, attribute: Attribute, value: Any) -> Any:
    """The value for an attribute; what does not fit is left to the check of attributes."""
    kind = attribute.kind
    if kind != "expr":
        elements = static_list(value)
        value = value if elements is None else elements
    if kind == "dtype":
        tensor: Any = TensorType((), "" if value is None else value)
        return tensor.dtype
    value = plain(value)
    if kind == "str" and value is None:
        return ""
    if kind == "list" and value is None and not attribute.required:
        return attribute.default
    if kind == "bool" and isinstance(value, int):
        return bool(value)
    if kind == "float" and isinstance(value, int):
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"`{attribute.name}` is a float, which is less than 10 ** 309") from None
    if kind in ("list", "floats") and value is not None and type(value) not in VARIABLES:
        return _sequence(operator, attribute, value)
    return value


def _sequence(operator: Operator, attribute: Attribute, value: Any) -> Any:
    rank = _dimensions(operator.name)
    if not isinstance(value, tuple):
        repeated = rank if rank is not None and attribute.name in _SPATIAL else len(_default(attribute))
        value = (value,) * (repeated or 1)
    if attribute.name == "padding" and rank is not None and _pads(operator.name):
        if len(value) == 1:
            value = value * rank
        if len(value) == rank:
            value = value * 2
    return value


_SPATIAL = {"size", "strides", "padding", "dilation", "dilations", "kernel_size", "pool_size", "output_padding"}


def _default(attribute: Attribute) -> tuple[Any, ...]:
    default = () if attribute.required else attribute.default
    return default if isinstance(default, tuple) else ()


def _dimensions(name: str) -> int | None:
    """The number of spatial dimensions that an operator's name tells."""
    return next((rank for suffix, rank in _DIMENSIONS.items() if suffix in name), None)


def _pads(name: str) -> bool:
    """Whether the padding of an operator is spelled out for both ends of each dimension."""
    window = "conv" in name or "_pool" in name
    return window and not name.endswith(("_grad", "conv1d_transpose", "qnn.avg_pool2d", "sparse_conv2d"))


def same(value: Any, default: Any) -> bool:
    """Whether an attribute has its default value; 1 and True are different."""
    return type(value) is type(default) and bool(value == default)


def static_list(given: Any) -> Any:
    """The number of a scalar constant, the elements of one of rank 1; None if they are not known, or it is none."""
    if not isinstance(given, Constant):
        return None
    value, shape = given.value, getattr(given.tensor_type, "shape", None)
    if value is None or not isinstance(shape, tuple):
        return None
    if not shape:
        return value
    if isinstance(value, tuple):
        return _nested(value, shape)
    return _nested((value,) * prod(shape), shape)


def _nested(elements: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """Elements in row-major order as nested tuples."""
    for extent in reversed(shape[1:]):
        elements = tuple(elements[i : i + extent] for i in range(0, len(elements), extent or 1))
    return elements
