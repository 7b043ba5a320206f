"""Slicing: strided_slice by attributes, slice_like by the shape of another tensor."""

from relaylogic.logic import (
    appendo,
    at_leasto,
    ceildiv,
    conde,
    cons,
    difference,
    eq,
    equals,
    fail,
    fresh,
    fresh_list,
    geo,
    is_rigid,
    is_seen,
    is_whole,
    lall,
    leo,
    mapo,
    maximum,
    minimum,
    plus,
    stating,
    unroll,
)
from relaylogic.rulebase import ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import has_axes, normal_axes, on_axes

END = 2**63 - 1
"""Beyond the end of every axis."""


def slices(attrs, rank):
    """The slices that the attributes describe: (axis, begin, end, stride), or None if they describe none.

    Without `axes`, entry i belongs to axis i, and an entry that is missing is None.
    """
    if None in (attrs.begin, attrs.end, attrs.strides) or not rank:
        return None
    begin, end, strides = attrs.begin, attrs.end, attrs.strides
    if attrs.axes is not None:
        axes = attrs.axes
        if not len(axes) == len(begin) == len(end) == len(strides) or min(axes, default=-1) < 0 or max(axes) >= rank:
            return None
        return list(zip(axes, begin, end, strides, strict=True))
    if max(len(begin), len(end), len(strides)) > rank:
        return None
    begin, end = (entries + (None,) * (rank - len(entries)) for entries in (begin, end))
    return list(zip(range(rank), begin, end, strides + (1,) * (rank - len(strides)), strict=True))


def has_sliced_axes(shape, attrs):
    """`shape` has an axis for each slice, as far as they are known; those that are listed count from the front."""
    axes = attrs.listed("axes")
    if any(axis < 0 for axis in axes):
        return fail
    each_from_the_first = is_seen(attrs.only("axes")) and attrs.axes is None
    entries = max(len(attrs.listed(name)) for name in ("begin", "end", "strides")) if each_from_the_first else 0
    return lall(at_leasto(shape, max(entries, 1)), has_axes(shape, axes))


def sliced_axes(attrs):
    """The axes that are sliced; without a list, one for each slice."""
    if not is_seen(attrs.only("begin", "end", "strides", "axes")):
        return (-1,)
    if attrs.axes is not None:
        return attrs.axes
    return tuple(range(max(1, *(len(listed or ()) for listed in (attrs.begin, attrs.end, attrs.strides)))))


def is_negative(number):
    """Whether a number of an attribute is negative; a variable is none."""
    return is_whole(number) and number < 0


def position(index, extent, backwards):
    """`index` as a position on an axis: negative ones count from the end, those outside are moved to the edge."""
    if type(index) is int and index >= END and not backwards:
        return extent
    lowest, highest = (-1, difference(extent, 1)) if backwards else (0, extent)
    return maximum(plus(extent, index), lowest) if is_negative(index) else minimum(index, highest)


def places(extent, result, first, last, step):
    """From the position `first` to the one before `last` there are `result` elements, each `step` behind the other."""
    return lall(
        stating("the slice does not end before it begins", leo(first, last)),
        equals(ceildiv(difference(last, first), step), result),
    )


@relation
def SlicedExtent(extent: ShapeVar, result: ShapeVar, begin, end, stride):
    """An axis has `result` elements from `begin` on, before `end`; where these are None, from edge to edge."""


@SlicedExtent.clause
def forwards(extent, result, begin, end, stride):
    if is_negative(stride):
        return fail
    if is_whole(stride) and not stride:
        return stating("a stride is not 0", fail)
    begin, end = 0 if begin is None else begin, END if end is None else end
    if is_seen((begin, end, stride)) and (begin, end, stride) == (0, END, 1):
        return eq(extent, result)
    if is_seen((begin, end)) and (begin, end) == (0, 0):
        return equals(minimum(extent, 0), result)
    first, last = position(begin, extent, False), position(end, extent, False)
    return lall(geo(stride, 1), places(extent, result, first, last, stride))


@SlicedExtent.clause
def backwards(extent, result, begin, end, stride):
    if not is_negative(stride):
        return fail
    begin, end = END if begin is None else begin, 0 if end is None else end
    return places(extent, result, position(end, extent, True), position(begin, extent, True), -stride)


@relation
def StridedSlice(data, out, attrs):
    """Every `stride`-th element from `begin` to `end` of each listed axis; of two for one axis the last counts."""


@StridedSlice.clause
def by_attributes(data, out, attrs):
    shape, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(result, dtype)),
        stating(
            "begin, end and strides describe slices of the input's axes",
            has_sliced_axes(shape, attrs),
            on_axes(shape, result, sliced_axes(attrs), _along_axes, attrs),
        ),
    )


def _along_axes(extents, results, attrs):
    described = slices(attrs, len(extents))
    if described is None:
        return fail
    last = {axis: i for i, (axis, *_) in enumerate(described)}
    cut = (
        sliced(extents[axis], results[axis] if last[axis] == i else fresh(), begin, end, stride, attrs.slice_mode)
        for i, (axis, begin, end, stride) in enumerate(described)
    )
    return lall(*cut, *(eq(extents[i], results[i]) for i in range(len(extents)) if i not in last))


def sliced(extent, result, begin, end, stride, mode):
    """An axis of `extent` has `result` elements where it is sliced. Only in the mode "end" do strides count; in the
    mode "size", `end` holds sizes, a negative one meaning up to the end."""
    if mode == "size":
        return SizedExtent(extent, result, begin, end)
    return SlicedExtent(extent, result, begin, end, stride if mode == "end" else 1)


@relation
def SizedExtent(extent: ShapeVar, result: ShapeVar, begin, size):
    """An axis has `result` elements, `size` of them at most, from `begin` on."""


@SizedExtent.clause
def up_to_size(extent, result, begin, size):
    if size is None or is_negative(size):
        return fail
    whole = is_whole(begin) and is_whole(size)
    end = size if begin is None else begin + size if whole else plus(begin, size)
    return SlicedExtent(extent, result, begin, end, 1)


@SizedExtent.clause
def up_to_the_end(extent, result, begin, size):
    if size is not None and not is_negative(size):
        return fail
    return SlicedExtent(extent, result, begin, None, 1)


@relation
def SliceLike(data, shape_like, out, attrs):
    """The extents of another tensor, which are not greater, on the listed axes; without a list, on all common ones."""


@SliceLike.clause
def listed_axes(data, shape_like, out, attrs):
    if not attrs.axes:
        return fail
    shape, like, result, dtype = fresh(4)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(shape_like, Tensor(like, fresh())),
        eq(out, Tensor(result, dtype)),
        stating(
            "both tensors have these axes",
            has_axes(shape, attrs.axes),
            has_axes(like, [axis for axis in attrs.axes if axis >= 0]),
            on_axes(shape, result, attrs.axes, _cut_listed, like, attrs.axes),
        ),
    )


def _cut_listed(extents, results, like, listed):
    axes = normal_axes(listed, len(extents))
    if axes is None:
        return fail
    others = fresh_list(max(axes) + 1)
    return lall(eq(like, cons(others, fresh())), cut_to(extents, others, results, set(axes)))


@SliceLike.clause
def listed_axes_before_a_rigid_end(data, shape_like, out, attrs):
    if not attrs.axes or not is_seen(attrs.axes) or min(attrs.axes) >= 0:
        return fail
    shape, like, result, dtype, end, front, others = fresh(7)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(shape_like, Tensor(like, fresh())),
        eq(out, Tensor(result, dtype)),
        is_rigid(end),
        appendo(front, end, shape),
        appendo(others, end, like),
        stating("both tensors have these axes", has_axes(shape, attrs.axes)),
        unroll((front, others), _cut_before, end, result, attrs.axes),
    )


def _cut_before(extents, others, end, result, listed):
    """An axis that counts from the end may stand at the front, as far as the end is short: there it cuts nothing."""
    count = len(extents)
    cut = {axis for axis in listed if axis >= 0}
    alike = set(range(max(0, count + min(listed)), count)) - cut
    results = fresh_list(count)
    return lall(
        eq(result, cons(results, end)),
        cut_to(extents, others, results, cut),
        *(eq(extents[i], others[i]) for i in alike),
    )


@SliceLike.clause
def common_axes(data, shape_like, out, attrs):
    if attrs.axes is not None:
        return fail
    shape, like, result, dtype = fresh(4)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(shape_like, Tensor(like, fresh())),
        eq(out, Tensor(result, dtype)),
        unroll((shape, result), _beside, like),
    )


def _beside(extents, results, like):
    return unroll((like,), _cut_common, extents, results)


def _cut_common(others, extents, results):
    return cut_to(extents, others, results, range(min(len(extents), len(others))))


@SliceLike.clause
def common_axes_before_a_rigid_end(data, shape_like, out, attrs):
    if attrs.axes is not None:
        return fail
    shape, like, result, end, dtype = fresh(5)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(shape_like, Tensor(like, fresh())),
        eq(out, Tensor(result, dtype)),
        is_rigid(end),
        conde(
            [_both_end_with(end, shape, like, result)],
            [appendo(fresh(), end, shape), unroll((like,), _cut_front, shape, result)],
            [appendo(fresh(), end, like), unroll((shape, result), _cut_all, like)],
        ),
    )


def _both_end_with(end, shape, like, result):
    front, cut = fresh(2)
    return lall(
        appendo(front, end, shape),
        appendo(cut, end, like),
        appendo(cut, end, result),
        stating("the other tensor is not larger", mapo(leo, cut, front)),
    )


def _cut_front(others, shape, result):
    extents, rest = fresh_list(len(others)), fresh()
    return lall(
        eq(shape, cons(extents, rest)),
        eq(result, cons(others, rest)),
        cut_to(extents, others, others, range(len(others))),
    )


def _cut_all(extents, results, like):
    return lall(eq(like, cons(results, fresh())), cut_to(extents, results, results, range(len(results))))


def cut_to(extents, others, results, axes):
    """On `axes`, the results are those of `others` and not greater than the extents; elsewhere they are the extents."""
    kept = (eq(extents[i], results[i]) for i in range(len(extents)) if i not in axes)
    taken = (eq(others[i], results[i]) for i in axes)
    return lall(*kept, *taken, stating("the other tensor is not larger", *(leo(others[i], extents[i]) for i in axes)))


operator(
    "strided_slice",
    "data",
    StridedSlice,
    "begin: list[.. or None]; end: list[.. or None]; strides: list[..] ?= (1,); slice_mode: str[end|size] = 'end'; "
    "axes: list[axes] ?= None",
)
operator("slice_like", "data, shape_like", SliceLike, "axes: list[axes] ?= None")
