"""Transposed convolutions: in every direction, and what is refused."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f

SIZED = {"channels": 6, "kernel_size": [3, 3]}


@pytest.mark.parametrize(
    ("op", "data", "weight", "attrs", "out"),
    [
        ("nn.conv1d_transpose", f(1, 4, 10), f(4, 3, 3), {}, f(1, 3, 12)),
        ("nn.conv1d_transpose", f(1, 4, 10), f(4, 3, 4), {"strides": [2], "padding": [1]}, f(1, 3, 20)),
        ("nn.conv1d_transpose", f(1, 4, 10), f(4, 3, 3), {"padding": [1, 0]}, f(1, 3, 11)),
        ("nn.conv1d_transpose", f(1, 4, 10), f(4, 3, 3), {"padding": ["?", 0]}, f(1, 3, "?")),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {}, f(1, 3, 12, 11)),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 2), {"dilation": [2, 3]}, f(1, 3, 14, 12)),
        ("nn.conv2d_transpose", f(1, 4, 5, 5), f(4, 3, 3, 3), {"strides": [2, 3]}, f(1, 3, 11, 15)),
        (
            "nn.conv2d_transpose",
            f(1, 4, 5, 5),
            f(4, 3, 3, 3),
            {"strides": [2, 2], "padding": [1, 1], "output_padding": [1, 0]},
            f(1, 3, 10, 9),
        ),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"groups": 2}, f(1, 6, 12, 11)),
        (
            "nn.conv2d_transpose",
            f(1, 4, 10, 9),
            f(2, 2, 3, 3, 3),
            {"groups": 2, "kernel_layout": "GIOHW"},
            f(1, 6, 12, 11),
        ),
        ("nn.conv2d_transpose", f(1, "?", "?", 9), f(4, 3, 3, 3), {}, f(1, 3, "?", 11)),
        ("nn.conv3d_transpose", f(1, 4, 4, 6, 8), f(4, 3, 2, 3, 5), {}, f(1, 3, 5, 8, 12)),
        ("nn.conv3d_transpose", f(1, 4, 4, 6, 8), f(4, 3, 2, 3, 5), {"channels": 3}, f(1, 3, 5, 8, 12)),
    ],
)
def test_weight_says_what_attributes_do_not(op, data, weight, attrs, out):
    assert ask(op, data, weight, "_", **attrs) == [data, weight, out]


@pytest.mark.parametrize(
    ("op", "data", "attrs", "weight", "out"),
    [
        ("nn.conv1d_transpose", f(1, 4, 10), {"channels": 6, "kernel_size": [3]}, f(4, 6, 3), f(1, 6, 12)),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), SIZED, f(4, 6, 3, 3), f(1, 6, 12, 11)),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), {**SIZED, "groups": 2}, f(4, 3, 3, 3), f(1, 6, 12, 11)),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), {**SIZED, "kernel_layout": "HWIO"}, f(3, 3, 4, 6), f(1, 6, 12, 11)),
        ("nn.conv2d_transpose", f(1, "?", 10, 9), SIZED, f("?", 6, 3, 3), f(1, 6, 12, 11)),
        (
            "nn.conv2d_transpose",
            f(1, 4, 10, 9),
            {**SIZED, "groups": 2, "kernel_layout": "GIOHW"},
            f(2, 2, 3, 3, 3),
            f(1, 6, 12, 11),
        ),
        (
            "nn.conv3d_transpose",
            f(1, 4, 4, 6, 8),
            {"channels": 6, "kernel_size": [2, 3, 5], "groups": 2},
            f(4, 3, 2, 3, 5),
            f(1, 6, 5, 8, 12),
        ),
    ],
)
def test_attributes_and_data_type_an_open_weight(op, data, attrs, weight, out):
    assert ask(op, data, "_", "_", **attrs) == [data, weight, out]
    assert ask(op, data, weight, "_", **attrs) == [data, weight, out]


@pytest.mark.parametrize(
    ("op", "known", "attrs"),
    [
        ("nn.conv1d_transpose", [f(1, 4, 10), f(4, 3, 3), f(1, 3, 12)], {}),
        ("nn.conv2d_transpose", [f(1, 4, 5, 5), f(4, 3, 3, 3), f(1, 3, 11, 15)], {"strides": [2, 3]}),
        ("nn.conv3d_transpose", [f(1, 4, 4, 6, 8), f(4, 3, 2, 3, 5), f(1, 3, 5, 8, 12)], {}),
    ],
)
def test_backward(op, known, attrs):
    data, weight, out = known
    assert ask(op, "_", weight, out, **attrs) == known
    assert ask(op, data, "_", out, **attrs) == known


@pytest.mark.parametrize(
    ("op", "data", "weight", "attrs"),
    [
        ("nn.conv1d_transpose", f(1, 4, 10), f(4, 3, 3), {"padding": [1, 1, 1, 1]}),
        ("nn.conv1d_transpose", f(1, 4, 10), f(5, 3, 3), {}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"channels": 6}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"kernel_size": [3, 4]}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"kernel_size": [3]}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"strides": [0, 1]}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"output_padding": [0]}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), f(4, 3, 3, 3), {"groups": 3}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), "_", {**SIZED, "groups": 4}),
        ("nn.conv2d_transpose", f(1, 4, 10, 9), "_", {**SIZED, "dilation": [1, 1, 1]}),
        ("nn.conv2d_transpose", f(1, 4, 2, 2), f(4, 3, 3, 3), {"padding": [3]}),
        ("nn.conv3d_transpose", f(1, 4, 4, 6, 8), f(3, 4, 2, 3, 5), {}),
    ],
)
def test_refused(op, data, weight, attrs):
    assert ask(op, data, weight, "_", **attrs) is None
