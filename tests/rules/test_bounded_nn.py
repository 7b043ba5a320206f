"""Bounded completeness: whatever holds of types without variables is found again from any part of them.

Extents are naturals and the dtypes are fixed. Of `?` this does not hold, since a variable is never guessed to be `?`;
nor of the dtype of an open weight of nn.dense and nn.matmul, which is the data's by default.
"""

from itertools import combinations, product

import pytest

from relaylogic.logic import eq, fresh, lall
from relaylogic.logic.search.search import search
from relaylogic.rulebase import default_rules
from relaylogic.types import TensorType
from tests.effort import some


def tensors(ranks, extents=(1, 2), dtype="float32"):
    """All tensor types of these ranks and extents."""
    return [TensorType(shape, dtype) for rank in ranks for shape in product(extents, repeat=rank)]


def goal(operator, types, attrs):
    given = (*types, attrs) if operator.relation.takes_attrs else types
    return operator.relation(*given)


UNIVERSES = [
    ("nn.batch_flatten", {}, [tensors([0, 1, 2, 3], (0, 1, 2)), tensors([2], (0, 1, 2, 4))]),
    ("nn.dense", {}, [tensors([1, 2]), tensors([2]), tensors([1, 2])]),
    ("nn.dense", {"units": 2}, [tensors([1, 2]), tensors([2]), tensors([1, 2])]),
    ("nn.matmul", {"transpose_a": True}, [tensors([2, 3]), tensors([2]), tensors([2, 3])]),
    ("nn.batch_matmul", {}, [tensors([3]), tensors([3]), tensors([3])]),
    ("nn.contrib_dense_pack", {"weight_layout": ""}, [tensors([2]), tensors([3]), tensors([2], (1, 2, 4))]),
    ("nn.bias_add", {"axis": -1}, [tensors([1, 2, 3]), tensors([1]), tensors([1, 2, 3])]),
    ("nn.prelu", {"axis": 1}, [tensors([1, 2, 3]), tensors([1]), tensors([1, 2, 3])]),
    ("nn.layer_norm", {"axis": 0}, [tensors([1, 2]), tensors([1]), tensors([1]), tensors([1, 2])]),
    (
        "nn.group_norm",
        {"axis": 0, "num_groups": 2},
        [tensors([1, 2], (2, 3)), *[tensors([1], (2, 3))] * 2, tensors([2], (2, 3))],
    ),
    ("nn.softmax", {"axis": -2}, [tensors([0, 1, 2]), tensors([0, 1, 2])]),
    ("nn.cross_entropy", {}, [tensors([1, 2]), tensors([2]), tensors([0])]),
    (
        "nn.nll_loss",
        {"ignore_index": 0, "reduction": "none"},
        [tensors([2, 3]), tensors([1, 2], dtype="int32"), tensors([1]), tensors([1, 2])],
    ),
    ("nn.fifo_buffer", {"axis": -1}, [tensors([1, 2]), tensors([1, 2]), tensors([1, 2])]),
    (
        "qnn.quantize",
        {"out_dtype": "int8"},
        [
            tensors([0, 1, 2]),
            tensors([0, 1]),
            tensors([0, 1], dtype="int32"),
            tensors([0, 1, 2], dtype="int8"),
        ],
    ),
    (
        "qnn.dequantize",
        {"out_dtype": "float32"},
        [
            tensors([0, 1, 2], dtype="int8"),
            tensors([0, 1]),
            tensors([0, 1], dtype="int32"),
            tensors([0, 1, 2]),
        ],
    ),
]


@pytest.mark.parametrize(("op", "attrs", "universe"), UNIVERSES, ids=[op for op, _, _ in UNIVERSES])
def test_everything_that_holds_is_found_from_any_part(op, attrs, universe):
    operator = default_rules().operator(op)
    attrs = operator.attrs(attrs)
    found = [t for t in product(*universe) if search([("", goal(operator, t, attrs))], t, steps=10_000).answers]
    for types in some(found, 3):
        positions = range(len(types))
        for unknown in (set(c) for n in positions for c in combinations(positions, n + 1)):
            asked = tuple(fresh() if i in unknown else t for i, t in enumerate(types))
            again = lall(goal(operator, asked, attrs), eq(asked, types))
            assert search([("", again)], asked, steps=10_000).answers, f"{types} is lost when {unknown} are open"
    assert len(found) > 1
