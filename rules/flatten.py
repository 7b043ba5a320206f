"""Flatten: keep the extent of the batch, multiply the others."""

from relaylogic.logic import cons, eq, equals, fresh, lall, prod
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor


@relation
def Flatten(data, out):
    """A matrix with one row per element of the batch; a row holds all there is of it."""


@Flatten.clause
def keep_batch(data, out):
    batch, rest, size, dtype = fresh(4)
    return lall(
        eq(data, Tensor(cons(batch, rest), dtype)),
        eq(out, Tensor((batch, size), dtype)),
        equals(prod(rest), size),
    )


operator("nn.batch_flatten", "data", Flatten)
