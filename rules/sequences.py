"""Operators that change elements and keep the type: sequences along an axis, triangles."""

from relaylogic.logic import agree, eq, fail, fresh, lall, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import at_axis, has_axis
from .shapes import any_tensor, scalar, signed_index, vector


@relation
def ReverseSequence(data, seq_lengths, out, attrs):
    """The type of the input; one signed length for each index of the batch axis."""


@ReverseSequence.clause
def lengths_of_the_batch(data, seq_lengths, out, attrs):
    if attrs.seq_axis is None or attrs.batch_axis is None:
        return stating("`seq_axis` and `batch_axis` are given", fail)
    shape, batch, count, dtype = fresh(4)
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(out, data),
        stating("the lengths are a vector of signed integers", vector(seq_lengths, count, dtype), signed_index(dtype)),
        stating(
            "the input has both axes", has_axis(shape, attrs.seq_axis), at_axis(shape, attrs.batch_axis, batch)
        ),
        stating("there is one length for each index of the batch axis", agree(batch, count)),
    )


@relation
def SequenceMask(data, valid_length, out, attrs):
    """The type of the input; sequences run along axis 0 or 1, the other one is the batch, with one length for each."""


@SequenceMask.clause
def lengths_across(data, valid_length, out, attrs):
    if attrs.axis not in (0, 1):
        return stating("`axis` is 0 or 1", fail)
    shape, batch, count = fresh(3)
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(out, data),
        stating("the valid lengths are a vector", vector(valid_length, count)),
        stating(
            "there is one length for each index of the batch axis",
            at_axis(shape, 1 - attrs.axis, batch),
            agree(batch, count),
        ),
    )


@relation
def Triangle(data, k, out):
    """The type of the input; k, the first diagonal, is a scalar."""


@Triangle.clause
def same(data, k, out):
    return lall(any_tensor(data), eq(out, data), stating("k is a scalar", scalar(k)))


operator(
    "reverse_sequence",
    "data, seq_lengths",
    ReverseSequence,
    "seq_axis: integer[axis] = 1; batch_axis: integer[axis] = 0",
)
operator("sequence_mask", "data, valid_length", SequenceMask, "mask_value: float = 0.0; axis: int[axis] = 0")
operator("trilu", "data, k", Triangle, "upper: bool = True")
