"""Convolutions of one, two and three spatial dimensions, in any layout.

Every rule is about the plain form: data is (batch, channels, *extents), a weight (channels of the result,
channels of data in a group, *kernel). Where the attributes give channels and kernel size they give the weight
its type; where they do not, the weight gives the result its extents.
"""

from relaylogic.logic import (
    agree,
    default,
    eq,
    equals,
    fail,
    fresh,
    fresh_list,
    geo,
    gto,
    lall,
    later,
    neq,
    stating,
    succeed,
    times,
)
from relaylogic.rulebase import operator, relation

from .layouts import axes_of, laid_out, read_as, relaid
from .parameters import weight as parameter
from .windows import padding_list, padding_of_axes, per_axis_values, window

SPATIAL = "DHW"


def plain(channels, rank):
    """The plain layout with `rank` spatial axes: NCHW for "NC" and 2."""
    return channels + SPATIAL[-rank:]


def sized(attrs):
    """Whether the attributes give both the channels and the kernel size."""
    return attrs.channels is not None and attrs.kernel_size is not None


def data_and_result(data, out, attrs, given, made, dtype):
    """`data` holds batch, channels and extents `given` in its layout, `out` those of `made` in its own."""
    layout = plain("NC", len(given) - 2)
    return lall(
        read_as(data, attrs.data_layout, given, layout, dtype),
        laid_out(made, layout, out, attrs.out_layout or attrs.data_layout, attrs.out_dtype or dtype),
    )


def grouped(channels, groups, members):
    """`channels` are `groups` of `members` channels each."""
    if groups == 1:
        return eq(channels, members)
    return stating("the groups divide the channels", equals(channels, times(groups, members)) if groups > 0 else fail)


def weight_of_attributes(weight, attrs, extents, layout, dtype):
    """The weight has the plain `extents` that the attributes say; untyped, it takes that type."""
    axes = axes_of(attrs.kernel_layout)
    if axes is None:
        return stating("kernel_layout is a layout", fail)
    made = fresh_list(len(axes))
    return stating(
        "the weight is as the attributes say",
        relaid(extents, layout, made, attrs.kernel_layout),
        parameter(weight, made, dtype),
    )


def weight_of_extents(weight, attrs, extents, layout, dtype):
    """The weight, in the kernel layout, has the plain `extents`."""
    own_dtype = fresh()
    return lall(read_as(weight, attrs.kernel_layout, extents, layout, own_dtype), default(own_dtype, dtype))


def agrees_with_attributes(attrs, channels, kernel, exact):
    """What the attributes say of the result's channels and of the kernel agrees with the weight's."""
    return lall(
        later(of_channels, attrs.only("channels"), channels), later(of_size, attrs.only("kernel_size"), kernel, exact)
    )


def of_channels(attrs, channels):
    """The weight has as many filters as the attributes say, if they do."""
    if attrs.channels is None:
        return succeed
    return stating("the weight has `channels` filters", agree(channels, attrs.channels))


def of_size(attrs, kernel, exact):
    """The kernel is as large as the attributes say, if they do."""
    if attrs.kernel_size is None:
        return succeed
    sizes = per_axis_values(attrs.kernel_size, len(kernel), exact)
    same = [fail] if sizes is None else [agree(a, b) for a, b in zip(kernel, sizes, strict=True)]
    return stating("the weight is of `kernel_size`", *same)


def window_attributes(attrs):
    """What the attributes say of the places of the kernel."""
    return attrs.only("strides", "padding", "dilation")


def sliding(attrs, extents, kernel, results):
    """The kernel slides along every spatial axis of the padded data."""
    return slides(attrs, extents, kernel, results, padding_of_axes(attrs.padding, len(extents)))


def sliding_on_a_line(attrs, extents, kernel, results):
    """The kernel slides along the only axis, of which both paddings are given."""
    padding = None if attrs.padding is None or len(attrs.padding) < 2 else padding_of_axes(attrs.padding[:2], 1)
    return slides(attrs, extents, kernel, results, padding)


def slides(attrs, extents, kernel, results, padding):
    """The kernel slides along axes that are padded so."""
    rank = len(extents)
    if (
        None in (padding, kernel)
        or (strides := per_axis_values(attrs.strides, rank, least=1)) is None
        or (dilation := per_axis_values(attrs.dilation, rank)) is None
    ):
        return stating("strides, dilation, padding and kernel size have a fitting value for each axis", fail)
    axes = zip(extents, kernel, results, strides, dilation, padding, strict=True)
    return stating("the kernel fits into the padded data", *(window(*axis) for axis in axes))


def convolved_as_attributes_say(data, weight, out, attrs, rank, along, exact):
    """Channels and kernel size are attributes; so the weight's type follows from the data's."""
    n, c, dtype, members, filters = fresh(5)
    extents, results = fresh_list(rank), fresh_list(rank)
    kernel = per_axis_values(attrs.kernel_size, rank, exact)
    if kernel is None or per_axis_values(attrs.dilation, rank, exact) is None:
        return stating("kernel size and dilation have a value for each axis", fail)
    apart = grouped_apart(attrs, rank)
    form = (attrs.groups, filters, members, *kernel) if apart else (attrs.channels, members, *kernel)
    return lall(
        data_and_result(data, out, attrs, (n, c, *extents), (n, attrs.channels, *results), dtype),
        stating("`channels` is an extent", geo(attrs.channels, 0)),
        grouped(c, attrs.groups, members),
        grouped(attrs.channels, attrs.groups, filters),
        weight_of_attributes(weight, attrs, form, plain("GOI" if apart else "OI", rank), dtype),
        later(along, window_attributes(attrs), extents, kernel, results),
    )


def convolved_as_weight_says(data, weight, out, attrs, rank, along, exact):
    """The weight says what the attributes do not."""
    n, c, o, dtype, members, own_members, filters = fresh(7)
    extents, results, kernel = fresh_list(rank), fresh_list(rank), fresh_list(rank)
    apart = grouped_apart(attrs, rank)
    form = (attrs.groups, filters, own_members, *kernel) if apart else (o, own_members, *kernel)
    return lall(
        data_and_result(data, out, attrs, (n, c, *extents), (n, o, *results), dtype),
        weight_of_extents(weight, attrs, form, plain("GOI" if apart else "OI", rank), dtype),
        grouped(c, attrs.groups, members),
        stating("the weight takes the channels of a group", agree(own_members, members)),
        grouped(o, attrs.groups, filters),
        agrees_with_attributes(attrs, o, kernel, exact),
        later(along, window_attributes(attrs), extents, kernel, results),
    )


def grouped_apart(attrs, rank):
    """Whether the groups have an axis of their own in the weight, GOIHW; known in the plane only."""
    return rank == 2 and "G" in attrs.kernel_layout and attrs.groups > 1


@relation
def Conv1D(data, weight, out, attrs):
    """A convolution along one axis."""


@Conv1D.clause
def attributes_size_line(data, weight, out, attrs):
    if not sized(attrs):
        return fail
    return convolved_as_attributes_say(data, weight, out, attrs, 1, sliding_on_a_line, False)


@Conv1D.clause
def weight_sizes_line(data, weight, out, attrs):
    if sized(attrs):
        return fail
    return convolved_as_weight_says(data, weight, out, attrs, 1, sliding_on_a_line, False)


@relation
def Conv2D(data, weight, out, attrs):
    """A convolution in the plane."""


@Conv2D.clause
def attributes_size_plane(data, weight, out, attrs):
    if not sized(attrs):
        return fail
    return convolved_as_attributes_say(data, weight, out, attrs, 2, sliding, True)


@Conv2D.clause
def filters_for_each_channel(data, weight, out, attrs):
    """Depthwise with a multiplier: the weight may also be (channels of data, filters for each, *kernel)."""
    if not sized(attrs) or grouped_apart(attrs, 2):
        return fail
    n, dtype, filters = fresh(3)
    extents, results = fresh_list(2), fresh_list(2)
    kernel = per_axis_values(attrs.kernel_size, 2, True)
    if kernel is None or per_axis_values(attrs.dilation, 2, True) is None:
        return fail
    return lall(
        gto(attrs.groups, 1),
        neq(attrs.groups, attrs.channels),
        data_and_result(data, out, attrs, (n, attrs.groups, *extents), (n, attrs.channels, *results), dtype),
        read_as(weight, attrs.kernel_layout, (attrs.groups, *fresh_list(3)), plain("OI", 2), fresh()),
        grouped(attrs.channels, attrs.groups, filters),
        weight_of_attributes(weight, attrs, (attrs.groups, filters, *kernel), plain("OI", 2), dtype),
        later(sliding, window_attributes(attrs), extents, kernel, results),
    )


@Conv2D.clause
def weight_sizes_plane(data, weight, out, attrs):
    if sized(attrs):
        return fail
    return convolved_as_weight_says(data, weight, out, attrs, 2, sliding, True)


@relation
def Conv3D(data, weight, out, attrs):
    """A convolution in space."""


@Conv3D.clause
def attributes_size_space(data, weight, out, attrs):
    if not sized(attrs):
        return fail
    return convolved_as_attributes_say(data, weight, out, attrs, 3, sliding, True)


@Conv3D.clause
def weight_sizes_space(data, weight, out, attrs):
    if sized(attrs):
        return fail
    return convolved_as_weight_says(data, weight, out, attrs, 3, sliding, True)


def convolution_attributes(rank, out_dtype="out_dtype: dtype = ''"):
    """The attributes of a convolution of `rank` spatial axes."""
    ones, zeros, axes = (1,) * rank, (0,) * max(rank, 2), SPATIAL[-rank:]
    padding = "list[2]" if rank == 1 else padding_list(rank)
    return (
        f"strides: list[{rank}] = {ones}; padding: {padding} = {zeros}; dilation: list[{rank}] = {ones}; "
        f"groups: int[0..] = 1; channels: dim = None; kernel_size: list[{rank}] = None; "
        f"data_layout: str[layout NC{axes}] = 'NC{axes}'; kernel_layout: str[layout OI{axes}] = 'OI{axes}'; "
        f"out_layout: str[layout NC{axes}] = ''; {out_dtype}"
    )


operator("nn.conv1d", "data, weight", Conv1D, convolution_attributes(1))
operator("nn.conv2d", "data, weight", Conv2D, convolution_attributes(2))
operator("nn.conv3d", "data, weight", Conv3D, convolution_attributes(3))
