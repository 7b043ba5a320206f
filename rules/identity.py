"""Identity: the result has the type of the input. Tests for special values keep the shape and give bool."""

from relaylogic.logic import eq, fresh, lall
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor


@relation
def Identity(data, out):
    """The input and the result have one type (of any form)."""


@Identity.clause
def same(data, out):
    return eq(data, out)


@relation
def Test(data, out):
    """A tensor of bool in the shape of the input."""


@Test.clause
def bool_in_the_same_shape(data, out):
    shape = fresh()
    return lall(eq(data, Tensor(shape, fresh())), eq(out, Tensor(shape, "bool")))


for name in [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_not",
    "ceil",
    "copy",
    "cos",
    "cosh",
    "erf",
    "exp",
    "fast_erf",
    "fast_exp",
    "fast_tanh",
    "floor",
    "hardswish",
    "invert_permutation",
    "log",
    "log10",
    "log2",
    "logical_not",
    "negative",
    "ones_like",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "zeros_like",
    "nn.relu",
]:
    operator(name, "data", Identity)

operator("clip", "data", Identity, "a_min: float; a_max: float")

for name in ("isfinite", "isinf", "isnan"):
    operator(name, "data", Test)
