"""Quantised layers: products and convolutions of small integers, summed up in wider ones.

The arguments are data and weight, then the zero points of both, then their scales. A weight may have a scale and a zero
point for each unit or channel of the result.
"""

from relaylogic.logic import differ, eq, equals, fresh, lall, stating, times
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .conv import Conv2D, convolution_attributes, grouped_apart
from .conv_transpose import Conv2DTranspose, transposed_convolution_attributes
from .dense import TRANSPOSES, batched_product, blocked_product, stack_times_matrix
from .layouts import read_as
from .parameters import of_dtype, one_number, scale, scales, zero_point, zero_points

SMALL = ("int8", "uint8")


@relation
def QDense(data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs):
    """A dense layer; weight scale and weight zero point are one for all or one per unit."""


@QDense.clause
def quantised_rows_times_units(
    data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs
):
    shape, inner, own_units, result, units, dtype, weight_dtype = fresh(7)
    return lall(
        of_dtype(attrs.out_dtype, ("int32", "int64")),
        eq(data, Tensor(shape, dtype)),
        stating("the weight is a matrix", eq(weight, Tensor((own_units, inner), weight_dtype))),
        eq(out, Tensor(result, attrs.out_dtype)),
        stack_times_matrix(shape, (inner, own_units), result, units, attrs.units),
        zero_point(input_zero_point),
        scale(input_scale),
        scales(weight_scale, units),
        zero_points(weight_zero_point, units),
        of_dtype(dtype, ("int8", "uint8", "int16", "uint16")),
        of_dtype(weight_dtype, SMALL),
    )


@relation
def QBatchMatmul(x, y, x_zero_point, y_zero_point, x_scale, y_scale, out, attrs):
    """The products of two batches of quantised matrices."""


@QBatchMatmul.clause
def pairs_of_quantised_matrices(x, y, x_zero_point, y_zero_point, x_scale, y_scale, out, attrs):
    x_dtype, y_dtype = fresh(2)
    return lall(
        of_dtype(attrs.out_dtype, ("int32",)),
        batched_product(x, y, out, attrs, x_dtype, y_dtype),
        zero_point(x_zero_point),
        zero_point(y_zero_point),
        scale(x_scale),
        scale(y_scale),
        of_dtype(x_dtype, SMALL),
        of_dtype(y_dtype, SMALL),
    )


@relation
def QnnDensePack(data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs):
    """A dense layer whose weight is stored in blocks, of which scales and zero points are not looked at."""


@QnnDensePack.clause
def blocks_of_units(data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs):
    return lall(
        stating("`out_dtype` is given", differ(attrs.out_dtype, "")),
        blocked_product(data, weight, out, attrs),
    )


def filters(weight, attrs, letters, channels):
    """The weight makes so many channels; `letters` is its plain layout, with O per group if it is transposed."""
    if attrs.channels is not None:
        return eq(channels, attrs.channels)
    apart, made = grouped_apart(attrs, 2), fresh()
    layout = f"G{letters}" if apart else letters
    extents = tuple(made if letter == "O" else fresh() for letter in layout)
    groups = attrs.groups if apart or letters[0] == "I" else 1
    return lall(read_as(weight, attrs.kernel_layout, extents, layout, fresh()), equals(channels, times(made, groups)))


@relation
def QnnConv2D(data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs):
    """A convolution in the plane; the weight has one scale and zero point, or one per channel of the result."""


@QnnConv2D.clause
def quantised_convolution(data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs):
    dtype, weight_dtype, channels = fresh(3)
    return lall(
        of_dtype(attrs.out_dtype, ("int16", "int32", "int64")),
        eq(data, Tensor(fresh(), dtype)),
        eq(weight, Tensor(fresh(), weight_dtype)),
        of_dtype(weight_dtype, ("int8", "uint8", "int16")),
        Conv2D(data, weight, out, attrs),
        zero_point(input_zero_point),
        scale(input_scale),
        filters(weight, attrs, "OIHW", channels),
        scales(weight_scale, channels),
        zero_points(weight_zero_point, channels),
        of_dtype(dtype, ("int8", "uint8", "int16")),
    )


@relation
def QnnConv2DTranspose(data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs):
    """A transposed convolution in the plane; the data's scale and zero point may also be vectors of one element."""


@QnnConv2DTranspose.clause
def quantised_transposed_convolution(
    data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale, out, attrs
):
    dtype, weight_dtype, channels = fresh(3)
    return lall(
        of_dtype(attrs.out_dtype, ("int16", "int32", "int64")),
        eq(data, Tensor(fresh(), dtype)),
        eq(weight, Tensor(fresh(), weight_dtype)),
        of_dtype(weight_dtype, SMALL),
        Conv2DTranspose(data, weight, out, attrs),
        stating("the zero point is one int32", one_number(input_zero_point, "int32")),
        stating("the scale is one float32", one_number(input_scale, "float32")),
        filters(weight, attrs, "IOHW", channels),
        scales(weight_scale, channels),
        zero_points(weight_zero_point, channels),
        of_dtype(dtype, ("int8", "uint8", "int16", "uint16")),
    )


SUMMED = "out_dtype: dtype = '' ?= 'int32'"
QUANTISED = f"units: dim = None; {SUMMED}"
LAYER = "data, weight, input_zero_point, weight_zero_point, input_scale, weight_scale"

operator("qnn.dense", LAYER, QDense, QUANTISED)
operator("qnn.contrib_dense_pack", LAYER, QnnDensePack, f"{QUANTISED}; weight_layout: str[layout NC] = 'NC'")
operator(
    "qnn.batch_matmul",
    "x, y, x_zero_point, y_zero_point, x_scale, y_scale",
    QBatchMatmul,
    f"{SUMMED}; {TRANSPOSES}",
)
operator("qnn.conv2d", LAYER, QnnConv2D, convolution_attributes(2, SUMMED))
operator("qnn.conv2d_transpose", LAYER, QnnConv2DTranspose, transposed_convolution_attributes(2, SUMMED))
