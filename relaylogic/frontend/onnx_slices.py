"""Slices: between which indices they go, as ONNX's specification clamps them into an axis."""

from __future__ import annotations

from typing import Any

from .onnx_node import Node
from .onnx_values import Value

__all__ = ["SLICES", "clamped"]

_END = 2**63 - 1


def clamped(start: int, end: int, step: int, extent: int) -> tuple[int, int]:
    """Where a slice of an axis begins and ends; -1 is the end before the first element.

    Going backwards, a start before the first element is the first element, which it is not in Python.
    """
    least, most = (-1, extent - 1) if step < 0 else (0, extent)
    start, end = (at + extent if at < 0 else at for at in (start, end))
    first = min(max(start, 0), most)
    last = min(max(end, least), most)
    return first, (min if step < 0 else max)(first, last)


def _slice(node: Node) -> Value:
    x, rank = node.value(0), node.rank()
    if node.version >= 10 and any(node.has(i) and node.value(i).numbers is None for i in (1, 2, 3, 4)):
        return _dynamic_slice(node)
    starts, ends = node.setting("starts", 1), node.setting("ends", 2)
    axes = node.setting("axes", 3, list(range(len(starts))))
    strides = node.setting("steps", 4, [1] * len(starts))
    places = [int(axis) % rank for axis in axes]
    extents = [node.shape()[axis] for axis in places]
    bounds = [_bounds(*cut) for cut in zip(starts, ends, strides, extents)]
    return node.call(
        "strided_slice",
        x,
        begin=tuple(begin for begin, _ in bounds),
        end=tuple(end for _, end in bounds),
        strides=tuple(int(by) for by in strides),
        axes=tuple(places),
    )


def _bounds(start: Any, end: Any, step: Any, extent: Any) -> tuple[int, int]:
    """Where a slice begins and ends in the words of Relay, where an index below 0 counts from the end."""
    if isinstance(extent, int) and extent:
        begin, stop = clamped(int(start), int(end), int(step), extent)
        return begin, stop if stop >= 0 else -_END
    begin = _END if start >= 2**31 - 1 else int(start)
    return begin, _END if end >= 2**31 - 1 else -_END if end <= 1 - 2**31 else int(end)


def _dynamic_slice(node: Node) -> Value:
    """At run time, where every axis is sliced."""
    rank = node.rank()
    axes = node.setting("axes", 3)
    if node.shape(1)[0] != rank if axes is None else [int(axis) % rank for axis in axes] != [*range(rank)]:
        raise node.fail("Slice of some axes has a conversion only if its starts, ends and steps are constants")
    bounds = [node.value(1), node.value(2)]
    bounds.append(node.value(4) if node.has(4) else node.call("ones_like", bounds[0]))
    return node.call("dyn.strided_slice", node.value(0), *bounds, begin=None, end=None, strides=None, axes=None)


SLICES: dict[str, Any] = {"Slice": _slice}
