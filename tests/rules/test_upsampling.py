"""Upsampling: scales of any kind, both ways."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f


def scales(h, w):
    return {"scale_h": h, "scale_w": w}


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("nn.upsampling", scales(2.0, 3.0), f(1, 3, 8, 9), f(1, 3, 16, 27)),
        # rounded half to even, in double precision
        ("nn.upsampling", scales(1.5, 1.5), f(1, 3, 3, 5), f(1, 3, 4, 8)),
        ("nn.upsampling", scales(0.7, 0.1), f(1, 3, 15, 45), f(1, 3, 10, 4)),
        ("nn.upsampling", scales(2.0, 1.5), f(1, 3, "?", "?"), f(1, 3, "?", "?")),
        ("nn.upsampling", {**scales(2.0, 3.0), "layout": "NHWC"}, f(1, 8, 9, 3), f(1, 16, 27, 3)),
        ("nn.upsampling", {**scales(2.0, 0.5), "layout": "NCHW4c"}, f(1, 2, 8, 9, 4), f(1, 2, 16, 4, 4)),
        ("nn.upsampling3d", {**scales(2.0, 3.0), "scale_d": 1.5}, f(1, 3, 3, 8, 9), f(1, 3, 4, 16, 27)),
    ],
)
def test_forward(op, attrs, data, out):
    assert ask(op, data, "_", **attrs) == [data, out]


@pytest.mark.parametrize(
    ("attrs", "data", "out"),
    [
        (scales(2.0, 3.0), f(1, 3, 8, 9), f(1, 3, 16, 27)),
        (scales(1.5, 1.5), f(1, 3, 3, 5), f(1, 3, 4, 8)),
        # 8 and 9 give 4 when halved; nothing gives 2 when tripled
        (scales(0.5, 1.0), f(1, 3, "_", 9), f(1, 3, 4, 9)),
        (scales(3.0, 1.0), None, f(1, 3, 2, 9)),
        (scales(2.5, 1.0), None, f(1, 3, 4, 9)),
    ],
)
def test_backward(attrs, data, out):
    assert ask("nn.upsampling", "_", out, **attrs) == (data and [data, out])


def test_backward_in_space():
    data, out = f(1, 3, 3, 8, 9), f(1, 3, 6, 16, 27)
    assert ask("nn.upsampling3d", "_", out, **scales(2.0, 3.0), scale_d=2.0) == [data, out]


@pytest.mark.parametrize(
    ("attrs", "data"),
    [
        (scales(-2.0, 1.0), f(1, 3, 8, 9)),
        (scales(-1.5, 1.0), f(1, 3, 8, 9)),
        (scales(float("inf"), 1.0), f(1, 3, 8, 9)),
        (scales(float("nan"), 1.0), f(1, 3, 8, 9)),
        ({**scales(2.0, 2.0), "layout": "NCW"}, f(1, 3, 8)),
        (scales(2.0, 2.0), f(1, 3, 8)),
    ],
)
def test_refused(attrs, data):
    assert ask("nn.upsampling", data, "_", **attrs) is None


def test_computed_scales():
    data, out = f(1, 3, 8, 9), f(1, 3, "?", "?")
    assert ask("dyn.nn.upsampling", data, f(), f(), "_", **scales(0, 0)) == [data, f(), f(), out]
    assert ask("dyn.nn.upsampling", "_", f(), f(), out, **scales(0, 0)) == [f(1, 3, "_", "_"), f(), f(), out]
    assert ask("dyn.nn.upsampling", data, f(1), f(), "_", **scales(0, 0)) is None
    data, out = f(1, 3, 8, 9, 7), f(1, 3, "?", "?", "?")
    known = [data, f(), f(3), f(), out]
    assert ask("dyn.nn.upsampling3d", *known[:4], "_", **scales(0, 0), scale_d=0) == known
    assert ask("dyn.nn.upsampling3d", f(1, 3, 8, 9), f(), f(), f(), "_", **scales(0, 0), scale_d=0) is None
