"""Layouts: what their text says, and the shapes of one tensor in two of them."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f

MALFORMED = ["NCHWc", "NC4HW", "NC_HW", "NCHW4d", "NCHW 4c", "NCHW0c"]


def relaid(source, target, data, out="_"):
    found = ask("layout_transform", data, out, src_layout=source, dst_layout=target)
    return found and tuple(found)


@pytest.mark.parametrize(
    ("source", "data", "target", "out"),
    [
        ("NCHW", f(1, 16, 8, 9), "NHWC", f(1, 8, 9, 16)),
        ("NCHW", f(1, 16, 8, 9), "WHCN", f(9, 8, 16, 1)),
        ("NCHW", f(1, 16, 8, 9), "NCHW4c", f(1, 4, 8, 9, 4)),
        ("NCHW", f(1, 16, 8, 9), "4cNCHW", f(4, 1, 4, 8, 9)),
        # the last block is filled up
        ("NCHW", f(1, 17, 8, 9), "NCHW4c", f(1, 5, 8, 9, 4)),
        # blocks in blocks, of other axes, and of both sides
        ("NCHW", f(1, 16, 8, 9), "NCHW2c2c", f(1, 4, 8, 9, 2, 2)),
        ("OIHW", f(32, 16, 3, 3), "OIHW16i16o", f(2, 1, 3, 3, 16, 16)),
        ("NCHW4c", f(1, 6, 8, 9, 4), "NCHW8c", f(1, 3, 8, 9, 8)),
        ("NCHW8c", f(1, 3, 8, 9, 8), "NCHW4c", f(1, 6, 8, 9, 4)),
        ("NCHW6c", f(1, 3, 8, 9, 6), "NCHW4c", f(1, 5, 8, 9, 4)),
        # an axis that is named twice has both extents
        ("NCCHW", f(1, 5, 11, 8, 9), "NCHW", f(1, 16, 8, 9)),
        # a number at the end says nothing
        ("NCHW4", f(1, 16, 8, 9), "NHWC", f(1, 8, 9, 16)),
        # `?`
        ("NCHW", f("?", "?", 8, 9), "NCHW4c", f("?", "?", 8, 9, 4)),
        ("NCHW4c", f(1, "?", 8, 9, 4), "NCHW", f(1, "?", 8, 9)),
        ("NCHW4c", f(1, 4, 8, 9, "?"), "NHWC", f(1, 8, 9, 16)),
    ],
)
def test_forward(source, data, target, out):
    assert relaid(source, target, data) == (data, out)


@pytest.mark.parametrize(
    ("source", "data", "target", "out"),
    [
        ("NCHW", f(1, 16, 8, 9), "NHWC", f(1, 8, 9, 16)),
        ("NCHW4c", f(1, 4, 8, 9, 4), "NCHW", f(1, 16, 8, 9)),
        ("NCHW8c", f(1, 3, 8, 9, 8), "NCHW4c", f(1, 6, 8, 9, 4)),
        # 13 to 16 channels fill 4 blocks
        ("NCHW", f(1, "_", 8, 9), "NCHW4c", f(1, 4, 8, 9, 4)),
        ("NCCHW", f(1, "_", "_", 8, 9), "NCHW", f(1, 16, 8, 9)),
    ],
)
def test_backward(source, data, target, out):
    assert relaid(source, target, "_", out) == (data, out)


@pytest.mark.parametrize(
    ("source", "target", "data", "out"),
    [
        *[(text, "NCHW", "_", "_") for text in MALFORMED],
        *[("NCHW", text, "_", "_") for text in ("NHW", "NCHWD", "NCD", "")],
        ("NCHW", "NHWC", f(1, 16, 8), "_"),
        ("NCHW4c", "NCHW", f(1, 4, 8, 9, 8), "_"),
        ("NCHW4c", "NCHW", "_", f(1, 15, 8, 9)),
        ("NCHW", "NCHW4c", "_", f(1, 4, 8, 9, 8)),
        ("NCHW", "NHWC", f(1, 16, 8, 9), f(1, 8, 9, 15)),
    ],
)
def test_refused(source, target, data, out):
    assert relaid(source, target, data, out) is None


def test_blocks_narrow_what_was_split():
    # Given that there is a fifth block, four do not suffice.
    assert relaid("NCHW", "NCHW4c", f(1, 17, 8, 9), f(1, 5, 8, 9, 4)) is not None
    assert relaid("NCHW", "NCHW4c", f(1, 16, 8, 9), f(1, 5, 8, 9, 4)) is None
