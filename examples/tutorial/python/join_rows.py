"""JoinRows in Python: the same clause, built by a function."""

from relaylogic.logic import cons, eq, equals, fresh, lall, stating, times
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor


@relation
def JoinRows(data, out):
    """Half as many rows, each twice as long."""


@JoinRows.clause
def pairs(data, out):
    n, k, m, more, dtype = fresh(5)
    return lall(
        eq(data, Tensor(cons(n, cons(m, more)), dtype)),
        eq(out, Tensor(cons(k, cons(times(2, m), more)), dtype)),
        stating("the number of rows is even", equals(n, times(2, k))),
    )


operator("nn.join_rows", "data", JoinRows)
