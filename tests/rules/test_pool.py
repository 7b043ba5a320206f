"""Pools: windows along the spatial axes, wherever the layout has them; whole axes; gradients."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("nn.max_pool1d", {"pool_size": [3]}, f(1, 3, 10), f(1, 3, 8)),
        ("nn.avg_pool1d", {"pool_size": [3], "padding": [1, 0], "strides": [2]}, f(1, 3, 10), f(1, 3, 5)),
        ("nn.avg_pool1d", {"pool_size": [3], "layout": "NWC"}, f(1, 10, 3), f(1, 8, 3)),
        ("nn.max_pool2d", {"pool_size": [2, 3]}, f(1, 3, 8, 9), f(1, 3, 7, 7)),
        ("nn.max_pool2d", {"pool_size": [3, 3], "strides": [2, 2]}, f(1, 3, 112, 112), f(1, 3, 55, 55)),
        (
            "nn.max_pool2d",
            {"pool_size": [3, 3], "strides": [2, 2], "ceil_mode": True},
            f(1, 3, 112, 112),
            f(1, 3, 56, 56),
        ),
        ("nn.avg_pool2d", {"pool_size": [2, 2], "dilation": [3, 1], "padding": [1]}, f(1, 3, 8, 9), f(1, 3, 7, 10)),
        ("nn.avg_pool2d", {"pool_size": [2, 2], "layout": "NHWC"}, f(1, 8, 9, 3), f(1, 7, 8, 3)),
        ("nn.avg_pool2d", {"pool_size": [2, 2], "layout": "NCHW4c"}, f(1, 3, 8, 9, 4), f(1, 3, 7, 8, 4)),
        ("nn.max_pool2d", {"pool_size": [2, 2]}, f(1, 3, "?", 9), f(1, 3, "?", 8)),
        ("nn.max_pool3d", {"pool_size": [2, 2, 2], "padding": [0, 1, 2]}, f(1, 3, 8, 8, 8), f(1, 3, 7, 9, 11)),
        ("nn.avg_pool3d", {"pool_size": [2, 2, 2], "layout": "NDHWC"}, f(1, 8, 8, 8, 3), f(1, 7, 7, 7, 3)),
        ("nn.global_avg_pool2d", {}, f(1, 3, 8, 9), f(1, 3, 1, 1)),
        ("nn.global_max_pool2d", {"layout": "NHWC"}, f(1, 8, "?", 3), f(1, 1, 1, 3)),
        ("nn.adaptive_avg_pool1d", {"output_size": [5]}, f(1, 3, 10), f(1, 3, 5)),
        ("nn.adaptive_max_pool2d", {"output_size": [5, "?"]}, f(1, 3, 8, 9), f(1, 3, 5, "?")),
        ("nn.adaptive_max_pool2d", {"output_size": [5]}, f(1, 3, 8, 9), f(1, 3, 5, 5)),
        ("nn.adaptive_avg_pool2d", {}, f(1, 3, 8, 9), f(1, 3, 8, 9)),
        ("nn.adaptive_avg_pool3d", {"output_size": [4, 5, 6], "layout": "NDHWC"}, f(1, 8, 8, 8, 3), f(1, 4, 5, 6, 3)),
    ],
)
def test_forward(op, attrs, data, out):
    assert ask(op, data, "_", **attrs) == [data, out]


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("nn.max_pool1d", {"pool_size": [3]}, f(1, 3, 10), f(1, 3, 8)),
        ("nn.max_pool2d", {"pool_size": [2, 3], "layout": "NHWC"}, f(1, 8, 9, 3), f(1, 7, 7, 3)),
        ("nn.max_pool2d", {"pool_size": [2, 2], "strides": [2, 1]}, f(1, 3, "_", 8), f(1, 3, 4, 7)),
        ("nn.avg_pool3d", {"pool_size": [2, 2, 2]}, f(1, 3, 8, 8, 8), f(1, 3, 7, 7, 7)),
        ("nn.global_avg_pool2d", {}, f(1, 3, "_", "_"), f(1, 3, 1, 1)),
        ("nn.adaptive_avg_pool1d", {"output_size": [5]}, f(1, 3, "_"), f(1, 3, 5)),
        ("nn.adaptive_avg_pool2d", {}, f(1, 3, 8, 9), f(1, 3, 8, 9)),
        ("nn.adaptive_avg_pool3d", {"output_size": [4]}, f(1, 3, "_", "_", "_"), f(1, 3, 4, 4, 4)),
    ],
)
def test_backward(op, attrs, data, out):
    assert ask(op, "_", out, **attrs) == [data, out]


@pytest.mark.parametrize(
    ("op", "attrs", "data"),
    [
        ("nn.max_pool1d", {"pool_size": [3], "padding": [1, 1, 1]}, f(1, 3, 10)),
        ("nn.max_pool1d", {"pool_size": [3], "layout": "NCW4w"}, f(1, 3, 10, 4)),
        ("nn.max_pool2d", {"pool_size": [2]}, f(1, 3, 8, 9)),
        ("nn.max_pool2d", {"pool_size": [-2, 2]}, f(1, 3, 8, 9)),
        ("nn.max_pool2d", {"pool_size": [2, 2], "strides": [0, 1]}, f(1, 3, "?", "?")),
        ("nn.max_pool2d", {"pool_size": [2, 2], "padding": []}, f(1, 3, 8, 9)),
        ("nn.max_pool2d", {"pool_size": [2, 2], "layout": "NCW"}, f(1, 3, 8)),
        ("nn.max_pool2d", {"pool_size": [2, 2], "layout": "NCHWc"}, f(1, 3, 8, 9)),
        ("nn.max_pool2d", {"pool_size": [2, 2]}, f(1, 3, 8)),
        ("nn.max_pool2d", {"pool_size": [2, 12]}, f(1, 3, 8, 9)),
        ("nn.max_pool2d", {"pool_size": [4, 4], "strides": [2, 2]}, f(1, 3, 2, 8)),
        ("nn.max_pool2d", {"pool_size": [4, 4], "strides": [2, 2]}, f(1, 3, 3, 8)),
        ("nn.max_pool2d", {"pool_size": [0, 0]}, f(1, 3, 8, 8)),
        ("nn.max_pool2d", {"pool_size": [2, 2], "dilation": [0, 0]}, f(1, 3, 8, 8)),
        ("nn.max_pool2d", {"pool_size": [2, 2]}, f"({f(1, 3, 8, 9)},)"),
        ("nn.max_pool3d", {"pool_size": [2, 2, 2]}, f(1, 3, 8, 9)),
        ("nn.global_avg_pool2d", {"layout": "NCW"}, f(1, 3, 8, 9)),
        ("nn.adaptive_avg_pool1d", {"output_size": [1, 2]}, f(1, 3, 10)),
        ("nn.adaptive_avg_pool2d", {"output_size": [-1]}, f(1, 3, 8, 9)),
        ("nn.adaptive_avg_pool3d", {"output_size": [6, 6]}, f(1, 3, 8, 8, 8)),
    ],
)
def test_refused(op, attrs, data):
    assert ask(op, data, "_", **attrs) is None


@pytest.mark.parametrize("op", ["nn.max_pool2d_grad", "nn.avg_pool2d_grad"])
def test_gradients(op):
    grad, data = f(1, 16, 16, 16), f(1, 16, 32, 32)
    assert ask(op, grad, data, "_", pool_size=[2, 2]) == [grad, data, data]
    assert ask(op, grad, "_", data, pool_size=[2, 2]) == [grad, data, data]
    assert ask(op, grad, f"({data},)", "_", pool_size=[2, 2]) is None
