"""Random numbers and their keys."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

KEY = "Tensor[(10), uint64]"
UNIFORM = {"out_shape": [2, 3], "out_dtype": "float32"}

ROWS = [
    ("random.threefry_split", {}, KEY, f"({KEY}, {KEY})"),
    ("random.threefry_split", {}, "Tensor[(?), uint64]", f"({KEY}, {KEY})"),
    ("random.threefry_split", {}, "Tensor[(9), uint64]", "refused"),
    ("random.threefry_split", {}, "Tensor[(10), int64]", "refused"),
    ("random.threefry_split", {}, "Tensor[(?, 10), uint64]", "refused"),
    ("random.threefry_generate", {"out_shape": [2, 3]}, KEY, f"({KEY}, Tensor[(2, 3), uint64])"),
    ("random.threefry_generate", {"out_shape": []}, KEY, f"({KEY}, uint64)"),
    ("random.threefry_generate", {"out_shape": [-1]}, KEY, "refused"),
    ("random.uniform", UNIFORM, f"{KEY}, float32, float32", f"({KEY}, Tensor[(2, 3), float32])"),
    (
        "random.normal",
        {**UNIFORM, "out_dtype": "float64"},
        f"{KEY}, float64, float64",
        f"({KEY}, Tensor[(2, 3), float64])",
    ),
    ("random.uniform", UNIFORM, f"{KEY}, float64, float32", "refused"),
    ("random.uniform", UNIFORM, f"{KEY}, float32, Tensor[(1), float32]", "refused"),
    ("random.uniform", {**UNIFORM, "out_dtype": "bfloat16"}, f"{KEY}, bfloat16, bfloat16", "refused"),
    ("random.uniform", {**UNIFORM, "out_dtype": "float16"}, f"{KEY}, float16, float16", "refused"),
    ("random.uniform", {**UNIFORM, "out_shape": [-1]}, f"{KEY}, float32, float32", "refused"),
    (
        "random.multinomial",
        {"num_samples": 7},
        f"{KEY}, Tensor[(?, 4, 3), int8]",
        f"({KEY}, Tensor[(?, 4, 7), int32])",
    ),
    ("random.multinomial", {}, f"{KEY}, Tensor[(3), float32]", f"({KEY}, Tensor[(1), int32])"),
    ("random.multinomial", {}, f"{KEY}, float32", "refused"),
    ("random.multinomial", {"num_samples": -1}, f"{KEY}, Tensor[(3), float32]", "refused"),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), ROWS)
def test_forward(name, attrs, inputs, expected):
    assert result(name, attrs, inputs) == expected


def test_what_is_open_gets_its_type():
    assert answers("random.threefry_split", {}, "_") == [f"{KEY} -> ({KEY}, {KEY})"]
    assert answers("random.threefry_generate", {"out_shape": [4]}, "Tensor[(_), uint64]") == [
        f"{KEY} -> ({KEY}, Tensor[(4), uint64])"
    ]
    out = f"({KEY}, Tensor[(2, 3), float32])"
    assert answers("random.normal", UNIFORM, "_, _, _") == [f"{KEY}, float32, float32 -> {out}"]
    out = f"({KEY}, Tensor[(2, 1), int32])"
    assert answers("random.multinomial", {}, "_, _", out) == [f"{KEY}, Tensor[(2, _), _] -> {out}"]
