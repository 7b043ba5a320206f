"""Sparse operands in compressed rows: values, the column of each, and where each row begins (one entry more than rows).

The values are single numbers (CSR) or blocks of them (BSR: the first extent counts the blocks, the second is their
height).
"""

from relaylogic.logic import agree, eq, equals, fail, fresh, lall, plus, stating, times
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .shapes import index


def compressed(indices, indptr, count, rows):
    """`indices` has the columns of `count` values; `indptr` says where each of `rows` rows begins and the last ends."""
    columns, column_dtype, ends, end_dtype = fresh(4)
    return lall(
        stating("indices is a vector", eq(indices, Tensor((columns,), column_dtype))),
        stating("indptr is a vector", eq(indptr, Tensor((ends,), end_dtype))),
        stating("each value has an index", agree(columns, count)),
        stating("indptr has one entry more than there are rows", equals(plus(rows, 1), ends)),
        stating("indices are integers", index(column_dtype)),
        stating("indptr holds integers", index(end_dtype)),
    )


@relation
def SparseMatrix(data, indices, indptr, rows):
    """A matrix of so many rows in compressed form."""


@SparseMatrix.clause
def single_values(data, indices, indptr, rows):
    count = fresh()
    return lall(eq(data, Tensor((count,), fresh())), compressed(indices, indptr, count, rows))


@SparseMatrix.clause
def blocks(data, indices, indptr, rows):
    count, height, rows_of_blocks = fresh(3)
    return lall(
        eq(data, Tensor((count, height, fresh()), fresh())),
        compressed(indices, indptr, count, rows_of_blocks),
        equals(times(rows_of_blocks, height), rows),
    )


@relation
def SparseDense(dense_data, sparse_data, sparse_indices, sparse_indptr, out, attrs):
    """The product of a dense matrix and a transposed sparse one, or of a sparse one and a transposed dense one."""


@SparseDense.clause
def times_sparse(dense_data, sparse_data, sparse_indices, sparse_indptr, out, attrs):
    if attrs.sparse_lhs:
        return fail
    rows, columns, dtype = fresh(3)
    return lall(
        stating("the dense operand is a matrix", eq(dense_data, Tensor((rows, fresh()), dtype))),
        eq(out, Tensor((rows, columns), dtype)),
        SparseMatrix(sparse_data, sparse_indices, sparse_indptr, columns),
    )


@SparseDense.clause
def sparse_times(dense_data, sparse_data, sparse_indices, sparse_indptr, out, attrs):
    if not attrs.sparse_lhs:
        return fail
    rows, columns, dtype = fresh(3)
    return lall(
        stating("the dense operand is a matrix", eq(dense_data, Tensor((columns, fresh()), dtype))),
        eq(out, Tensor((rows, columns), dtype)),
        SparseMatrix(sparse_data, sparse_indices, sparse_indptr, rows),
    )


@relation
def SparseTranspose(sparse_data, sparse_indices, sparse_indptr, out):
    """The transposed square matrix has as many values, columns and rows."""


@SparseTranspose.clause
def same_sizes(sparse_data, sparse_indices, sparse_indptr, out):
    count = fresh()
    return lall(
        eq(out, Tuple((sparse_data, sparse_indices, sparse_indptr))),
        eq(sparse_data, Tensor((count,), fresh())),
        compressed(sparse_indices, sparse_indptr, count, fresh()),
    )


@relation
def SparseAdd(dense_data, sparse_data, sparse_indices, sparse_indptr, out):
    """A dense matrix and a sparse one of the same dtype and size."""


@SparseAdd.clause
def dense_sum(dense_data, sparse_data, sparse_indices, sparse_indptr, out):
    rows, count, dtype = fresh(3)
    return lall(
        stating("the dense operand is a matrix", eq(dense_data, Tensor((rows, fresh()), dtype))),
        eq(out, dense_data),
        stating("both operands have one dtype", eq(sparse_data, Tensor((count,), dtype))),
        compressed(sparse_indices, sparse_indptr, count, fresh()),
    )


@relation
def SparseKernel(data, indices, indptr, channels):
    """A sparse kernel of so many output channels, in blocks that may lack their width."""


@SparseKernel.clause
def of_known_width(data, indices, indptr, channels):
    return block_channels(data, (fresh(), fresh(), fresh()), indices, indptr, channels)


@SparseKernel.clause
def of_width_one(data, indices, indptr, channels):
    return block_channels(data, (fresh(), fresh()), indices, indptr, channels)


def block_channels(data, shape, indices, indptr, channels):
    """`data` is a kernel of blocks of this shape for so many output channels."""
    rows_of_blocks = fresh()
    return lall(
        eq(data, Tensor(shape, fresh())),
        compressed(indices, indptr, shape[0], rows_of_blocks),
        equals(times(rows_of_blocks, shape[1]), channels),
    )


@relation
def SparseConv2d(dense_data, sparse_data, sparse_indices, sparse_indptr, out, attrs):
    """A convolution with a sparse kernel: the image keeps its size and gets other channels."""


@SparseConv2d.clause
def channels_last(dense_data, sparse_data, sparse_indices, sparse_indptr, out, attrs):
    if attrs.layout not in ("NCHW", "NHWC"):
        return stating("`layout` is NCHW or NHWC", fail)
    if attrs.layout != "NHWC":
        return fail
    batch, height, width, channels, dtype = fresh(5)
    return lall(
        eq(dense_data, Tensor((batch, height, width, fresh()), dtype)),
        eq(out, Tensor((batch, height, width, channels), dtype)),
        SparseKernel(sparse_data, sparse_indices, sparse_indptr, channels),
    )


@SparseConv2d.clause
def channels_first(dense_data, sparse_data, sparse_indices, sparse_indptr, out, attrs):
    if attrs.layout != "NCHW":
        return fail
    batch, height, width, channels, dtype = fresh(5)
    return lall(
        eq(dense_data, Tensor((batch, fresh(), height, width), dtype)),
        eq(out, Tensor((batch, channels, height, width), dtype)),
        SparseKernel(sparse_data, sparse_indices, sparse_indptr, channels),
    )


SPARSE = "sparse_data, sparse_indices, sparse_indptr"

operator("nn.sparse_dense", f"dense_data, {SPARSE}", SparseDense, "sparse_lhs: bool = False")
operator(
    "nn.internal.sparse_dense_padded",
    "data, weight_data, weight_indices, weight_indptr",
    SparseDense,
    "sparse_lhs: bool = False",
)
operator("nn.sparse_transpose", SPARSE, SparseTranspose)
operator("nn.sparse_add", f"dense_data, {SPARSE}", SparseAdd)
operator(
    "nn.sparse_conv2d",
    f"dense_data, {SPARSE}",
    SparseConv2d,
    "layout: str[layout NHWC] = 'NHWC'; kernel_size: list[2] = (1, 1)",
)
