"""Sequences of tensors, whose lengths the graph determines: they are gone after conversion."""

from __future__ import annotations

from typing import Any

from .onnx_node import Node
from .onnx_shapes import cut
from .onnx_values import Sequence, Value

__all__ = ["MOST_PIECES", "SEQUENCES"]

MOST_PIECES = 10_000
"""A tensor is split into so many pieces at most: each is an expression."""


def _position(node: Node, index: int, sequence: Sequence, ends: bool = False) -> int:
    """The place that an input names, by default the last. Raises ONNXError."""
    given = int(node.number(index)) if node.has(index) else None
    at = sequence.position(given, ends)
    if at is None:
        raise node.fail(f"{node.op}: there is no position {given} in a sequence of {len(sequence.items)}")
    return at


def _insert(node: Node) -> Sequence:
    sequence = node.sequence(0)
    items = list(sequence.items)
    items.insert(_position(node, 2, sequence, ends=True), node.value(1))
    return Sequence(items)


def _erase(node: Node) -> Sequence:
    sequence = node.sequence(0)
    items = list(sequence.items)
    del items[_position(node, 1, sequence)]
    return Sequence(items)


def _at(node: Node) -> Value:
    """One item; at a position that is known at run time only, if all items have one type."""
    sequence = node.sequence(0)
    if node.value(1).numbers is None:
        items = _items(node, sequence)
        if len({item.type for item in items}) != 1:
            raise node.fail("SequenceAt at a position of run time has a conversion only if all items have one type")
        return node.call("take", node.call("stack", items, axis=0), node.value(1), axis=0)
    found = sequence.items[_position(node, 1, sequence)]
    return _items(node, Sequence([found]))[0]


def _items(node: Node, sequence: Sequence) -> list[Value]:
    items = [item for item in sequence.items if item is not None]
    if len(items) != len(sequence.items):
        raise node.fail("the sizes of the items of this sequence are known at run time only")
    return items


def _length(node: Node) -> Value:
    return node.graph.scalar(len(node.sequence(0).items), "int64")


def _joined(node: Node) -> Value:
    items, axis = _items(node, node.sequence(0)), int(node.attr("axis", 0))
    if not items:
        raise node.fail("there is nothing to join in an empty sequence")
    return node.call("stack" if node.attr("new_axis", 0) else "concatenate", items, axis=axis)


def _split(node: Node) -> Sequence:
    """Into pieces of one size (1 by default), or of listed sizes."""
    x, axis = node.value(0), node.axis(0)
    if node.has(1) and node.value(1).numbers is None:
        shape = node.shape(1)
        if len(shape) == 1 and isinstance(shape[0], int):
            return Sequence([None] * _few(node, shape[0]))
        raise node.fail("SplitToSequence into a number of pieces that is not known has no conversion")
    sizes = node.constant(1).tolist() if node.has(1) else 1
    if isinstance(sizes, int):
        extent = node.graph.shape(x)[axis]
        if not isinstance(extent, int) or sizes < 1:
            raise node.fail(f"the number of pieces of size {sizes} of the extent {extent} is not known")
        _few(node, extent // sizes)
        sizes = [min(sizes, extent - at) for at in range(0, extent, sizes)]
    pieces = cut(node, x, [int(size) for size in sizes], axis)
    if not node.has(1) and not node.attr("keepdims", 1):
        pieces = [node.call("squeeze", piece, axis=(axis,)) for piece in pieces]
    return Sequence([*pieces])


def _few(node: Node, pieces: int) -> int:
    """The number of pieces. Raises ONNXError for one that is too large."""
    if pieces > MOST_PIECES:
        raise node.fail(f"this makes more than {MOST_PIECES:,} pieces ({__name__}.MOST_PIECES)")
    return pieces


SEQUENCES: dict[str, Any] = {
    "ConcatFromSequence": _joined,
    "SequenceAt": _at,
    "SequenceConstruct": lambda n: Sequence([*n.values]),
    "SequenceEmpty": lambda n: Sequence([]),
    "SequenceErase": _erase,
    "SequenceInsert": _insert,
    "SequenceLength": _length,
    "SplitToSequence": _split,
}
