"""Images: resizing, cropping, sampling, morphological dilation."""

from relaylogic.logic import agree, eq, fail, fresh, fresh_list, lall, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor

from .layouts import axes_of, laid_out, read_as
from .spatial import typed
from .windows import padding_list, padding_of_axes, per_axis_values, window


def resized(data, out, attrs, plain):
    """The spatial extents of `out` are `attrs.size`; the region of interest says the corners of a box."""
    rank = len(plain) - 2
    size = per_axis_values(attrs.size, rank, exact=True)
    if size is None or attrs.roi is None or len(attrs.roi) != 2 * rank:
        return stating("size has an extent, roi two values, for each spatial axis", fail)
    n, c, dtype = fresh(3)
    return lall(
        read_as(data, attrs.layout, (n, c, *fresh_list(rank)), plain, dtype),
        laid_out((n, c, *size), plain, out, attrs.layout, attrs.out_dtype or dtype),
    )


@relation
def Resize1D(data, out, attrs):
    """W gets the extent `size`."""


@Resize1D.clause
def w_as_wanted(data, out, attrs):
    return resized(data, out, attrs, "NCW")


@relation
def Resize2D(data, out, attrs):
    """H and W get the extents `size`."""


@Resize2D.clause
def h_w_as_wanted(data, out, attrs):
    return resized(data, out, attrs, "NCHW")


@relation
def Resize3D(data, out, attrs):
    """D, H and W get the extents `size`."""


@Resize3D.clause
def d_h_w_as_wanted(data, out, attrs):
    return resized(data, out, attrs, "NCDHW")


@relation
def DynamicResize2D(data, size, roi, out, attrs):
    """H and W get extents that are computed."""


@DynamicResize2D.clause
def h_w_unknown(data, size, roi, out, attrs):
    n, c, dtype = fresh(3)
    return lall(
        read_as(data, attrs.layout, (n, c, *fresh_list(2)), "NCHW", dtype),
        laid_out((n, c, ANY, ANY), "NCHW", out, attrs.layout, attrs.out_dtype or dtype),
        typed(size),
        typed(roi),
    )


@relation
def CropAndResize(data, boxes, box_indices, out, attrs):
    """Every box cuts a part out of one of the images, which gets the extents crop_size."""


@CropAndResize.clause
def one_crop_for_each_box(data, boxes, box_indices, out, attrs):
    size = per_axis_values(attrs.crop_size, 2)
    if size is None:
        return stating("crop_size has an extent for height and width", fail)
    count, corners, indices, c, dtype, box_dtype, index_dtype = fresh(7)
    return lall(
        read_as(data, attrs.layout, (fresh(), c, *fresh_list(2)), "NCHW", dtype),
        stating("a box is four numbers", eq(boxes, Tensor((count, corners), box_dtype)), agree(corners, 4)),
        laid_out((count, c, *size), "NCHW", out, attrs.layout, attrs.out_dtype or dtype),
        stating("every box has an image", eq(box_indices, Tensor((indices,), index_dtype)), agree(indices, count)),
        typed(box_dtype),
        typed(index_dtype),
    )


@relation
def AffineGrid(data, out, attrs):
    """A 2 by 3 matrix for each image gives coordinates for each pixel of the target."""


@AffineGrid.clause
def coordinates_of_target(data, out, attrs):
    size = per_axis_values(attrs.target_shape, 2, exact=True)
    if size is None:
        return stating("target_shape has two extents", fail)
    n, rows, columns, dtype = fresh(4)
    return lall(
        stating(
            "the data are matrices",
            eq(data, Tensor((n, rows, columns), dtype)),
            agree(rows, 2),
            agree(columns, 3),
        ),
        eq(out, Tensor((n, 2, *size), dtype)),
    )


def sampled(data, grid, out, attrs, plain):
    """The data, sampled at the points of the grid, has the grid's spatial extents."""
    if len(axes_of(attrs.layout) or ()) != len(plain):
        return stating(f"the layout has the axes of {plain}, not blocked", fail)
    n, grids, coordinates, c, dtype, grid_dtype = fresh(6)
    rank = len(plain) - 2
    points = fresh_list(rank)
    return lall(
        read_as(data, attrs.layout, (n, c, *fresh_list(rank)), plain, dtype),
        stating("the grid has the axes of the data", eq(grid, Tensor((grids, coordinates, *points), grid_dtype))),
        stating("there is a grid for each image", agree(grids, n)),
        stating("a point has a coordinate for each spatial axis", agree(coordinates, rank)),
        laid_out((n, c, *points), plain, out, attrs.layout, dtype),
        typed(grid_dtype),
    )


@relation
def GridSample(data, grid, out, attrs):
    """Samples of images, or of volumes, at the points of a grid."""


@GridSample.clause
def images(data, grid, out, attrs):
    return sampled(data, grid, out, attrs, "NCHW")


@GridSample.clause
def volumes(data, grid, out, attrs):
    return sampled(data, grid, out, attrs, "NCDHW")


@relation
def Dilation2D(data, weight, out, attrs):
    """Morphological dilation: a kernel for each channel slides over the plane."""


@Dilation2D.clause
def kernel_for_each_channel(data, weight, out, attrs):
    strides, dilations = per_axis_values(attrs.strides, 2, least=1), per_axis_values(attrs.dilations, 2)
    padding = padding_of_axes(attrs.padding, 2)
    if None in (strides, dilations, padding):
        return stating("strides, dilations and padding have a value for each axis", fail)
    n, c, kernels, dtype = fresh(4)
    extents, kernel, results = fresh_list(2), fresh_list(2), fresh_list(2)
    axes = zip(extents, kernel, results, strides, dilations, padding, strict=True)
    return lall(
        read_as(data, attrs.data_layout, (n, c, *extents), "NCHW", dtype),
        read_as(weight, attrs.kernel_layout, (kernels, *kernel), "IHW", fresh()),
        laid_out((n, kernels, *results), "NCHW", out, attrs.data_layout, attrs.out_dtype or dtype),
        stating("there is a kernel for each channel", agree(c, kernels)),
        stating("the kernel fits into the padded data", *(window(*axis) for axis in axes)),
    )


def resize_attributes(axes):
    """The attributes of resizing along `axes`."""
    return (
        f"size: list[{len(axes)}] = None; roi: floats = None ?= {(0.0,) * (2 * len(axes))}; "
        f"layout: str[layout NC{axes}] = 'NC{axes}'; "
        f"method: str[nearest_neighbor|linear|cubic] = 'linear'; "
        "coordinate_transformation_mode: str[half_pixel|align_corners|asymmetric] = 'half_pixel'; "
        "rounding_method: str[round|floor|ceil] = 'round'; "
        "cubic_alpha: float = -0.5; cubic_exclude: int = 0; extrapolation_value: float = 0.0; "
        "out_dtype: dtype = ''"
    )


operator("image.resize1d", "data", Resize1D, resize_attributes("W"))
operator("image.resize2d", "data", Resize2D, resize_attributes("HW"))
operator("image.resize3d", "data", Resize3D, resize_attributes("DHW"))
operator("dyn.image.resize2d", "data, size, roi", DynamicResize2D, resize_attributes("HW"))
operator(
    "image.crop_and_resize",
    "data, boxes, box_indices",
    CropAndResize,
    "crop_size: list[2] = None; layout: str[layout NCHW] = 'NCHW'; "
    "method: str[bilinear|nearest_neighbor] = 'bilinear'; extrapolation_value: float = 0.0; out_dtype: dtype = ''",
)
operator("image.affine_grid", "data", AffineGrid, "target_shape: list[2] ?= None")
operator(
    "image.grid_sample",
    "data, grid",
    GridSample,
    "method: str[bilinear|nearest_neighbor] = 'bilinear'; layout: str[layout NCHW] = 'NCHW'; "
    "padding_mode: str[zeros|border|reflection] = 'zeros'; align_corners: bool = True",
)
operator(
    "image.dilation2d",
    "data, weight",
    Dilation2D,
    f"strides: list[2] = (1, 1); padding: {padding_list(2)} = (0, 0); dilations: list[2] = (1, 1); "
    "data_layout: str[layout NCHW] = 'NCHW'; kernel_layout: str[layout IHW] = 'IHW'; out_dtype: dtype = ''",
)
