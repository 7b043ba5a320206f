"""Arithmetic on bits: packing them, and convolutions and products of packed operands."""

from relaylogic.logic import (
    appendo,
    conde,
    cons,
    eq,
    equals,
    fail,
    floordiv,
    fresh,
    fresh_list,
    geo,
    gto,
    inserto,
    lall,
    lengtho,
    leo,
    lto,
    stating,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import bits

from .axes import with_axis_replaced
from .layouts import laid_out, read_as
from .spatial import typed
from .windows import padding_list, padding_of_axes, per_axis_values, window


def packed(shape, attrs, result):
    """`result` is `shape` with the extent of pack_axis, if there is such an axis, in words of pack_type."""
    axis, width, rank, extent, words, rest = attrs.pack_axis, bits(attrs.pack_type), *fresh(4)
    if axis < 0:
        return eq(shape, result)
    return lall(
        lengtho(shape, rank),
        conde(
            [leo(rank, axis), eq(shape, result)],
            [
                gto(rank, axis),
                eq(shape, cons((*fresh_list(axis), extent), rest)),
                with_axis_replaced(shape, axis, words, result),
                stating("the words have a width", equals(words, floordiv(extent, width)) if width else fail),
            ],
        ),
    )


@relation
def BitPack(data, out, attrs):
    """The bits of elements, along pack_axis, in words of pack_type; there is a plane for each bit."""


@BitPack.clause
def planes_of_bits(data, out, attrs):
    if attrs.bit_axis < 0 or attrs.bits < 0:
        return stating("`bit_axis` and `bits` are not negative", fail)
    shape, words, result, rank = fresh(4)
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(out, Tensor(result, attrs.pack_type)),
        lengtho(shape, rank),
        geo(rank, attrs.bit_axis),
        packed(shape, attrs, words),
        inserto(words, attrs.bit_axis, (attrs.bits,), result),
    )


@BitPack.clause
def no_axis_of_bits(data, out, attrs):
    shape, result, rank = fresh(3)
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(out, Tensor(result, attrs.pack_type)),
        lengtho(shape, rank),
        eq(1, 1) if attrs.bit_axis < 0 else lto(rank, attrs.bit_axis),
        packed(shape, attrs, result),
    )


@relation
def BitserialConv2D(data, weight, out, attrs):
    """A convolution in the plane of operands with few bits; the weight may be packed already."""


@BitserialConv2D.clause
def kernel_of_attributes(data, weight, out, attrs):
    kernel, strides = per_axis_values(attrs.kernel_size, 2), per_axis_values(attrs.strides, 2, least=1)
    padding = padding_of_axes(attrs.padding, 2)
    if None in (kernel, strides, padding, attrs.channels):
        return stating("channels, kernel size, strides and padding are given", fail)
    n, c = fresh(2)
    extents, results = fresh_list(2), fresh_list(2)
    axes = zip(extents, kernel, results, strides, (1, 1), padding, strict=True)
    return lall(
        read_as(data, attrs.data_layout, (n, c, *extents), "NCHW", fresh()),
        laid_out((n, attrs.channels, *results), "NCHW", out, attrs.data_layout, attrs.out_dtype),
        stating("`channels` is an extent", geo(attrs.channels, 0)),
        stating("the kernel fits into the padded data", *(window(*axis) for axis in axes)),
        typed(weight),
    )


@relation
def BitserialDense(data, weight, out, attrs):
    """A dense layer of operands with few bits; the weight may be packed already."""


@BitserialDense.clause
def units_of_attributes(data, weight, out, attrs):
    if attrs.units is None:
        return stating("units is given", fail)
    front, shape, result, dtype = fresh(4)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, attrs.out_dtype or dtype)),
        stating("the data is no scalar", appendo(front, (fresh(),), shape)),
        appendo(front, (attrs.units,), result),
        stating("`units` is a size", leo(0, attrs.units)),
        typed(weight),
    )


PACKING = "weight_bits: int = 1; pack_dtype: dtype = ''; out_dtype: dtype = ''; unipolar: bool = True"

operator(
    "nn.bitpack",
    "data",
    BitPack,
    "bits: int = 1; pack_axis: int[axis] = 1; bit_axis: int[axis] = -1; pack_type: dtype = ''; name: str = 'BitPack'",
)
operator(
    "nn.bitserial_conv2d",
    "data, weight",
    BitserialConv2D,
    f"strides: list[2] = (1, 1); padding: {padding_list(2)} = (0, 0); kernel_size: list[2] = (3, 3); "
    f"channels: dim = None; "
    f"activation_bits: int = 1; data_layout: str[layout NCHW] = 'NCHW'; "
    f"kernel_layout: str[layout OIHW] = 'OIHW'; {PACKING}",
)
operator("nn.bitserial_dense", "data, weight", BitserialDense, f"units: dim ?= None; data_bits: int = 1; {PACKING}")
