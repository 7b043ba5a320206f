"""Repeating and sliding: tile, repeat, sliding_window."""

from relaylogic.logic import (
    at_leasto,
    conde,
    eq,
    equals,
    fail,
    floordiv,
    fresh,
    fresh_list,
    is_seen,
    lall,
    plus,
    stating,
    times,
    unroll,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import FAR, with_axis_replaced
from .windows import apart, per_axis_values


@relation
def Tile(data, out, attrs):
    """Every extent times its repetition; extents and repetitions are aligned at the right, 1 where one is missing."""


def repetitions(attrs):
    """The attribute `reps`, or None if it is undefined or one of them is not positive."""
    reps = None if attrs.reps is None else tuple(1 if n is None else n for n in attrs.reps)
    return None if reps is None or any(n < 1 for n in reps) else reps


def repeated(extents, reps, results):
    """Each result is an extent times its repetition."""
    return lall(*(equals(times(e, n), r) for e, n, r in zip(extents, reps, results, strict=True)))


@Tile.clause
def enough_axes(data, out, attrs):
    reps = repetitions(attrs)
    if reps is None:
        return stating("`reps` lists positive numbers", fail)
    shape, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        at_leasto(shape, len(reps)),
        eq(shape, result) if is_seen(reps) and set(reps) <= {1} else unroll((shape, result), _aligned, reps),
    )


def _aligned(extents, results, reps):
    ones = (1,) * (len(extents) - len(reps))
    return repeated(extents, ones + reps, results) if len(extents) >= len(reps) else fail


@Tile.clause
def fewer_axes(data, out, attrs):
    reps = repetitions(attrs)
    if not reps:
        return fail
    shape, dtype = fresh(2)
    results = fresh_list(len(reps))

    def aligned(rank):
        extents, missing = fresh_list(rank), len(reps) - rank
        return [eq(shape, extents), repeated((1,) * missing + extents, reps, results)]

    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(results, dtype)),
        conde(*(aligned(rank) for rank in range(len(reps)))),
    )


@relation
def Repeat(data, out, attrs):
    """The extent at `axis` times `repeats`."""


@Repeat.clause
def along_axis(data, out, attrs):
    if attrs.axis is None or attrs.repeats is None or attrs.repeats < 1:
        return stating("`axis` is given, and `repeats` is positive", fail)
    shape, result, dtype, once, repeated = fresh(5)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        stating("the input has this axis", with_axis_replaced(shape, attrs.axis, repeated, result, once)),
        equals(times(once, attrs.repeats), repeated),
    )


@relation
def SlidingWindow(data, out, attrs):
    """The axes before `axis`, the number of places of the window along each further axis, then the window itself."""


@SlidingWindow.clause
def every_further_axis(data, out, attrs):
    count = len(attrs.window_shape or ())
    window = per_axis_values(attrs.window_shape, count)
    strides = per_axis_values(attrs.strides, count, exact=True, least=1)
    if not 0 <= attrs.axis < FAR or not window or strides is None:
        return stating("from `axis` on, each axis has an extent of the window and a positive stride", fail)
    front, slid, places, dtype = fresh_list(attrs.axis), fresh_list(len(window)), fresh_list(len(window)), fresh()
    counted = zip(slid, window, strides, places, strict=True)
    return lall(
        stating("there is a window for each axis from `axis` on", eq(data, Tensor((*front, *slid), dtype))),
        eq(out, Tensor((*front, *places, *window), dtype)),
        *apart(*strides),
        stating("the window fits", *(equals(floordiv(plus(n, s - w), s), p) for n, w, s, p in counted)),
    )


operator("tile", "data", Tile, "reps: list[0.. or None]")
operator("repeat", "data", Repeat, "repeats: integer[0..]; axis: integer[axis] = None")
operator("sliding_window", "data", SlidingWindow, "axis: int[axis]; window_shape: list; strides: list")
