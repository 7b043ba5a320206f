"""ONNX models with names for the batch and the spatial extents, and what is found out about their tensors."""

from __future__ import annotations

import random

import onnx

from relaylogic.api import infer
from relaylogic.frontend import ONNXError, from_onnx
from relaylogic.logic.terms import numbers
from relaylogic.types import TensorType, TupleType
from tests.frontend.models import LIGHT, model

__all__ = ["MODELS", "WRITTEN", "Found", "found_for_numbers", "points", "prefix", "shapes_of"]

WRITTEN = {
    "strided convolutions": """(float[n,3,h,w] x, float[8,3,3,3] v, float[8,8,3,3] u) => (float y) {
        a = Conv<strides=[2,2], pads=[1,1,1,1]>(x, v)
        b = Conv<strides=[2,2], pads=[1,1,1,1]>(a, u)
        c = Conv<strides=[3,3], dilations=[2,2]>(b, u)
        y = Relu(c)
    }""",
    "pools that round up": """(float[n,3,h,w] x) => (float y) {
        a = MaxPool<kernel_shape=[3,3], strides=[2,2], ceil_mode=1>(x)
        b = AveragePool<kernel_shape=[2,2], strides=[2,2], ceil_mode=1>(a)
        c = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(b)
        y = GlobalAveragePool(c)
    }""",
    "padding as the result wants it": """(float[n,3,h,w] x, float[8,3,3,3] v) => (float y) {
        a = Conv<strides=[2,2], auto_pad="SAME_UPPER">(x, v)
        b = MaxPool<kernel_shape=[2,2], strides=[2,2], auto_pad="SAME_LOWER">(a)
        y = Relu(b)
    }""",
    "up again": """(float[n,3,h,w] x, float[8,3,3,3] v, float[8,4,2,2] u) => (float y) {
        a = Conv<strides=[2,2], pads=[1,1,1,1]>(x, v)
        b = ConvTranspose<strides=[2,2]>(a, u)
        c = DepthToSpace<blocksize=2>(b)
        y = SpaceToDepth<blocksize=2>(c)
    }""",
    "flat": """(float[n,3,h,w] x) => (float y) {
        a = MaxPool<kernel_shape=[2,2], strides=[2,2]>(x)
        y = Flatten(a)
    }""",
    "reshaped by a constant": """(float[n,4,h,w] x) => (float y)
        <int64[3] s = {0, 0, -1}, int64[2] t = {0, -1}, int64[3] u = {-1, 2, 2}> {
        a = Reshape(x, s)
        b = Reshape(a, t)
        y = Reshape(b, u)
    }""",
    "reshaped by computed extents": """(float[n,4,h,w] x) => (float y)
        <int64[1] i = {0}, int64[1] m = {-1}> {
        s = Shape(x)
        b = Gather(s, i)
        t = Concat<axis=0>(b, m)
        y = Reshape(x, t)
    }""",
    "attention": """(float[n,4,h,w] x) => (float y)
        <int64[3] s = {0, 0, -1}> {
        q = Reshape(x, s)
        k = Transpose<perm=[0,2,1]>(q)
        a = MatMul(k, q)
        b = Softmax<axis=-1>(a)
        c = MatMul(q, b)
        z = Shape(x)
        y = Reshape(c, z)
    }""",
    "slices": """(float[n,3,h,w] x) => (float y, float z)
        <int64[2] f = {1, 0}, int64[2] t = {-1, 5}, int64[2] i = {2, 3},
         int64[2] e = {100000, 100000}, int64[2] s = {2, 3}> {
        a = Slice(x, f, t, i)
        y = Slice(x, f, e, i, s)
        z = Add(a, a)
    }""",
    "joined, split, padded": """(float[n,3,h,w] x) => (float y)
        <int64[8] p = {0, 0, 1, 2, 0, 0, 3, 4}, int64[2] s = {2, 4}> {
        a = Concat<axis=2>(x, x)
        b = Concat<axis=1>(a, a)
        c = Pad(b, p)
        d, e = Split<axis=1>(c, s)
        y = Add(d, d)
    }""",
    "reduced and repeated": """(float[n,3,h,w] x) => (float y, float z)
        <int64[4] r = {1, 1, 2, 3}, int64[1] i = {1}> {
        a = ReduceMean<axes=[2,3], keepdims=1>(x)
        b = Mul(a, x)
        c = Tile(b, r)
        y = ArgMax<axis=1, keepdims=0>(c)
        d = Unsqueeze(y, i)
        z = Squeeze(d, i)
    }""",
}


def _named(path):
    """A shipped model with names for the extents of its image."""
    proto = onnx.load(path)
    held = {tensor.name for tensor in proto.graph.initializer}
    (image,) = (value for value in proto.graph.input if value.name not in held)
    for dim, name in zip(image.type.tensor_type.shape.dim, ("n", None, "h", "w")):
        if name:
            dim.Clear()
            dim.dim_param = name
    for value in proto.graph.output:
        value.type.tensor_type.ClearField("shape")
    return proto


MODELS = {name: lambda text=text: model(text) for name, text in WRITTEN.items()} | {
    path.stem.removeprefix("light_"): lambda path=path: _named(path) for path in LIGHT
}


def symbols(proto):
    """The names of extents of a model's inputs."""
    dims = (dim for value in proto.graph.input for dim in value.type.tensor_type.shape.dim)
    return list(dict.fromkeys(dim.dim_param for dim in dims if dim.dim_param))


def points(proto, number):
    """Values for a model's symbols: images that no window is too large for."""
    chosen = random.Random(7)
    return [
        {name: chosen.randint(1, 9) if name == "n" else chosen.randint(200, 700) for name in symbols(proto)}
        for _ in range(number)
    ]


def prefix(proto, length):
    """The first nodes of a model, all of whose tensors are results."""
    cut = onnx.ModelProto()
    cut.CopyFrom(proto)
    del cut.graph.node[length:], cut.graph.output[:]
    for node in cut.graph.node:
        for name in filter(None, node.output):
            cut.graph.output.add().name = name
    return cut


class Found:
    """The shapes of a model's tensors as we find them, before the first node that is refused, or that is a Concat of
    parts whose extents are alike for some numbers only: for others, the model has no shapes, and we say `?`.

    `shapes` maps tensors to shapes; `reached` is the number of these nodes.
    """

    def __init__(self, proto):
        self.proto, self.reached, self.shapes = proto, 0, {}
        first_refused = length = len(proto.graph.node)
        while self.reached < length:
            shapes = shapes_of(prefix(proto, length))
            if shapes is None:
                first_refused = length
            else:
                self.reached, self.shapes = length, shapes
            length = (self.reached + first_refused) // 2
        joins = [n for n, node in enumerate(proto.graph.node[: self.reached]) if node.op_type == "Concat"]
        unlike = (n for n in joins if numbers.UNKNOWN in self.shapes.get(proto.graph.node[n].output[0], ()))
        self.reached = next(unlike, self.reached)

    def why(self):
        """What is said of the node that is refused, or why it is the last one that is looked at."""
        try:
            result = infer(from_onnx(prefix(self.proto, self.reached + 1)))
        except ONNXError as problem:
            return str(problem)
        return result.errors[0].message if result.errors else "a Concat of parts that are alike for some numbers only"

    def extents(self, tensor, point):
        """The extents of a tensor at a point, None for those that are not known."""
        return [_value(extent, point) for extent in self.shapes[tensor]]


def shapes_of(proto):
    """The shapes of a model's results, or None if it is refused."""
    if not proto.graph.output:
        return {}
    try:
        result = infer(from_onnx(proto))
    except ONNXError:
        return None
    if result.verdict != "typed":
        return None
    type_ = result.functions["main"].ret_type
    types = type_.fields if isinstance(type_, TupleType) and len(proto.graph.output) > 1 else (type_,)
    return {
        value.name: type_.shape
        for value, type_ in zip(proto.graph.output, types)
        if isinstance(type_, TensorType) and type(type_.shape) is tuple
    }


def _value(extent, point):
    if type(extent) is int:
        return extent
    named = {symbol: point[symbol.name_hint] for symbol in numbers.symbols_of(extent) if symbol.name_hint in point}
    value = numbers.substitute(extent, named)
    return value if type(value) is int else None


def found_for_numbers(proto, point):
    """The shapes that onnx finds with numbers for the symbols, of the tensors of which it finds one.

    Raises onnx.shape_inference.InferenceError for numbers that do not fit the model.
    """
    concrete = onnx.ModelProto()
    concrete.CopyFrom(proto)
    for value in concrete.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param:
                dim.dim_value = point[dim.dim_param]
    inferred = onnx.shape_inference.infer_shapes(concrete, strict_mode=True, data_prop=True)
    return {
        value.name: [dim.dim_value if dim.HasField("dim_value") else None for dim in value.type.tensor_type.shape.dim]
        for value in (*inferred.graph.value_info, *inferred.graph.output)
        if value.type.tensor_type.HasField("shape")
    }
