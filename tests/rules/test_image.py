"""Images: sizes from attributes, boxes and grids that belong to the images, dilation."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f

ROI = {"roi": [0.0] * 4}


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("image.resize1d", {"size": [5], "roi": [0.0, 0.0]}, f(1, 3, 8), f(1, 3, 5)),
        ("image.resize2d", {"size": [5, 6], **ROI}, f(1, 3, 8, 9), f(1, 3, 5, 6)),
        ("image.resize2d", {"size": [5, "?"], **ROI}, f(1, 3, 8, "?"), f(1, 3, 5, "?")),
        ("image.resize2d", {"size": [5, 6], **ROI, "layout": "NHWC"}, f(1, 8, 9, 3), f(1, 5, 6, 3)),
        ("image.resize2d", {"size": [5, 6], **ROI, "layout": "NCHW4c"}, f(1, 2, 8, 9, 4), f(1, 2, 5, 6, 4)),
        (
            "image.resize2d",
            {"size": [5, 6], **ROI, "out_dtype": "int8"},
            f(1, 3, 8, 9),
            f(1, 3, 5, 6, dtype="int8"),
        ),
        ("image.resize3d", {"size": [5, 6, 7], "roi": [0.0] * 6}, f(1, 3, 8, 9, 9), f(1, 3, 5, 6, 7)),
        ("image.affine_grid", {"target_shape": [16, 32]}, f(4, 2, 3), f(4, 2, 16, 32)),
        ("image.affine_grid", {"target_shape": [16, 32]}, f(4, "?", 3), f(4, 2, 16, 32)),
    ],
)
def test_size_of_attributes(op, attrs, data, out):
    assert ask(op, data, "_", **attrs) == [data, out]


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("image.resize1d", {"size": [5], "roi": [0.0, 0.0]}, f(1, 3, "_"), f(1, 3, 5)),
        ("image.resize2d", {"size": [5, 6], **ROI}, f(1, 3, "_", "_"), f(1, 3, 5, 6)),
        ("image.resize3d", {"size": [5, 6, 7], "roi": [0.0] * 6}, f(1, 3, "_", "_", "_"), f(1, 3, 5, 6, 7)),
        ("image.affine_grid", {"target_shape": [16, 32]}, f(4, 2, 3), f(4, 2, 16, 32)),
    ],
)
def test_size_of_attributes_backward(op, attrs, data, out):
    assert ask(op, "_", out, **attrs) == [data, out]


@pytest.mark.parametrize(
    ("op", "attrs", "data"),
    [
        ("image.resize1d", {"size": [5], "roi": None}, f(1, 3, 8)),
        ("image.resize1d", {"size": [-1], "roi": [0.0, 0.0]}, f(1, 3, 8)),
        ("image.resize2d", {"size": [5], **ROI}, f(1, 3, 8, 9)),
        ("image.resize2d", {"size": [5, 6, 7], **ROI}, f(1, 3, 8, 9)),
        ("image.resize2d", {"size": [5, 6], "roi": [0.0]}, f(1, 3, 8, 9)),
        ("image.resize2d", {"size": [5, 6], **ROI, "layout": "NHW"}, f(1, 8, 9)),
        ("image.resize3d", {"size": [5, 6, 7], "roi": [0.0] * 6}, f(1, 3, 8, 9)),
        ("image.affine_grid", {"target_shape": [16]}, f(4, 2, 3)),
        ("image.affine_grid", {"target_shape": [16, -1]}, f(4, 2, 3)),
        ("image.affine_grid", {"target_shape": [16, 32]}, f(4, 3, 3)),
        ("image.affine_grid", {"target_shape": [16, 32]}, f(4, 2)),
    ],
)
def test_size_of_attributes_refused(op, attrs, data):
    assert ask(op, data, "_", **attrs) is None


def test_computed_size():
    data, out = f(1, 3, 8, 9), f(1, 3, "?", "?")
    size, roi = f(2, dtype="int64"), f(4)
    assert ask("dyn.image.resize2d", data, size, roi, "_") == [data, size, roi, out]
    assert ask("dyn.image.resize2d", "_", size, roi, out) == [f(1, 3, "_", "_"), size, roi, out]
    assert ask("dyn.image.resize2d", f(1, 3, 8), size, roi, "_") is None


def test_crops():
    boxes, indices, attrs = f(5, 4), f(5, dtype="int32"), {"crop_size": [7, 6], "layout": "NHWC"}
    known = [f(2, 16, 17, 3), boxes, indices, f(5, 7, 6, 3)]
    assert ask("image.crop_and_resize", *known[:3], "_", **attrs) == known
    assert ask("image.crop_and_resize", "_", boxes, indices, known[3], **attrs) == [f("_", "_", "_", 3), *known[1:]]
    assert ask("image.crop_and_resize", known[0], f("?", "?"), indices, "_", **attrs)[3] == f("?", 7, 6, 3)
    assert ask("image.crop_and_resize", known[0], f(5, 3), indices, "_", **attrs) is None
    assert ask("image.crop_and_resize", known[0], boxes, f(4, dtype="int32"), "_", **attrs) is None
    assert ask("image.crop_and_resize", *known[:3], "_", crop_size=[7]) is None


@pytest.mark.parametrize(
    ("data", "grid", "layout", "out"),
    [
        (f(4, 3, 16, 32), f(4, 2, 8, 9), "NCHW", f(4, 3, 8, 9)),
        (f(4, 16, 32, 3), f(4, 2, 8, 9), "NHWC", f(4, 8, 9, 3)),
        (f(4, 3, 16, 32, 5), f(4, 3, 8, 9, 7), "NCDHW", f(4, 3, 8, 9, 7)),
        (f("?", 3, 16, 32), f(4, "?", "?", 9), "NCHW", f("?", 3, "?", 9)),
        (f(4, 3, 16, 32), f(5, 2, 8, 9), "NCHW", None),
        (f(4, 3, 16, 32), f(4, 3, 8, 9), "NCHW", None),
        (f(4, 3, 16, 32), f(4, 2, 8, 9, 7), "NCHW", None),
        (f(4, 3, 16, 32, 4), f(4, 2, 8, 9), "NCHW4c", None),
        (f(4, 3, 16), f(4, 1, 8), "NCW", None),
    ],
)
def test_samples(data, grid, layout, out):
    assert ask("image.grid_sample", data, grid, "_", layout=layout) == (out and [data, grid, out])


def test_samples_backward():
    known = [f(4, 3, "_", "_"), f(4, 2, 8, 9), f(4, 3, 8, 9)]
    assert ask("image.grid_sample", "_", known[1], known[2]) == known
    known = [f(4, 3, "_", "_", "_"), f(4, 3, 8, 9, 7), f(4, 3, 8, 9, 7)]
    assert ask("image.grid_sample", "_", known[1], known[2], layout="NCDHW") == known


@pytest.mark.parametrize(
    ("types", "attrs", "out"),
    [
        ((f(1, 3, 32, 33), f(3, 3, 3), "_"), {}, f(1, 3, 30, 31)),
        ((f(1, 3, 32, 33), f(3, 3, 3), "_"), {"padding": [1], "strides": [2, 1], "dilations": [1, 2]}, f(1, 3, 16, 31)),
        ((f(1, 32, 33, 3), f(3, 3, 3), "_"), {"data_layout": "NHWC", "kernel_layout": "HWI"}, f(1, 30, 31, 3)),
        ((f(1, 3, 32, "?"), f(3, "?", 3), "_"), {}, f(1, 3, "?", "?")),
        (("_", f(3, 3, 3), f(1, 3, 30, 31)), {}, f(1, 3, 30, 31)),
        ((f(1, 4, 32, 33), f(3, 3, 3), "_"), {}, None),
        ((f(1, 3, 2, 2), f(3, 5, 5), "_"), {}, None),
        ((f(1, 3, 32, 33), f(3, 3, 3), "_"), {"strides": [0, 1]}, None),
        ((f(1, 3, 32, 33), f(3, 3, 3), "_"), {"padding": [1, 1, 1]}, None),
        ((f(1, 3, 32, 33), f(3, 3, 3, 1), "_"), {}, None),
    ],
)
def test_dilation(types, attrs, out):
    found = ask("image.dilation2d", *types, **attrs)
    assert (found and found[-1]) == out
