"""Convolutions: forwards, from the weight and from the attributes, backwards, and what is refused."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f

SIZED = {"channels": 8, "kernel_size": [3, 3]}


OPEN_DATA = f("_", 8, "_", "_", dtype="_")


def half(*extents):
    return f(*extents, dtype="float16")


@pytest.mark.parametrize(
    ("op", "data", "weight", "attrs", "out"),
    [
        ("nn.conv1d", f(1, 4, 10), f(6, 4, 3), {}, f(1, 6, 8)),
        ("nn.conv1d", f(1, 10, 4), f(3, 4, 6), {"data_layout": "NWC", "kernel_layout": "WIO"}, f(1, 8, 6)),
        ("nn.conv1d", f(1, 4, 10), f(6, 4, 3), {"padding": [1, 2], "strides": [2]}, f(1, 6, 6)),
        ("nn.conv1d", f(1, 4, 10), f(6, 2, 3), {"groups": 2}, f(1, 6, 8)),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {}, f(1, 8, 6, 7)),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"padding": [1]}, f(1, 8, 8, 9)),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"padding": [1, 0]}, f(1, 8, 8, 7)),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"padding": [1, 2, 0, 1]}, f(1, 8, 7, 10)),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"dilation": [2, 3]}, f(1, 8, 4, 3)),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"strides": [3, 2]}, f(1, 8, 2, 4)),
        ("nn.conv2d", f(1, 3, 4, 5), f(8, 3, 4, 4), {"strides": [2, 2]}, f(1, 8, 1, 1)),
        ("nn.conv2d", f(1, 3, 8, 9), half(8, 3, 3, 3), {"out_dtype": "int32"}, f(1, 8, 6, 7, dtype="int32")),
        ("nn.conv2d", f(1, 16, 8, 9), f(6, 16, 3, 3), {"out_layout": "NCHW4c"}, f(1, 2, 6, 7, 4)),
        ("nn.conv2d", f(1, 4, 8, 9, 4), f(6, 16, 3, 3), {"data_layout": "NCHW4c"}, f(1, 2, 6, 7, 4)),
        ("nn.conv2d", f(1, 16, 4, 9, 2), f(4, 16, 3, 3), {"data_layout": "NCHW2h"}, f(1, 4, 3, 7, 2)),
        ("nn.conv2d", f(1, 4, 8, 9), f(6, 2, 3, 3), {"groups": 2}, f(1, 6, 6, 7)),
        # groups with an axis of their own in the weight
        ("nn.conv2d", f(1, 4, 8, 9), f(2, 3, 2, 3, 3), {"groups": 2, "kernel_layout": "GOIHW"}, f(1, 6, 6, 7)),
        ("nn.conv3d", f(1, 4, 5, 6, 7), f(6, 4, 3, 3, 3), {"padding": [0, 1, 1]}, f(1, 6, 3, 6, 7)),
        ("nn.conv3d", f(1, 4, 5, 6, 7), f(6, 2, 1, 3, 3), {"groups": 2, "padding": [0, 1, 1]}, f(1, 6, 5, 6, 7)),
        # `?`
        ("nn.conv2d", f("?", 3, "?", 9), f(8, 3, 3, 3), {}, f("?", 8, "?", 7)),
        ("nn.conv2d", f(1, "?", 8, 9), f("?", 3, "?", 3), {}, f(1, "?", "?", 7)),
    ],
)
def test_weight_says_what_attributes_do_not(op, data, weight, attrs, out):
    assert ask(op, data, weight, "_", **attrs) == [data, weight, out]


@pytest.mark.parametrize(
    ("op", "data", "attrs", "weight", "out"),
    [
        ("nn.conv1d", f(1, 4, 10), {"channels": 6, "kernel_size": [3]}, f(6, 4, 3), f(1, 6, 8)),
        ("nn.conv1d", f(1, 4, 10), {"channels": 6, "kernel_size": [3], "groups": 2}, f(6, 2, 3), f(1, 6, 8)),
        ("nn.conv2d", f(1, 3, 8, 9), SIZED, f(8, 3, 3, 3), f(1, 8, 6, 7)),
        ("nn.conv2d", half(1, 3, 8, 9), SIZED, half(8, 3, 3, 3), half(1, 8, 6, 7)),
        ("nn.conv2d", f(1, 3, 8, 9), {**SIZED, "kernel_layout": "HWIO"}, f(3, 3, 3, 8), f(1, 8, 6, 7)),
        ("nn.conv2d", f(1, 3, 8, 9), {**SIZED, "kernel_layout": "OIHW5o"}, f(2, 3, 3, 3, 5), f(1, 8, 6, 7)),
        ("nn.conv2d", f(1, 4, 8, 9), {**SIZED, "groups": 2}, f(8, 2, 3, 3), f(1, 8, 6, 7)),
        (
            "nn.conv2d",
            f(1, 4, 8, 9),
            {**SIZED, "groups": 2, "kernel_layout": "GOIHW"},
            f(2, 4, 2, 3, 3),
            f(1, 8, 6, 7),
        ),
        ("nn.conv2d", f(1, "?", 8, 9), SIZED, f(8, "?", 3, 3), f(1, 8, 6, 7)),
        ("nn.conv2d", f(1, "?", 8, 8, 4), {**SIZED, "data_layout": "NCHW4c"}, f(8, "?", 3, 3), f(1, 2, 6, 6, 4)),
        (
            "nn.conv3d",
            f(1, 4, 8, 8, 8),
            {"channels": 4, "kernel_size": [3, 3, 3], "groups": 4},
            f(4, 1, 3, 3, 3),
            f(1, 4, 6, 6, 6),
        ),
    ],
)
def test_attributes_and_data_type_an_open_weight(op, data, attrs, weight, out):
    assert ask(op, data, "_", "_", **attrs) == [data, weight, out]
    assert ask(op, data, weight, "_", **attrs) == [data, weight, out]


def test_filters_for_each_channel():
    attrs = {"channels": 64, "kernel_size": [3, 3], "groups": 32}
    data, out = f(1, 32, 8, 9), f(1, 64, 6, 7)
    assert ask("nn.conv2d", data, f(32, 2, 3, 3), "_", **attrs) == [data, f(32, 2, 3, 3), out]
    assert clauses_of("nn.conv2d", data, f(32, 2, 3, 3), "_", **attrs) == {"filters_for_each_channel"}
    assert ask("nn.conv2d", data, f(64, 1, 3, 3), "_", **attrs) == [data, f(64, 1, 3, 3), out]
    # an open weight may be the one or the other
    assert ask("nn.conv2d", data, "_", "_", **attrs) == [data, f("_", "_", 3, 3), out]
    assert ask("nn.conv2d", data, f(32, 2, 3, 3), "_", groups=32) is None


@pytest.mark.parametrize(
    ("types", "attrs", "known"),
    [
        ((f(1, 3, 8, 9), "_", f(1, 8, 6, 7)), {}, [f(1, 3, 8, 9), f(8, 3, 3, 3), f(1, 8, 6, 7)]),
        (("_", f(8, 3, 3, 3), f(1, 8, 6, 7)), {}, [f(1, 3, 8, 9), f(8, 3, 3, 3), f(1, 8, 6, 7)]),
        (("_", "_", f(1, 8, 6, 7)), SIZED, [f(1, "_", 8, 9), f(8, "_", 3, 3), f(1, 8, 6, 7)]),
        (("_", f(8, 2, 3, 3), "_"), {"groups": 4}, [OPEN_DATA, f(8, 2, 3, 3), OPEN_DATA]),
        # with a stride of 2, 7 and 8 have 3 places; 9 has 4
        (("_", f(8, 3, 3, 3), f(1, 8, 3, 3)), {"strides": [2, 1]}, [f(1, 3, "_", 5), f(8, 3, 3, 3), f(1, 8, 3, 3)]),
        ((f(1, 3, 9, 5), f(8, 3, 3, 3), f(1, 8, 3, 3)), {"strides": [2, 1]}, None),
    ],
)
def test_backward(types, attrs, known):
    assert ask("nn.conv2d", *types, **attrs) == known


def test_backward_in_line_and_space():
    assert ask("nn.conv1d", f(1, 4, 10), "_", f(1, 6, 8)) == [f(1, 4, 10), f(6, 4, 3), f(1, 6, 8)]
    known = [f(1, 4, 5, 6, 7), f(6, 4, 3, 3, 3), f(1, 6, 3, 4, 5)]
    assert ask("nn.conv3d", "_", *known[1:]) == known


@pytest.mark.parametrize(
    ("op", "data", "weight", "attrs"),
    [
        ("nn.conv1d", f(1, 4, 10), f(6, 4, 3), {"padding": [1]}),
        ("nn.conv1d", f(1, 4, 10), f(6, 4, 3), {"groups": 2}),
        ("nn.conv1d", f(1, 4, 10), f(6, 3, 3), {}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 4, 3, 3), {}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3), {}),
        ("nn.conv2d", f(1, 3, 8), f(8, 3, 3, 3), {}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"channels": 9}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"kernel_size": [3, 4]}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"kernel_size": [3, 3, 3]}),
        ("nn.conv2d", f(1, 3, 8, 9), f(9, 3, 3, 3), SIZED),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {**SIZED, "dilation": [1, 1, 1]}),
        ("nn.conv2d", f(1, 3, 8, 9), "_", {"channels": -8, "kernel_size": [3, 3]}),
        ("nn.conv2d", f(1, 3, 8, 9), "_", {"channels": 8, "kernel_size": [-3, 3]}),
        ("nn.conv2d", f(1, 3, 2, 9), f(8, 3, 5, 3), {}),
        ("nn.conv2d", f(1, 3, 3, 9), f(8, 3, 4, 4), {"strides": [2, 2]}),
        ("nn.conv2d", f(1, 3, 8, 8), f(8, 3, 0, 0), {}),
        ("nn.conv2d", f(1, 3, 8, 8), "_", {"channels": 8, "kernel_size": [0, 0]}),
        ("nn.conv2d", f(1, 3, 8, 8), f(8, 3, 3, 3), {"dilation": [0, 1]}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"strides": [0, 1]}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"strides": [1]}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"padding": [1, 1, 1]}),
        ("nn.conv2d", f(1, 4, 8, 9), f(8, 1, 3, 3), {"groups": 3}),
        ("nn.conv2d", f(1, 4, 8, 9), f(7, 2, 3, 3), {"groups": 2}),
        ("nn.conv2d", f(1, 4, 8, 9), f(8, 4, 3, 3), {"groups": 0}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"data_layout": "NCDW"}),
        ("nn.conv2d", f(1, 3, 8, 9), f(8, 3, 3, 3), {"kernel_layout": "OIHWc"}),
        ("nn.conv2d", f(1, 3, 8, 9), "_", {**SIZED, "kernel_layout": "OIHWc"}),
        ("nn.conv3d", f(1, 4, 5, 6, 7), f(6, 4, 3, 3, 3), {"padding": [0, 1]}),
        ("nn.conv3d", f(1, 4, 5, 6, 7), f(6, 3, 3, 3, 3), {}),
    ],
)
def test_refused(op, data, weight, attrs):
    assert ask(op, data, weight, "_", **attrs) is None
