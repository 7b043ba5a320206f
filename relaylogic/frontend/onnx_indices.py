"""Gathering, scattering, searching; reductions and running sums; images of another size."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from .onnx_node import Node
from .onnx_shapes import cut_out
from .onnx_values import Value, single

__all__ = ["INDICES"]

_REDUCTIONS = {"ReduceMax": "max", "ReduceMean": "mean", "ReduceMin": "min", "ReduceProd": "prod", "ReduceSum": "sum"}

# Reductions that are a sum of something, and something of that sum.
_SUMS: dict[str, tuple[Any, Any]] = {
    "ReduceL1": (lambda n, x: n.call("abs", x), lambda n, x: x),
    "ReduceL2": (lambda n, x: x * x, lambda n, x: n.call("sqrt", x)),
    "ReduceLogSum": (lambda n, x: x, lambda n, x: n.call("log", x)),
    "ReduceLogSumExp": (lambda n, x: n.call("exp", x), lambda n, x: n.call("log", x)),
    "ReduceSumSquare": (lambda n, x: x * x, lambda n, x: x),
}


def _reduce(node: Node) -> Value:
    x = node.value(0)
    axes = node.setting("axes", 1)
    if not axes and node.attr("noop_with_empty_axes", 0):
        return x
    attrs = {"axis": tuple(int(axis) for axis in axes) if axes else None, "keepdims": bool(node.attr("keepdims", 1))}
    if node.op in _REDUCTIONS:
        return node.call(_REDUCTIONS[node.op], x, **attrs)
    before, after = _SUMS[node.op]
    result: Value = after(node, node.call("sum", before(node, x), **attrs))
    return result


def _arg(node: Node) -> Value:
    """ArgMax and ArgMin: indices as int64."""
    found = node.call(
        node.op.lower(),
        node.value(0),
        axis=(node.axis(0),),
        keepdims=bool(node.attr("keepdims", 1)),
        select_last_index=bool(node.attr("select_last_index", 0)),
    )
    return node.call("cast", found, dtype="int64")


def _gather_elements(node: Node) -> Value:
    """Beside the axis, indices may be fewer than data, of which the first are meant then."""
    data, indices, along = node.value(0), node.value(1), node.axis(0)
    shorter = [
        (axis, less)
        for axis, (more, less) in enumerate(zip(node.shape(), node.shape(1)))
        if axis != along and isinstance(more, int) and isinstance(less, int) and less < more
    ]
    if shorter:
        axes, ends = zip(*shorter)
        begin, strides = (0,) * len(axes), (1,) * len(axes)
        data = node.call("strided_slice", data, begin=begin, end=ends, strides=strides, axes=axes)
    return node.call("gather", data, indices, axis=along)


def _gather_nd(node: Node) -> Value:
    """Relay has the index tuples along the first axis, ONNX along the last."""
    indices = node.value(1)
    width = node.shape(1)[-1]
    batch, attrs = int(node.attr("batch_dims", 0)), {"index_rank": width if isinstance(width, int) else None}
    return node.call("gather_nd", node.value(0), _last_first(node, indices), batch_dims=batch, **attrs)


def _last_first(node: Node, indices: Value) -> Value:
    rank = node.graph.rank(indices)
    return indices if rank == 1 else node.call("transpose", indices, axes=(rank - 1, *range(rank - 1)))


_SCATTER_MODES = {"none": "update", "add": "add", "mul": "mul", "min": "min", "max": "max"}


def _scatter(node: Node) -> Value:
    how = node.attr("reduction", "none")
    if how not in _SCATTER_MODES:
        raise node.fail(f"{node.op} with the reduction {how!r} has no conversion")
    data, indices, updates = node.values
    if node.op == "ScatterND":
        return node.call("scatter_nd", data, _last_first(node, indices), updates, mode=_SCATTER_MODES[how])
    return node.call("scatter_elements", data, indices, updates, axis=node.axis(0), reduction=_SCATTER_MODES[how])


def _top_k(node: Node) -> list[Value]:
    x, axis = node.value(0), node.axis(-1)
    attrs = {"axis": axis, "is_ascend": not node.attr("largest", 1), "ret_type": "both", "dtype": "int64"}
    if node.version >= 10 and node.value(1).numbers is None:
        wanted = node.call("reshape", node.value(1), newshape=(1,))
        return node.graph.fields(node.call("dyn.topk", x, wanted, k=None, **attrs))
    count, extent = int(node.attr("k") if node.version < 10 else node.number(1)), node.shape()[axis]
    if count < 0 or (isinstance(extent, int) and count > extent):
        raise node.fail(f"TopK takes {count} of {extent} elements")
    found = node.graph.fields(node.call("topk", x, k=count, **attrs))
    return found if count else [cut_out(node, part, 0, 0, axis) for part in found]  # 0 are all for `topk`


def _one_hot(node: Node) -> Value:
    """Depth is a constant; `values` holds what is off and what is on."""
    depth = int(node.number(1))
    values = node.value(2)
    off, on = (node.call("take", values, node.graph.scalar(index, "int64"), axis=0) for index in (0, 1))
    axis = int(node.attr("axis", -1))
    if axis < -1:
        axis = node.graph.axis(node.value(0), axis, more=1)
    return node.call("one_hot", node.value(0), on, off, depth=depth, axis=axis, dtype=values.type.dtype)


def _grid_sample(node: Node) -> Value:
    """Relay has the coordinates of a point along axis 1."""
    rank = node.rank()
    how = node.attr("mode", "linear")
    return node.call(
        "image.grid_sample",
        node.value(0),
        node.call("transpose", node.value(1), axes=(0, rank - 1, *range(1, rank - 1))),
        method={"linear": "bilinear", "cubic": "bicubic"}.get(how, how),
        layout="NCHW" if rank == 4 else "NCDHW",
        padding_mode=node.attr("padding_mode", "zeros"),
        align_corners=bool(node.attr("align_corners", 0)),
    )


def _cumulative(node: Node) -> Value:
    axis = node.graph.axis(node.value(0), int(node.number(1)))
    x = node.value(0)
    backwards = bool(node.attr("reverse", 0))
    x = node.call("reverse", x, axis=axis) if backwards else x
    op = {"CumSum": "cumsum", "CumProd": "cumprod"}[node.op]
    total = node.call(op, x, axis=axis, exclusive=bool(node.attr("exclusive", 0)))
    return node.call("reverse", total, axis=axis) if backwards else total


def _range(node: Node) -> Value:
    """`arange` is never empty."""
    known = [x.numbers for x in node.values]
    if all(numbers is not None for numbers in known):
        start, stop, step = map(node.number, range(3))
        if (stop - start) / step <= 0:
            dtype = node.value(0).type.dtype
            return node.call("full", node.graph.scalar(0, dtype), shape=(0,), dtype=dtype)
    parts = [x if x.type.shape == () else node.call("reshape", x, newshape=()) for x in node.values]
    exprs = {name: part.expr for name, part in zip(("start", "stop", "step"), parts)}
    return node.call("arange", *parts, **exprs, dtype=parts[0].type.dtype)


def _non_zero(node: Node) -> Value:
    """Positions in columns, where argwhere has them in rows."""
    places = node.call("cast", node.call("argwhere", node.value(0)), dtype="int64")
    return node.call("transpose", places, axes=(1, 0))


def _trilu(node: Node) -> Value:
    if node.rank() < 2:
        raise node.fail(f"Trilu of a tensor of rank {node.rank()}: it is of matrices")
    offset = node.call("cast", node.value(1), dtype="int32") if node.has(1) else node.graph.scalar(0, "int32")
    return node.call("trilu", node.value(0), offset, upper=bool(node.attr("upper", 1)))


_METHODS = {"nearest": "nearest_neighbor", "linear": "linear", "cubic": "cubic"}


def _resize(node: Node) -> Value:
    """Resize, and Upsample before it: spatial axes to sizes, or by scales, that are constant."""
    x, shape = node.value(0), node.shape()
    axes = len(shape) - 2
    mode = node.attr("mode", "nearest")
    method = _METHODS.get("linear" if mode in ("bilinear", "trilinear") else mode)
    if method is None or axes not in (1, 2, 3):
        raise node.fail(f"{node.op} in the mode {mode!r} of a tensor of rank {axes + 2} has no conversion")
    size = _new_size(node, shape)
    layout = ("NCW", "NCHW", "NCDHW")[axes - 1]
    how = node.attr("coordinate_transformation_mode", "half_pixel" if node.version >= 11 else "asymmetric")
    if how == "tf_crop_and_resize":
        raise node.fail("Resize of a part of the image has no conversion")
    attrs = {"size": size, "layout": layout, "method": method, "coordinate_transformation_mode": how}
    return node.call(f"image.resize{axes}d", x, **attrs, roi=(0.0,) * (2 * axes))


def _new_size(node: Node, shape: tuple[Any, ...]) -> tuple[int, ...]:
    at = 1 if node.op == "Upsample" or node.version < 11 else 2
    axes = [int(axis) % len(shape) for axis in node.attr("axes", range(len(shape)))]
    known = node.value(3).known if node.has(3) else None
    if known is not None:
        sizes = _in_proportion(node, shape, dict(zip(axes, known.tolist())))
    else:
        scales = node.constant(3).tolist() if node.has(3) else node.setting("scales", at)
        if not scales:
            raise node.fail(f"{node.op} has neither sizes nor scales")
        sizes = {axis: _scaled(shape[axis], scale) for axis, scale in zip(axes, scales)}
    size = tuple(sizes.get(axis, extent) for axis, extent in enumerate(shape))
    if any(size[axis] is not shape[axis] and size[axis] != shape[axis] for axis in (0, 1)):
        raise node.fail(f"{node.op} of batch or channels has no conversion")
    if not all(isinstance(extent, int) for extent in size[2:]):
        raise node.fail(f"the size that {node.op} gives depends on extents that are not known")
    return size[2:]


def _in_proportion(node: Node, shape: tuple[Any, ...], sizes: dict[int, Any]) -> dict[int, Any]:
    """The sizes in one proportion, if that is asked for: the least scale of all axes, or the greatest."""
    policy = node.attr("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return sizes
    if policy not in ("not_larger", "not_smaller"):
        raise node.fail(f"there is no policy {policy!r} for the aspect ratio")
    extents = [item for axis, size in sizes.items() for item in (shape[axis], size)]
    if not all(isinstance(extent, int) and extent > 0 for extent in extents):
        raise node.fail(f"the size that {node.op} gives depends on extents that are not known")
    scales = [Fraction(size, shape[axis]) for axis, size in sizes.items()]
    scale = min(scales) if policy == "not_larger" else max(scales)
    return {axis: math.floor(scale * shape[axis] + Fraction(1, 2)) for axis in sizes}


def _scaled(extent: Any, scale: float) -> Any:
    """An extent times a scale, rounded as the product is in float32."""
    if isinstance(extent, int):
        return math.floor(single(single(extent) * scale))
    return extent if scale == 1 else None


def _roi_align(node: Node) -> Value:
    """Boxes and the number of the image of each are one tensor in Relay."""
    batch = node.call("expand_dims", node.call("cast", node.value(2), dtype=node.value(1).type.dtype), axis=1)
    return node.call(
        "vision.roi_align",
        node.value(0),
        node.call("concatenate", [batch, node.value(1)], axis=1),
        pooled_size=(int(node.attr("output_height", 1)), int(node.attr("output_width", 1))),
        spatial_scale=float(node.attr("spatial_scale", 1.0)),
        sample_ratio=int(node.attr("sampling_ratio", 0)),
        mode=node.attr("mode", "avg"),
    )


INDICES: dict[str, Any] = {
    **dict.fromkeys((*_REDUCTIONS, *_SUMS), _reduce),
    **dict.fromkeys(("ArgMax", "ArgMin"), _arg),
    **dict.fromkeys(("CumProd", "CumSum"), _cumulative),
    **dict.fromkeys(("Scatter", "ScatterElements", "ScatterND"), _scatter),
    **dict.fromkeys(("Resize", "Upsample"), _resize),
    "Gather": lambda n: n.call("take", n.value(0), n.value(1), axis=n.axis(0)),
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "NonZero": _non_zero,
    "GridSample": _grid_sample,
    "OneHot": _one_hot,
    "Range": _range,
    "ReverseSequence": lambda n: n.call(
        "reverse_sequence", *n.values, seq_axis=int(n.attr("time_axis", 0)), batch_axis=int(n.attr("batch_axis", 1))
    ),
    "RoiAlign": _roi_align,
    "TopK": _top_k,
    "Trilu": _trilu,
}
