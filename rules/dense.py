"""Dense layers and products of matrices: rows of the one operand against columns of the other."""

from relaylogic.logic import (
    agree,
    appendo,
    default,
    eq,
    equals,
    follows,
    fresh,
    is_known,
    is_unknown,
    lall,
    leo,
    neq,
    stating,
    times,
)
from relaylogic.rulebase import ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor


def stack_times_matrix(shape, matrix, result, columns, units, transposed=False):
    """`result` is the shape of matrices of `shape`, perhaps transposed, times one of shape `matrix`.

    That one has `columns`, which are `units` if given. A row without a stack is as good.
    """
    lead, rows, inner = fresh(3)
    own_inner, own_columns = matrix
    given, made = ((inner, rows), (rows, columns)) if transposed else ((inner,), (columns,))
    goals = [
        appendo(lead, given, shape),
        appendo(lead, made, result),
        stating("the inner dimensions agree", follows(own_inner, inner)),
    ]
    if units is None:
        return lall(eq(columns, own_columns), *goals)
    return lall(
        stating("`units` is a size", eq(columns, units), leo(0, columns)),
        *goals,
        stating("the weight has `units` columns", follows(own_columns, columns)),
    )


@relation
def Dense(data, weight, out, attrs):
    """Every row of data times the transposed weight: (..., k) and (units, k) give (..., units)."""


@Dense.clause
def rows_times_units(data, weight, out, attrs):
    shape, inner, own_units, result, columns, dtype, weight_dtype = fresh(7)
    return lall(
        eq(data, Tensor(shape, dtype)),
        stating("the weight is a matrix", eq(weight, Tensor((own_units, inner), weight_dtype))),
        eq(out, Tensor(result, attrs.out_dtype or dtype)),
        stack_times_matrix(shape, (inner, own_units), result, columns, attrs.units),
        default(weight_dtype, dtype),
    )


@relation
def Matmul(tensor_a, tensor_b, out, attrs):
    """The product of a stack of matrices and a matrix, each of which may be transposed."""


@Matmul.clause
def rows_times_columns(tensor_a, tensor_b, out, attrs):
    shape, inner, own_columns, result, columns, dtype, other_dtype = fresh(7)
    matrix = (inner, own_columns)
    return lall(
        eq(tensor_a, Tensor(shape, dtype)),
        stating(
            "the second operand is a matrix",
            eq(tensor_b, Tensor(matrix[::-1] if attrs.transpose_b else matrix, other_dtype)),
        ),
        eq(out, Tensor(result, attrs.out_dtype or dtype)),
        stack_times_matrix(shape, matrix, result, columns, attrs.units, attrs.transpose_a),
        default(other_dtype, dtype),
    )


@relation
def BatchExtent(a: ShapeVar, b: ShapeVar, c: ShapeVar):
    """Batches of a and of b matrices multiply to one of c: 1 is repeated, `?` makes it `?`."""


@BatchExtent.clause
def pairwise(a, b, c):
    return lall(eq(a, b), eq(a, c))


@BatchExtent.clause
def left_repeats(a, b, c):
    return lall(eq(a, 1), is_known(b), neq(b, 1), eq(b, c))


@BatchExtent.clause
def right_repeats(a, b, c):
    return lall(eq(b, 1), is_known(a), neq(a, 1), eq(a, c))


@BatchExtent.clause
def left_unknown(a, b, c):
    return lall(is_unknown(a), is_known(b), eq(a, c))


@BatchExtent.clause
def right_unknown(a, b, c):
    return lall(is_unknown(b), is_known(a), eq(b, c))


def batched_product(x, y, out, attrs, x_dtype, y_dtype):
    """`out` holds the products of the matrices in x and in y, pair by pair."""
    batch, x_batch, y_batch, rows, columns, x_inner, y_inner = fresh(7)
    x_shape = (x_batch, x_inner, rows) if attrs.transpose_a else (x_batch, rows, x_inner)
    y_shape = (y_batch, columns, y_inner) if attrs.transpose_b else (y_batch, y_inner, columns)
    return lall(
        stating("the first operand is a batch of matrices", eq(x, Tensor(x_shape, x_dtype))),
        stating("the second operand is a batch of matrices", eq(y, Tensor(y_shape, y_dtype))),
        eq(out, Tensor((batch, rows, columns), attrs.out_dtype or x_dtype)),
        stating("the inner dimensions agree", agree(x_inner, y_inner)),
        stating(
            "the batches are of one size, or one of them is a single matrix",
            BatchExtent(x_batch, y_batch, batch),
        ),
    )


@relation
def BatchMatmul(tensor_a, tensor_b, out, attrs):
    """The products of two batches of matrices, each of which may be transposed."""


@BatchMatmul.clause
def pairs_of_matrices(tensor_a, tensor_b, out, attrs):
    return batched_product(tensor_a, tensor_b, out, attrs, fresh(), fresh())


@relation
def DensePack(data, weight, out, attrs):
    """A dense layer whose weight is stored in blocks: NC8n is (units / 8, k, 8), NC8n4c is (units / 8, k / 4, 8, 4)."""


@DensePack.clause
def blocks_of_rows(data, weight, out, attrs):
    rows, inner, columns, blocks, block, own_inner, dtype = fresh(7)
    return lall(
        eq(weight, Tensor((blocks, own_inner, block), fresh())),
        eq(data, Tensor((rows, inner), dtype)),
        eq(out, Tensor((rows, columns), attrs.out_dtype or dtype)),
        stating("the inner dimensions agree", agree(inner, own_inner)),
        equals(times(blocks, block), columns),
    )


def blocked_product(data, weight, out, attrs):
    """A dense layer whose weight is stored as (units / n, k / m, n, m)."""
    rows, inner, columns, blocks, block, inner_blocks, inner_block, own_inner, dtype = fresh(9)
    return lall(
        eq(weight, Tensor((blocks, inner_blocks, block, inner_block), fresh())),
        eq(data, Tensor((rows, inner), dtype)),
        eq(out, Tensor((rows, columns), attrs.out_dtype or dtype)),
        equals(times(inner_blocks, inner_block), own_inner),
        stating("the inner dimensions agree", agree(inner, own_inner)),
        equals(times(blocks, block), columns),
    )


@DensePack.clause
def blocks_of_both(data, weight, out, attrs):
    return blocked_product(data, weight, out, attrs)


UNITS = "units: dim = None; out_dtype: dtype = ''"
TRANSPOSES = "transpose_a: bool = False; transpose_b: bool = False"

operator("nn.dense", "data, weight", Dense, UNITS)
operator("nn.matmul", "tensor_a, tensor_b", Matmul, f"{UNITS}; {TRANSPOSES}")
operator("nn.batch_matmul", "tensor_a, tensor_b", BatchMatmul, f"out_dtype: dtype = ''; {TRANSPOSES}")
operator("nn.contrib_dense_pack", "data, weight", DensePack, f"{UNITS}; weight_layout: str[layout NC] ?= 'NC'")
