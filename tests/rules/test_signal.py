"""Fourier transforms."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

PART = "Tensor[(2, 8), float32]"
STFT = {"n_fft": 4, "hop_length": 2, "win_length": 4}

ROWS = [
    ("dft", {}, f"{PART}, {PART}", f"({PART}, {PART})"),
    ("dft", {"inverse": True}, f"{PART}, Tensor[(?, 8), float32]", f"({PART}, Tensor[(?, 8), float32])"),
    ("dft", {}, f"{PART}, Tensor[(2, 7), float32]", "refused"),
    ("dft", {}, f"{PART}, Tensor[(2, 8), float64]", "refused"),
    ("dft", {}, f"{PART}, Tensor[(8), float32]", "refused"),
    ("stft", STFT, "Tensor[(16), float32], Tensor[(4), float32]", "Tensor[(3, 7, 2), float32]"),
    ("stft", STFT, "Tensor[(2, 16), int8], Tensor[(4), float32]", "Tensor[(2, 3, 7, 2), int8]"),
    (
        "stft",
        {**STFT, "onesided": False},
        "Tensor[(2, 17), float32], float32",
        "Tensor[(2, 4, 7, 2), float32]",
    ),
    ("stft", {**STFT, "n_fft": 5}, "Tensor[(2, ?), float32], float32", "Tensor[(2, 3, ?, 2), float32]"),
    ("stft", STFT, "Tensor[(3), float32], float32", "Tensor[(3, 0, 2), float32]"),
    ("stft", STFT, "Tensor[(1), float32], float32", "refused"),
    ("stft", STFT, "Tensor[(1, 2, 16), float32], float32", "refused"),
    ("stft", {**STFT, "hop_length": 0}, "Tensor[(16), float32], float32", "refused"),
    ("stft", {**STFT, "n_fft": 0}, "Tensor[(16), float32], float32", "refused"),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), ROWS)
def test_forward(name, attrs, inputs, expected):
    assert result(name, attrs, inputs) == expected


def test_backward():
    assert answers("dft", {}, "_, _", f"({PART}, {PART})") == [f"{PART}, {PART} -> ({PART}, {PART})"]
    assert answers("dft", {}, f"{PART}, _") == [f"{PART}, Tensor[(2, 8), float32] -> ({PART}, Tensor[(2, 8), float32])"]
    out = "Tensor[(2, 3, 7, 2), float32]"
    assert answers("stft", {**STFT, "hop_length": 1}, "_, float32", out) == [
        f"Tensor[(2, 10), float32], float32 -> {out}"
    ]
    assert answers("stft", STFT, "_, float32", "Tensor[(2, 4, 7, 2), float32]") == []
