"""Quantised element-wise operators, softmax, pooling and concatenation.

The types of the data are related as in the operator on real numbers; every operand and the result have a scale and a
zero point.
"""

from relaylogic.logic import cons, eq, forallo, fresh, lall, same_lengtho, stating
from relaylogic.rulebase import Shape, ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .axes import at_axis, has_axis, named
from .broadcast import Broadcast
from .joins import Concatenate
from .parameters import of_dtype, scale, scales, zero_point, zero_points
from .pool import COUNTED, Pool2D, pool_attributes


@relation
def ChannelCount(shape: Shape, channels: ShapeVar, axis):
    """The extent at an axis is the number of channels; a vector has only one axis, and a scalar is one channel."""


@ChannelCount.clause
def of_a_scalar(shape, channels, axis):
    return lall(eq(shape, ()), eq(channels, 1))


@ChannelCount.clause
def of_a_vector(shape, channels, axis):
    return eq(shape, (channels,))


@ChannelCount.clause
def along_an_axis(shape, channels, axis):
    return lall(
        eq(shape, cons((fresh(), fresh()), fresh())),
        stating(f"the data has {named(axis)}", at_axis(shape, axis, channels)),
    )


def operand(data, axis, scale_type, zero_point_type):
    """A quantised tensor, with scales and zero points for all of it or for each of its channels."""
    shape, channels = fresh(2)
    return lall(
        eq(data, Tensor(shape, fresh())),
        ChannelCount(shape, channels, axis),
        scales(scale_type, channels),
        zero_points(zero_point_type, channels),
    )


@relation
def QnnBroadcast(
    lhs,
    rhs,
    lhs_scale,
    lhs_zero_point,
    rhs_scale,
    rhs_zero_point,
    output_scale,
    output_zero_point,
    out,
    attrs,
):
    """Two quantised tensors of one dtype, whose shapes broadcast."""


@QnnBroadcast.clause
def tensors_with_channels(
    lhs,
    rhs,
    lhs_scale,
    lhs_zero_point,
    rhs_scale,
    rhs_zero_point,
    output_scale,
    output_zero_point,
    out,
    attrs,
):
    return lall(
        scale(output_scale),
        zero_point(output_zero_point),
        Broadcast(lhs, rhs, out),
        operand(lhs, attrs.lhs_axis, lhs_scale, lhs_zero_point),
        operand(rhs, attrs.rhs_axis, rhs_scale, rhs_zero_point),
    )


def rescaled(data, parameters, dtypes):
    """Quantised data of one of the dtypes, with one scale and zero point before and after the operation."""
    dtype = fresh()
    before, zero_before, after, zero_after = parameters
    return lall(
        eq(data, Tensor(fresh(), dtype)),
        scale(before),
        zero_point(zero_before),
        scale(after),
        zero_point(zero_after),
        of_dtype(dtype, dtypes),
    )


@relation
def QnnElementwise(data, scale, zero_point, output_scale, output_zero_point, out):
    """A quantised tensor of the same type."""


@QnnElementwise.clause
def same_type(data, scale, zero_point, output_scale, output_zero_point, out):
    parameters = (scale, zero_point, output_scale, output_zero_point)
    return lall(eq(data, out), rescaled(data, parameters, ("int8", "uint8")))


@relation
def QSoftmax(data, scale, zero_point, output_scale, output_zero_point, out, attrs):
    """A tensor of signed bytes, which has the axis along which the exponentials add up."""


@QSoftmax.clause
def along_its_axis(data, scale, zero_point, output_scale, output_zero_point, out, attrs):
    shape = fresh()
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(data, out),
        rescaled(data, (scale, zero_point, output_scale, output_zero_point), ("int8",)),
        stating(f"the data has {named(attrs.axis)}", has_axis(shape, attrs.axis)),
    )


@relation
def QnnAvgPool2D(data, input_scale, input_zero_point, output_scale, output_zero_point, out, attrs):
    """Quantised data pooled along H and W."""


@QnnAvgPool2D.clause
def window_on_quantised_data(data, input_scale, input_zero_point, output_scale, output_zero_point, out, attrs):
    parameters = (input_scale, input_zero_point, output_scale, output_zero_point)
    return lall(Pool2D(data, out, attrs), rescaled(data, parameters, ("int8", "uint8")))


@relation
def QnnConcatenate(data, input_scales, input_zero_points, output_scale, output_zero_point, out, attrs):
    """Quantised tensors joined along an axis, each with its scale and its zero point."""


@QnnConcatenate.clause
def one_scale_per_tensor(data, input_scales, input_zero_points, output_scale, output_zero_point, out, attrs):
    parts, part_scales, part_zero_points = fresh(3)
    return lall(
        eq(data, Tuple(parts)),
        eq(input_scales, Tuple(part_scales)),
        eq(input_zero_points, Tuple(part_zero_points)),
        stating("each tensor has a scale and a zero point", same_lengtho(parts, part_scales, part_zero_points)),
        forallo(scale, part_scales),
        forallo(zero_point, part_zero_points),
        scale(output_scale),
        zero_point(output_zero_point),
        Concatenate(data, out, attrs),
    )


BINARY = "lhs, rhs, lhs_scale, lhs_zero_point, rhs_scale, rhs_zero_point, output_scale, output_zero_point"
UNARY = "data, scale, zero_point, output_scale, output_zero_point"
RESCALED = "data, input_scale, input_zero_point, output_scale, output_zero_point"

for name in ("add", "mul", "subtract"):
    operator(f"qnn.{name}", BINARY, QnnBroadcast, "lhs_axis: int[axis] = -1; rhs_axis: int[axis] = -1")

for name in ("abs", "erf", "exp", "hardswish", "log", "rsqrt", "sigmoid", "sqrt", "tanh"):
    operator(f"qnn.{name}", UNARY, QnnElementwise)

operator("qnn.leaky_relu", RESCALED, QnnElementwise, "alpha: float = 0.25")
operator("qnn.softmax", UNARY, QSoftmax, "axis: int[axis] = -1")
POOLED = pool_attributes("HW").replace("pool_size: list[2] ?= (1, 1);", "pool_size: list[2];")
operator("qnn.avg_pool2d", RESCALED, QnnAvgPool2D, f"{POOLED}; {COUNTED}")
operator(
    "qnn.concatenate",
    "data, input_scales, input_zero_points, output_scale, output_zero_point",
    QnnConcatenate,
    "axis: int[axis] = 0",
)
