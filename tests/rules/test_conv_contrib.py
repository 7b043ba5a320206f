"""Convolutions with rearranged weights, the rearranging, deformable ones, and the gradient of a weight."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f

SIZED = {"channels": 8, "kernel_size": [3, 3]}
TILED = {"tile_size": 4}


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        (
            "nn.contrib_conv2d_NCHWc",
            {**SIZED, "data_layout": "NCHW4c", "kernel_layout": "OIHW4i4o"},
            f(1, 4, 14, 13, 4),
            f(1, 2, 12, 11, 4),
        ),
        ("nn.contrib_conv2d_winograd_without_weight_transform", {**SIZED, **TILED}, f(1, 16, 14, 13), f(1, 8, 12, 11)),
        (
            "nn.contrib_conv2d_gemm_without_weight_transform",
            {**SIZED, "data_layout": "NHWC", "kernel_layout": "HWIO", "padding": [1]},
            f(1, 14, "?", 16),
            f(1, 14, "?", 8),
        ),
        (
            "nn.contrib_conv3d_winograd_without_weight_transform",
            {"channels": 8, "kernel_size": [3, 3, 3], **TILED},
            f(1, 16, "?", 14, 13),
            f(1, 8, "?", 12, 11),
        ),
    ],
)
def test_rearranged_weights(op, attrs, data, out):
    weight = f(9, 9)
    assert ask(op, data, weight, "_", **attrs) == [data, weight, out]
    if "?" not in data:
        channels_open = ask(op, "_", weight, out, **attrs)[0]
        assert channels_open.count("_") == 1
    assert ask(op, data, weight, "_", **{**attrs, "channels": None}) is None
    assert ask(op, data, weight, "_", **{**attrs, "channels": -8}) is None
    assert ask(op, data, weight, "_", **{**attrs, "kernel_size": None}) is None
    assert ask(op, data, weight, "_", **{**attrs, "kernel_size": [30] * len(attrs["kernel_size"])}) is None
    assert ask(op, data, weight, "_", **{**attrs, "dilation": [1] * 4}) is None
    assert ask(op, data, weight, "_", **{**attrs, "kernel_layout": "OI"}) is None


def test_depthwise_in_blocks():
    attrs = {"channels": 32, "kernel_size": [3, 3], "groups": 32, "data_layout": "NCHW4c", "kernel_layout": "OIHW1i4o"}
    known = [f(1, 8, 9, 9, 4), f(8, 1, 3, 3, 1, 4), f(1, 8, 7, 7, 4)]
    assert ask("nn.contrib_depthwise_conv2d_NCHWc", known[0], "_", "_", **attrs) == known


@pytest.mark.parametrize(
    ("op", "attrs", "weight", "out"),
    [
        ("nn.contrib_conv2d_winograd_weight_transform", TILED, f(8, 4, 3, 5), f(6, 8, 8, 4)),
        ("nn.contrib_conv2d_winograd_weight_transform", TILED, f(8, 4, "?", 5), f("?", 8, 8, 4)),
        ("nn.contrib_conv3d_winograd_weight_transform", TILED, f(8, 4, 3, 4, 5), f(6, 7, 8, 8, 4)),
        (
            "nn.contrib_conv2d_winograd_nnpack_weight_transform",
            {"convolution_algorithm": 0, "out_dtype": "float16"},
            f(8, 4, 3, 3),
            f(8, 4, 8, 8, dtype="float16"),
        ),
        ("nn.contrib_conv2d_gemm_weight_transform", {"tile_rows": 4, "tile_cols": 16}, f(3, 3, 3, 30), f(8, 4, 4, 16)),
        (
            "nn.contrib_conv2d_gemm_weight_transform",
            {"tile_rows": 4, "tile_cols": 16},
            f(3, 3, "?", 30),
            f(8, "?", 4, 16),
        ),
    ],
)
def test_rearranging(op, attrs, weight, out):
    assert ask(op, weight, "_", **attrs) == [weight, out]


@pytest.mark.parametrize(
    ("op", "attrs", "weight"),
    [
        ("nn.contrib_conv2d_winograd_weight_transform", TILED, f(8, 4, 3)),
        ("nn.contrib_conv2d_winograd_weight_transform", {"tile_size": -4}, f(8, 4, 3, 3)),
        ("nn.contrib_conv3d_winograd_weight_transform", TILED, f(8, 4, 3, 3)),
        ("nn.contrib_conv3d_winograd_weight_transform", TILED, f(8, 4, "?", 3, 3)),
        ("nn.contrib_conv2d_winograd_nnpack_weight_transform", {"convolution_algorithm": 0}, f(8, 4, 3)),
        ("nn.contrib_conv2d_gemm_weight_transform", {"tile_rows": 0, "tile_cols": 16}, f(3, 3, 3, 30)),
        ("nn.contrib_conv2d_gemm_weight_transform", {"tile_rows": 4, "tile_cols": 16}, f(3, 3, 3)),
    ],
)
def test_rearranging_refused(op, attrs, weight):
    assert ask(op, weight, "_", **attrs) is None


@pytest.mark.parametrize(
    ("depth", "out", "clause"),
    [
        (2, f(7, 8, 2, 8, 4), "tiles_in_planes"),
        (3, f(6, 7, 8, 8, 4), "tiles_in_space"),
        (7, f(10, 7, 8, 8, 4), "tiles_in_space"),
        (8, f(7, 8, 8, 8, 4), "tiles_in_planes"),
    ],
)
def test_depth_of_tiles(depth, out, clause):
    op, weight = "nn.contrib_conv3d_winograd_weight_transform", f(8, 4, depth, 4, 5)
    assert ask(op, weight, "_", **TILED) == [weight, out]
    assert clauses_of(op, weight, "_", **TILED) == {clause}


def test_rearranging_backward():
    op = "nn.contrib_conv2d_winograd_weight_transform"
    assert ask(op, "_", f(6, 8, 8, 4), **TILED) == [f(8, 4, 3, 5), f(6, 8, 8, 4)]
    op = "nn.contrib_conv3d_winograd_weight_transform"
    # depth 3, 4 and 5; or depth 8 and planes 3 and 4
    assert clauses_of(op, "_", f(6, 7, 8, 8, 4), **TILED) == {"tiles_in_space", "tiles_in_planes"}
    assert ask(op, "_", f(6, 7, 2, 8, 4), **TILED) == [f(8, 4, 2, 3, 4), f(6, 7, 2, 8, 4)]


DEFORMED = [f(1, 64, 28, 28), f(1, 18, 26, 26), f(8, 64, 3, 3), f(1, 8, 26, 26)]


def test_deformable():
    data, offset, weight, out = DEFORMED
    op = "nn.deformable_conv2d"
    assert ask(op, data, "_", "_", "_", **SIZED) == DEFORMED
    assert ask(op, data, "_", weight, "_") == DEFORMED
    assert ask(op, data, offset, "_", out) == DEFORMED
    assert ask(op, "_", offset, weight, "_") == DEFORMED
    assert ask(op, data, f(1, 36, 26, 26), "_", "_", **SIZED, deformable_groups=2)[1:] == [
        f(1, 36, 26, 26),
        weight,
        out,
    ]
    assert ask(op, data, "_", f(8, 32, 3, 3), "_", groups=2)[3] == out
    assert ask(op, data, "_", "_", "_", **SIZED, groups=2)[2] == f(8, 32, 3, 3)
    # an annotated weight may have a dtype of its own unless the attributes give it its type
    assert ask(op, data, offset, f(8, 64, 3, 3, dtype="int8"), "_")[3] == out
    assert ask(op, data, offset, f(8, 64, 3, 3, dtype="int8"), "_", **SIZED) is None


@pytest.mark.parametrize(
    ("types", "attrs"),
    [
        ((DEFORMED[0], f(1, 18, 28, 28), DEFORMED[2]), {}),
        ((DEFORMED[0], f(1, 18, 26, 26, dtype="int8"), DEFORMED[2]), {}),
        ((DEFORMED[0], "_", f(8, 63, 3, 3)), {}),
        ((DEFORMED[0], "_", DEFORMED[2]), {"channels": 9}),
        ((DEFORMED[0], "_", DEFORMED[2]), {"kernel_size": [3, 4]}),
        ((DEFORMED[0], "_", DEFORMED[2]), {"padding": [1, 1, 1]}),
        ((DEFORMED[0], "_", DEFORMED[2]), {"data_layout": "NCHWc"}),
        ((DEFORMED[0], "_", "_"), {**SIZED, "kernel_layout": "OIHWc"}),
        ((DEFORMED[0], "_", "_"), {**SIZED, "groups": 3}),
    ],
)
def test_deformable_refused(types, attrs):
    assert ask("nn.deformable_conv2d", *types, "_", **attrs) is None


@pytest.mark.parametrize(
    ("grad", "data", "attrs", "out"),
    [
        (f(1, 8, 6, 6), f(1, 4, 8, 8), {}, f(8, 4, 3, 3)),
        (f(1, 8, 6, 6), f(1, 4, 8, 8), {"groups": 2}, f(8, 2, 3, 3)),
        (f(1, 8, 6, 6), f(1, 8, 8, 8), {"groups": 8}, f(8, 1, 3, 3)),
        (f(1, 6, 6, 8), f(1, 4, 8, 8), {"data_layout": "NHWC", "out_layout": "HWIO"}, f(3, 3, 4, 8)),
        (f("?", 8, "?", 6), f(1, 4, 8, 8), {"out_dtype": "float16"}, f(8, 4, 3, 3, dtype="float16")),
        (f(2, 8, 6, 6), f(1, 4, 8, 8), {}, None),
        (f(1, "?", 6, 6), f(1, 4, 8, 8), {}, None),
        (f(1, 8, 6, 6), f(1, 4, 8, 8), {"groups": 3}, None),
        (f(1, 8, 6, 6), f(1, 4, 8, 8), {"kernel_size": None}, None),
        (f(1, 8, 6, 6), f(1, 4, 8, 8), {"out_layout": ""}, None),
    ],
)
def test_gradient_of_weight(grad, data, attrs, out):
    attrs = {"kernel_size": [3, 3], "kernel_layout": "NCHW", "out_layout": "OIHW", **attrs}
    assert ask("nn.conv2d_backward_weight", grad, data, "_", **attrs) == (out and [grad, data, out])
