"""Biases and normalisation: parameters that hold one number for each extent of one axis of the data."""

from relaylogic.logic import agree, cons, eq, equals, fresh, fresh_list, gto, lall, mod, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .axes import at_axis, named
from .parameters import parameter


def along_axis(data, axis, parameters, channels, dtype):
    """`data` has `channels` extents at `axis`, and each parameter is a vector of one number per channel."""
    shape = fresh()
    return lall(
        eq(data, Tensor(shape, dtype)),
        stating(f"the data has {named(axis)}", at_axis(shape, axis, channels)),
        *(stating(f"there is one {name} per channel", parameter(p, (channels,), dtype)) for name, p in parameters),
    )


@relation
def BiasAdd(data, bias, out, attrs):
    """A bias for each channel of the data."""


@BiasAdd.clause
def one_bias_per_channel(data, bias, out, attrs):
    return lall(eq(data, out), along_axis(data, attrs.axis, [("bias", bias)], *fresh(2)))


@relation
def PRelu(data, alpha, out, attrs):
    """A slope for each channel of the data, whose axis does not count from the end."""


@PRelu.clause
def one_slope_per_channel(data, alpha, out, attrs):
    return lall(
        stating("the axis counts from the front", gto(attrs.axis, -1)),
        eq(data, out),
        along_axis(data, attrs.axis, [("slope", alpha)], *fresh(2)),
    )


@relation
def BatchNorm(data, gamma, beta, moving_mean, moving_var, out, attrs):
    """The normalised data with the new mean and variance of each channel; of negative axes there is only -1."""


@BatchNorm.clause
def statistics_per_channel(data, gamma, beta, moving_mean, moving_var, out, attrs):
    channels, dtype = fresh(2)
    statistics = Tensor((channels,), dtype)
    parameters = [("gamma", gamma), ("beta", beta), ("mean", moving_mean), ("variance", moving_var)]
    return lall(
        stating("the axis counts from the front, or is -1", gto(attrs.axis, -2)),
        eq(out, Tuple((data, statistics, statistics))),
        along_axis(data, attrs.axis, parameters, channels, dtype),
    )


def normalised(data, gamma, beta, out, axis, channels):
    """`out` is like `data`, with a factor gamma and an offset beta for each channel."""
    return lall(eq(data, out), along_axis(data, axis, [("gamma", gamma), ("beta", beta)], channels, fresh()))


@relation
def LayerNorm(data, gamma, beta, out, attrs):
    """The data normalised along one axis."""


@LayerNorm.clause
def along_one_axis(data, gamma, beta, out, attrs):
    return normalised(data, gamma, beta, out, attrs.axis, fresh())


@relation
def InstanceNorm(data, gamma, beta, out, attrs):
    """Each channel of each sample normalised: the data has a batch, channels, and at least one axis more."""


@InstanceNorm.clause
def per_sample_and_channel(data, gamma, beta, out, attrs):
    return lall(
        eq(data, Tensor(cons(fresh_list(3), fresh()), fresh())),
        normalised(data, gamma, beta, out, attrs.axis, fresh()),
    )


@relation
def GroupNorm(data, gamma, beta, out, attrs):
    """The channels normalised in groups of equal size."""


@GroupNorm.clause
def groups_of_channels(data, gamma, beta, out, attrs):
    channels, left = fresh(2)
    return lall(
        stating("there are groups", gto(attrs.num_groups, 0)),
        normalised(data, gamma, beta, out, attrs.axis, channels),
        stating("the groups divide the channels", equals(mod(channels, attrs.num_groups), left), agree(left, 0)),
    )


@relation
def Dropout(data, out):
    """The data with elements dropped, and the mask that says which."""


@Dropout.clause
def data_and_mask(data, out):
    return lall(eq(data, Tensor(fresh(), fresh())), eq(out, Tuple((data, data))))


NORM = "epsilon: float = 1e-05; center: bool = True; scale: bool = True"

operator("nn.bias_add", "data, bias", BiasAdd, "axis: int[axis] = 1")
operator("nn.prelu", "data, alpha", PRelu, "axis: int[axis] = 1")
operator("nn.batch_norm", "data, gamma, beta, moving_mean, moving_var", BatchNorm, f"axis: int[axis] = 1; {NORM}")
operator("nn.layer_norm", "data, gamma, beta", LayerNorm, f"axis: int[axis] = -1; {NORM}")
operator("nn.instance_norm", "data, gamma, beta", InstanceNorm, f"axis: int[axis] = 1; {NORM}")
operator("nn.group_norm", "data, gamma, beta", GroupNorm, f"num_groups: int[0..] = 0; axis: int[axis] = 1; {NORM}")
operator("nn.dropout", "data", Dropout, "rate: float = 0.5")
