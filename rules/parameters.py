"""Parameters: tensors whose type follows from the data (weights, biases), and the scales and zero points of quantisation.

An annotated parameter must fit; one without annotation takes its type from the data.
"""

from relaylogic.logic import conde, default, eq, follows, fresh, fresh_list, lall, membero, stating
from relaylogic.types import TensorType as Tensor

QUANTISED = ("int8", "uint8")


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


def scales(data, extent):
    """One scale, or one for each of `extent` channels."""
    return stating("scales are float32, one or one per channel", _one_or_each(data, extent, "float32"))


def zero_points(data, extent):
    """One zero point, or one for each of `extent` channels."""
    return stating("zero points are int32, one or one per channel", _one_or_each(data, extent, "int32"))


def _one_or_each(data, extent, dtype):
    own, shape = fresh(2)
    return lall(eq(data, Tensor(shape, dtype)), conde([eq(shape, ())], [eq(shape, (own,)), follows(own, extent)]))


def quantised(dtype, among=QUANTISED):
    """The dtype is one of `among`."""
    return stating(f"the data is quantised: {', '.join(among)}", membero(dtype, among))

