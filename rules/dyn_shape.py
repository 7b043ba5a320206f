"""The dyn operators of shapes: what a static twin reads off its attributes is an input here, known at run time only.

Of such an input just the number of its entries is known; that is what the rank of the result depends on. Extents that
depend on entries are `?`. The attributes of the static twin are accepted and not looked at.
"""

from relaylogic.logic import (
    appendo,
    at_leasto,
    difference,
    eq,
    equals,
    fail,
    fresh,
    geo,
    lall,
    lengtho,
    maximum,
    plus,
    stating,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor

from .axes import with_axes_inserted
from .shapes import scalar, shape_tensor, unknown_shape, vector

RANK_KNOWN = "the number of entries is known"


@relation
def DynReshape(data, newshape, out):
    """One `?` for each entry of the new shape."""


@DynReshape.clause
def entries(data, newshape, out):
    rank, shape, dtype = fresh(3)
    return lall(
        eq(data, Tensor(fresh(), dtype)),
        stating(RANK_KNOWN, shape_tensor(newshape, rank)),
        eq(out, Tensor(shape, dtype)),
        unknown_shape(shape, rank),
    )


@relation
def DynBroadcastTo(data, shape, out):
    """One `?` for each entry of the shape, which has at least the rank of the input."""


@DynBroadcastTo.clause
def entries_of_shape(data, shape, out):
    source, own_rank, rank, target, dtype = fresh(5)
    return lall(
        eq(data, Tensor(source, dtype)),
        stating(RANK_KNOWN, shape_tensor(shape, rank)),
        eq(out, Tensor(target, dtype)),
        unknown_shape(target, rank),
        stating("the shape has at least the rank of the input", lengtho(source, own_rank), geo(rank, own_rank)),
    )


@relation
def DynTile(data, reps, out):
    """As many `?` as there are axes or repetitions, whichever are more."""


@DynTile.clause
def longer_of_both(data, reps, out):
    source, own_rank, number, rank, target, dtype = fresh(6)
    return lall(
        eq(data, Tensor(source, dtype)),
        stating(RANK_KNOWN, shape_tensor(reps, number)),
        lengtho(source, own_rank),
        equals(maximum(own_rank, number), rank),
        eq(out, Tensor(target, dtype)),
        unknown_shape(target, rank),
    )


@relation
def DynFilled(shape, out, attrs):
    """One `?` for each entry of the shape, and the dtype of the attribute."""


@DynFilled.clause
def entries_filled(shape, out, attrs):
    rank, target = fresh(2)
    return lall(
        stating(RANK_KNOWN, shape_tensor(shape, rank)),
        eq(out, Tensor(target, attrs.dtype)),
        unknown_shape(target, rank),
    )


@relation
def DynFull(fill_value, shape, out, attrs):
    """One `?` for each entry of the shape; the dtype of the attribute or, if there is none, of the scalar."""


@DynFull.clause
def entries_of_scalar(fill_value, shape, out, attrs):
    rank, target, dtype = fresh(3)
    return lall(
        stating("the fill value is a scalar", scalar(fill_value, dtype)),
        stating(RANK_KNOWN, shape_tensor(shape, rank)),
        eq(out, Tensor(target, attrs.dtype or dtype)),
        unknown_shape(target, rank),
    )


@relation
def DynOneHot(indices, on_value, off_value, depth, out, attrs):
    """The extents of the indices and, at `axis` (-1: behind them), a `?`; nothing is said of the other inputs."""


@DynOneHot.clause
def unknown_depth(indices, on_value, off_value, depth, out, attrs):
    if attrs.axis < -1:
        return stating("`axis` is at least -1", fail)
    shape, result = fresh(2)
    return lall(
        eq(indices, Tensor(shape, fresh())),
        eq(out, Tensor(result, attrs.dtype)),
        stating("`axis` is a position in the indices", with_axes_inserted(shape, attrs.axis, (ANY,), result)),
    )


@relation
def DynStridedSlice(data, begin, end, strides, out):
    """As many leading axes as `begin` has entries become `?`; nothing is said of `end` and `strides`."""


@DynStridedSlice.clause
def leading_axes(data, begin, end, strides, out):
    number, front, rest, sliced, shape, result, dtype = fresh(7)
    return lall(
        eq(data, Tensor(shape, dtype)),
        stating(RANK_KNOWN, shape_tensor(begin, number)),
        eq(out, Tensor(result, dtype)),
        stating(
            "the input has an axis for each entry",
            at_leasto(shape, number),
            lengtho(front, number),
            appendo(front, rest, shape),
        ),
        unknown_shape(sliced, number),
        appendo(sliced, rest, result),
    )


@relation
def DynSqueeze(data, axes, out):
    """As many axes less as there are entries; every extent is `?`."""


@DynSqueeze.clause
def fewer_axes(data, axes, out):
    source, own_rank, number, rank, target, dtype = fresh(6)
    return lall(
        eq(data, Tensor(source, dtype)),
        stating("the axes are a vector", vector(axes, number)),
        lengtho(source, own_rank),
        stating("the input has as many axes", equals(difference(own_rank, number), rank)),
        eq(out, Tensor(target, dtype)),
        unknown_shape(target, rank),
    )


@relation
def DynExpandDims(data, axis, out, attrs):
    """`num_newaxis` axes more; every extent is `?`."""


@DynExpandDims.clause
def more_axes(data, axis, out, attrs):
    if attrs.num_newaxis < 0:
        return stating("`num_newaxis` is not negative", fail)
    source, own_rank, rank, target, dtype = fresh(5)
    return lall(
        eq(data, Tensor(source, dtype)),
        stating("the axis is a scalar", scalar(axis)),
        lengtho(source, own_rank),
        equals(plus(own_rank, attrs.num_newaxis), rank),
        eq(out, Tensor(target, dtype)),
        unknown_shape(target, rank),
    )


SHAPED = "shape: list ?= None; dtype: dtype = ''"
operator("dyn.reshape", "data, newshape", DynReshape, "newshape: list ?= None; allowzero: bool = False")
operator("dyn.broadcast_to", "data, shape", DynBroadcastTo, SHAPED)
operator("dyn.tile", "data, reps", DynTile, "reps: list[0.. or None] ?= None")
operator("dyn.zeros", "shape", DynFilled, SHAPED)
operator("dyn.ones", "shape", DynFilled, SHAPED)
operator("dyn.full", "fill_value, shape", DynFull, SHAPED)
operator(
    "dyn.one_hot",
    "indices, on_value, off_value, depth",
    DynOneHot,
    "depth: int = 1; axis: int[axis] = -1; dtype: dtype = ''",
)
operator(
    "dyn.strided_slice",
    "data, begin, end, strides",
    DynStridedSlice,
    "begin: list[.. or None] ?= None; end: list[.. or None] ?= None; strides: list[..] ?= None; "
    "slice_mode: str[end|size] = 'end'; axes: list[axes] ?= None",
)
operator("dyn.squeeze", "data, axes", DynSqueeze, "axis: list = None")
operator("dyn.expand_dims", "data, axis", DynExpandDims, "num_newaxis: int = 1")
