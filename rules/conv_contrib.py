"""Convolutions whose weights were rearranged, and the rearranging; gradients; deformable convolutions."""

from relaylogic.logic import (
    agree,
    ceildiv,
    eq,
    equals,
    fail,
    fresh,
    fresh_list,
    geo,
    gto,
    is_known,
    lall,
    lany,
    later,
    leo,
    lto,
    plus,
    prod,
    stating,
    times,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .conv import (
    Conv2D,
    agrees_with_attributes,
    convolution_attributes,
    data_and_result,
    grouped,
    plain,
    sized,
    sliding,
    weight_of_extents,
    window_attributes,
)
from .layouts import axes_of, convertible, laid_out, read_as, relaid
from .parameters import parameter
from .spatial import typed
from .windows import per_axis_values


def with_rearranged_weight(data, weight, out, attrs, rank):
    """Channels and kernel size are attributes; how the weight is stored is up to the back end."""
    kernel = per_axis_values(attrs.kernel_size, rank, exact=True)
    if not sized(attrs) or kernel is None or per_axis_values(attrs.dilation, rank, exact=True) is None:
        return stating("channels, kernel size and dilation are given", fail)
    if not convertible(attrs.kernel_layout, plain("OI", rank)):
        return stating("kernel_layout is a layout of weights", fail)
    n, c, dtype = fresh(3)
    extents, results = fresh_list(rank), fresh_list(rank)
    return lall(
        data_and_result(data, out, attrs, (n, c, *extents), (n, attrs.channels, *results), dtype),
        stating("`channels` is an extent", geo(attrs.channels, 0)),
        later(sliding, window_attributes(attrs), extents, kernel, results),
        typed(weight),
    )


@relation
def Conv2DRearranged(data, weight, out, attrs):
    """A convolution in the plane whose weight is stored as a back end likes it."""


@Conv2DRearranged.clause
def any_weight_in_plane(data, weight, out, attrs):
    return with_rearranged_weight(data, weight, out, attrs, 2)


@relation
def Conv3DRearranged(data, weight, out, attrs):
    """A convolution in space whose weight is stored as a back end likes it."""


@Conv3DRearranged.clause
def any_weight_in_space(data, weight, out, attrs):
    return with_rearranged_weight(data, weight, out, attrs, 3)


@relation
def Conv2DWinogradWeightTransform(weight, out, attrs):
    """Kernels, in OIHW, as tiles: each has the places that a tile of the result needs."""


@Conv2DWinogradWeightTransform.clause
def tiles(weight, out, attrs):
    o, i, h, w, height, width, dtype = fresh(7)
    return lall(
        stating("the weight has 4 axes", eq(weight, Tensor((o, i, h, w), dtype))),
        eq(out, Tensor((height, width, o, i), dtype)),
        equals(height, plus(h, attrs.tile_size - 1)),
        equals(width, plus(w, attrs.tile_size - 1)),
    )


@relation
def Conv3DWinogradWeightTransform(weight, out, attrs):
    """Kernels, in OIDHW, as tiles, of which depth is an axis if it is neither small nor large."""


@Conv3DWinogradWeightTransform.clause
def tiles_in_space(weight, out, attrs):
    o, i, d, h, w, depth, height, width, dtype = fresh(9)
    return lall(
        stating("the weight has 5 axes", eq(weight, Tensor((o, i, d, h, w), dtype))),
        eq(out, Tensor((depth, height, width, o, i), dtype)),
        stating("the depth is known", is_known(d)),
        stating("the depth is from 3 to 7", gto(d, 2), lto(d, 8)),
        equals(depth, plus(d, attrs.tile_size - 1)),
        equals(height, plus(h, attrs.tile_size - 1)),
        equals(width, plus(w, attrs.tile_size - 1)),
    )


@Conv3DWinogradWeightTransform.clause
def tiles_in_planes(weight, out, attrs):
    o, i, d, h, w, height, width, dtype = fresh(8)
    return lall(
        stating("the weight has 5 axes", eq(weight, Tensor((o, i, d, h, w), dtype))),
        eq(out, Tensor((height, width, d, o, i), dtype)),
        stating("the depth is known", is_known(d)),
        equals(height, plus(h, attrs.tile_size - 1)),
        equals(width, plus(w, attrs.tile_size - 1)),
        stating("the depth is less than 3 or more than 7", lany(leo(d, 2), geo(d, 8))),
    )


@relation
def Conv2DWinogradNNPACKWeightTransform(weight, out, attrs):
    """Kernels, in OIHW, as tiles of 8 by 8."""


@Conv2DWinogradNNPACKWeightTransform.clause
def tiles_of_8(weight, out, attrs):
    o, i, dtype = fresh(3)
    return lall(
        stating("the weight has 4 axes", eq(weight, Tensor((o, i, *fresh_list(2)), dtype))),
        eq(out, Tensor((o, i, 8, 8), attrs.out_dtype or dtype)),
    )


@relation
def Conv2DGemmWeightTransform(weight, out, attrs):
    """Kernels, in HWIO, as a transposed matrix in tiles; its rows are filled up to 4 tiles."""


@Conv2DGemmWeightTransform.clause
def tiles_of_matrix(weight, out, attrs):
    rows, columns = attrs.tile_rows, attrs.tile_cols
    if rows <= 0 or columns <= 0:
        return stating("tiles have rows and columns", fail)
    h, w, i, o, across, down, dtype = fresh(7)
    return lall(
        stating("the weight has 4 axes", eq(weight, Tensor((h, w, i, o), dtype))),
        eq(out, Tensor((across, down, rows, columns), dtype)),
        equals(across, ceildiv(o, rows)),
        equals(down, times(ceildiv(prod((h, w, i)), 4 * columns), 4)),
    )


def deformed(data, offset, out, attrs, given, made, kernel, dtype):
    """The kernel slides along the plane; its elements have, for each group and place, two offsets each."""
    n = given[0]
    points = fresh()
    axes = axes_of(attrs.data_layout)
    if axes is None:
        return stating("data_layout is a layout", fail)
    shape = fresh_list(len(axes))
    return lall(
        later(sliding, window_attributes(attrs), given[2:], kernel, made[2:]),
        equals(points, times(2 * attrs.deformable_groups, *kernel)),
        stating(
            "there are two offsets for each place of the kernel",
            relaid((n, points, *made[2:]), "NCHW", shape, attrs.data_layout),
            parameter(offset, shape, dtype),
        ),
    )


@relation
def DeformableConv2D(data, offset, weight, out, attrs):
    """A convolution in the plane whose kernel is bent: every place of it is moved by its own offset."""


@DeformableConv2D.clause
def attributes_size_it(data, offset, weight, out, attrs):
    kernel = per_axis_values(attrs.kernel_size, 2, exact=True)
    axes = axes_of(attrs.kernel_layout)
    if not sized(attrs) or kernel is None or axes is None or per_axis_values(attrs.dilation, 2, exact=True) is None:
        return fail
    n, c, dtype, members, filters = fresh(5)
    extents, results, shape = fresh_list(2), fresh_list(2), fresh_list(len(axes))
    given, made = (n, c, *extents), (n, attrs.channels, *results)
    return lall(
        data_and_result(data, out, attrs, given, made, dtype),
        stating("`channels` is an extent", geo(attrs.channels, 0)),
        grouped(c, attrs.groups, members),
        grouped(attrs.channels, attrs.groups, filters),
        relaid((attrs.channels, members, *kernel), "OIHW", shape, attrs.kernel_layout),
        stating("the weight is as the attributes say", parameter(weight, shape, dtype)),
        deformed(data, offset, out, attrs, given, made, kernel, dtype),
    )


@DeformableConv2D.clause
def weight_sizes_it(data, offset, weight, out, attrs):
    if sized(attrs):
        return fail
    n, c, o, dtype, members, own_members, filters = fresh(7)
    extents, results, kernel = fresh_list(2), fresh_list(2), fresh_list(2)
    given, made = (n, c, *extents), (n, o, *results)
    return lall(
        data_and_result(data, out, attrs, given, made, dtype),
        weight_of_extents(weight, attrs, (o, own_members, *kernel), "OIHW", dtype),
        grouped(c, attrs.groups, members),
        stating("the weight takes the channels of a group", agree(own_members, members)),
        grouped(o, attrs.groups, filters),
        agrees_with_attributes(attrs, o, kernel, True),
        deformed(data, offset, out, attrs, given, made, kernel, dtype),
    )


@relation
def Conv2DBackwardWeight(grad, data, out, attrs):
    """The gradient of a convolution's weight.

    data_layout is that of grad, kernel_layout that of data, out_layout that of out.
    """


@Conv2DBackwardWeight.clause
def as_the_weight(grad, data, out, attrs):
    kernel = per_axis_values(attrs.kernel_size, 2)
    if kernel is None:
        return stating("the kernel size is given", fail)
    n, o, c, dtype, members, filters = fresh(6)
    batch, data_dtype = fresh(2)
    return lall(
        read_as(grad, attrs.data_layout, (n, o, *fresh_list(2)), "NCHW", dtype),
        read_as(data, attrs.kernel_layout, (batch, c, *fresh_list(2)), "NCHW", data_dtype),
        stating("data and gradient are of one batch", agree(batch, n)),
        stating("the channels are known", is_known(c), is_known(o)),
        grouped(c, attrs.groups, members),
        grouped(o, attrs.groups, filters),
        laid_out((o, members, *kernel), "OIHW", out, attrs.out_layout, attrs.out_dtype or dtype),
    )


PLANE, SPACE = convolution_attributes(2), convolution_attributes(3)
WINOGRAD = "tile_size: int"

operator("nn.contrib_depthwise_conv2d_NCHWc", "data, weight", Conv2D, PLANE)
operator("nn.contrib_conv2d_NCHWc", "data, weight", Conv2DRearranged, PLANE)
operator(
    "nn.contrib_conv2d_winograd_without_weight_transform",
    "data, weight",
    Conv2DRearranged,
    f"{WINOGRAD}; {PLANE}",
)
operator(
    "nn.contrib_conv3d_winograd_without_weight_transform",
    "data, weight",
    Conv3DRearranged,
    f"{WINOGRAD}; {SPACE}",
)
operator("nn.contrib_conv2d_gemm_without_weight_transform", "data, weight", Conv2DRearranged, PLANE)
operator("nn.contrib_conv2d_winograd_weight_transform", "weight", Conv2DWinogradWeightTransform, WINOGRAD)
operator("nn.contrib_conv3d_winograd_weight_transform", "weight", Conv3DWinogradWeightTransform, WINOGRAD)
operator(
    "nn.contrib_conv2d_winograd_nnpack_weight_transform",
    "weight",
    Conv2DWinogradNNPACKWeightTransform,
    "convolution_algorithm: int; out_dtype: dtype = ''",
)
operator(
    "nn.contrib_conv2d_gemm_weight_transform",
    "weights",
    Conv2DGemmWeightTransform,
    "tile_rows: int; tile_cols: int",
)
operator("nn.deformable_conv2d", "data, offset, weight", DeformableConv2D, f"{PLANE}; deformable_groups: int = 1")
operator("nn.conv2d_backward_weight", "grad, data", Conv2DBackwardWeight, PLANE)
