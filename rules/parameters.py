"""Parameters: tensors whose type follows from the data (weights, biases), and scales and zero points of quantised data.

An annotated parameter must fit; one without annotation takes its type from the data.
"""

from relaylogic.logic import default, eq, follows, fresh, fresh_list, lall, lany, membero, stating
from relaylogic.rulebase import BaseType, ShapeVar, relation
from relaylogic.types import TensorType as Tensor


def parameter(data, extents, dtype):
    """`data` has the extents, where `?` fits any, and elements of `dtype`."""
    own = fresh_list(len(extents))
    return lall(eq(data, Tensor(own, dtype)), *(follows(a, b) for a, b in zip(own, extents, strict=True)))


def weight(data, extents, dtype):
    """`data` has the extents, where `?` fits any; its elements are of `dtype` unless it says otherwise."""
    own, own_dtype = fresh_list(len(extents)), fresh()
    return lall(
        eq(data, Tensor(own, own_dtype)),
        *(follows(a, b) for a, b in zip(own, extents, strict=True)),
        default(own_dtype, dtype),
    )


def scale(data):
    """One scale for a whole tensor."""
    return stating("a scale is a float32 scalar", eq(data, Tensor((), "float32")))


def zero_point(data):
    """One zero point for a whole tensor."""
    return stating("a zero point is an int32 scalar", eq(data, Tensor((), "int32")))


def scales(data, channels):
    """One scale for a whole tensor, or one for each channel."""
    return stating("scales are float32, one for all or one per channel", OnePerChannel(data, channels, "float32"))


def zero_points(data, channels):
    """One zero point for a whole tensor, or one for each channel."""
    return stating("zero points are int32, one for all or one per channel", OnePerChannel(data, channels, "int32"))


@relation
def AsDeclared(extent: ShapeVar, declared: ShapeVar):
    """An extent stands where another one is written: they agree, and are one where nothing else says what it is."""


@AsDeclared.clause
def as_written(extent, declared):
    return follows(extent, declared)


@relation
def OnePerChannel(data, channels: ShapeVar, dtype: BaseType):
    """A number for a whole tensor, or one for each of its channels."""


@OnePerChannel.clause
def one_for_all(data, channels, dtype):
    return eq(data, Tensor((), dtype))


@OnePerChannel.clause
def one_each(data, channels, dtype):
    return parameter(data, (channels,), dtype)


def one_number(data, dtype):
    """A scalar, or a vector of one element."""
    return lany(eq(data, Tensor((), dtype)), eq(data, Tensor((1,), dtype)))


def of_dtype(dtype, allowed):
    """The dtype is one of those allowed."""
    return stating(f"the dtype is one of {', '.join(allowed)}", membero(dtype, allowed))
