"""Convolutions and pooling over one, two or three spatial axes."""

from __future__ import annotations

from typing import Any

from .onnx_node import Node
from .onnx_values import Value

__all__ = ["WINDOWS"]

# By the number of spatial axes: the suffix of operators, and the layouts of data and of weights.
_SPACES = {1: ("1d", "NCW", "OIW", "IOW"), 2: ("2d", "NCHW", "OIHW", "IOHW"), 3: ("3d", "NCDHW", "OIDHW", "IODHW")}


def _space(node: Node) -> int:
    """The number of spatial axes, 1 to 3."""
    axes = node.rank() - 2
    if axes not in _SPACES:
        raise node.fail(f"{node.op} of a tensor of rank {axes + 2}: one, two or three spatial axes can be converted")
    return axes


def _pads(node: Node, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]) -> tuple[int, ...]:
    """Padding before each axis, then behind each: as listed, or as `auto_pad` asks for. Raises ONNXError."""
    axes = len(kernel)
    mode = node.attr("auto_pad", "NOTSET")
    if mode == "NOTSET":
        pads = node.integers("pads", (0,) * (2 * axes))
        if len(pads) != 2 * axes:
            raise node.fail(f"{node.op} has {len(pads)} pads for {axes} spatial axes, which need {2 * axes}")
        return pads
    if mode == "VALID":
        return (0,) * (2 * axes)
    if mode not in ("SAME_UPPER", "SAME_LOWER"):
        raise node.fail(f"auto_pad cannot be {mode!r}: it is NOTSET, VALID, SAME_UPPER or SAME_LOWER")
    less, more = [], []
    for size, stride, dilation, extent in zip(kernel, strides, dilations, node.shape()[2:]):
        window = dilation * (size - 1) + 1
        if stride == 1:
            total = window - 1
        elif isinstance(extent, int):
            total = max(0, (-(-extent // stride) - 1) * stride + window - extent)
        else:
            raise node.fail(f"auto_pad {mode} with stride {stride} pads by the extent {extent}, which is not known")
        less.append(total // 2)
        more.append(total - total // 2)
    return tuple(less + more) if mode == "SAME_UPPER" else tuple(more + less)


def _kernel(node: Node, weight: Value, axes: int) -> tuple[int, ...]:
    given = node.integers("kernel_shape")
    kernel = given or node.graph.extents(weight, f"the kernel of {node.op}")[2:]
    if len(kernel) != axes:
        raise node.fail(f"{node.op} has a kernel of {len(kernel)} axes on a tensor with {axes} spatial axes")
    return tuple(kernel)


def _listed(node: Node, name: str, axes: int) -> tuple[int, ...]:
    """An attribute with an entry for each spatial axis, 1 by default. Raises ONNXError."""
    found = node.integers(name, (1,) * axes)
    if len(found) != axes or min(found) < 1:
        wanted = f"one positive number for each of {axes} spatial axes"
        raise node.fail(f"{name} of {node.op} is {list(found)}: it is {wanted}")
    return found


def _with_bias(node: Node, result: Value) -> Value:
    return node.call("nn.bias_add", result, node.value(2), axis=1) if node.has(2) else result


def _conv(node: Node) -> Value:
    axes = _space(node)
    suffix, data_layout, kernel_layout, _ = _SPACES[axes]
    weight = node.value(1)
    kernel = _kernel(node, weight, axes)
    strides, dilations = _listed(node, "strides", axes), _listed(node, "dilations", axes)
    convolved = node.call(
        f"nn.conv{suffix}",
        node.value(0),
        weight,
        strides=strides,
        padding=_pads(node, kernel, strides, dilations),
        dilation=dilations,
        groups=int(node.attr("group", 1)),
        channels=_channels(node, weight, 0),
        kernel_size=kernel,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
    )
    return _with_bias(node, convolved)


def _channels(node: Node, weight: Value, axis: int) -> int | None:
    found = node.graph.shape(weight)[axis]
    return found if isinstance(found, int) else None


def _conv_transpose(node: Node) -> Value:
    axes = _space(node)
    suffix, data_layout, _, kernel_layout = _SPACES[axes]
    weight, groups = node.value(1), int(node.attr("group", 1))
    kernel = _kernel(node, weight, axes)
    strides, dilations = _listed(node, "strides", axes), _listed(node, "dilations", axes)
    extra = node.integers("output_padding", (0,) * axes)
    wanted = node.integers("output_shape")[-axes:]
    channels = _channels(node, weight, 1)
    upper = node.attr("auto_pad", "NOTSET")
    if wanted or upper.startswith("SAME"):
        pads, extra = _shrinking(node, kernel, strides, dilations, extra, wanted)
    else:
        pads = _pads(node, kernel, strides, dilations)
    result = node.call(
        f"nn.conv{suffix}_transpose",
        node.value(0),
        weight,
        strides=strides,
        padding=pads,
        output_padding=extra,
        dilation=dilations,
        groups=groups,
        channels=None if channels is None else channels * groups,
        kernel_size=kernel,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
    )
    return _with_bias(node, result)


def _shrinking(node: Node, kernel: Any, strides: Any, dilations: Any, extra: Any, wanted: Any) -> Any:
    """Pads and output padding of a transposed convolution whose result is given, by default extents times strides."""
    less, more, added = [], [], []
    for index, (size, stride, dilation, beyond) in enumerate(zip(kernel, strides, dilations, extra)):
        window, extent = dilation * (size - 1) + 1, node.shape()[2 + index]
        if wanted:
            if not isinstance(extent, int):
                raise node.fail(f"output_shape pads by the extent {extent}, which is not known")
            total = stride * (extent - 1) + beyond + window - wanted[index]
        else:
            total = beyond + window - stride
        added.append(beyond - min(total, 0))
        total = max(total, 0)
        less.append(total // 2)
        more.append(total - total // 2)
    upper = node.attr("auto_pad", "NOTSET") == "SAME_UPPER"
    return tuple(less + more) if upper else tuple(more + less), tuple(added)


def _pool(node: Node) -> Value:
    """Max and average pooling."""
    if len([name for name in node.outputs if name]) > 1:
        raise node.fail(f"the indices that {node.op} gives have no conversion")
    axes = _space(node)
    suffix, layout, _, _ = _SPACES[axes]
    kernel = node.integers("kernel_shape")
    if len(kernel) != axes:
        raise node.fail(f"{node.op} has a kernel of {len(kernel)} axes on a tensor with {axes} spatial axes")
    strides, dilations = _listed(node, "strides", axes), _listed(node, "dilations", axes)
    pads, ceil_mode = _pads(node, kernel, strides, dilations), bool(node.attr("ceil_mode", 0))
    if ceil_mode:
        pads, ceil_mode = _without_last(node, kernel, strides, dilations, pads)
    attrs: dict[str, Any] = {
        "pool_size": kernel,
        "strides": strides,
        "dilation": dilations,
        "padding": pads,
        "ceil_mode": ceil_mode,
        "layout": layout,
    }
    if node.op == "AveragePool":
        attrs["count_include_pad"] = bool(node.attr("count_include_pad", 0))
    return node.call(f"nn.{_POOLS[node.op]}_pool{suffix}", node.value(0), **attrs)


def _without_last(node: Node, kernel: Any, strides: Any, dilations: Any, pads: Any) -> tuple[Any, bool]:
    """Pads and ceil_mode, where ONNX drops a last window that would start in the padding and Relay keeps it.

    Padding behind that is one less than a window lets just those windows in that start before it.
    """
    axes, behind, drops = len(kernel), [], False
    for index, extent in enumerate(node.shape()[2:]):
        before, after, stride = pads[index], pads[axes + index], strides[index]
        window = dilations[index] * (kernel[index] - 1) + 1
        if isinstance(extent, int):
            last = -(-(extent + before + after - window) // stride)
            if last * stride >= extent + before:
                last, drops = last - 1, True
            behind.append(max(0, last * stride + window - extent - before))
        else:
            drops = drops or after + stride > window
            behind.append(min(after + stride, window) - 1)
    return (pads[:axes] + tuple(behind), False) if drops else (pads, True)


_POOLS = {"AveragePool": "avg", "MaxPool": "max"}
_GLOBAL = {"GlobalAveragePool": ("nn.global_avg_pool2d", "mean"), "GlobalMaxPool": ("nn.global_max_pool2d", "max")}


def _global_pool(node: Node) -> Value:
    """One value for each channel; in other than two spatial axes a reduction."""
    op, reduction = _GLOBAL[node.op]
    rank = node.rank()
    if rank <= 2:
        return node.value(0)
    if rank == 4:
        return node.call(op, node.value(0))
    return node.call(reduction, node.value(0), axis=tuple(range(2, rank)), keepdims=True)


WINDOWS: dict[str, Any] = {
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    **dict.fromkeys(_POOLS, _pool),
    **dict.fromkeys(_GLOBAL, _global_pool),
}
