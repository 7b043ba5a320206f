"""Pads, dilation, and space against channels and batches: both ways, and what is refused."""

import pytest

from relaylogic.rulebase import AttributeProblem, default_rules
from tests.rules.asking import ask
from tests.rules.asking import tensor as f

TO_BATCH = {"block_shape": [2, 2], "paddings": [[0, 1], [2, 0]]}
TO_SPACE = {"block_shape": [2, 2], "crops": [[0, 1], [2, 0]]}


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("nn.mirror_pad", {"pad_width": [[0, 0], [1, 2]]}, f(2, 3), f(2, 6)),
        ("nn.mirror_pad", {"pad_width": [[0, 0], [1, 2]]}, f("?", "?"), f("?", "?")),
        ("nn.dilate", {"strides": [1, 3]}, f(2, 3), f(2, 7)),
        ("nn.dilate", {"strides": []}, f(), f()),
        ("nn.dilate", {"strides": [2, 2]}, f("?", 3), f("?", 5)),
        ("nn.depth_to_space", {"block_size": 2}, f(1, 16, 8, 9), f(1, 4, 16, 18)),
        ("nn.depth_to_space", {"block_size": 2}, f(1, 7, 9, 9), f(1, 1, 18, 18)),
        ("nn.depth_to_space", {"block_size": 2, "layout": "NHWC"}, f(1, 8, 9, 16), f(1, 16, 18, 4)),
        ("nn.depth_to_space", {"block_size": 2, "layout": "NCHW2c"}, f(1, 3, 8, 8, 2), f(1, 1, 16, 16, 2)),
        ("nn.space_to_depth", {"block_size": 2}, f(1, 3, 8, 9), f(1, 12, 4, 4)),
        ("nn.space_to_depth", {"block_size": 2}, f(1, "?", "?", 9), f(1, "?", "?", 4)),
        ("nn.space_to_batch_nd", TO_BATCH, f(1, 5, 6, 3), f(4, 3, 4, 3)),
        ("nn.space_to_batch_nd", {"block_shape": [], "paddings": []}, f(1, 5), f(1, 5)),
        ("nn.space_to_batch_nd", TO_BATCH, f("?", "?", 6), f("?", "?", 4)),
        ("nn.batch_to_space_nd", TO_SPACE, f(4, 3, 4, 3), f(1, 5, 6, 3)),
        ("nn.batch_to_space_nd", TO_SPACE, f(5, "?", 4), f(1, "?", 6)),
    ],
)
def test_forward(op, attrs, data, out):
    assert ask(op, data, "_", **attrs) == [data, out]


@pytest.mark.parametrize(
    ("op", "attrs", "data", "out"),
    [
        ("nn.mirror_pad", {"pad_width": [[0, 0], [1, 2]]}, f(2, 3), f(2, 6)),
        ("nn.dilate", {"strides": [1, 3]}, f(2, 3), f(2, 7)),
        ("nn.depth_to_space", {"block_size": 2}, f(1, "_", 8, 9), f(1, 4, 16, 18)),
        ("nn.space_to_depth", {"block_size": 2}, f(1, 3, "_", "_"), f(1, 12, 4, 4)),
        ("nn.space_to_batch_nd", TO_BATCH, f(1, "_", "_", 3), f(4, 3, 4, 3)),
        ("nn.batch_to_space_nd", TO_SPACE, f("_", 3, 4, 3), f(1, 5, 6, 3)),
    ],
)
def test_backward(op, attrs, data, out):
    assert ask(op, "_", out, **attrs) == [data, out]


@pytest.mark.parametrize(
    ("op", "attrs", "types"),
    [
        ("nn.mirror_pad", {"pad_width": [[0, 0], [-1, 2]]}, (f(2, 3), "_")),
        ("nn.mirror_pad", {"pad_width": [[0, 0]]}, (f(2, 3), "_")),
        ("nn.mirror_pad", {"pad_width": [[0, 0], [1]]}, (f(2, 3), "_")),
        ("nn.mirror_pad", {"pad_width": [[0, 0], [1, 2]]}, ("_", f(2, 2))),
        ("nn.dilate", {"strides": [2]}, (f(2, 3), "_")),
        ("nn.dilate", {"strides": [2]}, (f(0), "_")),
        ("nn.dilate", {"strides": [2]}, ("_", f(4))),
        ("nn.depth_to_space", {"block_size": 0}, (f(1, 16, 8, 8), "_")),
        ("nn.depth_to_space", {"block_size": 0}, ("_", "_")),
        ("nn.batch_to_space_nd", {"block_shape": [2, 0], "crops": [[0, 0], [0, 0]]}, ("_", "_")),
        ("nn.batch_to_space_nd", {"block_shape": [2, 0], "crops": [[0, 0], [0, 0]]}, (f("?", 4, 4), "_")),
        ("nn.batch_to_space_nd", {"block_shape": [2], "crops": [0]}, (f(4, 4), "_")),
        ("nn.space_to_batch_nd", {"block_shape": [2, 0], "paddings": [[0, 0], [0, 0]]}, (f(1, 4, "?"), "_")),
        ("nn.depth_to_space", {"block_size": 2}, ("_", f(1, 4, 15, 18))),
        ("nn.space_to_depth", {"block_size": -2}, (f(1, 16, 8, 8), "_")),
        ("nn.space_to_depth", {"layout": "NCW"}, (f(1, 16, 8, 8), "_")),
        ("nn.space_to_batch_nd", {**TO_BATCH, "paddings": [[0, 1]]}, (f(1, 5, 6), "_")),
        ("nn.space_to_batch_nd", {**TO_BATCH, "paddings": [[0, 1], [2]]}, (f(1, 5, 6), "_")),
        ("nn.space_to_batch_nd", TO_BATCH, (f(1, 5), "_")),
        ("nn.space_to_batch_nd", {"block_shape": [], "paddings": []}, (f(1), "_")),
        ("nn.space_to_batch_nd", {**TO_BATCH, "paddings": [[-9, 1], [0, 0]]}, (f(1, 5, 6), "_")),
        ("nn.batch_to_space_nd", {**TO_SPACE, "crops": [[0, 1], [9, 9]]}, (f(4, 3, 4), "_")),
        ("nn.batch_to_space_nd", {**TO_SPACE, "crops": [[0, 1], [9]]}, (f(4, 3, 4), "_")),
        ("nn.batch_to_space_nd", {**TO_SPACE, "block_shape": [0, 2]}, (f(4, 3, 4), "_")),
    ],
)
def test_refused(op, attrs, types):
    assert ask(op, *types, **attrs) is None


def test_pad():
    widths = {"pad_width": [[0, 0], [-2, 1]]}
    assert ask("nn.pad", f(2, 3), f(), "_", **widths) == [f(2, 3), f(), f(2, 2)]
    assert ask("nn.pad", "_", f(), f(2, 2), **widths) == [f(2, 3), f(), f(2, 2)]
    assert ask("nn.pad", f("?", "?"), f(), "_", **widths) == [f("?", "?"), f(), f("?", "?")]
    assert ask("nn.pad", f(2, 3), f(), "_", pad_width=[[0, 0], [-3, -1]]) is None
    assert ask("nn.pad", f(2, 3), f(), "_", pad_width=[[0, 0]]) is None
    for operator in ("nn.pad", "nn.mirror_pad", "dyn.nn.pad"):
        with pytest.raises(AttributeProblem, match="its elements are integers, not `\\?`"):
            default_rules().operators[operator].attrs({"pad_width": [[0, 0], ["?", 1]]})


def test_pad_by_computed_widths():
    widths = f(2, 2, dtype="int64")
    known = [f(2, 3), widths, f(), f("?", "?")]
    assert ask("dyn.nn.pad", *known[:3], "_", pad_width=[]) == known
    assert ask("dyn.nn.pad", "_", widths, f(), f("?", "?"), pad_width=[]) == [f("_", "_"), *known[1:]]
    assert ask("dyn.nn.pad", f(), widths, f(), "_", pad_width=[]) is None
    assert ask("dyn.nn.pad", f(2, 3), f(2), f(), "_", pad_width=[]) is None
    assert ask("dyn.nn.pad", f(2, 3), widths, f"({f()},)", "_", pad_width=[]) is None
