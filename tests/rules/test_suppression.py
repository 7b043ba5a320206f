"""Non-maximum suppression."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

ALL = "vision.all_class_non_max_suppression"
REGULAR = "vision.regular_non_max_suppression"
NMS = "vision.non_max_suppression"
REST = "int32, float32, float32"
BOXES = "Tensor[(2, 10, 6), float16]"
FIXED = {
    "max_detections_per_class": 5,
    "max_detections": 7,
    "num_classes": 3,
    "iou_threshold": 0.5,
    "score_threshold": 0.1,
}
DETECTED = "(Tensor[(2, 7, 4), float32], Tensor[(2, 7), float32], Tensor[(2, 7), float32], Tensor[(2), int32])"

ROWS = [
    (
        "vision.get_valid_counts",
        {},
        "Tensor[(2, ?, 6), int8], (float32,)",
        "(Tensor[(2), int32], Tensor[(2, ?, 6), int8], Tensor[(2, ?), int32])",
    ),
    ("vision.get_valid_counts", {}, "Tensor[(2, 6), int8], float32", "refused"),
    (NMS, {}, f"{BOXES}, Tensor[(?), int32], {REST}", "(Tensor[(2, 10), int32], Tensor[(2, 1), int32])"),
    (NMS, {"return_indices": False}, f"{BOXES}, Tensor[(2), int32], {REST}", BOXES),
    (NMS, {}, f"{BOXES}, Tensor[(3), int32], {REST}", "refused"),
    (NMS, {}, f"{BOXES}, Tensor[(2, 1), int32], {REST}", "refused"),
    (NMS, {"return_indices": False}, f"Tensor[(10, 6), int8], Tensor[(2), int32], {REST}", "refused"),
    (ALL, {}, f"{BOXES}, Tensor[(2, 3, 10), int8], {REST}", "(Tensor[(60, 3), int64], Tensor[(1), int64])"),
    (ALL, {}, f"{BOXES}, Tensor[(2, ?, 10), int8], {REST}", "(Tensor[(?, 3), int64], Tensor[(1), int64])"),
    (
        ALL,
        {"output_format": "tensorflow"},
        f"{BOXES}, Tensor[(?, 3, ?), int8], {REST}",
        "(Tensor[(2, 30, 2), int64], Tensor[(2, 30), float32], Tensor[(2), int64])",
    ),
    (
        ALL,
        {},
        f"Tensor[(5, 0, 4), int8], Tensor[(5, ?, 0), int8], {REST}",
        "(Tensor[(0, 3), int64], Tensor[(1), int64])",
    ),
    (
        ALL,
        {},
        f"Tensor[(?, 0, 4), int8], Tensor[(5, 2, 0), int8], {REST}",
        "(Tensor[(?, 3), int64], Tensor[(1), int64])",
    ),
    (ALL, {}, f"{BOXES}, Tensor[(1, 3, 10), int8], {REST}", "refused"),
    (ALL, {"output_format": "tensorflow"}, f"{BOXES}, Tensor[(2, 3, 9), int8], {REST}", "refused"),
    (ALL, {}, f"{BOXES}, Tensor[(2, 10), int8], {REST}", "refused"),
    (REGULAR, FIXED, f"{BOXES}, Tensor[(2, 10, 3), int8]", DETECTED),
    (REGULAR, FIXED, f"{BOXES}, Tensor[(2, 3, 10), int8]", "refused"),
    (REGULAR, FIXED, f"{BOXES}, Tensor[(1, 10, 3), int8]", "refused"),
    (REGULAR, {**FIXED, "max_detections": -1}, f"{BOXES}, Tensor[(2, 10, 3), int8]", "refused"),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), ROWS)
def test_forward(name, attrs, inputs, expected):
    assert result(name, attrs, inputs) == expected


def test_backward():
    (found,) = answers(NMS, {"return_indices": False}, f"_, _, {REST}", BOXES)
    assert found.startswith(f"{BOXES}, Tensor[(2), _], ")
    (found,) = answers(REGULAR, FIXED, f"{BOXES}, _", DETECTED)
    assert found == f"{BOXES}, Tensor[(2, 10, _), _] -> {DETECTED}"
    (found,) = answers(ALL, {}, f"{BOXES}, _, {REST}", "(Tensor[(60, 3), int64], _)")
    assert found.startswith(f"{BOXES}, Tensor[(2, 3, 10), _], ")
    assert answers(ALL, {}, f"{BOXES}, _, {REST}", "(Tensor[(61, 3), int64], _)") == []
