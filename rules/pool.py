"""Pools: a window slides along the spatial axes and leaves one value for each of its places.

Of the layout only the positions of the spatial axes matter; the axes behind them are kept.
"""

from relaylogic.logic import cons, eq, fail, fresh, fresh_list, geo, lall, later, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor

from .layouts import position
from .spatial import typed
from .windows import padding_list, padding_of_axes, per_axis_values, window


def on_axes(data, out, layout, letters, extents, results):
    """`data` and `out` are of one type but for the axes `letters`, where `extents` become `results`."""
    places = [position(layout, letter) for letter in letters]
    if None in places:
        return stating(f"the layout has {' and '.join(letters)}, not blocked", fail)
    front, back, dtype = fresh_list(max(places) + 1), fresh(), fresh()
    before, after = list(front), list(front)
    for place, extent, result in zip(places, extents, results, strict=True):
        before[place], after[place] = extent, result
    return lall(
        stating("the data has the spatial axes", eq(data, Tensor(cons(tuple(before), back), dtype))),
        eq(out, Tensor(cons(tuple(after), back), dtype)),
    )


def pooled(data, out, attrs, letters):
    """A window slides along the axes `letters`."""
    extents, results = fresh_list(len(letters)), fresh_list(len(letters))
    read = attrs.only("pool_size", "strides", "dilation", "padding", "ceil_mode")
    return lall(on_axes(data, out, attrs.layout, letters, extents, results), later(sliding, read, extents, results))


def sliding(attrs, extents, results):
    """A window slides along each of some axes."""
    rank = len(extents)
    if (
        (sizes := per_axis_values(attrs.pool_size, rank)) is None
        or (strides := per_axis_values(attrs.strides, rank, least=1)) is None
        or (dilation := per_axis_values(attrs.dilation, rank)) is None
        or (padding := padding_of_axes(attrs.padding, rank)) is None
    ):
        return stating("pool_size, strides, dilation and padding have a fitting value for each axis", fail)
    axes = zip(extents, sizes, results, strides, dilation, padding, strict=True)
    return stating("the window fits into the padded data", *(window(*axis, ceil=attrs.ceil_mode) for axis in axes))


@relation
def Pool1D(data, out, attrs):
    """A pool along W."""


@Pool1D.clause
def window_along_w(data, out, attrs):
    return pooled(data, out, attrs, "W")


@relation
def Pool2D(data, out, attrs):
    """A pool along H and W."""


@Pool2D.clause
def window_along_h_w(data, out, attrs):
    return pooled(data, out, attrs, "HW")


@relation
def Pool3D(data, out, attrs):
    """A pool along D, H and W."""


@Pool3D.clause
def window_along_d_h_w(data, out, attrs):
    return pooled(data, out, attrs, "DHW")


@relation
def GlobalPool2D(data, out, attrs):
    """The axes H and W become one value."""


@GlobalPool2D.clause
def all_of_h_w(data, out, attrs):
    return on_axes(data, out, attrs.layout, "HW", fresh_list(2), (1, 1))


@relation
def PoolGradient(grad, data, out):
    """The gradient of a pool with respect to its data has the type of that data."""


@PoolGradient.clause
def as_the_data(grad, data, out):
    return lall(eq(data, Tensor(fresh(), fresh())), eq(out, data), typed(grad))


def adapted(data, out, attrs, letters):
    """The axes `letters` get the extents `output_size`: none keeps them, one value is for all axes."""
    sizes, extents = attrs.output_size, fresh_list(len(letters))
    if sizes is None or len(sizes) not in (0, 1, len(letters)):
        return stating("output_size has a value for each axis, one for all, or none", fail)
    results = extents if not sizes else sizes * len(letters) if len(sizes) == 1 else sizes
    return lall(
        on_axes(data, out, attrs.layout, letters, extents, results),
        stating("output_size are extents", *(geo(size, 0) for size in sizes if size is not ANY)),
    )


@relation
def AdaptivePool1D(data, out, attrs):
    """W gets the extent that output_size says."""


@AdaptivePool1D.clause
def w_as_wanted(data, out, attrs):
    return adapted(data, out, attrs, "W")


@relation
def AdaptivePool2D(data, out, attrs):
    """H and W get the extents that output_size says."""


@AdaptivePool2D.clause
def h_w_as_wanted(data, out, attrs):
    return adapted(data, out, attrs, "HW")


@relation
def AdaptivePool3D(data, out, attrs):
    """D, H and W get the extents that output_size says."""


@AdaptivePool3D.clause
def d_h_w_as_wanted(data, out, attrs):
    return adapted(data, out, attrs, "DHW")


def layouts(axes):
    """The attributes for the layouts of data and result."""
    return f"layout: str[layout NC{axes}] = 'NC{axes}'; out_layout: str[layout NC{axes}] = ''"


def pool_attributes(axes):
    """The attributes of a pool along `axes`."""
    rank = len(axes)
    ones, zeros = (1,) * rank, (0,) * rank
    return (
        f"pool_size: list[{rank}] ?= {ones}; strides: list[{rank}] = {ones}; dilation: list[{rank}] = {ones}; "
        f"padding: {padding_list(rank)} = {zeros}; {layouts(axes)}; ceil_mode: bool = False"
    )


COUNTED = "count_include_pad: bool = False"

for pool, axes in ((Pool1D, "W"), (Pool2D, "HW"), (Pool3D, "DHW")):
    operator(f"nn.max_pool{len(axes)}d", "data", pool, pool_attributes(axes))
    operator(f"nn.avg_pool{len(axes)}d", "data", pool, f"{pool_attributes(axes)}; {COUNTED}")

for adaptive, axes in ((AdaptivePool1D, "W"), (AdaptivePool2D, "HW"), (AdaptivePool3D, "DHW")):
    sizes = "list[0|1]" if axes == "W" else f"list[0|1|{len(axes)}]"
    for kind in ("avg", "max"):
        operator(
            f"nn.adaptive_{kind}_pool{len(axes)}d",
            "data",
            adaptive,
            f"output_size: {sizes} = (); {layouts(axes)}",
        )

for kind in ("avg", "max"):
    operator(f"nn.global_{kind}_pool2d", "data", GlobalPool2D, layouts("HW"))

UNREAD = pool_attributes("HW").replace("pool_size: list[2] ?= (1, 1);", "pool_size: list[2] = None;")
operator("nn.max_pool2d_grad", "data, grad", PoolGradient, UNREAD)
operator("nn.avg_pool2d_grad", "data, grad", PoolGradient, f"{UNREAD}; {COUNTED}")
