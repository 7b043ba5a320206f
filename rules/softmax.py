"""Softmax, and element-wise layers with attributes: the result has the type of the data."""

from relaylogic.logic import eq, fresh, lall, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

from .axes import has_axis, named
from .identity import Identity


@relation
def Softmax(data, out, attrs):
    """A tensor of the data's type, which has the axis along which the exponentials add up to 1."""


@Softmax.clause
def along_an_axis(data, out, attrs):
    shape = fresh()
    return lall(
        eq(data, Tensor(shape, fresh())),
        eq(data, out),
        stating(f"the data has {named(attrs.axis)}", has_axis(shape, attrs.axis)),
    )


for name in ("nn.softmax", "nn.log_softmax", "nn.fast_softmax"):
    operator(name, "data", Softmax, "axis: int[axis] = -1")

operator("nn.leaky_relu", "data", Identity, "alpha: float = 0.25")
operator(
    "nn.lrn",
    "data",
    Identity,
    "size: int = 5; axis: int[axis] = 1; bias: float = 2.0; alpha: float = 0.0001; beta: float = 0.75",
)
operator("nn.l2_normalize", "data", Identity, "eps: float; axis: list ?= None")
operator("fixed_point_multiply", "data", Identity, "multiplier: int; shift: int")
