"""What converters of models ask of expressions, under the names of `tvm.relay.frontend.common`."""

from __future__ import annotations

from typing import Any

from ...errors import RelayLogicError, said
from ...ir import Expr, IRModule
from ...types import TensorType
from .. import op
from ..absent import absent
from ..constants import const
from ..expr import TupleWrapper, as_expr, var
from ..transform import InferType

__all__ = ["get_relay_op", "infer_channels", "infer_shape", "infer_type", "new_var", "shape_of", "unbind"]

new_var = var


def infer_type(node: Any, mod: IRModule | None = None) -> Expr:
    """The expression, which has a `checked_type` from now on; it may use the functions of `mod`."""
    if not isinstance(mod, IRModule | None):
        raise TypeError(f"an expression uses the functions of an IRModule, which {said(mod)} is not")
    expr: Expr = node.astuple() if isinstance(node, TupleWrapper) else node
    asked = IRModule() if mod is None else mod.shallow_copy()
    asked["main"] = expr
    InferType()(asked)
    return expr


def infer_shape(inputs: Any, mod: IRModule | None = None) -> tuple[Any, ...]:
    """The shape of a tensor expression: integers, and `Any()` for what is known at run time only.

    Raises RelayLogicError if it has no shape.
    """
    found = infer_type(inputs, mod).checked_type
    if type(found) is not TensorType:
        raise RelayLogicError(f"an expression of type {found} has no shape")
    return found.shape  # type: ignore[no-any-return]


def infer_channels(inputs: Any, transpose: bool = False) -> Any:
    """How many channels a convolution of that weight has, with the output's in front unless it is transposed."""
    return _extent(inputs, 1 if transpose else 0)


def _extent(expr: Any, axis: int) -> Any:
    """The extent of an axis. Raises RelayLogicError if there is none of that number."""
    shape = infer_shape(expr)
    if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        raise RelayLogicError(f"a tensor of rank {len(shape)} has no axis {said(axis)}")
    return shape[axis]


def shape_of(x: Any, dtype: str = "int64", start: int | None = None, end: int | None = None) -> Any:
    """The shape of an expression, as a constant if it is known; the part of it from `start` to `end`."""
    if not all(isinstance(bound, int | None) for bound in (start, end)):
        raise TypeError(f"a part of a shape is between integers, which {said(start)} and {said(end)} are not")
    shape = infer_shape(x)[start:end]
    if all(type(extent) is int for extent in shape):
        return const(list(shape), dtype)
    known = op.shape_of(x, dtype)
    if start is None and end is None:
        return known
    return op.strided_slice(known, [start or 0], [len(infer_shape(x)) if end is None else end])


def unbind(data: Any, axis: int = 0) -> TupleWrapper:
    """The parts of a tensor along an axis, each without it, as a tuple."""
    parts = op.split(data, _extent(data, axis), axis)
    fields = [op.squeeze(part, axis=[axis]) for part in parts]
    return TupleWrapper(as_expr(fields), len(fields))


def get_relay_op(op_name: str) -> Any:
    """The function of an operator, whatever room it is in. Raises AttributeError if there is none."""
    for room in (op, op.nn, op.image, op.vision, op.contrib):
        found = getattr(room, op_name, None) if isinstance(op_name, str) else None
        if callable(found):
            return found
    raise AttributeError(f"there is no operator {said(op_name)}")


def __getattr__(name: str) -> Any:
    raise absent("relay.frontend.common", name)
