"""Scans: running sums and products along one axis, or over all elements in row-major order."""

from relaylogic.logic import (
    appendo,
    cons,
    eq,
    equals,
    fail,
    forallo,
    fresh,
    is_known,
    is_rigid,
    is_unknown,
    lall,
    lany,
    neq,
    prod,
    stating,
    unroll,
    word,
)
from relaylogic.rulebase import Shape, ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import has_axis


@relation
def ElementCount(shape: Shape, count: ShapeVar):
    """A tensor of that shape has so many elements: none if one extent is 0, whatever the others are."""


def some(holds, shape):
    """`holds` of an extent of `shape`."""
    return unroll((shape,), _some, word(holds))


def _some(extents, holds):
    return lany(*map(holds, extents))


@ElementCount.clause
def of_known_extents(shape, count):
    return lall(forallo(is_known, shape), is_known(count), equals(prod(shape), count))


@ElementCount.clause
def of_an_unknown_extent(shape, count):
    return lall(
        is_unknown(count), unroll((shape,), _unknown, count), forallo(lambda extent: neq(extent, 0), shape)
    )


def _unknown(extents, count):
    return lany(*(lall(is_unknown(extent), eq(extent, count)) for extent in extents))


@ElementCount.clause
def of_a_rigid_end(shape, count):
    front, end = fresh(2)
    return lall(is_rigid(end), appendo(front, end, shape), forallo(is_known, front), equals(prod(shape), count))


@ElementCount.clause
def none(shape, count):
    return lall(some(is_unknown, shape), some(lambda extent: eq(extent, 0), shape), eq(count, 0))


@relation
def Scan(data, out, attrs):
    """The elements up to each place, accumulated in the given dtype or the data's."""


@Scan.clause
def along_an_axis(data, out, attrs):
    if attrs.axis is None:
        return fail
    shape, dtype = fresh(2)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, Tensor(shape, attrs.dtype or dtype)),
        stating("the axis exists", has_axis(shape, attrs.axis)),
    )


@Scan.clause
def over_all_elements(data, out, attrs):
    if attrs.axis is not None:
        return fail
    first, more, count, dtype = fresh(4)
    shape = cons(first, more)
    return lall(
        stating("the data is a tensor with at least one axis", eq(data, Tensor(shape, dtype))),
        eq(out, Tensor((count,), attrs.dtype or dtype)),
        ElementCount(shape, count),
    )


for name in ("cumsum", "cumprod"):
    operator(name, "data", Scan, "axis: integer[axis] = None; dtype: dtype = ''; exclusive: object = False")
