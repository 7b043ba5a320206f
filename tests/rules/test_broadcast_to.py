"""broadcast_to, broadcast_to_like, collapse_sum_like, collapse_sum_to."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor

TO_SHAPE = [
    # input, shape, result
    ((3,), [2, 3], (2, 3)),
    ((1, 3), [2, 3], (2, 3)),
    (("?", "?"), [3, 1], (3, 1)),
    ((2, 3), [2, 4], None),
    ((1, 3), [3], None),
    ((0,), [1], None),
    ((1,), [-1], None),
    ((1,), None, None),
]


@pytest.mark.parametrize(("given", "shape", "expected"), TO_SHAPE)
def test_broadcast_to(given, shape, expected):
    found = ask("broadcast_to", tensor(*given), "_", shape=shape, dtype="int8")
    assert (found and found[1]) == (None if expected is None else tensor(*expected))


LIKE = [
    # operator, input, other, result
    ("broadcast_to_like", (3,), (2, 3), (2, 3)),
    ("broadcast_to_like", (2, "?"), (2, 1), (2, "?")),
    ("broadcast_to_like", (3,), ("?",), ("?",)),
    ("broadcast_to_like", (2, 3), (2, 4), None),
    ("broadcast_to_like", (2, 3), (3,), None),
    ("collapse_sum_like", (2, 3), (3,), (3,)),
    ("collapse_sum_like", (2, 3), (2, 1), (2, 1)),
    ("collapse_sum_like", (2, "?"), (3,), (3,)),
    ("collapse_sum_like", (3,), (2, 3), None),
    ("collapse_sum_like", (2, 3), (2,), None),
]


@pytest.mark.parametrize(("op", "given", "like", "expected"), LIKE)
def test_like(op, given, like, expected):
    found = ask(op, tensor(*given), tensor(*like), "_")
    assert (found and found[2]) == (None if expected is None else tensor(*expected))


def test_like_is_a_tensor_of_the_same_dtype():
    for op in ("broadcast_to_like", "collapse_sum_like"):
        assert ask(op, tensor(3), tensor(3, dtype="int8"), "_") is None
        assert ask(op, tensor(3), f"({tensor(3)},)", "_") is None
        assert ask(op, "_", tensor(2, 3), "_") == ["Tensor[_, float32]", tensor(2, 3), tensor(2, 3)]


COLLAPSE = [
    # input, shape tensor, attribute, result
    ((2, 3), (1,), [3], (3,)),
    ((2, 3), (2,), None, ("?", "?")),
    ((2, 3), (2,), [2, 1], (2, 1)),
    ((2, 3), (1,), [4], None),
    ((3,), (2,), None, None),
    ((2, 3), ("?",), [3], None),
    ((2, 3), ("?",), None, None),
    ((2, 3), (), [3], None),
    ((2, 3), (1,), [-1], None),
]


@pytest.mark.parametrize(("given", "shape", "attribute", "expected"), COLLAPSE)
def test_collapse_sum_to(given, shape, attribute, expected):
    found = ask("collapse_sum_to", tensor(*given), tensor(*shape, dtype="int64"), "_", shape=attribute)
    assert (found and found[2]) == (None if expected is None else tensor(*expected))
