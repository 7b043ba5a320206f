"""Extents that have names: tensors that are made of such, and tensors that meet though these are different.

Names of extents say nothing of each other in ONNX; which numbers they are is seen at run time. In Relay what meets has
one type: it is `?` where extents are not the same.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import Any

from ..types import ANY, TensorType, TypeVar
from .onnx_node import Node
from .onnx_values import Value

__all__ = ["broadcast", "of_one_type", "side_by_side", "zeros_of"]


def _opened(node: Node, x: Value, axes: Items[int]) -> Value:
    """The same tensor, of which the extents of some axes are `?`: all of it, taken by as many indices as it has."""
    for axis in axes:
        size = node.call("take", node.call("shape_of", x, dtype="int64"), node.graph.scalar(axis, "int64"), axis=0)
        bounds = [node.graph.scalar(0, "int64"), size, node.graph.scalar(1, "int64")]
        exprs = {name: bound.expr for name, bound in zip(("start", "stop", "step"), bounds)}
        x = node.call("take", x, node.call("arange", *bounds, **exprs, dtype="int64"), axis=axis)
    return x


def _differing(shapes: Items[tuple[Any, ...]]) -> list[int]:
    """The axes on which shapes of one rank have not the same extent."""
    return [axis for axis, extents in enumerate(zip(*shapes)) if len(set(extents)) > 1]


def side_by_side(node: Node, values: list[Value], axis: int) -> list[Value]:
    """What is joined at an axis; elsewhere extents have to be the same, which they may be if one of them is named."""
    if not all(isinstance(getattr(x.type, "shape", None), tuple) for x in values):
        return values
    shapes = [x.type.shape for x in values]
    if len(set(map(len, shapes))) > 1:
        return values
    named = []
    for other in _differing(shapes):
        numbers = {shape[other] for shape in shapes if isinstance(shape[other], int)}
        if other != axis % len(shapes[0]) and len(numbers) < 2:
            named.append(other)
    return [_opened(node, x, [a for a in named if not _is_known(x.type.shape[a])]) for x in values]


def broadcast(node: Node, values: list[Value]) -> list[Value]:
    """Operands; extents of theirs that meet may be the same, or one of them 1, if at most one of them is a number."""
    if not all(isinstance(getattr(x.type, "shape", None), tuple) for x in values):
        return values
    rank = max((len(x.type.shape) for x in values), default=0)
    shapes = [(1,) * (rank - len(x.type.shape)) + x.type.shape for x in values]
    named = []
    for axis, extents in enumerate(zip(*shapes)):
        others = {extent for extent in extents if not (isinstance(extent, int) and extent == 1)}
        if len(others) > 1 and sum(isinstance(extent, int) for extent in others) < 2:
            named.append(axis - rank)
    return [
        _opened(node, x, [len(shape) + a for a in named if -a <= len(shape) and not _is_known(shape[a])])
        for x, shape in ((x, x.type.shape) for x in values)
    ]


def _is_known(extent: Any) -> bool:
    """Whether an extent has no name."""
    return extent is ANY or isinstance(extent, int)


def of_one_type(node: Node, values: Items[Value], where: str) -> list[Value]:
    """Tensors with `?` where their extents are not the same. Raises ONNXError for other dtypes or ranks."""
    types = [value.type for value in values]
    if len(set(types)) == 1 or not all(isinstance(t, TensorType) and isinstance(t.shape, tuple) for t in types):
        return [*values]
    if len({t.dtype for t in types}) > 1 or len({len(t.shape) for t in types}) > 1:
        raise node.fail(f"{where} of {node.op} are {' and '.join(map(str, types))}, which are of no one type in Relay")
    axes = _differing([t.shape for t in types])
    return [_opened(node, x, [axis for axis in axes if x.type.shape[axis] is not ANY]) for x in values]


def zeros_of(node: Node, extents: Items[Any], dtype: str) -> Value | None:
    """Zeros of a shape of numbers and names of extents; None if no input of the model has an extent of such a name."""
    vectors = {extent: _vector(node, extent) for extent in extents if not isinstance(extent, int)}
    if None in vectors.values():
        return None
    ones = tuple(int(extent) if isinstance(extent, int) else 1 for extent in extents)
    found = node.call("zeros", shape=ones, dtype="int32")
    for axis, extent in enumerate(extents):
        vector = vectors.get(extent)
        if vector is not None:
            behind = len(extents) - 1 - axis
            vector = node.call("expand_dims", vector, axis=1, num_newaxis=behind) if behind else vector
            found = node.call("add", found, vector)
    return node.call("cast", found, dtype=dtype)


def _vector(node: Node, extent: Any) -> Value | None:
    """As many zeros as an extent says."""
    for x in node.graph.inputs:
        shape = x.type.shape if isinstance(x.type.shape, tuple) and isinstance(extent, TypeVar) else ()
        places = [axis for axis, own in enumerate(shape) if own is extent]
        if places and x.type.dtype != "handle":
            others = tuple(axis for axis in range(len(shape)) if axis != places[0])
            zeros = node.call("cast", node.call("zeros_like", x), dtype="int32")
            return node.call("sum", zeros, axis=others) if others else zeros
    return None
