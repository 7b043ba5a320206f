"""Sparse tensors in coordinate form: sparse_to_dense, sparse_reshape, sparse_fill_empty_rows."""

from relaylogic.logic import cons, eq, fail, fresh, lall, lengtho, leo, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .creation import extents
from .shapes import scalar, shape_tensor, signed_index, unknown_shape, vector


def rank_at_most(shape, rank):
    """`shape` has at most `rank` extents."""
    length = fresh()
    return lall(lengtho(shape, length), leo(length, rank))


def coordinates(indices, values, default_value, dtype):
    """Signed indices, values of `dtype` and a scalar for everywhere else."""
    places, shape, index_dtype = fresh(3)
    return lall(
        eq(indices, Tensor(places, index_dtype)),
        eq(values, Tensor(shape, dtype)),
        stating(
            "the indices are signed integers of rank 3 or less", signed_index(index_dtype), rank_at_most(places, 3)
        ),
        stating("the values have rank 2 or less", rank_at_most(shape, 2)),
        stating("the default value is a scalar", scalar(default_value)),
    )


@relation
def SparseToDense(sparse_indices, sparse_values, default_value, out, attrs):
    """The values in the shape of the attribute."""


@SparseToDense.clause
def in_shape(sparse_indices, sparse_values, default_value, out, attrs):
    shape, dtype = extents(attrs.output_shape), fresh()
    if shape is None:
        return stating("`output_shape` lists naturals", fail)
    return lall(coordinates(sparse_indices, sparse_values, default_value, dtype), eq(out, Tensor(shape, dtype)))


@relation
def DynSparseToDense(sparse_indices, sparse_values, default_value, output_shape, out):
    """The values in a shape that is known at run time only; its rank is known."""


@DynSparseToDense.clause
def in_shape_of(sparse_indices, sparse_values, default_value, output_shape, out):
    rank, shape, dtype = fresh(3)
    return lall(
        coordinates(sparse_indices, sparse_values, default_value, dtype),
        stating("the rank of the result is known", shape_tensor(output_shape, rank)),
        eq(out, Tensor(shape, dtype)),
        unknown_shape(shape, rank),
    )


@relation
def SparseReshape(sparse_indices, prev_shape, new_shape, out):
    """The indices, with one column for each axis of the new shape, and the new shape."""


@SparseReshape.clause
def columns_of_new_shape(sparse_indices, prev_shape, new_shape, out):
    number, rank, dtype, prev_dtype, new_dtype = fresh(5)
    return lall(
        stating("the indices are a matrix", eq(sparse_indices, Tensor((number, fresh()), dtype))),
        stating("the shapes are vectors", vector(prev_shape, dtype=prev_dtype), vector(new_shape, rank, new_dtype)),
        stating("all are signed integers", *map(signed_index, (dtype, prev_dtype, new_dtype))),
        eq(out, Tuple((Tensor((number, rank), dtype), new_shape))),
    )


@relation
def SparseFillEmptyRows(sparse_indices, sparse_values, dense_shape, default_value, out):
    """Indices, values and marks of rows, in numbers known at run time only; nothing is said of the other inputs."""


@SparseFillEmptyRows.clause
def unknown_rows(sparse_indices, sparse_values, dense_shape, default_value, out):
    rank = fresh()
    return lall(
        eq(sparse_indices, Tensor(cons((fresh(), rank), fresh()), fresh())),
        eq(out, Tuple((Tensor((ANY, rank), "int64"), Tensor((ANY,), "int64"), Tensor((ANY,), "int64")))),
    )


operator("sparse_to_dense", "sparse_indices, sparse_values, default_value", SparseToDense, "output_shape: list")
operator("dyn.sparse_to_dense", "sparse_indices, sparse_values, default_value, output_shape", DynSparseToDense)
operator("sparse_reshape", "sparse_indices, prev_shape, new_shape", SparseReshape)
operator("sparse_fill_empty_rows", "sparse_indices, sparse_values, dense_shape, default_value", SparseFillEmptyRows)
