"""Quantised operators: the types of the data as for real numbers, and scales and zero points that fit."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f


def ints(*extents, dtype="int32"):
    return f(*extents, dtype=dtype)


def bytes_(*extents):
    return f(*extents, dtype="int8")


def small(*extents):
    return f(*extents, dtype="uint8")


ONE = ("float32", "int32")


@pytest.mark.parametrize("op", ["qnn.add", "qnn.mul", "qnn.subtract"])
@pytest.mark.parametrize(
    ("lhs", "rhs", "lhs_parameters", "rhs_parameters", "axes", "out"),
    [
        (bytes_(2, 8), bytes_(8), ONE, ONE, (-1, -1), bytes_(2, 8)),
        (
            bytes_(2, 8),
            bytes_(2, 8),
            (f(8), ints(8)),
            (f(2), ints(2)),
            (-1, 0),
            bytes_(2, 8),
        ),  # along_an_axis
        (bytes_(16), bytes_(16), (f(16), ints(16)), ONE, (5, 5), bytes_(16)),  # of_a_vector
        (bytes_(), bytes_(16), (f(1), ints(1)), ONE, (5, 5), bytes_(16)),  # of_a_scalar
        (bytes_(2, "?"), bytes_(2, 8), (f(16), ints()), ONE, (-1, -1), bytes_(2, 8)),
        (bytes_(2, 8), bytes_(2, 8), (f(1), ints()), ONE, (-1, -1), None),
        (bytes_(2, 8), bytes_(2, 8), ONE, ONE, (2, -1), None),
        (bytes_(2, 8), bytes_(2, 7), ONE, ONE, (-1, -1), None),
        (bytes_(2, 8), small(2, 8), ONE, ONE, (-1, -1), None),
        (bytes_(2, 8), bytes_(2, 8), ("int32", "int32"), ONE, (-1, -1), None),
        (bytes_(), bytes_(16), (f(2), ints()), ONE, (0, 0), None),
    ],
)
def test_binary(op, lhs, rhs, lhs_parameters, rhs_parameters, axes, out):
    types = (lhs, rhs, *lhs_parameters, *rhs_parameters)
    attrs = {"lhs_axis": axes[0], "rhs_axis": axes[1]}
    known = None if out is None else [*types, *ONE, out]
    assert ask(op, *types, *ONE, "_", **attrs) == known
    assert ask(op, *types, "_", "_", "_", **attrs) == known
    assert ask(op, *types, "float32", ints(1), "_", **attrs) is None


def test_binary_backwards():
    assert ask("qnn.add", bytes_(2, 8), "_", *ONE, *ONE, *ONE, "_")[1] == "Tensor[_, int8]"
    assert ask("qnn.add", "_", "_", *ONE, *ONE, *ONE, bytes_(2, 8))[0] == "Tensor[_, int8]"


UNARY = ["abs", "erf", "exp", "hardswish", "leaky_relu", "log", "rsqrt", "sigmoid", "sqrt", "tanh"]


@pytest.mark.parametrize("name", [*UNARY, "softmax"])
def test_unary(name):
    op = f"qnn.{name}"
    typed = [bytes_(2, 3), *ONE, *ONE, bytes_(2, 3)]
    assert ask(op, *typed[:-1], "_") == typed
    assert ask(op, typed[0], "_", "_", "_", "_", "_") == typed
    assert ask(op, "_", *ONE, *ONE, typed[0]) == typed
    assert (ask(op, small(2, 3), *ONE, *ONE, "_") is None) is (name == "softmax")
    assert ask(op, ints(2, 3), *ONE, *ONE, "_") is None
    for position, wrong in ((1, "float16"), (2, "int8"), (3, f(1)), (4, "(int32,)")):
        assert ask(op, *typed[:position], wrong, *typed[position + 1 :]) is None


@pytest.mark.parametrize(("axis", "holds"), [(0, True), (-2, True), (2, False), (-3, False)])
def test_softmax_along_an_axis(axis, holds):
    assert (ask("qnn.softmax", bytes_(2, 3), *ONE, *ONE, "_", axis=axis) is not None) is holds


def test_avg_pool2d():
    data = bytes_(1, 64, 112, 112)
    attrs = {"pool_size": [3, 3], "strides": [2, 2], "padding": [1, 1]}
    assert ask("qnn.avg_pool2d", data, *ONE, *ONE, "_", **attrs)[-1] == bytes_(1, 64, 56, 56)
    assert ask("qnn.avg_pool2d", data, "_", "_", "_", "_", "_", **attrs)[1:5] == [*ONE, *ONE]
    assert ask("qnn.avg_pool2d", ints(1, 64, 112, 112), *ONE, *ONE, "_", **attrs) is None


@pytest.mark.parametrize(
    ("data", "scales", "zero_points", "out"),
    [
        (f"({small(2, 8)}, {small(3, 8)})", "(float32, float32)", "(int32, int32)", small(5, 8)),
        (f"({small(2, 8)}, {small(3, 8)})", "_", "_", small(5, 8)),
        (f"({small(2, 8)}, {small(3, 8)})", "(float32,)", "(int32, int32)", None),
        (f"({small(2, 8)}, {small(3, 8)})", "(float32, float32)", "(int32,)", None),
        (f"({small(2, 8)}, {small(3, 8)})", "(float32, int32)", "(int32, int32)", None),
        (f"({small(2, 8)}, {small(3, 7)})", "(float32, float32)", "(int32, int32)", None),
        ("()", "()", "()", None),
        (small(2, 8), "(float32, float32)", "(int32, int32)", None),
    ],
)
def test_concatenate(data, scales, zero_points, out):
    found = ask("qnn.concatenate", data, scales, zero_points, *ONE, "_", axis=0)
    assert found == (None if out is None else [data, "(float32, float32)", "(int32, int32)", *ONE, out])


@pytest.mark.parametrize(
    ("data", "weight", "zero", "scale", "attrs", "out"),
    [
        (small(4, 64), bytes_(10, 64), "int32", "float32", {"units": 10}, ints(4, 10)),
        (small(4, 64), bytes_(10, 64), ints(10), f(10), {}, ints(4, 10)),
        (small(4, 64), bytes_(10, 64), "int32", f(9), {}, None),
        (small(4, 64), bytes_(10, 64), ints(3), f(10), {}, None),
        (small(4, 63), bytes_(10, 64), "int32", "float32", {}, None),
        (small(4, 64), f(10, 64, dtype="int16"), "int32", "float32", {}, None),
        (ints(4, 64), bytes_(10, 64), "int32", "float32", {}, None),
        (small(4, 64), bytes_(10, 64), "int32", "float32", {"out_dtype": "int16"}, None),
    ],
)
def test_dense(data, weight, zero, scale, attrs, out):
    attrs = {"out_dtype": "int32", **attrs}
    known = None if out is None else [data, weight, "int32", zero, "float32", scale, out]
    assert ask("qnn.dense", data, weight, "int32", zero, "float32", scale, "_", **attrs) == known
    assert ask("qnn.dense", data, weight, "_", zero, "_", scale, "_", **attrs) == known


def test_an_open_weight_of_a_quantised_layer_may_be_signed_or_not():
    found = ask(
        "qnn.dense",
        small(4, 64),
        "_",
        "int32",
        "int32",
        "float32",
        "float32",
        "_",
        units=10,
        out_dtype="int32",
    )
    assert found[1] == f(10, 64, dtype="_")


def test_batch_matmul():
    attrs = {"out_dtype": "int32", "transpose_b": True}
    known = [bytes_(8, 4, 9), small(8, 5, 9), "int32", "int32", "float32", "float32", ints(8, 4, 5)]
    assert ask("qnn.batch_matmul", *known[:-1], "_", **attrs) == known
    assert ask("qnn.batch_matmul", *known[:2], "_", "_", "_", "_", "_", **attrs) == known
    assert ask("qnn.batch_matmul", *known[:2], "float32", "int32", "float32", "float32", "_", **attrs) is None
    assert ask("qnn.batch_matmul", *known[:-1], "_", out_dtype="int64", transpose_b=True) is None
    assert ask("qnn.batch_matmul", ints(8, 4, 9), *known[1:-1], "_", **attrs) is None


def test_packed_weight():
    types = (bytes_(4, 64), bytes_(4, 16, 32, 4), "int32", "int32", "float32", "float32")
    assert ask("qnn.contrib_dense_pack", *types, "_", out_dtype="int32", weight_layout="NC32n4c")[-1] == ints(4, 128)
    assert ask("qnn.contrib_dense_pack", *types, "_", out_dtype="", weight_layout="NC32n4c") is None
    assert (
        ask(
            "qnn.contrib_dense_pack",
            bytes_(4, 63),
            *types[1:],
            "_",
            out_dtype="int32",
            weight_layout="NC32n4c",
        )
        is None
    )


CONVOLUTIONS = [
    # weight, zero point of the weight, its scale, attributes, result
    (bytes_(8, 16, 3, 3), "int32", "float32", {}, ints(1, 8, 12, 12)),
    (bytes_(8, 16, 3, 3), ints(8), f(8), {"channels": 8, "kernel_size": [3, 3]}, ints(1, 8, 12, 12)),
    (bytes_(16, 1, 3, 3), "int32", f(16), {"groups": 16}, ints(1, 16, 12, 12)),
    (bytes_(2, 16, 3, 3, 4), "int32", f(8), {"kernel_layout": "OIHW4o"}, ints(1, 8, 12, 12)),
    (bytes_(8, 16, 3, 3), "int32", f(7), {}, None),
    (bytes_(8, 16, 3, 3), ints(5), "float32", {}, None),
    (bytes_(8, 15, 3, 3), "int32", "float32", {}, None),
    (ints(8, 16, 3, 3), "int32", "float32", {}, None),
    (bytes_(8, 16, 3, 3), "int32", "float32", {"out_dtype": "int8"}, None),
]


@pytest.mark.parametrize(("weight", "zero", "scale", "attrs", "out"), CONVOLUTIONS)
def test_conv2d(weight, zero, scale, attrs, out):
    data, attrs = small(1, 16, 14, 14), {"out_dtype": "int32", **attrs}
    known = None if out is None else [data, weight, "int32", zero, "float32", scale, out]
    assert ask("qnn.conv2d", data, weight, "int32", zero, "float32", scale, "_", **attrs) == known
    assert ask("qnn.conv2d", data, weight, "_", zero, "_", scale, "_", **attrs) == known
    assert ask("qnn.conv2d", data, weight, ints(1), zero, "float32", scale, "_", **attrs) is None


def test_channels_of_a_result_in_blocks():
    attrs = {"out_dtype": "int32", "out_layout": "NCHW4c"}
    data, weight, out = small(1, 16, 14, 14), small(6, 16, 3, 3), ints(1, 2, 12, 12, 4)
    for given in ({}, {"channels": 6}):
        for count, known in ((6, out), (8, None)):
            found = ask("qnn.conv2d", data, weight, "int32", "int32", "float32", f(count), "_", **attrs, **given)
            assert (found and found[-1]) == known


def test_conv2d_takes_small_integers():
    rest = (bytes_(8, 16, 3, 3), "int32", "int32", "float32", "float32", "_")
    assert ask("qnn.conv2d", f(1, 16, 14, 14, dtype="uint16"), *rest, out_dtype="int32") is None
    assert ask("qnn.conv2d", f(1, 16, 14, 14, dtype="int16"), *rest, out_dtype="int32") is not None


@pytest.mark.parametrize(
    ("weight", "zero", "scale", "attrs", "out"),
    [
        (bytes_(16, 8, 3, 3), "int32", "float32", {}, ints(1, 8, 16, 16)),
        (bytes_(16, 8, 3, 3), ints(8), f(8), {}, ints(1, 8, 16, 16)),
        (bytes_(16, 4, 3, 3), "int32", f(8), {"groups": 2}, ints(1, 8, 16, 16)),
        (bytes_(16, 4, 3, 3), "int32", f(64), {"groups": 2}, None),
        (f(16, 8, 3, 3, dtype="int16"), "int32", "float32", {}, None),
        (bytes_(16, 8, 3, 3), "int8", "float32", {}, None),
    ],
)
def test_conv2d_transpose(weight, zero, scale, attrs, out):
    data, attrs = f(1, 16, 14, 14, dtype="uint16"), {"out_dtype": "int32", **attrs}
    for input_zero, input_scale in (("int32", "float32"), (ints(1), f(1))):
        known = None if out is None else [data, weight, input_zero, zero, input_scale, scale, out]
        assert ask("qnn.conv2d_transpose", data, weight, input_zero, zero, input_scale, scale, "_", **attrs) == known
    assert ask("qnn.conv2d_transpose", data, weight, ints(2), zero, "float32", scale, "_", **attrs) is None


def test_clauses_for_channels():
    assert clauses_of("qnn.add", bytes_(2, 8), bytes_(2, 8), *ONE, *ONE, *ONE, "_") == {"tensors_with_channels"}
