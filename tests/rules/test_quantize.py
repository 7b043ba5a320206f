"""Quantising: scales and zero points of a tensor or of its channels."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f


def ints(*extents, dtype="int32"):
    return f(*extents, dtype=dtype)


def bytes_(*extents):
    return f(*extents, dtype="int8")


DATA = f(1, 8, 6, 16)


@pytest.mark.parametrize(
    ("data", "scale", "zero", "axis", "holds"),
    [
        (DATA, f(), ints(), -1, True),
        (DATA, f(16), ints(16), -1, True),
        (DATA, f(8), ints(), 1, True),
        (DATA, f(), ints(6), -2, True),
        (f(2, "?"), f(16), ints(16), -1, True),
        (f(), f(), ints(), -3, True),
        (f(), f(1), ints(), 0, True),
        (f(), f(), ints(), 1, True),  # without_channels
        (f(), f(1), ints(), 1, False),
        (DATA, f(), ints(), 4, False),
        (DATA, f(1), ints(1), -1, False),
        (DATA, f(16), ints(8), -1, False),
        (DATA, f(16, dtype="float16"), ints(16), -1, False),
        (DATA, f(16), f(16), -1, False),
        (f(2, 3, dtype="float16"), f(), ints(), -1, False),
    ],
)
def test_quantize(data, scale, zero, axis, holds):
    out = data.replace("float32", "int8")
    known = [data, scale, zero, out] if holds else None
    assert ask("qnn.quantize", data, scale, zero, "_", out_dtype="int8", axis=axis) == known
    assert ask("qnn.quantize", data, scale, zero, "_", out_dtype="float32", axis=axis) is None


def test_quantize_backwards():
    assert ask("qnn.quantize", "_", f(), ints(), bytes_(2, 3), out_dtype="int8")[0] == f(2, 3)
    assert ask("qnn.quantize", f(2, 3), "_", ints(), "_", out_dtype="int8") == [
        f(2, 3),
        f().replace("float32", "Tensor[_, float32]"),
        "int32",
        bytes_(2, 3),
    ]
    assert clauses_of("qnn.quantize", f(2, 3), "_", ints(), "_", out_dtype="int8") == {"with_channels"}
    assert clauses_of("qnn.quantize", f(), f(), ints(), "_", out_dtype="int8", axis=2) == {"without_channels"}


@pytest.mark.parametrize(
    ("data", "scale", "zero", "axis", "clause"),
    [
        (bytes_(1, 8, 6, 16), f(), ints(), 7, "whole_tensor"),
        (bytes_(1, 8, 6, 16), f(1), ints(1), 7, "whole_tensor"),
        (bytes_(1, 8, 6, 16), f(16), ints(16), -1, "per_channel"),
        (bytes_(1, 8, 6, 16), f(16), ints(), -1, "per_channel"),
        (bytes_(1, 8, 6, "?"), f(16), ints(1), -1, "per_channel"),
        (bytes_(1, 8, 6, 16), f(), ints(6), -2, "per_channel"),
        (bytes_(1, 8, 6, "?"), f(1), ints(6), -1, "per_channel"),
        (bytes_(), f(1), ints(), 0, "whole_tensor"),
        (bytes_(1, 8, 6, 16), f(16), ints(1), -1, None),
        (bytes_(1, 8, 6, 16), f(1), ints(16), -1, None),
        (bytes_(1, 8, 6, 16), f(16), ints(16), 4, None),
        (bytes_(1, 8, 6, 16), f("?"), ints(), -1, None),
        (bytes_(1, 8, 6, 16), f(1, 1), ints(), -1, None),
        (f(2, 3, dtype="int64"), f(), ints(), -1, None),
    ],
)
def test_dequantize(data, scale, zero, axis, clause):
    out = data.replace("int8", "float32")
    known = None if clause is None else [data, scale, zero, out]
    assert ask("qnn.dequantize", data, scale, zero, "_", out_dtype="float32", axis=axis) == known
    found = clauses_of("qnn.dequantize", data, scale, zero, "_", out_dtype="float32", axis=axis)
    assert found == (set() if clause is None else {clause})


def test_dequantize_leaves_the_zero_points_of_any_channels_open():
    found = ask("qnn.dequantize", bytes_(2, "?"), f(16), "_", "_", out_dtype="float32")
    assert found == [bytes_(2, "?"), f(16), "Tensor[_, int32]", f(2, "?")]
    assert ask("qnn.dequantize", bytes_(2, 4), f(4), "_", "_", out_dtype="float32")[2] == "Tensor[_, int32]"


def test_dequantize_gives_floats():
    assert ask("qnn.dequantize", bytes_(2, 3), f(), ints(), "_", out_dtype="float64") is None
    assert ask("qnn.dequantize", "_", f(), ints(), f(2, 3), out_dtype="float32")[0] == f(2, 3, dtype="_")


@pytest.mark.parametrize(
    ("data", "scale", "zero", "axis", "out_dtype", "holds"),
    [
        (ints(1, 8, 6, 16), f(), ints(), -1, "int8", True),
        (ints(1, 8, 6, 16), f(8), ints(8), 1, "uint8", True),
        (ints(), f(1), ints(), -1, "int8", True),
        (ints(1, 8, 6, 16), f(), ints(), 4, "int8", False),
        (ints(), f(), ints(), 1, "int8", False),
        (ints(1, 8, 6, 16), f(1), ints(), 1, "int8", False),
        (f(2, 3, dtype="uint16"), f(), ints(), -1, "int8", False),
        (ints(2, 3), f(), ints(), -1, "uint16", False),
    ],
)
def test_requantize(data, scale, zero, axis, out_dtype, holds):
    out = data.replace("int32", out_dtype)
    known = [data, scale, zero, "float32", "int32", out] if holds else None
    assert ask("qnn.requantize", data, scale, zero, "float32", "int32", "_", axis=axis, out_dtype=out_dtype) == known
    # the result's scale and zero point are scalars, also without annotation
    assert ask("qnn.requantize", data, scale, zero, "_", "_", "_", axis=axis, out_dtype=out_dtype) == known


@pytest.mark.parametrize("op", ["qnn.simulated_quantize", "qnn.simulated_dequantize"])
def test_simulated(op):
    assert ask(op, f(2, 16), "int32", "(int8,)", "_", "_")[-1] == f(2, 16)
    assert ask(op, "_", "int32", "float32", "int32", f(2, 16))[0] == f(2, 16)
    assert ask(op, f(2, 16), "(int32,)", "float32", "int32", "_") is None


def test_fixed_point_multiply_per_axis():
    types = (ints(2, 3), ints(3), ints(3), ints(3))
    assert ask("fixed_point_multiply_per_axis", *types, "_", axes=[1]) == [*types, ints(2, 3)]
    assert ask("fixed_point_multiply_per_axis", "_", *types[1:], ints(2, 3), axes=[1])[0] == ints(2, 3)
    assert ask("fixed_point_multiply_per_axis", *types[:3], "(int32,)", "_", axes=[1]) is None
