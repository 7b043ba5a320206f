"""sparse_to_dense, dyn.sparse_to_dense, sparse_reshape, sparse_fill_empty_rows."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor

INDICES = tensor(3, 2, dtype="int64")

COORDINATES = [
    # indices, values, default; whether the call holds
    (INDICES, tensor(3), "float32", True),
    (tensor(3, 2, 1, dtype="int8"), tensor(3, 1), "int8", True),
    ("int64", "float32", "float32", True),
    (tensor(3, 2, 1, 1, dtype="int64"), tensor(3), "float32", False),
    (tensor(3, 2, dtype="uint8"), tensor(3), "float32", False),
    (INDICES, tensor(3, 1, 1), "float32", False),
    (INDICES, tensor(3), tensor(1), False),
]


@pytest.mark.parametrize(("indices", "values", "default", "holds"), COORDINATES)
def test_to_dense(indices, values, default, holds):
    found = ask("sparse_to_dense", indices, values, default, "_", output_shape=[4, 5])
    assert (found and found[3]) == (tensor(4, 5) if holds else None)
    shape = tensor(2, dtype="int64")
    found = ask("dyn.sparse_to_dense", indices, values, default, shape, "_")
    assert (found and found[4]) == (tensor("?", "?") if holds else None)


def test_shape_of_the_result():
    assert ask("sparse_to_dense", INDICES, tensor(3), "float32", "_", output_shape=[-1]) is None
    assert ask("sparse_to_dense", INDICES, tensor(3), "float32", "_", output_shape=None) is None
    assert ask("dyn.sparse_to_dense", INDICES, tensor(3), "float32", tensor("?"), "_") is None
    assert ask("dyn.sparse_to_dense", INDICES, tensor(3), "float32", "_", tensor("?"))[3] == "Tensor[(1, ..._), _]"


def test_sparse_reshape():
    old, new = tensor(2, dtype="int64"), tensor(3, dtype="int32")
    assert ask("sparse_reshape", INDICES, old, new, "_")[3] == f"({tensor(3, 3, dtype='int64')}, {new})"
    assert ask("sparse_reshape", "_", old, "_", f"({tensor(3, 3, dtype='int64')}, {new})")[2] == new
    assert ask("sparse_reshape", INDICES, old, tensor(3), "_") is None
    assert ask("sparse_reshape", INDICES, tensor(1, 2, dtype="int64"), new, "_") is None
    assert ask("sparse_reshape", tensor(3, dtype="int64"), old, new, "_") is None


def test_sparse_fill_empty_rows():
    filled = f"({tensor('?', 2, dtype='int64')}, {tensor('?', dtype='int64')}, {tensor('?', dtype='int64')})"
    assert ask("sparse_fill_empty_rows", tensor(6, 2), "()", "_", "_", "_")[4] == filled
    assert ask("sparse_fill_empty_rows", tensor(6), "_", "_", "_", "_") is None
    assert ask("sparse_fill_empty_rows", "_", "_", "_", "_", filled)[0] == "Tensor[(_, 2, ..._), _]"
