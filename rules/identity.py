"""Identity: the result has the type of the input."""

from relaylogic.logic import eq
from relaylogic.rulebase import operator, relation


@relation
def Identity(data, out):
    """The input and the result have one type (of any form)."""


@Identity.clause
def same(data, out):
    return eq(data, out)


for name in (
    "abs acos acosh asin asinh atan atanh ceil copy cos cosh erf exp fast_erf fast_exp fast_tanh floor hardswish "
    "log log10 log2 negative round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc nn.relu"
).split():
    operator(name, "data", Identity)
