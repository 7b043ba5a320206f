"""take, gather, gather_nd, adv_index: the shape of what indices pick."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, clauses_of, tensor

CALLS = [
    # operator, attributes, input, indices, result
    ("take", {"axis": None}, (4, 5), (3, 2), (3, 2)),
    ("take", {"axis": 0}, (4, 5), (3, 2), (3, 2, 5)),
    ("take", {"axis": -1}, (4, 5), (3,), (4, 3)),
    ("take", {"axis": 1}, (4, 5), (), (4,)),
    ("take", {"axis": 2, "batch_dims": 1}, (4, 5, 6), (4, 3), (4, 5, 3)),
    ("take", {"axis": 1, "batch_dims": 1}, (4, 5), ("?", 3), (4, 3)),
    ("take", {"axis": 1, "batch_dims": 1}, (4, 5), (7, 3), None),
    ("take", {"axis": 2}, (4, 5), (3,), None),
    ("take", {"axis": -3}, (4, 5), (3,), None),
    ("take", {"axis": 0, "batch_dims": 1}, (4, 5), (4, 3), None),
    ("take", {"axis": 1, "batch_dims": -1}, (4, 5), (4, 3), None),
    ("take", {"axis": 1, "batch_dims": 1}, (4, 5), (), None),
    ("gather", {"axis": 1}, (3, 4), (3, 2), (3, 2)),
    ("gather", {"axis": -2}, (3, 4), (7, 4), (7, 4)),
    ("gather", {"axis": 1}, ("?", 4), (3, 2), (3, 2)),
    ("gather", {"axis": 1}, (3, 4), (2, 2), None),
    ("gather", {"axis": 1}, (3, 4), (3, 0), None),
    ("gather", {"axis": 1}, (3, 4), (3,), None),
    ("gather", {"axis": 2}, (3, 4), (3, 4), None),
    ("gather", {"axis": None}, (3, 4), (3, 4), None),
    ("gather_nd", {}, (2, 3, 4), (2, 5), (5, 4)),
    ("gather_nd", {}, (2, 3), (2,), ()),
    ("gather_nd", {"batch_dims": 1}, (3, 2, 2), (1, 3, 4), (3, 4, 2)),
    ("gather_nd", {"batch_dims": 1}, (3, 2, 2), (1, 4, 4), None),
    ("gather_nd", {}, (2, 3), (2**31 - 1, 3), None),
    ("gather_nd", {"batch_dims": 2**31 - 1}, (2, 3), (1, 3), None),
    ("take", {"axis": 2**31 - 1}, (2, 3), (4,), None),
    ("take", {"axis": 0, "batch_dims": 2**31 - 1}, (2, 3), (4,), None),
    ("gather_nd", {"batch_dims": 1}, (3, 2, 2), (3, 3), None),
    ("gather_nd", {"batch_dims": -1}, (2, 2), (2, 3), None),
    ("gather_nd", {}, (2, 2), ("?", 3), None),
    ("gather_nd", {}, (2, 2), (), None),
]


@pytest.mark.parametrize(("op", "attrs", "given", "indices", "expected"), CALLS)
def test_forward(op, attrs, given, indices, expected):
    found = ask(op, tensor(*given), tensor(*indices, dtype="int32"), "_", **attrs)
    assert (found and found[2]) == (None if expected is None else tensor(*expected))


def test_dtypes_of_indices():
    for dtype, take, gather, gather_nd in (
        ("int8", True, True, True),
        ("uint8", True, False, True),
        ("bool", True, False, True),
        ("float32", False, False, True),
    ):
        indices = tensor(1, 3, dtype=dtype)
        assert (ask("take", tensor(3, 4), indices, "_", axis=0) is not None) == take
        assert (ask("take", tensor(3, 4), indices, "_") is not None) == take
        assert (ask("gather", tensor(1, 4), indices, "_", axis=1) is not None) == gather
        assert (ask("gather_nd", tensor(3, 4), indices, "_") is not None) == gather_nd


def test_backwards():
    assert ask("take", tensor(5, 4), "_", tensor(7, 8, 4), axis=0)[1] == "Tensor[(7, 8), _]"
    assert ask("take", "_", tensor(7, dtype="int32"), tensor(2, 7, 4), axis=1)[0] == tensor(2, "_", 4)
    assert ask("take", "_", "_", tensor(7), axis=None)[:2] == ["Tensor[_, float32]", "Tensor[(7), _]"]
    assert ask("gather", "_", tensor(3, 2, dtype="int64"), tensor(3, 2), axis=1)[0] == tensor(3, "_")
    assert ask("gather_nd", "_", tensor(2, 5, dtype="int64"), tensor(5, 4))[0] == tensor("_", "_", 4)
    assert clauses_of("take", "_", "_", "_", axis=0) == {"from_axis"}


ADV_INDEX = [
    ([(4, 5), (3,)], (3, 5)),
    ([(4, 5), (3,), (2, 1)], (2, 3)),
    ([(4, 5), ()], (5,)),
    ([(4, 5), (3,), (2,)], None),
    ([(4, 5), (3,), (3,), (3,)], None),
    ([(4, 5)], None),
]


@pytest.mark.parametrize(("shapes", "expected"), ADV_INDEX)
def test_adv_index(shapes, expected):
    found = ask("adv_index", f"({', '.join(tensor(*s) for s in shapes)},)", "_")
    assert (found and found[1]) == (None if expected is None else tensor(*expected))


def test_adv_index_backwards():
    assert ask("adv_index", f"({tensor(4, 5)}, _)", tensor(3, 5))[0] == f"({tensor(4, 5)}, Tensor[(3), _])"
