"""Operators that move, cut and join: what they do to a shape is all there is to say of them."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from ..errors import several
from ..types import ANY
from .onnx_node import Node
from .onnx_open import side_by_side, zeros_of
from .onnx_values import Value

__all__ = ["SHAPES", "cut", "cut_out"]


def _reshape(node: Node) -> Value:
    """By codes if the new shape is known well enough, else at run time."""
    x = node.value(0)
    if "shape" in node.attributes:
        return node.call("reshape", x, newshape=node.integers("shape"))
    wanted = node.value(1).known
    zeros = bool(node.attr("allowzero", 0))
    codes = None
    if wanted is not None and wanted.ndim == 1:
        _check_codes(node, wanted.tolist(), x, zeros)
        codes = _codes(wanted.tolist(), x)
    if codes is None or (zeros and 0 in codes and 0 not in wanted.tolist()):
        found = node.call("dyn.reshape", x, node.value(1), newshape=None)
        return found if wanted is None else _with_numbers(node, found, wanted.tolist())
    return node.call("reshape", x, newshape=codes, allowzero=zeros)


def _check_codes(node: Node, wanted: list[Any], x: Value, zeros: bool) -> None:
    """Raises ONNXError for numbers that ONNX gives no meaning: -1 is one extent at most, told by the others."""
    low = next((extent for extent in wanted if isinstance(extent, int) and extent < -1), None)
    if low is not None:
        raise node.fail(f"Reshape to {_shown(wanted)}: {low} is no extent")
    if wanted.count(-1) > 1:
        raise node.fail(f"Reshape to {_shown(wanted)}: more than one extent is left to be found out")
    given = x.type.shape if isinstance(getattr(x.type, "shape", None), tuple) else ()
    empty = [place for place, extent in enumerate(wanted) if isinstance(extent, int) and extent == 0]
    if -1 in wanted and any(zeros or (place < len(given) and given[place] == 0) for place in empty):
        raise node.fail(f"Reshape to {_shown(wanted)}: beside an extent of 0 nothing tells what -1 is")


def _shown(wanted: list[Any]) -> str:
    return f"[{', '.join(map(str, wanted))}]"


def _codes(wanted: list[Any], x: Value) -> tuple[int, ...] | None:
    """The codes of `reshape` for a shape with symbols: 0 for the extent in the same place, -1 for one that remains."""
    given = x.type.shape if isinstance(getattr(x.type, "shape", None), tuple) else ()
    codes = []
    for place, extent in enumerate(wanted):
        if isinstance(extent, int):
            codes.append(int(extent))
        elif place < len(given) and extent is given[place] and extent is not ANY:
            codes.append(0)
        else:
            codes.append(-1)
    return tuple(codes) if codes.count(-1) <= 1 and min(codes, default=0) >= -1 else None


def _with_numbers(node: Node, x: Value, extents: list[Any]) -> Value:
    """What is shaped at run time, with those of its extents that are numbers all the same."""
    codes = tuple(extent if isinstance(extent, int) and extent > 0 else 0 for extent in extents)
    return node.call("reshape", x, newshape=codes) if any(codes) else x


def _flatten(node: Node) -> Value:
    """Two axes: the product of those before `axis`, and of the others."""
    x, rank = node.value(0), node.rank()
    axis = int(node.attr("axis", 1))
    axis = rank if axis == rank else node.graph.axis(x, axis)
    if axis == 0:
        return node.call("reshape", x, newshape=(1, -1))
    if axis == rank:
        return node.call("reshape", x, newshape=(-1, 1))
    for _ in range(axis - 1):
        x = node.call("reshape", x, newshape=(-3, -2))
    return node.call("nn.batch_flatten", x)


def _transpose(node: Node) -> Value:
    rank = node.rank()
    return node.call("transpose", node.value(0), axes=node.integers("perm", tuple(reversed(range(rank)))))


def _axes(node: Node) -> list[int] | None:
    """The axes that are named; one may stand alone, as in functions of ONNX's own."""
    found = node.setting("axes", 1)
    return None if found is None else [int(axis) for axis in (found if isinstance(found, list) else [found])]


def _unsqueeze(node: Node) -> Value:
    x, axes = node.value(0), _axes(node) or []
    rank = node.rank() + len(axes)
    places = sorted(axis + rank if axis < 0 else axis for axis in axes)
    if len(set(places)) < len(places):
        raise node.fail(f"Unsqueeze names an axis twice: {_shown(axes)}")
    for axis in places:
        x = node.call("expand_dims", x, axis=axis)
    return x


def _squeeze(node: Node) -> Value:
    axes = _axes(node)
    if axes is None:
        node.graph.extents(node.value(0), "Squeeze without axes")
    return node.call("squeeze", node.value(0), axis=axes)


def _concat(node: Node) -> Value:
    """Where one part has a number beside the axis, the others have it, too."""
    axis = int(node.attr("axis", 1))
    found = node.call("concatenate", side_by_side(node, node.values, axis), axis=axis)
    shapes = [x.type.shape for x in node.values if isinstance(x.type.shape, tuple)]
    if not isinstance(found.type.shape, tuple) or ANY not in found.type.shape:
        return found
    numbers = [_number_of(extents) if own is ANY else ANY for own, *extents in zip(found.type.shape, *shapes)]
    numbers[axis % len(numbers)] = ANY
    return _with_numbers(node, found, numbers)


def _number_of(extents: list[Any]) -> Any:
    """The number among some extents."""
    return next((extent for extent in extents if isinstance(extent, int)), ANY)


def _split(node: Node) -> list[Value]:
    """Into listed sizes, or into as many equal parts as there are outputs (the last may be smaller)."""
    x, axis, parts = node.value(0), node.axis(0), len(node.outputs)
    sizes = node.setting("split", 1)
    extent = node.shape()[axis]
    if sizes is None and isinstance(extent, int) and extent % parts:
        if node.version < 18:
            raise node.fail(f"{extent} elements have no {parts} equal parts")
        size = -(-extent // parts)
        sizes = [max(0, min(size, extent - size * part)) for part in range(parts)]
    if sizes is None:
        return node.graph.fields(node.call("split", x, indices_or_sections=parts, axis=axis))
    if len(sizes) != parts or min(sizes) < 0 or (isinstance(extent, int) and sum(sizes) != extent):
        raise node.fail(f"Split makes {several(parts, 'part')} of {extent} elements, not {_shown(sizes)}")
    return cut(node, x, [int(size) for size in sizes], axis)


def cut(node: Node, x: Value, sizes: list[int], axis: int) -> list[Value]:
    """Pieces of these sizes; `split` makes no empty ones, which are slices."""
    if len(sizes) < 2:
        return [x]
    ends = list(accumulate(sizes))
    if 0 not in sizes:
        return node.graph.fields(node.call("split", x, indices_or_sections=tuple(ends[:-1]), axis=axis))
    return [cut_out(node, x, end - size, end, axis) for end, size in zip(ends, sizes)]


def cut_out(node: Node, x: Value, begin: int, end: int, axis: int) -> Value:
    """The elements of an axis from `begin` up to `end`."""
    return node.call("strided_slice", x, begin=(begin,), end=(end,), strides=(1,), axes=(axis,))


def _expand(node: Node) -> Value:
    """Broadcasting in both directions: where the shape has 1, or fewer axes, the input's extents stay.

    Where the input has 1, or an extent that the shape repeats, numbers say how often; what is left is done at run time.
    """
    x, shape = node.value(0), node.value(1)
    if shape.known is None or shape.known.ndim != 1:
        return _expand_at_run_time(node, x, shape)
    given, wanted = node.shape(), tuple(shape.known.tolist())
    rank = max(len(given), len(wanted))
    given, wanted = ((1,) * (rank - len(s)) + s for s in (given, wanted))
    if all(isinstance(extent, int) for extent in (*given, *wanted)):
        return node.call("broadcast_to", x, shape=tuple(int(a if b == 1 else b) for a, b in zip(given, wanted)))
    for a, b in zip(given, wanted):
        if isinstance(a, int) and isinstance(b, int) and 1 not in (a, b) and a != b:
            raise node.fail(f"Expand to {_shown(list(wanted))}: an extent of {a} does not become {b}")
    times = [_repeated(a, b) for a, b in zip(given, wanted)]
    if all(times):  # neither unknown nor none
        return node.call("tile", x, reps=tuple(times))
    like = zeros_of(node, [_of_both(a, b) for a, b in zip(given, wanted)], x.type.dtype)
    if like is not None:
        return node.call("broadcast_to_like", x, like)
    return _with_numbers(node, _expand_at_run_time(node, x, shape), [_common(a, b) for a, b in zip(given, wanted)])


def _repeated(given: Any, wanted: Any) -> int | None:
    """How often Expand repeats an extent; None if that is not known."""
    if (isinstance(wanted, int) and wanted == 1) or (wanted is given and wanted is not ANY):
        return 1
    return int(wanted) if isinstance(wanted, int) and isinstance(given, int) and given == 1 else None


def _of_both(given: Any, wanted: Any) -> Any:
    """The extent to which two are broadcast, if one of them is 1 or both are the same."""
    if given is wanted or (isinstance(wanted, int) and wanted == 1):
        return given
    return wanted if isinstance(given, int) and given in (1, wanted) else ANY


def _common(given: Any, wanted: Any) -> Any:
    """The extent to which two are broadcast, if it is a number whatever the symbol in one of them is."""
    numbers = [extent for extent in (given, wanted) if isinstance(extent, int)]
    if len(numbers) == 2:
        return given if wanted == 1 else wanted
    return numbers[0] if numbers and numbers[0] != 1 else ANY


def _expand_at_run_time(node: Node, x: Value, shape: Value) -> Value:
    """The extents of the input and the shape, the greater of both for each axis: nothing is known of the result."""
    count, rank = node.shape(1)[0], node.rank()
    if not isinstance(count, int):
        raise node.fail("the number of axes that Expand gives is not known")
    if rank == 0:  # there is no list of the extents of a scalar
        return node.call("dyn.broadcast_to", x, shape, shape=None)
    own = node.call("shape_of", x, dtype=shape.type.dtype)
    if count != rank:
        ones = node.call("ones", shape=(abs(count - rank),), dtype=shape.type.dtype)
        if count < rank:
            shape = node.call("concatenate", [ones, shape], axis=0)
        else:
            own = node.call("concatenate", [ones, own], axis=0)
    return node.call("dyn.broadcast_to", x, node.call("maximum", own, shape), shape=None)


def _tile(node: Node) -> Value:
    repeats = node.value(1).numbers
    if repeats is None:
        return node.call("dyn.tile", node.value(0), node.value(1), reps=None)
    x, times = node.value(0), [int(number) for number in repeats.tolist()]
    if node.known_shape() is not None and len(times) != node.rank():
        raise node.fail(f"Tile repeats each of {node.rank()} axes, not {len(times)}")
    none = tuple(axis for axis, number in enumerate(times) if number == 0)
    if none:  # `tile` repeats once at least
        at = (0,) * len(none)
        x = node.call("strided_slice", x, begin=at, end=at, strides=(1,) * len(none), axes=none)
    return node.call(
        "tile", x, reps=tuple(max(number, 1) if axis in none else number for axis, number in enumerate(times))
    )


_PAD_MODES = {"constant": "constant", "edge": "edge", "reflect": "reflect"}


def _pad(node: Node) -> Value:
    x, rank = node.value(0), node.rank()
    mode = node.attr("mode", "constant")
    if mode not in _PAD_MODES:
        raise node.fail(f"Pad in the mode {mode!r} has no conversion", f"there are {', '.join(_PAD_MODES)}")
    pads = node.setting("paddings" if node.version < 2 else "pads", 1)
    axes = [int(axis) % rank for axis in (node.constant(3).tolist() if node.has(3) else range(rank))]
    if pads is None or len(pads) != 2 * len(axes):
        raise node.fail(f"Pad of {len(axes)} axes needs {2 * len(axes)} pads")
    width = [(0, 0)] * rank
    for index, axis in enumerate(axes):
        width[axis] = (int(pads[index]), int(pads[index + len(axes)]))
    fill = node.value(2) if node.has(2) else node.graph.scalar(float(node.attr("value", 0.0)), x.type.dtype)
    return node.call("nn.pad", x, fill, pad_width=tuple(width), pad_mode=mode)


def _shape(node: Node) -> Value:
    found = node.call("shape_of", node.value(0), dtype="int64")
    start, end = node.attr("start"), node.attr("end")
    if (start is None and end is None) or node.rank() == 0:
        return found
    first, last, _ = slice(start, end).indices(node.rank())
    return node.call("strided_slice", found, begin=(first,), end=(max(first, last),), strides=(1,), axes=(0,))


def _filled(node: Node) -> Value:
    """ConstantOfShape: a tensor of one number, float 0 by default."""
    tensor = node.attr("value")
    fill = node.graph.scalar(0.0, "float32")
    if tensor is not None:
        weight = node.graph.weight(tensor, "")
        if weight.known is None or weight.known.size != 1:
            raise node.fail("the `value` of a ConstantOfShape is one number, which the model holds")
        fill = node.graph.scalar(weight.known.item(), weight.type.dtype)
    shape, dtype = node.value(0).known, fill.type.dtype
    if node.value(0).numbers is not None:
        return node.call("full", fill, shape=tuple(int(extent) for extent in shape.tolist()), dtype=dtype)
    like = None if shape is None else zeros_of(node, shape.tolist(), dtype)
    if like is not None:
        return node.call("full_like", like, fill)
    found = node.call("dyn.full", fill, node.value(0), shape=None, dtype=dtype)
    return found if shape is None else _with_numbers(node, found, shape.tolist())


def _blocks(node: Node) -> Value:
    """DepthToSpace and SpaceToDepth. Relay rounds down what blocks do not divide; ONNX does not allow it."""
    size = int(node.attr("blocksize"))
    attrs = {"block_size": size, "layout": "NCHW"}
    channels, *plane = node.shape()[1:]
    divided, by = (plane, size) if node.op == "SpaceToDepth" else ([channels], size * size)
    for extent in divided:
        if isinstance(extent, int) and (by < 1 or extent % by):
            raise node.fail(f"{node.op} with a blocksize of {size}: {by} does not divide {extent}")
    if node.op == "SpaceToDepth":
        return node.call("nn.space_to_depth", node.value(0), **attrs)
    return node.call("nn.depth_to_space", node.value(0), **attrs, mode=node.attr("mode", "DCR"))


SHAPES: dict[str, Any] = {
    "Concat": _concat,
    "ConstantOfShape": _filled,
    "DepthToSpace": _blocks,
    "Expand": _expand,
    "Flatten": _flatten,
    "Pad": _pad,
    "Reshape": _reshape,
    "Shape": _shape,
    "Size": lambda n: n.call("ndarray_size", n.value(0), dtype="int64"),
    "SpaceToDepth": _blocks,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
}
