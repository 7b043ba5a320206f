"""Gathering: elements picked by index tensors: take, gather, gather_nd, adv_index."""

from relaylogic.logic import (
    agree,
    appendo,
    at_leasto,
    cons,
    eq,
    equals,
    fail,
    fresh,
    fresh_list,
    gto,
    lall,
    lengtho,
    plus,
    stating,
    unroll,
)
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .axes import FAR, has_axes, no_axis, normal_axis
from .broadcast import BroadcastShapes
from .shapes import index, signed_index


@relation
def Take(data, indices, out, attrs):
    """The extents of the indices in place of the axis; without an axis the indices count in the flattened input."""


@Take.clause
def from_flattened(data, indices, out, attrs):
    if attrs.axis is not None:
        return fail
    shape, dtype, index_dtype = fresh(3)
    return lall(
        eq(data, Tensor(fresh(), dtype)),
        eq(indices, Tensor(shape, index_dtype)),
        eq(out, Tensor(shape, dtype)),
        stating("the indices are integers", index(index_dtype)),
    )


@Take.clause
def from_axis(data, indices, out, attrs):
    batches = attrs.batch_dims
    if attrs.axis is None:
        return fail
    if batches is None or not 0 <= batches < FAR:
        return stating("`batch_dims` is a number of axes", fail)
    shape, result, dtype, index_dtype, more, tail = fresh(6)
    batch = fresh_list(batches)
    if 0 <= attrs.axis < FAR:
        picked = _picked(attrs.axis, shape, batch, more, tail, result)
    else:
        by_rank = unroll((shape,), _picked_from_rank, attrs.axis, batch, more, tail, result)
        picked = lall(has_axes(shape, (attrs.axis,)), by_rank)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(indices, Tensor(cons(batch, more), index_dtype)),
        eq(out, Tensor(result, dtype)),
        stating("the indices are integers", index(index_dtype)),
        stating("the input has this axis", picked),
    )


def _picked(axis, shape, batch, more, tail, result):
    if axis < len(batch):
        return stating("`axis` is not one of the batch", fail)
    front, rest = fresh_list(axis), fresh()
    return lall(
        eq(shape, cons((*front, fresh()), rest)),
        appendo(more, rest, tail),
        eq(result, cons(front, tail)),
        stating("the batch dimensions agree", *(agree(a, b) for a, b in zip(front, batch, strict=False))),
    )


def _picked_from_rank(extents, axis, batch, more, tail, result):
    at = normal_axis(axis, len(extents))
    return no_axis(axis, extents) if at is None else _picked(at, extents, batch, more, tail, result)


@relation
def Gather(data, indices, out, attrs):
    """One element along `axis` for each index; the shape of the result is that of the indices."""


@Gather.clause
def along_axis(data, indices, out, attrs):
    if attrs.axis is None:
        return stating("`axis` is given", fail)
    shape, result, dtype, index_dtype = fresh(4)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(indices, Tensor(result, index_dtype)),
        eq(out, Tensor(result, dtype)),
        stating("the indices are signed integers", signed_index(index_dtype)),
        stating("the input has this axis", has_axes(shape, (attrs.axis,))),
        stating("the indices have the rank of the input", unroll((shape, result), _compared, attrs.axis)),
    )


def _compared(extents, picks, axis):
    at = normal_axis(axis, len(extents))
    if at is None:
        return no_axis(axis, extents)
    others = [agree(a, b) for i, (a, b) in enumerate(zip(extents, picks, strict=True)) if i != at]
    return lall(
        stating("the other extents agree", *others), stating("there is an index along `axis`", gto(picks[at], 0))
    )


@relation
def GatherND(data, indices, out, attrs):
    """The first axis of the indices holds coordinates of the input's leading axes (those behind the batch axes)."""


@GatherND.clause
def by_coordinates(data, indices, out, attrs):
    batches = attrs.batch_dims
    if batches is None or not 0 <= batches < FAR:
        return stating("`batch_dims` is a number of axes", fail)
    coordinates, more, leading, passed, rest, shape, result, dtype = fresh(8)
    own, theirs = fresh_list(batches), fresh_list(batches)
    return lall(
        eq(data, Tensor(shape, dtype)),
        eq(indices, Tensor(cons((coordinates, *theirs), more), fresh())),
        eq(out, Tensor(result, dtype)),
        stating(
            "the input has as many axes as the coordinates need",
            equals(plus(coordinates, batches), passed),
            at_leasto(shape, passed),
            lengtho(leading, passed),
            appendo(leading, rest, shape),
        ),
        eq(leading, cons(own, fresh())),
        stating("the batch dimensions agree", *(agree(a, b) for a, b in zip(own, theirs, strict=True))),
        appendo(cons(theirs, more), rest, result),
    )


@relation
def AdvIndex(inputs, out):
    """The first tensor, indexed by the others, which are broadcast together and replace its leading axes."""


@AdvIndex.clause
def by_index_tensors(inputs, out):
    fields, dtype, result = fresh(3)
    return lall(eq(inputs, Tuple(fields)), eq(out, Tensor(result, dtype)), unroll((fields,), _indexed, dtype, result))


def _indexed(parts, dtype, result):
    if len(parts) < 2:
        return stating("there are data and indices", fail)
    shapes, goals = fresh_list(len(parts)), []
    common = shapes[1]
    for shape in shapes[2:]:
        wider = fresh()
        goals.append(BroadcastShapes(common, shape, wider))
        common = wider
    rest = fresh()
    return lall(
        *(eq(part, Tensor(shape, fresh())) for part, shape in zip(parts, shapes, strict=True)),
        eq(parts[0], Tensor(shapes[0], dtype)),
        stating("the input has an axis for each index tensor", eq(shapes[0], cons(fresh_list(len(parts) - 1), rest))),
        stating("the index tensors broadcast", *goals),
        appendo(common, rest, result),
    )


operator(
    "take",
    "data, indices",
    Take,
    "batch_dims: integer = 0; axis: integer[axis] = None; mode: str[clip|wrap|fast] = 'clip'",
)
operator("gather", "data, indices", Gather, "axis: integer[axis] = None")
operator("gather_nd", "data, indices", GatherND, "batch_dims: integer = 0; index_rank: integer = None")
operator("adv_index", "inputs", AdvIndex)
