"""Tensors made from nothing or from a scalar: zeros, ones, full, one_hot, arange."""

from math import ceil, isfinite

from relaylogic.logic import eq, fail, fresh, is_whole, lall, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor

from .axes import with_axes_inserted
from .shapes import any_tensor, scalar


def extents(shape):
    """The attribute `shape` as a shape, or None if it is none: an extent is a natural number."""
    if shape is None or any(extent is not ANY and (not is_whole(extent) or extent < 0) for extent in shape):
        return None
    return shape


@relation
def Filled(out, attrs):
    """A tensor of the shape and dtype of the attributes."""


@Filled.clause
def of_attributes(out, attrs):
    shape = extents(attrs.shape)
    if shape is None:
        return stating("`shape` lists naturals", fail)
    return eq(out, Tensor(shape, attrs.dtype))


@relation
def Full(fill_value, out, attrs):
    """A scalar, repeated in the shape of the attribute; its dtype counts if the attributes have none."""


@Full.clause
def of_scalar(fill_value, out, attrs):
    shape = extents(attrs.shape)
    if shape is None:
        return stating("`shape` lists naturals", fail)
    dtype = fresh()
    return lall(
        stating("the fill value is a scalar", scalar(fill_value, dtype)), eq(out, Tensor(shape, attrs.dtype or dtype))
    )


@relation
def FullLike(data, fill_value, out):
    """A scalar (of any dtype), repeated in the type of another tensor."""


@FullLike.clause
def of_type(data, fill_value, out):
    return lall(any_tensor(data), eq(out, data), stating("the fill value is a scalar", scalar(fill_value)))


@relation
def OneHot(indices, on_value, off_value, out, attrs):
    """The extents of the indices and, at `axis` (-1: behind them), one of `depth`; nothing is said of the values."""


@OneHot.clause
def depth_inserted(indices, on_value, off_value, out, attrs):
    if attrs.depth < 1 or attrs.axis < -1:
        return stating("`depth` is positive, and `axis` at least -1", fail)
    shape, result = fresh(2)
    return lall(
        eq(indices, Tensor(shape, fresh())),
        eq(out, Tensor(result, attrs.dtype)),
        stating("`axis` is a position in the indices", with_axes_inserted(shape, attrs.axis, (attrs.depth,), result)),
    )


def constant(expression):
    """The number that an attribute is, if it is a constant (of several numbers the first one), else None."""
    known = dict(expression) if isinstance(expression, tuple) else {}
    value = known.get("const")
    while isinstance(value, tuple) and value:
        value = value[0]
    return value if isinstance(value, (int, float)) else None


@relation
def Arange(start, stop, step, out, attrs):
    """Three scalars of the dtype of the attribute, and a vector: as long as they say, if they are constants."""


def scalars(start, stop, step, dtype):
    return stating(
        "start, stop and step are scalars of `dtype`", *(eq(x, Tensor((), dtype)) for x in (start, stop, step))
    )


@Arange.clause
def between_constants(start, stop, step, out, attrs):
    first, last, by = map(constant, (attrs.start, attrs.stop, attrs.step))
    if None in (first, last, by) or not by or not isfinite((last - first) / by):
        return fail
    length = ceil((last - first) / by)
    if not 1 <= length < 2**31:
        return stating("the range has elements, and fewer than 2**31", fail)
    return lall(scalars(start, stop, step, attrs.dtype), eq(out, Tensor((length,), attrs.dtype)))


@Arange.clause
def between_values(start, stop, step, out, attrs):
    if None not in map(constant, (attrs.start, attrs.stop, attrs.step)):
        return fail
    return lall(scalars(start, stop, step, attrs.dtype), eq(out, Tensor((ANY,), attrs.dtype)))


SHAPED = "shape: list; dtype: dtype = ''"
operator("zeros", "", Filled, SHAPED)
operator("ones", "", Filled, SHAPED)
operator("full", "fill_value", Full, SHAPED.replace("shape: list", "shape: list ?= ()"))
operator("full_like", "data, fill_value", FullLike)
operator(
    "one_hot",
    "indices, on_value, off_value",
    OneHot,
    "depth: int[0..] = 1; axis: int[axis] = -1; dtype: dtype = ''",
)
operator(
    "arange",
    "start, end, step",
    Arange,
    "start: expr ?= None; stop: expr ?= None; step: expr ?= None; dtype: dtype ?= 'float32'",
)
