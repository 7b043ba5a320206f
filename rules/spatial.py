"""Padding, dilating, and trading spatial extents for channels or batches."""

from relaylogic.logic import (
    cons,
    difference,
    eq,
    equals,
    fail,
    floordiv,
    fresh,
    fresh_list,
    is_whole,
    lall,
    plus,
    stating,
    times,
)
from relaylogic.logic.states.awaited import awaited
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor

from .axes import per_axis
from .layouts import laid_out, read_as
from .shapes import any_tensor, tensor_of_rank


def typed(value):
    """`value` has some type; the call is not decided before it is known."""
    return awaited(value)


def pairs(values):
    """The sum of each of the pairs in a list attribute, or None if one is no pair of integers."""
    if values is None or any(type(pair) is not tuple or len(pair) != 2 for pair in values):
        return None
    return tuple(None if None in pair else sum(pair) for pair in values)


def widened(data, out, widths):
    """`out` is `data` with every extent wider by the one of `widths` for its axis."""
    if widths is None or None in widths:
        return stating("pad_width has a pair of integers for each axis", fail)
    extents, results, dtype = fresh_list(len(widths)), fresh_list(len(widths)), fresh()
    rows = zip(extents, results, widths, strict=True)
    return lall(
        stating("pad_width has a pair for each axis", eq(data, Tensor(extents, dtype))),
        eq(out, Tensor(results, dtype)),
        stating("what is left has no negative extent", *(equals(plus(a, width), b) for a, b, width in rows)),
    )


@relation
def Pad(data, pad_value, out, attrs):
    """Every axis gets wider by its pair of pad_width, or narrower where that is negative."""


@Pad.clause
def wider_by_pad_width(data, pad_value, out, attrs):
    return lall(widened(data, out, pairs(attrs.pad_width)), typed(pad_value))


@relation
def MirrorPad(data, out, attrs):
    """Every axis gets wider by its pair of pad_width, which is not negative."""


@MirrorPad.clause
def wider_by_reflection(data, out, attrs):
    widths = pairs(attrs.pad_width)
    if widths is None or any(not is_whole(w) or w < 0 for pair in attrs.pad_width for w in pair):
        return stating("pad_width has a pair of naturals for each axis", fail)
    return widened(data, out, widths)


@relation
def DynamicPad(data, pad_width, pad_value, out):
    """Padding by widths that are not known at compile time: the rank is kept."""


@DynamicPad.clause
def any_extents(data, pad_width, pad_value, out):
    first, back, result, dtype = fresh(4)
    return lall(
        stating("the data is no scalar", eq(data, Tensor(cons(first, back), dtype))),
        stating("the widths are a matrix", tensor_of_rank(pad_width, 2)),
        any_tensor(pad_value),
        eq(out, Tensor(result, dtype)),
        same_rank_unknown(cons(first, back), result),
    )


def same_rank_unknown(shape, result):
    """`result` has as many extents as `shape`, all of them `?`."""
    return per_axis(shape, result, lambda _axis, _extent, made: eq(made, ANY))


@relation
def Dilate(data, out, attrs):
    """Between any two neighbours along an axis there is room for strides - 1 more elements."""


@Dilate.clause
def strides_apart(data, out, attrs):
    if attrs.strides is None:
        return stating("`strides` is given", fail)
    rank = len(attrs.strides)
    extents, results, dtype = fresh_list(rank), fresh_list(rank), fresh()
    rows = zip(extents, results, attrs.strides, strict=True)
    return lall(
        stating("strides has a value for each axis", eq(data, Tensor(extents, dtype))),
        eq(out, Tensor(results, dtype)),
        *(equals(plus(times(plus(a, -1), stride), 1), b) for a, b, stride in rows),
    )


@relation
def DepthToSpace(data, out, attrs):
    """Blocks of channels become blocks of the plane."""


@DepthToSpace.clause
def channels_to_plane(data, out, attrs):
    n, c, h, w, dtype, channels, height, width = fresh(8)
    size = attrs.block_size
    return lall(
        read_as(data, attrs.layout, (n, c, h, w), "NCHW", dtype),
        laid_out((n, channels, height, width), "NCHW", out, attrs.layout, dtype),
        equals(channels, floordiv(c, size * size)),
        equals(height, times(h, size)),
        equals(width, times(w, size)),
    )


@relation
def SpaceToDepth(data, out, attrs):
    """Blocks of the plane become blocks of channels."""


@SpaceToDepth.clause
def plane_to_channels(data, out, attrs):
    n, c, h, w, dtype, channels, height, width = fresh(8)
    size = attrs.block_size
    return lall(
        read_as(data, attrs.layout, (n, c, h, w), "NCHW", dtype),
        laid_out((n, channels, height, width), "NCHW", out, attrs.layout, dtype),
        equals(channels, times(c, size * size)),
        equals(height, floordiv(h, size)),
        equals(width, floordiv(w, size)),
    )


def batch_and_axes(data, out, rank):
    """The batch and `rank` more extents of `data`, and of `out`; what comes behind them is the same."""
    n, batch, back, dtype = fresh(4)
    extents, results = fresh_list(rank), fresh_list(rank)
    ends = eq(back, cons(fresh(), fresh())) if rank == 0 else eq(1, 1)
    goals = lall(
        stating("the data has an axis for each block", eq(data, Tensor(cons((n, *extents), back), dtype))),
        eq(out, Tensor(cons((batch, *results), back), dtype)),
        ends,
    )
    return n, batch, extents, results, goals


@relation
def SpaceToBatchND(data, out, attrs):
    """The axes behind the batch are padded and cut in blocks, which become batches."""


@SpaceToBatchND.clause
def blocks_to_batches(data, out, attrs):
    blocks, widths = attrs.block_shape, pairs(attrs.paddings)
    if blocks is None or widths is None or None in widths or len(widths) != len(blocks):
        return stating("paddings has a pair of integers for each block", fail)
    if 0 in blocks:
        return stating("blocks have a length", fail)
    n, batch, extents, results, same = batch_and_axes(data, out, len(blocks))
    rows = zip(extents, results, widths, blocks, strict=True)
    return lall(
        same,
        equals(batch, times(n, *blocks)),
        stating("blocks fit", *(equals(b, floordiv(plus(a, width), block)) for a, b, width, block in rows)),
    )


@relation
def BatchToSpaceND(data, out, attrs):
    """Batches become blocks of the axes behind, which are then cropped."""


@BatchToSpaceND.clause
def batches_to_blocks(data, out, attrs):
    blocks, crops = attrs.block_shape, attrs.crops
    paired = crops is not None and all(type(pair) is tuple and len(pair) > 1 for pair in crops)
    if blocks is None or not paired or len(crops) != len(blocks):
        return stating("crops has a pair of integers for each block", fail)
    if 0 in blocks:
        return stating("blocks have a length", fail)
    n, batch, extents, results, same = batch_and_axes(data, out, len(blocks))
    rows = zip(extents, results, crops, blocks, strict=True)
    return lall(
        same,
        equals(batch, floordiv(n, times(*blocks))),
        stating(
            "the crops leave something",
            *(equals(b, difference(times(a, block), plus(*pair[:2]))) for a, b, pair, block in rows),
        ),
    )


WIDTHS = "pad_width: list[pairs]; pad_mode: str[constant|edge|reflect] = 'constant'"
SUBPIXEL = "block_size: int[0..] = 1; layout: str[layout NCHW] = 'NCHW'; mode: str[DCR|CDR] = 'DCR'"

operator("nn.pad", "data, pad_val", Pad, WIDTHS)
operator("nn.mirror_pad", "data", MirrorPad, "mode: str[SYMMETRIC|REFLECT] = 'SYMMETRIC'; pad_width: list[pairs]")
operator(
    "dyn.nn.pad", "data, pad_width, pad_val", DynamicPad, WIDTHS.replace("list[pairs]", "list[pairs] ?= None")
)
operator("nn.dilate", "x", Dilate, "strides: list; dilation_value: float = 0.0")
operator("nn.depth_to_space", "data", DepthToSpace, SUBPIXEL)
operator("nn.space_to_depth", "data", SpaceToDepth, SUBPIXEL)
operator(
    "nn.space_to_batch_nd",
    "data",
    SpaceToBatchND,
    "block_shape: list = (1, 1); paddings: list[pairs]; pad_value: float = 0.0",
)
operator("nn.batch_to_space_nd", "data", BatchToSpaceND, "block_shape: list = (1, 1); crops: list[pairs]")
