"""Transposed convolutions: the result is what a convolution with the same attributes makes the data of.

The plain form of a weight is (channels of data, channels of the result in a group, *kernel).
"""

from relaylogic.logic import agree, fail, fresh, fresh_list, geo, lall, later, stating
from relaylogic.rulebase import operator, relation

from .conv import (
    SPATIAL,
    agrees_with_attributes,
    data_and_result,
    grouped,
    grouped_apart,
    plain,
    sized,
    weight_of_attributes,
    weight_of_extents,
)
from .windows import padding_list, padding_of_axes, per_axis_values, stretched


def stretching(attrs, extents, kernel, results):
    """The kernel has, on the result less output_padding, just as many places as the data has elements."""
    rank = len(extents)
    if (
        kernel is None
        or (strides := per_axis_values(attrs.strides, rank, least=1)) is None
        or (dilation := per_axis_values(attrs.dilation, rank)) is None
        or (more := per_axis_values(attrs.output_padding, rank)) is None
        or (padding := padding_of_axes(attrs.padding, rank)) is None
    ):
        return stating("strides, dilation, padding and output_padding have a fitting value for each axis", fail)
    axes = zip(extents, kernel, results, strides, dilation, padding, more, strict=True)
    return stating("the result is as large as the kernel makes it", *(stretched(*axis) for axis in axes))


def plain_weight(attrs, channels, members, filters, kernel):
    """The plain extents of the weight and their layout; groups may have an axis of their own: GIOHW."""
    if grouped_apart(attrs, len(kernel)):
        return (attrs.groups, members, filters, *kernel), plain("GIO", len(kernel))
    return (channels, filters, *kernel), plain("IO", len(kernel))


def transposed_as_attributes_say(data, weight, out, attrs, rank):
    """Channels and kernel size are attributes; so the weight's type follows from the data's."""
    if not sized(attrs):
        return fail
    kernel = per_axis_values(attrs.kernel_size, rank, exact=True)
    if kernel is None or per_axis_values(attrs.dilation, rank, exact=True) is None:
        return stating("kernel size and dilation have a value for each axis", fail)
    n, c, dtype, members, filters = fresh(5)
    extents, results = fresh_list(rank), fresh_list(rank)
    form, layout = plain_weight(attrs, c, members, filters, kernel)
    return lall(
        data_and_result(data, out, attrs, (n, c, *extents), (n, attrs.channels, *results), dtype),
        stating("`channels` is an extent", geo(attrs.channels, 0)),
        grouped(c, attrs.groups, members),
        grouped(attrs.channels, attrs.groups, filters),
        weight_of_attributes(weight, attrs, form, layout, dtype),
        later(stretching, attrs.only("strides", "dilation", "output_padding", "padding"), extents, kernel, results),
    )


def transposed_as_weight_says(data, weight, out, attrs, rank):
    """The weight says what the attributes do not."""
    if sized(attrs):
        return fail
    n, c, o, own, dtype, members, filters = fresh(7)
    extents, results, kernel = fresh_list(rank), fresh_list(rank), fresh_list(rank)
    form, layout = plain_weight(attrs, own, members, filters, kernel)
    return lall(
        data_and_result(data, out, attrs, (n, c, *extents), (n, o, *results), dtype),
        weight_of_extents(weight, attrs, form, layout, dtype),
        grouped(own, attrs.groups, members),
        stating("the weight takes the channels of the data", agree(own, c)),
        grouped(o, attrs.groups, filters),
        agrees_with_attributes(attrs, o, kernel, True),
        later(stretching, attrs.only("strides", "dilation", "output_padding", "padding"), extents, kernel, results),
    )


@relation
def Conv1DTranspose(data, weight, out, attrs):
    """A transposed convolution along one axis."""


@Conv1DTranspose.clause
def attributes_size_line(data, weight, out, attrs):
    return transposed_as_attributes_say(data, weight, out, attrs, 1)


@Conv1DTranspose.clause
def weight_sizes_line(data, weight, out, attrs):
    return transposed_as_weight_says(data, weight, out, attrs, 1)


@relation
def Conv2DTranspose(data, weight, out, attrs):
    """A transposed convolution in the plane."""


@Conv2DTranspose.clause
def attributes_size_plane(data, weight, out, attrs):
    return transposed_as_attributes_say(data, weight, out, attrs, 2)


@Conv2DTranspose.clause
def weight_sizes_plane(data, weight, out, attrs):
    return transposed_as_weight_says(data, weight, out, attrs, 2)


@relation
def Conv3DTranspose(data, weight, out, attrs):
    """A transposed convolution in space."""


@Conv3DTranspose.clause
def attributes_size_space(data, weight, out, attrs):
    return transposed_as_attributes_say(data, weight, out, attrs, 3)


@Conv3DTranspose.clause
def weight_sizes_space(data, weight, out, attrs):
    return transposed_as_weight_says(data, weight, out, attrs, 3)


def transposed_convolution_attributes(rank, out_dtype="out_dtype: dtype = ''"):
    """The attributes of a transposed convolution of `rank` spatial axes."""
    ones, zeros, axes = (1,) * rank, (0,) * rank, SPATIAL[-rank:]
    return (
        f"channels: dim = None; kernel_size: list[{rank}] = None; strides: list[{rank}] = {ones}; "
        f"output_padding: list[{rank}] = {zeros}; padding: {padding_list(rank)} = {zeros}; "
        f"dilation: list[{rank}] = {ones}; groups: int[0..] = 1; "
        f"data_layout: str[layout NC{axes}] = 'NC{axes}'; kernel_layout: str[layout IO{axes}] = 'IO{axes}'; "
        f"out_layout: str[layout NC{axes}] = ''; {out_dtype}"
    )


operator("nn.conv1d_transpose", "data, weight", Conv1DTranspose, transposed_convolution_attributes(1))
operator("nn.conv2d_transpose", "data, weight", Conv2DTranspose, transposed_convolution_attributes(2))
operator("nn.conv3d_transpose", "data, weight", Conv3DTranspose, transposed_convolution_attributes(3))
