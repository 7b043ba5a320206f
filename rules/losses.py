"""Losses: predictions against targets, and the buffer that keeps what a model has seen."""

from relaylogic.logic import agree, agree_lists, cons, eq, fail, fresh, lall, leo, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types.dtype_goals import is_float_dtype

from .axes import named, without_axis
from .shapes import signed_index


@relation
def CrossEntropy(x, y, out):
    """One number for predictions x and targets y, matrices of one shape."""


@CrossEntropy.clause
def one_number(x, y, out):
    rows, columns, dtype, y_rows, y_columns = fresh(5)
    return lall(
        eq(x, Tensor((rows, columns), dtype)),
        eq(y, Tensor((y_rows, y_columns), fresh())),
        eq(out, Tensor((), dtype)),
        stating("predictions and targets have one shape", agree(rows, y_rows), agree(columns, y_columns)),
    )


def classified(predictions, targets, weights, dtype, targets_shape):
    """Predictions hold one number per class for each target, a class; weights one per class."""
    batch, classes, own_classes, rest, target_batch, target_rest, target_dtype = fresh(7)
    return lall(
        eq(predictions, Tensor(cons((batch, classes), rest), dtype)),
        eq(targets, Tensor(targets_shape, target_dtype)),
        eq(targets_shape, cons(target_batch, target_rest)),
        stating("weights have the dtype of the predictions", eq(weights, Tensor((own_classes,), dtype))),
        stating("predictions are floats", is_float_dtype(dtype)),
        stating("targets are signed integers", signed_index(target_dtype)),
        stating("there is one weight per class", agree(classes, own_classes)),
        stating("there is one target per prediction", agree(batch, target_batch), agree_lists(rest, target_rest)),
    )


@relation
def NLLLoss(predictions, targets, weights, out, attrs):
    """The negative log likelihood of the targets, one number for each or reduced to one."""


@NLLLoss.clause
def one_per_target(predictions, targets, weights, out, attrs):
    if attrs.reduction not in ("none", "mean", "sum"):
        return stating("`reduction` is none, mean or sum", fail)
    if attrs.reduction != "none":
        return fail
    shape, dtype = fresh(2)
    return lall(eq(out, Tensor(shape, dtype)), classified(predictions, targets, weights, dtype, shape))


@NLLLoss.clause
def reduced(predictions, targets, weights, out, attrs):
    if attrs.reduction not in ("mean", "sum"):
        return fail
    dtype = fresh()
    return lall(eq(out, Tensor((), dtype)), classified(predictions, targets, weights, dtype, fresh()))


@relation
def FIFOBuffer(data, buffer, out, attrs):
    """The buffer, in which the newest data takes the place of the oldest along one axis."""


@FIFOBuffer.clause
def newest_in_oldest_out(data, buffer, out, attrs):
    shape, own_shape, extent, own_extent, others, own_others = fresh(6)
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(buffer, Tensor(own_shape, fresh())),
        eq(out, buffer),
        stating(
            f"both have {named(attrs.axis)}",
            without_axis(shape, attrs.axis, others, extent),
            without_axis(own_shape, attrs.axis, own_others, own_extent),
        ),
        stating("the data is no longer than the buffer", leo(extent, own_extent)),
        stating("the other axes agree", agree_lists(others, own_others)),
    )


operator("nn.cross_entropy", "x, y", CrossEntropy)
operator("nn.cross_entropy_with_logits", "x, y", CrossEntropy)
operator(
    "nn.nll_loss",
    "predictions, targets, weights",
    NLLLoss,
    "reduction: str[mean|sum|none] = 'mean'; ignore_index: int[..] ?= -100",
)
operator("nn.fifo_buffer", "data, buffer", FIFOBuffer, "axis: int[axis] = 0")
