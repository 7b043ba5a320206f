"""Sorting and searching: orders, largest elements, insertion points, distinct elements, true places."""

from relaylogic.logic import (
    agree,
    appendo,
    cons,
    eq,
    fail,
    fresh,
    is_rigid,
    lall,
    lengtho,
    mapo,
    membero,
    stating,
    unroll,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import ANY
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .axes import has_axis, with_axis_replaced


def axis_exists(shape, axis):
    """What every operator here asks of its axis."""
    return stating("the axis exists", has_axis(shape, axis))


@relation
def Sort(data, out, attrs):
    """The elements in order along an axis."""


@Sort.clause
def in_order(data, out, attrs):
    shape, dtype = fresh(2)
    return lall(eq(data, Tensor(shape, dtype)), eq(out, data), axis_exists(shape, attrs.axis))


@relation
def Argsort(data, out, attrs):
    """The places that the elements along an axis come from when they are sorted, in the given dtype."""


@Argsort.clause
def places_in_order(data, out, attrs):
    shape = fresh()
    return lall(eq(data, Tensor(shape, fresh())), eq(out, Tensor(shape, attrs.dtype)), axis_exists(shape, attrs.axis))


@relation
def TopResult(values, indices, out, attrs):
    """What `ret_type` asks for: the values, their indices, or both."""


@TopResult.clause
def both(values, indices, out, attrs):
    if attrs.ret_type not in ("both", "values", "indices"):
        return stating("`ret_type` is both, values or indices", fail)
    return eq(out, Tuple((values, indices))) if attrs.ret_type == "both" else fail


@TopResult.clause
def only_values(values, indices, out, attrs):
    return eq(out, values) if attrs.ret_type == "values" else fail


@TopResult.clause
def only_indices(values, indices, out, attrs):
    return eq(out, indices) if attrs.ret_type == "indices" else fail


@relation
def TopK(data, out, attrs):
    """The k largest (or least) elements along an axis and their indices; all of them if k is not positive."""


@TopK.clause
def k_of_them(data, out, attrs):
    if attrs.k is None or attrs.k < 1:
        return fail
    shape, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(shape, dtype)),
        TopResult(Tensor(result, dtype), Tensor(result, attrs.dtype), out, attrs.only("ret_type")),
        stating("the axis exists", with_axis_replaced(shape, attrs.axis, attrs.k, result)),
    )


@TopK.clause
def all_of_them(data, out, attrs):
    if attrs.k is None or attrs.k >= 1:
        return fail
    shape, dtype = fresh(2)
    return lall(
        eq(data, Tensor(shape, dtype)),
        TopResult(data, Tensor(shape, attrs.dtype), out, attrs.only("ret_type")),
        axis_exists(shape, attrs.axis),
    )


@relation
def DynTopK(data, k, out, attrs):
    """The k largest elements along an axis for a k that is computed: a scalar or the only element of a vector."""


@DynTopK.clause
def so_many_of_them(data, k, out, attrs):
    shape, result, dtype, k_shape = fresh(4)
    return lall(
        eq(data, Tensor(shape, dtype)),
        TopResult(Tensor(result, dtype), Tensor(result, attrs.dtype), out, attrs.only("ret_type")),
        stating("the axis exists", with_axis_replaced(shape, attrs.axis, ANY, result)),
        eq(k, Tensor(k_shape, fresh())),
        stating("k is one number", membero(k_shape, ((), (1,)))),
    )


@relation
def SearchSorted(sequence, values, out, attrs):
    """The places where the values belong in a sorted sequence: one sequence, or one for each row of the values."""


@SearchSorted.clause
def one_sequence(sequence, values, out, attrs):
    first, more, length = fresh(3)
    shape = cons(first, more)
    return lall(
        eq(values, Tensor(shape, fresh())),
        eq(out, Tensor(shape, attrs.dtype)),
        membero(sequence, (Tensor((), fresh()), Tensor((length,), fresh()))),
    )


@SearchSorted.clause
def sequence_for_each_row(sequence, values, out, attrs):
    first, second, more, shape = fresh(4)
    sequences = cons((first, second), more)
    return lall(
        eq(sequence, Tensor(sequences, fresh())),
        eq(values, Tensor(shape, fresh())),
        eq(out, Tensor(shape, attrs.dtype)),
        stating(
            "the sequences and the values agree in all but the last axis",
            unroll((sequences, shape), _outer_axes),
        ),
    )


@SearchSorted.clause
def sequence_for_each_row_before_a_rigid_end(sequence, values, out, attrs):
    sequences, shape, first, more, front, end = fresh(6)
    ours = cons(first, more)
    return lall(
        eq(sequence, Tensor(sequences, fresh())),
        eq(values, Tensor(shape, fresh())),
        eq(out, Tensor(shape, attrs.dtype)),
        is_rigid(end),
        appendo(ours, end, sequences),
        appendo(front, end, shape),
        stating("the sequences and the values agree in all axes before the end of both", mapo(agree, ours, front)),
    )


def _outer_axes(ours, theirs):
    return lall(*(agree(a, b) for a, b in list(zip(ours, theirs))[:-1]))


@relation
def Unique(data, out, attrs):
    """The distinct elements of a vector, where they were, which one stands for each element, and how many they are.

    All results have the vector's length, of which the count says what is used.
    """


@Unique.clause
def distinct_elements(data, out, attrs):
    length, dtype = fresh(2)
    places, count = Tensor((length,), "int32"), Tensor((1,), "int32")
    counts = (places,) if attrs.return_counts else ()
    return lall(
        stating("the data is a vector", eq(data, Tensor((length,), dtype))),
        eq(out, Tuple((data, places, places, count, *counts))),
    )


@relation
def ArgWhere(condition, out):
    """The indices, one row each, of the elements that hold."""


@ArgWhere.clause
def rows_of_indices(condition, out):
    shape, rank = fresh(2)
    return lall(eq(condition, Tensor(shape, fresh())), eq(out, Tensor((ANY, rank), "int32")), lengtho(shape, rank))


ORDER = "axis: int[axis] = -1; is_ascend: bool = True; dtype: dtype = ''"
TOP = (
    "k: integer[0..] ?= 1; axis: int[axis] = -1; "
    "ret_type: str[both|values|indices] = 'both'; is_ascend: bool = False; dtype: dtype = ''"
)

operator("sort", "data", Sort, ORDER)
operator("argsort", "data", Argsort, ORDER)
operator("topk", "data", TopK, TOP)
operator("dyn.topk", "data, k", DynTopK, TOP.replace("k: integer[0..] ?= 1", "k: integer[0..] = None"))
operator("searchsorted", "sorted_sequence, values", SearchSorted, "right: bool = False; dtype: dtype = 'int32'")
operator("unique", "data", Unique, "sorted: bool = True; return_counts: bool = False")
operator("argwhere", "condition", ArgWhere)
