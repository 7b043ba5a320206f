"""Broadcasting to a given shape, and summing back to it."""

from relaylogic.logic import eq, fail, fresh, is_known, lall, later, mapo, stating, widest
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .broadcast import BroadcastShapes, StretchShape
from .creation import extents
from .shapes import shape_tensor, unknown_shape


@relation
def BroadcastTo(data, out, attrs):
    """The result has the shape of the attribute, to which the input's broadcasts."""


@BroadcastTo.clause
def to_shape(data, out, attrs):
    source, result, dtype = fresh(3)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(out, Tensor(result, dtype)),
        later(_stretched, source, result, attrs.only("shape")),
    )


def _stretched(source, result, attrs):
    target = extents(attrs.shape)
    if target is None:
        return stating("`shape` lists naturals", fail)
    return lall(eq(result, target), stating("the input broadcasts to `shape`", StretchShape(source, target)))


@relation
def BroadcastToLike(data, broadcast_type, out):
    """The result has the type of the second input, to which the first one broadcasts."""


@BroadcastToLike.clause
def to_shape_of(data, broadcast_type, out):
    source, target, both, result, dtype = fresh(5)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(broadcast_type, Tensor(target, dtype)),
        eq(out, Tensor(result, dtype)),
        stating(
            "the input broadcasts to the other",
            BroadcastShapes(source, target, both),
            mapo(widest, target, both, result),
        ),
    )


@relation
def CollapseSumLike(data, collapse_type, out):
    """The result has the type of the second input, which broadcasts to the first one."""


@CollapseSumLike.clause
def to_type_of(data, collapse_type, out):
    source, target, dtype = fresh(3)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(collapse_type, Tensor(target, dtype)),
        eq(out, collapse_type),
        stating("the other broadcasts to the input", StretchShape(target, source)),
    )


@relation
def CollapseSumTo(data, shape, out, attrs):
    """The result has the shape that the attribute or, if there is none, the second input holds."""


@CollapseSumTo.clause
def sum_to_shape(data, shape, out, attrs):
    source, target, rank, dtype = fresh(4)
    if attrs.shape is None:
        known = unknown_shape(target, rank)
    else:
        given = extents(attrs.shape)
        known = stating("`shape` lists naturals", fail) if given is None else eq(target, given)
    return lall(
        eq(data, Tensor(source, dtype)),
        eq(out, Tensor(target, dtype)),
        stating("the rank of the result is known", shape_tensor(shape, rank), is_known(rank)),
        known,
        stating("the result broadcasts to the input", StretchShape(target, source)),
    )


operator("broadcast_to", "data", BroadcastTo, "shape: list; dtype: dtype = ''")
operator("broadcast_to_like", "data, broadcast_type", BroadcastToLike)
operator("collapse_sum_like", "data, collapse_type", CollapseSumLike)
operator("collapse_sum_to", "data, shape", CollapseSumTo, "shape: list ?= None; dtype: dtype = ''")
