"""Storage, tensors in it, lowered calls."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, clauses, result


def constant(*data, dtype="int64", shape=None):
    return {
        "const_shape": {
            "constant": {"dtype": dtype, "shape": [len(data)] if shape is None else shape, "data": list(data)}
        }
    }


ROWS = [
    ("memory.alloc_storage", {}, "int64, Tensor[(3, 3), int64], int64", "Storage[]"),
    ("memory.alloc_storage", {}, "_, int64, _", "Storage[]"),
    ("memory.alloc_storage", {}, "int32, int64, int64", "refused"),
    ("memory.alloc_storage", {}, "int64, int64, Tensor[(1), int64]", "refused"),
    ("memory.alloc_storage", {}, "int64, (int64,), int64", "refused"),
    (
        "memory.alloc_tensor",
        constant(2, 3),
        "Storage[], int32, Tensor[(2), int64]",
        "Tensor[(2, 3), float32]",
    ),
    ("memory.alloc_tensor", constant(), "Storage[], int64, int64", "float32"),
    ("memory.alloc_tensor", constant(), "Storage[], int64, Tensor[(0), int32]", "float32"),
    ("memory.alloc_tensor", constant(2, 3), "Tensor[(2), int8], int64, Tensor[(2), int64]", "refused"),
    ("memory.alloc_tensor", constant(2, 3), "Storage[], (int64,), Tensor[(2), int64]", "refused"),
    ("memory.alloc_tensor", constant(2, 3), "Storage[], int64, Tensor[(3), int64]", "refused"),
    ("memory.alloc_tensor", constant(2, 3), "Storage[], int64, int64", "refused"),
    ("memory.alloc_tensor", constant(-1, 3), "Storage[], int64, Tensor[(2), int64]", "refused"),
    ("memory.alloc_tensor", constant(2, 3, dtype="int16"), "Storage[], int64, Tensor[(2), int64]", "refused"),
    ("memory.alloc_tensor", constant(2, shape=[]), "Storage[], int64, Tensor[(1), int64]", "refused"),
    (
        "memory.alloc_tensor",
        {"assert_shape": [2, 3], "dtype": "int8"},
        "Storage[], int64, Tensor[(2), int64]",
        "Tensor[(2, 3), int8]",
    ),
    ("memory.alloc_tensor", {}, "Storage[], int64, Tensor[(2), int64]", "refused"),
    ("memory.kill", {}, "Storage[]", "()"),
    ("memory.kill", {}, "(float32, int8)", "()"),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), ROWS)
def test_memory(name, attrs, inputs, expected):
    assert result(name, attrs, inputs) == expected


def test_what_is_open_gets_its_type():
    shape = "Tensor[(2), int64]"
    assert answers("memory.alloc_storage", {}, f"_, {shape}, _") == [f"int64, {shape}, int64 -> Storage[]"]
    (found,) = answers("memory.alloc_tensor", constant(2, 3), f"_, int64, {shape}")
    assert found.startswith("Storage[], int64, ")
    assert clauses("memory.alloc_tensor", constant(), "Storage[], int64, _") == {"of_constant_shape"}
    assert len(answers("memory.alloc_tensor", constant(), "Storage[], int64, _")) == 2
    assert clauses("memory.alloc_storage", {}, f"int64, {shape}, int64", "Storage[]") == {"bytes_allocated"}


F = "fn (Tensor[(2, ?), float32], (int8, int8)) -> Tensor[(4), float32]"
PAIR = "fn () -> (int8, Tensor[(2), int8])"

CALLS = [
    ("call_lowered", f"{F}, (Tensor[(?, 3), float32], (int8, int8))", "Tensor[(4), float32]"),
    ("call_lowered", f"{F}, (Tensor[(2, 3), int8], (int8, int8))", "refused"),
    ("call_lowered", f"{F}, (Tensor[(2, 3), float32], (int8, int16))", "refused"),
    ("call_lowered", f"{F}, (Tensor[(2, 3), float32],)", "refused"),
    ("call_lowered", f"{PAIR}, ()", "(int8, Tensor[(2), int8])"),
    ("call_lowered", "float32, ()", "refused"),
    ("vm.invoke_tvm_op", f"{F}, (Tensor[(2, 3), float32], (int8, int8)), (Tensor[(?), float32],)", "()"),
    ("vm.invoke_tvm_op", f"{F}, (Tensor[(3, 3), float32], (int8, int8)), (Tensor[(4), float32],)", "refused"),
    ("vm.invoke_tvm_op", f"{F}, (Tensor[(2, 3), float32], (int8, int8)), (Tensor[(5), float32],)", "refused"),
    ("vm.invoke_tvm_op", f"{F}, (Tensor[(2, 3), float32], (int8, int8)), Tensor[(4), float32]", "refused"),
    ("vm.invoke_tvm_op", f"{PAIR}, (), (int8, Tensor[(?), int8])", "()"),
    ("vm.invoke_tvm_op", f"{PAIR}, (), (int8, Tensor[(3), int8])", "refused"),
    ("vm.invoke_tvm_op", "fn () -> fn () -> int8, (), (int8,)", "refused"),
]


@pytest.mark.parametrize(("name", "inputs", "expected"), CALLS)
def test_lowered_calls(name, inputs, expected):
    assert result(name, {}, inputs) == expected


def test_outputs_get_their_type():
    (found,) = answers("vm.invoke_tvm_op", {}, f"{PAIR}, _, _")
    assert found == f"{PAIR}, (), (int8, Tensor[(2), int8]) -> ()"
    (found,) = answers("call_lowered", {}, "fn (float32, (int8, bool)) -> int8, _")
    assert found.endswith(", (float32, (int8, bool)) -> int8")
