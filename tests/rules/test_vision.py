"""Regions, anchors, proposals."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

IMAGE = "Tensor[(1, 4, 16, 15), float16]"
POOL = {"pooled_size": [7, 6], "spatial_scale": 1.0}
LAST = {**POOL, "layout": "NHWC"}

ROWS = [
    ("vision.roi_align", POOL, f"{IMAGE}, Tensor[(32, 5), float32]", "Tensor[(32, 4, 7, 6), float16]"),
    ("vision.roi_align", LAST, f"{IMAGE}, Tensor[(?, ?), float32]", "Tensor[(?, 7, 6, 15), float16]"),
    (
        "vision.roi_pool",
        {**POOL, "pooled_size": [7, 6, 5]},
        f"{IMAGE}, Tensor[(2, 5), int8]",
        "Tensor[(2, 4, 7, 6), float16]",
    ),
    ("vision.roi_align", POOL, f"{IMAGE}, Tensor[(32, 4), float32]", "refused"),
    ("vision.roi_align", POOL, f"{IMAGE}, Tensor[(5), float32]", "refused"),
    ("vision.roi_pool", {**POOL, "layout": "HWCN"}, f"{IMAGE}, Tensor[(32, 5), float32]", "refused"),
    ("vision.roi_pool", {**POOL, "pooled_size": [7]}, f"{IMAGE}, Tensor[(32, 5), float32]", "refused"),
    ("vision.roi_pool", {**LAST, "pooled_size": None}, f"{IMAGE}, Tensor[(32, 5), float32]", "refused"),
    ("vision.roi_pool", {**LAST, "pooled_size": [7, -1]}, f"{IMAGE}, Tensor[(32, 5), float32]", "refused"),
    ("vision.multibox_prior", {}, "Tensor[(9, 3, 8, 4), int8]", "Tensor[(1, 32, 4), int8]"),
    (
        "vision.multibox_prior",
        {"sizes": [0.5, 0.25], "ratios": [1, 2, 0.5]},
        "Tensor[(1, 3, 8, 4), int8]",
        "Tensor[(1, 128, 4), int8]",
    ),
    ("vision.multibox_prior", {}, "Tensor[(9, 3, ?, 4), int8]", "Tensor[(1, ?, 4), int8]"),
    ("vision.multibox_prior", {}, "Tensor[(9, 3, ?, 0), int8]", "Tensor[(1, 0, 4), int8]"),
    ("vision.multibox_prior", {"sizes": []}, "Tensor[(9, 3, ?, 4), int8]", "Tensor[(1, 0, 4), int8]"),
    ("vision.multibox_prior", {"sizes": [], "ratios": []}, "Tensor[(9, 3, 8, 4), int8]", "refused"),
    ("vision.multibox_prior", {}, "Tensor[(3, 8, 4), int8]", "refused"),
    ("vision.yolo_reorg", {"stride": 2}, "Tensor[(1, 4, 16, 9), int8]", "Tensor[(1, 16, 8, 4), int8]"),
    ("vision.yolo_reorg", {"stride": 2}, "Tensor[(1, ?, ?, 8), int8]", "Tensor[(1, ?, ?, 4), int8]"),
    ("vision.yolo_reorg", {"stride": 0}, "Tensor[(1, 4, 16, 8), int8]", "refused"),
    ("vision.yolo_reorg", {"stride": -2}, "Tensor[(1, 4, 16, 8), int8]", "refused"),
    ("vision.yolo_reorg", {}, "Tensor[(1, 4, 16), int8]", "refused"),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), ROWS)
def test_forward(name, attrs, inputs, expected):
    assert result(name, attrs, inputs) == expected


MOVED = [
    # class probabilities, offsets, anchors, boxes of the result
    ((2, 3, 5), (2, 20), (1, 5, 4), "(2, 5, 6)"),
    ((2, 3, "?"), (2, "?"), (1, "?", "?"), "(2, ?, 6)"),
    (("?", 3, 5), (1, 20), (1, 5, 4), "(?, 5, 6)"),
    ((2, 3, 5), (2, 19), (1, 5, 4), None),
    ((2, 3, 5), (2, 20), (1, 6, 4), None),
    ((2, 3, 5), (2, 20), (1, 5, 5), None),
    ((2, 3, 5), (3, 20), (1, 5, 4), None),
    ((2, 3, 0), (2, 0), (1, 0, 4), None),
    ((2, 3), (2, 20), (1, 5, 4), None),
]


def tensor(extents):
    return f"Tensor[({', '.join(map(str, extents))}), float32]"


@pytest.mark.parametrize(("scores", "offsets", "anchors", "boxes"), MOVED)
def test_anchors_are_moved(scores, offsets, anchors, boxes):
    found = result("vision.multibox_transform_loc", {}, ", ".join(map(tensor, (scores, offsets, anchors))))
    assert found == (f"(Tensor[{boxes}, float32], Tensor[({scores[0]}), int32])" if boxes else "refused")


PROPOSED = [
    ((2, 18, 8, 9), (2, 36, 8, 9), (2, 3), "600"),
    (("?", 18, 8, 9), (2, 36, 8, 9), (1, "?"), "?"),
    ((2, 18, 8, 9), (1, 36, 8, 9), (2, 3), None),
    ((2, 18, 8, 9), (2, 36, 8, 9), (1, 3), None),
    ((2, 18, 8, 9), (2, 36, 8, 8), (2, 3), None),
    ((2, 18, 8, 9), (2, 36, 7, 9), (2, 3), None),
    ((2, 18, 8, 9), (2, 36, 8, 9), (2, 4), None),
    ((2, 18, 8, 9), (2, 36, 8, 9), (3,), None),
]


@pytest.mark.parametrize(("scores", "boxes", "images", "count"), PROPOSED)
def test_proposals(scores, boxes, images, count):
    found = result("vision.proposal", {}, ", ".join(map(tensor, (scores, boxes, images))))
    assert found == (f"Tensor[({count}, 5), float32]" if count else "refused")


def test_backward():
    out = "Tensor[(32, 4, 7, 6), float16]"
    assert answers("vision.roi_align", POOL, "_, _", out) == [
        f"Tensor[(_, 4, _, _), float16], Tensor[(32, 5), _] -> {out}"
    ]
    out = "Tensor[(1, 16, 8, 4), int8]"
    assert answers("vision.yolo_reorg", {"stride": 1}, "_", out) == [f"{out} -> {out}"]
    assert answers("vision.yolo_reorg", {"stride": 3}, "_", out) == []
    assert answers("vision.multibox_prior", {}, "Tensor[(1, 3, 8, _), int8]", "Tensor[(_, 32, _), _]") == [
        "Tensor[(1, 3, 8, 4), int8] -> Tensor[(1, 32, 4), int8]"
    ]
    out = "(Tensor[(2, 5, 6), float32], Tensor[(2), int32])"
    assert answers("vision.multibox_transform_loc", {}, "_, _, _", out) == [
        f"Tensor[(2, _, 5), float32], Tensor[(2, 20), _], Tensor[(_, 5, 4), _] -> {out}"
    ]
    assert answers("vision.proposal", {}, "Tensor[(_, 18, 8, 9), _], _, _", "Tensor[(600, 5), float32]") == [
        "Tensor[(2, 18, 8, 9), float32], Tensor[(2, _, 8, 9), _], Tensor[(2, 3), _] -> Tensor[(600, 5), float32]"
    ]
