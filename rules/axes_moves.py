"""Moving, adding and removing axes: transpose, expand_dims, squeeze, reverse."""

from relaylogic.logic import (
    agree,
    conde,
    cons,
    copies,
    eq,
    fail,
    forallo,
    fresh,
    is_known,
    is_seen,
    lall,
    later,
    lazily,
    lengtho,
    movedo,
    neq,
    permuteo,
    plus,
    reverseo,
    same_lengtho,
    stating,
    unroll,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import has_axes, has_axis, normal_axes, on_axes, order_of_axes, with_axes_inserted


@relation
def Transpose(data, out, attrs):
    """The axes of the result are those of the input in another order, by default backwards."""


@Transpose.clause
def permuted(data, out, attrs):
    shape, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        stating("`axes` orders all axes of the input", lazily(_moved, shape, result, attrs)),
    )


def _moved(shape, result, attrs):
    axes = attrs.axes
    if axes is None:
        return reverseo(shape, result)
    ordered = lall(same_lengtho(shape, result, axes), lazily(_ordered, shape, result, axes))
    return ordered if is_seen(axes) else lall(movedo(shape, axes, result), ordered)


def _ordered(shape, result, axes):
    order = order_of_axes(axes, len(axes))
    return fail if order is None else permuteo(shape, order, result)


@relation
def ExpandDims(data, out, attrs):
    """The result has `num_newaxis` axes of extent 1 more, from position `axis` on."""


@ExpandDims.clause
def ones_inserted(data, out, attrs):
    shape, result, dtype = fresh(3)
    inserted = later(_with_ones, shape, result, attrs)
    if not is_seen(attrs.only("num_newaxis")):
        rank = fresh()
        inserted = lall(lengtho(shape, rank), lengtho(result, plus(rank, attrs.num_newaxis)), inserted)
    return lall(eq(data, Tensor(shape, dtype)), eq(out, Tensor(result, dtype)), inserted)


def _with_ones(shape, result, attrs):
    if attrs.num_newaxis < 0:
        return stating("`num_newaxis` is not negative", fail)
    ones = copies(1, attrs.num_newaxis)
    return stating("`axis` is a position in the input", with_axes_inserted(shape, attrs.axis, ones, result))


@relation
def Squeeze(data, out, attrs):
    """The result lacks the axes that are listed, all of extent 1; without a list, every axis of extent 1."""


@Squeeze.clause
def listed_axes(data, out, attrs):
    if attrs.axis is None:
        return fail
    shape, result, dtype = fresh(3)
    axes = attrs.axis
    if not is_seen(axes) or min(axes, default=0) < 0 <= max(axes, default=0):
        by_rank = unroll((shape,), _removed, axes, within=(result,))
    else:
        by_rank = on_axes(shape, result, axes, _removed, axes, fewer=len(set(axes)))
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        stating("the input has these axes", has_axes(shape, axes)),
        by_rank,
    )


def _removed(extents, result, axes):
    gone = normal_axes(axes, len(extents))
    if gone is None:
        return stating("every axis to remove exists", fail)
    return lall(
        eq(result, tuple(extent for i, extent in enumerate(extents) if i not in gone)),
        stating("the removed axes have extent 1", *(agree(extents[i], 1) for i in set(gone))),
    )


@Squeeze.clause
def all_ones(data, out, attrs):
    if attrs.axis is not None:
        return fail
    shape, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        stating(
            "every extent is known, so that those of 1 can be removed",
            forallo(_stays, result),
            unroll((shape,), _dropped_or_kept, within=(result,)),
        ),
    )


def _stays(extent):
    return lall(is_known(extent), neq(extent, 1))


def _dropped_or_kept(extents, result):
    goals, rest = [], result
    for extent in extents:
        after = fresh()
        goals.append(is_known(extent))
        goals.append(conde([eq(extent, 1), eq(rest, after)], [neq(extent, 1), eq(rest, cons(extent, after))]))
        rest = after
    return lall(*goals, eq(rest, ()))


@relation
def Reverse(data, out, attrs):
    """The result has the type of the input, which has the axis."""


@Reverse.clause
def along_axis(data, out, attrs):
    if attrs.axis is None:
        return stating("`axis` is given", fail)
    shape = fresh()
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(out, data),
        stating("the input has this axis", has_axis(shape, attrs.axis)),
    )


operator("transpose", "data", Transpose, "axes: list[order] ?= None")
operator("expand_dims", "data", ExpandDims, "axis: int[axis]; num_newaxis: int = 1")
operator("squeeze", "data", Squeeze, "axis: list[axes] = None")
operator("reverse", "data", Reverse, "axis: integer[axis] = None")
