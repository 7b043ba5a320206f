"""Normalisations, activations along an axis, products of matrices."""

from __future__ import annotations

from typing import Any

from .onnx_node import Node
from .onnx_open import broadcast
from .onnx_types import dtype_of
from .onnx_values import Value

__all__ = ["LAYERS"]


def _batch_norm(node: Node) -> Value:
    if node.attr("training_mode", 0) or (node.version < 14 and len([name for name in node.outputs if name]) > 1):
        raise node.fail("BatchNormalization in training mode has no conversion")
    normal = node.call("nn.batch_norm", *node.values[:5], axis=1, epsilon=float(node.attr("epsilon", 1e-5)))
    return node.graph.fields(normal)[0]


def _instance_norm(node: Node) -> Value:
    return node.call("nn.instance_norm", *node.values, axis=1, epsilon=float(node.attr("epsilon", 1e-5)))


def _layer_norm(node: Node) -> list[Value]:
    """Over the last axis by the operator, which has a scale for each element; otherwise written out."""
    x, axis, epsilon = node.value(0), node.axis(-1), float(node.attr("epsilon", 1e-5))
    scale = node.value(1)
    spread = any(node.value(index).type.shape in ((), (1,)) for index in (1, 2) if node.has(index))
    if axis == node.rank() - 1 and not spread and not any(node.outputs[1:]):
        shift = node.value(2) if node.has(2) else node.call("zeros_like", scale)
        return [node.call("nn.layer_norm", x, scale, shift, axis=axis, epsilon=epsilon)]
    axes = tuple(range(axis, node.rank()))
    mean, centred, inverse = _statistics(node, x, axes, epsilon)
    normal = centred * inverse * scale
    return [normal + node.value(2) if node.has(2) else normal, mean, inverse]


def _statistics(node: Node, x: Value, axes: tuple[int, ...], epsilon: float) -> tuple[Value, Value, Value]:
    """The mean, the distance from it, and the inverse of the standard deviation."""
    mean = node.call("mean", x, axis=axes, keepdims=True)
    centred = x - mean
    variance = node.call("mean", centred * centred, axis=axes, keepdims=True)
    return mean, centred, node.call("rsqrt", variance + epsilon)


def _mean_variance_norm(node: Node) -> Value:
    _, centred, inverse = _statistics(node, node.value(0), node.integers("axes", (0, 2, 3)), 1e-9)
    return centred * inverse


def _rms_norm(node: Node) -> Value:
    x, axis = node.value(0), node.axis(-1)
    square = node.call("mean", x * x, axis=tuple(range(axis, node.rank())), keepdims=True)
    return x * node.call("rsqrt", square + float(node.attr("epsilon", 1e-5))) * node.value(1)


def _group_norm(node: Node) -> Value:
    if node.version < 21:
        raise node.fail("GroupNormalization has no conversion before opset 21, where scale and bias are of channels")
    groups, epsilon = int(node.attr("num_groups")), float(node.attr("epsilon", 1e-5))
    return node.call("nn.group_norm", *node.values, num_groups=groups, axis=1, epsilon=epsilon)


def _lrn(node: Node) -> Value:
    attrs = {"alpha": 1e-4, "beta": 0.75, "bias": 1.0}
    numbers = {name: float(node.attr(name, default)) for name, default in attrs.items()}
    return node.call("nn.lrn", node.value(0), size=int(node.attr("size")), axis=1, **numbers)


def _lp_norm(node: Node) -> Value:
    x, axis = node.value(0), node.axis(-1)
    power = node.attr("p", 2)
    size = node.call("abs", x) if power == 1 else x * x
    norm = node.call("sum", size, axis=(axis,), keepdims=True)
    return x / (norm if power == 1 else node.call("sqrt", norm))


def _softmax(node: Node) -> Value:
    """Along one axis; before opset 13 over all axes from `axis` on, taken together."""
    x = node.value(0)
    old = node.version < 13
    axis = node.axis(1 if old else -1)
    last = axis == node.rank() - 1
    if not old or last:
        return node.call({"Softmax": "nn.softmax", "LogSoftmax": "nn.log_softmax"}[node.op], x, axis=axis)
    axes = tuple(range(axis, node.rank()))
    shifted = x - node.call("max", x, axis=axes, keepdims=True)
    powers = node.call("exp", shifted)
    total = node.call("sum", powers, axis=axes, keepdims=True)
    return powers / total if node.op == "Softmax" else shifted - node.call("log", total)


def _dropout(node: Node) -> list[Value]:
    """What training leaves of it: the input, and a mask."""
    rate = float(node.attr("ratio", 0.5))
    if node.has(1) and node.value(1).numbers is not None:
        rate = float(node.number(1))
    result, mask = node.graph.fields(node.call("nn.dropout", node.value(0), rate=rate))
    return [result, node.call("cast", mask, dtype="bool") if any(node.outputs[1:]) and node.version >= 10 else mask]


def _gemm(node: Node) -> Value:
    """alpha * A B + beta * C, where A and B may be transposed."""
    a, b = node.value(0), node.value(1)
    if node.attr("transA", 0):
        a = node.call("transpose", a, axes=(1, 0))
    if not node.attr("transB", 0):
        b = node.call("transpose", b, axes=(1, 0))
    units = node.graph.shape(b)[0]
    result = node.call("nn.dense", a, b, units=units if isinstance(units, int) else None)
    alpha, beta = float(node.attr("alpha", 1.0)), float(node.attr("beta", 1.0))
    result = result if alpha == 1 else result * alpha
    if not node.has(2) or beta == 0:
        return result
    _check_addend(node, node.known_shape(2) or (), node.graph.shape(result))
    result, c = broadcast(node, [result, node.value(2)])
    return result + (c if beta == 1 else c * beta)


def _check_addend(node: Node, addend: tuple[Any, ...], product: tuple[Any, ...]) -> None:
    """Raises ONNXError if what is added to a product is seen to make it larger, which Relay's `add` allows."""
    numbers = [(a, b) for a, b in zip(addend[::-1], product[::-1]) if isinstance(a, int) and isinstance(b, int)]
    if len(addend) > len(product) or any(a not in (1, b) for a, b in numbers):
        own, wanted = (", ".join(map(str, shape)) for shape in (addend, product))
        raise node.fail(f"the input C of Gemm broadcasts to the product, but [{own}] does not become [{wanted}]")


def _matmul(node: Node) -> Value:
    """As numpy.matmul: batch axes in front of two matrices, vectors as matrices of one row or column."""
    a, b = node.value(0), node.value(1)
    ranks = node.graph.rank(a), node.graph.rank(b)
    if 0 in ranks:
        raise node.fail("MatMul of a scalar")
    a = node.call("expand_dims", a, axis=0) if ranks[0] == 1 else a
    b = node.call("expand_dims", b, axis=1) if ranks[1] == 1 else b
    result = _product(node, a, b)
    dropped = [-2] * (ranks[0] == 1) + [-1] * (ranks[1] == 1)
    return node.call("squeeze", result, axis=tuple(dropped)) if dropped else result


def _product(node: Node, a: Value, b: Value) -> Value:
    rank_a, rank_b = node.graph.rank(a), node.graph.rank(b)
    if rank_b == 2:
        if rank_a == 2:
            return node.call("nn.matmul", a, b)
        return _unmerged(node, node.call("nn.matmul", _merged(node, a, 2), b), a, rank_a - 1)
    if rank_a == 3 and rank_b == 3:
        return node.call("nn.batch_matmul", a, b, transpose_a=False, transpose_b=False)
    batch_a, batch_b = node.graph.shape(a)[:-2], node.graph.shape(b)[:-2]
    if batch_a != batch_b:
        a, b = _alike(node, a, b)
    merged = [_merged(node, x, 3) for x in (a, b)]
    result = node.call("nn.batch_matmul", *merged, transpose_a=False, transpose_b=False)
    return _unmerged(node, result, a, node.graph.rank(a) - 2)


def _merged(node: Node, x: Value, rank: int) -> Value:
    """The first axes taken together, until `rank` are left."""
    while node.graph.rank(x) > rank:
        x = node.call("reshape", x, newshape=(-3, -2))
    return x


def _unmerged(node: Node, x: Value, like: Value, axes: int) -> Value:
    """The first axis of x as the first `axes` axes of another tensor."""
    return node.call("reshape_like", x, like, lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=axes)


def _alike(node: Node, a: Value, b: Value) -> list[Value]:
    """Both operands with the batch axes that they have together."""
    shapes = [node.graph.extents(x, "broadcasting the batch axes of MatMul") for x in (a, b)]
    rank = max(map(len, shapes))
    batches = [(1,) * (rank - len(shape)) + shape[:-2] for shape in shapes]
    together = tuple(max(one, other) if 0 not in (one, other) else 0 for one, other in zip(*batches))
    return [node.call("broadcast_to", x, shape=together + shape[-2:]) for x, shape in zip((a, b), shapes)]


def _quantized(node: Node) -> Value:
    """QuantizeLinear and DequantizeLinear, of tensors and of axes; scales are float32 in Relay."""
    x, scale = node.value(0), node.value(1)
    if node.graph.rank(scale) > 1 or node.attr("block_size", 0):
        raise node.fail(f"{node.op} of blocks has no conversion")
    zero = node.value(2) if node.has(2) else None
    axis = node.graph.axis(x, int(node.attr("axis", 1))) if node.graph.rank(scale) == 1 else -1
    kind = scale.type.dtype
    scale = scale if kind == "float32" else node.call("cast", scale, dtype="float32")
    point = node.graph.scalar(0, "int32") if zero is None else node.call("cast", zero, dtype="int32")
    if zero is not None and axis == -1 and zero.type.shape != ():
        point = node.call("reshape", point, newshape=())
    asked = int(node.attr("output_dtype", 0))
    if node.op == "QuantizeLinear":
        given = "uint8" if zero is None else zero.type.dtype
        dtype = _small(node, dtype_of(asked, node.graph.span) if asked else given)
        x = x if x.type.dtype == "float32" else node.call("cast", x, dtype="float32")
        return node.call("qnn.quantize", x, scale, point, out_dtype=dtype, axis=axis)
    _small(node, x.type.dtype)
    kind = dtype_of(asked, node.graph.span) if asked else kind
    made = kind if kind == "float16" else "float32"
    found = node.call("qnn.dequantize", x, scale, point, out_dtype=made, axis=axis)
    return found if made == kind else node.call("cast", found, dtype=kind)


_SMALL = ("int8", "uint8", "int16", "uint16", "int32")


def _small(node: Node, dtype: Any) -> Any:
    """The dtype of what is quantized. Raises ONNXError for one that Relay does not quantize to."""
    if dtype not in _SMALL:
        raise node.fail(f"{node.op} of {dtype} has no conversion: Relay quantizes to {', '.join(_SMALL)}")
    return dtype


LAYERS: dict[str, Any] = {
    "BatchNormalization": _batch_norm,
    "DequantizeLinear": _quantized,
    "Dropout": _dropout,
    "Einsum": lambda n: n.call("einsum", n.values, equation=n.attr("equation")),
    "Gemm": _gemm,
    "GroupNormalization": _group_norm,
    "InstanceNormalization": _instance_norm,
    "LRN": _lrn,
    "LayerNormalization": _layer_norm,
    "LogSoftmax": _softmax,
    "LpNormalization": _lp_norm,
    "MatMul": _matmul,
    "MeanVarianceNormalization": _mean_variance_norm,
    "QuantizeLinear": _quantized,
    "RMSNormalization": _rms_norm,
    "Softmax": _softmax,
}
