"""Between real and quantised tensors: the scales and zero points of a tensor fit its channels."""

from itertools import product

from relaylogic.logic import agree, cons, differ, eq, fail, fresh, is_known, lall, lany, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import at_axis, named
from .parameters import of_dtype, one_number, scale, scales, zero_point, zero_points
from .shapes import any_tensor


def channel_parameters(shape, axis, scale_type, zero_point_type):
    """Scales and zero points for the channels at `axis`, which exists; a scalar has one channel, at axis 0 or below."""
    channels = fresh()
    return lall(
        channels_at(shape, axis, channels),
        scales(scale_type, channels),
        zero_points(zero_point_type, channels),
    )


def channels_at(shape, axis, channels):
    """The extent at `axis`; a scalar is one channel."""
    tensor = lall(
        eq(shape, cons(fresh(), fresh())),
        stating(f"the data has {named(axis)}", at_axis(shape, axis, channels)),
    )
    return tensor if axis > 0 else lany(tensor, lall(eq(shape, ()), eq(channels, 1)))


@relation
def Quantize(data, output_scale, output_zero_point, out, attrs):
    """A float32 tensor becomes one of small integers."""


@Quantize.clause
def with_channels(data, output_scale, output_zero_point, out, attrs):
    shape = fresh()
    return lall(
        stating("the data is float32", eq(data, Tensor(shape, "float32"))),
        eq(out, Tensor(shape, attrs.out_dtype)),
        of_dtype(attrs.out_dtype, ("int8", "uint8", "int16", "uint16", "int32")),
        channel_parameters(shape, attrs.axis, output_scale, output_zero_point),
    )


@Quantize.clause
def without_channels(data, output_scale, output_zero_point, out, attrs):
    if attrs.axis <= 0:
        return fail
    return lall(
        eq(data, Tensor((), "float32")),
        eq(out, Tensor((), attrs.out_dtype)),
        of_dtype(attrs.out_dtype, ("int8", "uint8", "int16", "uint16", "int32")),
        scale(output_scale),
        zero_point(output_zero_point),
    )


@relation
def Dequantize(data, input_scale, input_zero_point, out, attrs):
    """A tensor of integers becomes one of floats; the axis matters only to several scales or zero points."""


def dequantised(data, shape, out, attrs):
    """`data` has integers, `out` floats."""
    dtype = fresh()
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(shape, attrs.out_dtype)),
        of_dtype(attrs.out_dtype, ("float16", "float32")),
        of_dtype(dtype, ("int8", "uint8", "int16", "uint16", "int32")),
    )


@Dequantize.clause
def whole_tensor(data, input_scale, input_zero_point, out, attrs):
    return lall(
        dequantised(data, fresh(), out, attrs),
        one_number(input_scale, "float32"),
        one_number(input_zero_point, "int32"),
    )


def one_each_or_for_all(shape, channels):
    """A parameter of this known shape is one for all channels, or one for each; a `?` of the data fits any number."""
    count = fresh()
    return lany(eq(shape, ()), lall(eq(shape, (count,)), agree(count, channels), is_known(count)))


@Dequantize.clause
def per_channel(data, input_scale, input_zero_point, out, attrs):
    shape, channels, of_scale, of_zero_point = fresh(4)
    return lall(
        dequantised(data, shape, out, attrs),
        stating(f"the data has {named(attrs.axis)}", at_axis(shape, attrs.axis, channels)),
        eq(input_scale, Tensor(of_scale, "float32")),
        eq(input_zero_point, Tensor(of_zero_point, "int32")),
        *(differ((of_scale, of_zero_point), single) for single in product(((), (1,)), repeat=2)),
        stating("scales are one for all or one per channel", one_each_or_for_all(of_scale, channels)),
        stating("zero points are one for all or one per channel", one_each_or_for_all(of_zero_point, channels)),
    )


@relation
def Requantize(data, input_scale, input_zero_point, output_scale, output_zero_point, out, attrs):
    """A quantised tensor gets another scale and zero point, one for all of it."""


@Requantize.clause
def from_channels_to_one(data, input_scale, input_zero_point, output_scale, output_zero_point, out, attrs):
    shape, dtype = fresh(2)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(shape, attrs.out_dtype)),
        of_dtype(attrs.out_dtype, ("int8", "uint8", "int16", "int32")),
        scale(output_scale),
        zero_point(output_zero_point),
        channel_parameters(shape, attrs.axis, input_scale, input_zero_point),
        of_dtype(dtype, ("int8", "uint8", "int16", "int32", "int64")),
    )


@relation
def QNNSimulatedQuantize(data, dtype_code, scale, zero_point, out):
    """Floats stay floats, rounded to what a dtype given as a number could represent."""


@QNNSimulatedQuantize.clause
def rounded(data, dtype_code, scale, zero_point, out):
    return lall(any_tensor(data), eq(data, out), any_tensor(dtype_code))


@relation
def FixedPointMultiplyPerAxis(data, fp_multiplier, left_shift, right_shift, out):
    """A tensor of the data's type."""


@FixedPointMultiplyPerAxis.clause
def scaled(data, fp_multiplier, left_shift, right_shift, out):
    return lall(eq(data, out), *(any_tensor(t) for t in (data, fp_multiplier, left_shift, right_shift)))


operator(
    "qnn.quantize",
    "data, output_scale, output_zero_point",
    Quantize,
    "out_dtype: dtype ?= 'int8'; axis: int[axis] = -1",
)
operator(
    "qnn.dequantize",
    "data, input_scale, input_zero_point",
    Dequantize,
    "out_dtype: dtype ?= 'float32'; axis: int[axis] = -1",
)
operator(
    "qnn.requantize",
    "data, input_scale, input_zero_point, output_scale, output_zero_point",
    Requantize,
    "axis: int[axis] = -1; rounding: str[None|UPWARD|TONEAREST] = 'None'; "
    "compute_dtype: str[None|float32|float64|int64] = 'None'; out_dtype: dtype = '' ?= 'int8'",
)
operator(
    "qnn.simulated_quantize",
    "data, out_dtype, output_scale, output_zero_point",
    QNNSimulatedQuantize,
    "axis: int[axis] = -1",
)
operator(
    "qnn.simulated_dequantize",
    "data, in_dtype, input_scale, input_zero_point",
    QNNSimulatedQuantize,
    "out_dtype: dtype = ''; axis: int[axis] = -1",
)
operator(
    "fixed_point_multiply_per_axis",
    "data, fp_multiplier, left_shift, right_shift",
    FixedPointMultiplyPerAxis,
    "is_lshift_required: bool = False; is_rshift_required: bool = False; axes: list",
)
