"""Scattering: parts of a tensor replaced by updates: scatter_elements, scatter_nd, matrix_set_diag, strided_set."""

from relaylogic.logic import (
    agree_lists,
    appendo,
    at_leasto,
    cons,
    difference,
    eq,
    equals,
    fail,
    fresh,
    gto,
    lall,
    lengtho,
    minimum,
    plus,
    same_lengtho,
    stating,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import has_axis
from .shapes import index


@relation
def ScatterElements(data, indices, updates, out, attrs):
    """The type of the input; one update of its dtype for each index, in its rank."""


@ScatterElements.clause
def along_axis(data, indices, updates, out, attrs):
    shape, places, values, dtype, index_dtype = fresh(5)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, data),
        eq(indices, Tensor(places, index_dtype)),
        stating("the updates have the dtype of the input", eq(updates, Tensor(values, dtype))),
        stating("the indices are integers", index(index_dtype)),
        stating("input, indices and updates have one rank", same_lengtho(shape, places, values)),
        stating("the input has this axis", has_axis(shape, attrs.axis)),
        stating("there is one update for each index", agree_lists(places, values)),
    )


@relation
def ScatterND(data, indices, updates, out, attrs):
    """The type of the input; the first axis of the indices holds coordinates of its leading axes."""


@ScatterND.clause
def by_coordinates(data, indices, updates, out, attrs):
    shape, coordinates, places, values, leading, rest, expected, dtype, index_dtype = fresh(9)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(out, data),
        eq(indices, Tensor(cons(coordinates, places), index_dtype)),
        stating("the updates have the dtype of the input", eq(updates, Tensor(values, dtype))),
        stating("the indices are integers", index(index_dtype)),
        stating(
            "the input has as many axes as the coordinates need",
            at_leasto(shape, coordinates),
            lengtho(leading, coordinates),
            appendo(leading, rest, shape),
        ),
        stating(
            "there is one update, of the shape of what it replaces, for each index",
            appendo(places, rest, expected),
            agree_lists(expected, values),
        ),
    )


@relation
def MatrixSetDiag(input, diagonal, out, attrs):
    """The type of the input; the diagonals k1..k2 of its last two axes are given, each padded to the longest one.

    The definition is that of TensorFlow's matrix_set_diag, which the operator takes over.
    """


@MatrixSetDiag.clause
def one_diagonal(input, diagonal, out, attrs):
    if attrs.k1 > attrs.k2:
        return stating("`k1` is at most `k2`", fail)
    return diagonals(input, diagonal, out, attrs, ()) if attrs.k1 == attrs.k2 else fail


@MatrixSetDiag.clause
def several_diagonals(input, diagonal, out, attrs):
    return diagonals(input, diagonal, out, attrs, (attrs.k2 - attrs.k1 + 1,)) if attrs.k1 < attrs.k2 else fail


def diagonals(input, diagonal, out, attrs, count):
    """`diagonal` has the batch axes of the matrices, `count`, and the length of the longest diagonal."""
    shape, batch, rows, columns, longest, expected, given, dtype = fresh(8)
    length = minimum(plus(rows, min(attrs.k2, 0)), difference(columns, max(attrs.k1, 0)))
    return lall(
        eq(input, Tensor(shape, dtype)),
        eq(out, input),
        stating("the diagonal has the dtype of the input", eq(diagonal, Tensor(given, dtype))),
        stating("the input holds matrices", at_leasto(shape, 2), appendo(batch, (rows, columns), shape)),
        stating("the matrices have these diagonals", gto(rows, -attrs.k1), gto(columns, attrs.k2)),
        equals(length, longest),
        appendo(batch, (*count, longest), expected),
        stating("the diagonals have the batch axes and the length of the longest one", agree_lists(expected, given)),
    )


operator(
    "scatter_elements",
    "data, indices, updates",
    ScatterElements,
    "axis: int[axis] ?= 0; reduction: str[update|add|mul|mean|min|max] = 'update'",
)
operator("scatter_nd", "data, indices, updates", ScatterND, "mode: str[update|add|mul|min|max] = 'update'")
operator(
    "matrix_set_diag",
    "input, diagonal",
    MatrixSetDiag,
    "k1: int = 0; k2: int = 0; super_diag_right_align: bool = True; sub_diag_right_align: bool = False",
)


@relation
def StridedSet(data, v, begin, end, strides, out):
    """The type of the input; nothing is said of what is set, and where."""


@StridedSet.clause
def same(data, v, begin, end, strides, out):
    return eq(out, data)


operator("strided_set", "data, v, begin, end, strides", StridedSet)


@relation
def NoCall(arguments, out):
    """Holds of nothing: a name that Relay registers and no longer defines."""


operator("scatter", "...", NoCall)
