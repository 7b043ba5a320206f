"""shape_of, ndarray_size, unravel_index, vm.reshape_tensor."""

from __future__ import annotations

from tests.rules.asking import ask, clauses_of, tensor


def test_shape_of():
    for op in ("shape_of", "vm.shape_of"):
        assert ask(op, tensor(2, "?"), "_", dtype="int64")[1] == tensor(2, dtype="int64")
        assert ask(op, "float32", "_", dtype="int64")[1] == "int64"
        assert ask(op, "_", tensor(3, dtype="int32"), dtype="int32")[0] == "Tensor[(_, _, _), _]"
        assert ask(op, "_", tensor(0, dtype="int32"), dtype="int32") is None
        assert ask(op, f"({tensor(2)},)", "_") is None
        assert clauses_of(op, "_", "_", dtype="int32") == {"of_scalar", "of_axes"}


def test_size():
    assert ask("ndarray_size", tensor(2, 3), "_", dtype="int64")[1] == "int64"
    assert ask("ndarray_size", "_", "int64", dtype="int64")[0] == "Tensor[_, _]"
    assert ask("ndarray_size", "_", tensor(1, dtype="int64"), dtype="int64") is None


def test_unravel_index():
    shape = tensor(2, dtype="int64")
    assert ask("unravel_index", tensor(5, 6, dtype="int32"), shape, "_")[2] == tensor(2, 5, dtype="int32")
    assert ask("unravel_index", "int32", shape, "_")[2] == tensor(2, dtype="int32")
    assert ask("unravel_index", tensor(5), shape, "_") is None
    assert ask("unravel_index", "int32", tensor(2), "_") is None
    assert ask("unravel_index", "int32", "int64", "_") is None
    assert clauses_of("unravel_index", "_", shape, tensor(2, dtype="int32")) == {"one_index"}
    assert clauses_of("unravel_index", "_", shape, tensor(2, 7, dtype="int32")) == {"many_indices"}


def test_reshape_tensor():
    shape = tensor(2, dtype="int64")
    assert ask("vm.reshape_tensor", tensor(2, 3), shape, "_", newshape=["?", 3])[2] == tensor("?", 3)
    assert ask("vm.reshape_tensor", "_", shape, tensor(7), newshape=[7])[0] == "Tensor[_, float32]"
    assert ask("vm.reshape_tensor", tensor(2, 3), shape, "_", newshape=[-1]) is None
