"""Casting: another dtype in the same shape."""

from relaylogic.logic import eq, fresh, lall
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor


@relation
def Cast(data, out, attrs):
    """The result has the shape of the input and the dtype of the attribute."""


@Cast.clause
def to_dtype(data, out, attrs):
    shape = fresh()
    return lall(eq(data, Tensor(shape, fresh())), eq(out, Tensor(shape, attrs.dtype)))


@relation
def CastLike(data, dtype_like, out):
    """The result has the shape of one tensor and the dtype of another."""


@CastLike.clause
def to_dtype_of(data, dtype_like, out):
    shape, dtype = fresh(2)
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(dtype_like, Tensor(fresh(), dtype)),
        eq(out, Tensor(shape, dtype)),
    )


operator("cast", "data", Cast, "dtype: dtype")
operator("reinterpret", "data", Cast, "dtype: dtype")
operator("cast_like", "data, dtype_like", CastLike)
