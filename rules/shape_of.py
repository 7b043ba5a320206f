"""Shapes as values: shape_of, ndarray_size, unravel_index, and the reshape of Relay's virtual machine."""

from relaylogic.logic import cons, eq, fail, fresh, gto, lall, lengtho, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .creation import extents
from .shapes import any_tensor, index


@relation
def ShapeOf(data, out, attrs):
    """The rank of the input is the extent of the result; a scalar's shape is a scalar."""


@ShapeOf.clause
def of_scalar(data, out, attrs):
    return lall(eq(data, Tensor((), fresh())), eq(out, Tensor((), attrs.dtype)))


@ShapeOf.clause
def of_axes(data, out, attrs):
    shape, rank = fresh(2)
    return lall(
        eq(out, Tensor((rank,), attrs.dtype)), eq(data, Tensor(shape, fresh())), gto(rank, 0), lengtho(shape, rank)
    )


@relation
def Size(data, out, attrs):
    """The number of elements of a tensor is a scalar."""


@Size.clause
def count(data, out, attrs):
    return lall(any_tensor(data), eq(out, Tensor((), attrs.dtype)))


@relation
def UnravelIndex(indices, shape, out):
    """One row for each axis of the shape, one column for each index; the dtype is that of the indices."""


@UnravelIndex.clause
def one_index(indices, shape, out):
    rank, dtype = fresh(2)
    return lall(eq(indices, Tensor((), dtype)), eq(out, Tensor((rank,), dtype)), integers(dtype, shape, rank))


@UnravelIndex.clause
def many_indices(indices, shape, out):
    rank, number, dtype = fresh(3)
    return lall(
        eq(indices, Tensor(cons(number, fresh()), dtype)),
        eq(out, Tensor((rank, number), dtype)),
        integers(dtype, shape, rank),
    )


def integers(dtype, shape, rank):
    """Indices of `dtype` and the tensor `shape`, whose first extent is `rank`, are integers."""
    shape_dtype = fresh()
    return lall(
        eq(shape, Tensor(cons(rank, fresh()), shape_dtype)),
        stating("indices and shape are integers", index(dtype), index(shape_dtype)),
    )


@relation
def ReshapeTensor(data, shape, out, attrs):
    """The elements of the input in the shape of the attribute, uncounted; nothing is said of the shape tensor."""


@ReshapeTensor.clause
def to_shape(data, shape, out, attrs):
    target, dtype = extents(attrs.newshape), fresh()
    if target is None:
        return stating("`newshape` lists naturals", fail)
    return lall(eq(data, Tensor(fresh(), dtype)), eq(out, Tensor(target, dtype)))


operator("shape_of", "data", ShapeOf, "dtype: dtype = ''")
operator("vm.shape_of", "tensor", ShapeOf, "dtype: dtype = ''")
operator("ndarray_size", "data", Size, "dtype: dtype = ''")
operator("unravel_index", "data, shape", UnravelIndex)
operator("vm.reshape_tensor", "data, shape", ReshapeTensor, "newshape: list")
