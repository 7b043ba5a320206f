"""Bounded completeness of reductions, scans, sorting, signals, random numbers, vision, memory, changes of layout."""

from __future__ import annotations

import pytest

from tests.rules.bounded import assert_complete, tensors, tuples

KEY = tensors([1], (10, 11), "uint64")
KEYS = tensors([1], (10,), "uint64")
INTS = "int32"

UNIVERSES = [
    ("sum", {}, [tensors([0, 1, 2], (0, 2)), tensors([0, 1], (0, 2))]),
    ("sum", {"axis": [1]}, [tensors([1, 2, 3]), tensors([0, 1, 2])]),
    ("max", {"axis": [0, -1]}, [tensors([1, 2, 3]), tensors([0, 1, 2])]),
    ("min", {"axis": [-1], "keepdims": True}, [tensors([1, 2, 3]), tensors([1, 2, 3])]),
    ("mean", {"axis": [1], "exclude": True}, [tensors([1, 2, 3]), tensors([0, 1, 2])]),
    ("prod", {"axis": [0, 0], "keepdims": True}, [tensors([1, 2, 3]), tensors([1, 2, 3])]),
    ("argmax", {"axis": [0]}, [tensors([0, 1, 2]), tensors([0, 1], dtype=INTS)]),
    ("argmin", {}, [tensors([0, 1, 2]), tensors([0, 1], dtype=INTS)]),
    ("variance", {"axis": [0]}, [tensors([1, 2]), tensors([1, 2], (1, 2, 3)), tensors([0, 1])]),
    ("cumsum", {"axis": 1}, [tensors([1, 2]), tensors([1, 2])]),
    ("cumsum", {}, [tensors([0, 1, 2, 3], (0, 1, 2)), tensors([1], (0, 1, 2, 4))]),
    ("sort", {"axis": -2}, [tensors([1, 2]), tensors([1, 2])]),
    ("argsort", {"axis": 0, "dtype": INTS}, [tensors([0, 1, 2]), tensors([0, 1, 2], dtype=INTS)]),
    ("topk", {"k": 2, "ret_type": "values"}, [tensors([1, 2, 3]), tensors([1, 2, 3])]),
    ("topk", {"k": 0, "axis": 0, "ret_type": "values"}, [tensors([0, 1, 2]), tensors([0, 1, 2])]),
    (
        "topk",
        {"k": 1, "axis": 0, "dtype": INTS},
        [tensors([1, 2]), tuples(tensors([1, 2]), tensors([1, 2], dtype=INTS))],
    ),
    ("searchsorted", {}, [tensors([0, 1, 2]), tensors([0, 1, 2]), tensors([0, 1, 2], dtype=INTS)]),
    ("searchsorted", {}, [tensors([2, 3]), tensors([3]), tensors([3], dtype=INTS)]),
    ("unique", {}, [tensors([1]), tuples(tensors([1]), *[tensors([1], dtype=INTS)] * 3)]),
    ("dft", {}, [tensors([1, 2]), tensors([1, 2]), tuples(tensors([1, 2]), tensors([1, 2]))]),
    (
        "stft",
        {"n_fft": 2, "hop_length": 2},
        [tensors([0, 1, 2, 3], (1, 2, 5)), tensors([0]), tensors([2, 3, 4], (0, 1, 2))],
    ),
    ("random.threefry_split", {}, [KEY, tuples(KEY, KEY)]),
    ("random.threefry_generate", {"out_shape": [2]}, [KEY * 2, tuples(KEYS, tensors([1], dtype="uint64")) * 2]),
    (
        "random.uniform",
        {"out_shape": [2], "out_dtype": "float32"},
        [KEY, tensors([0, 1]), tensors([0, 1]), tuples(KEYS, tensors([0, 1])) * 2],
    ),
    ("random.multinomial", {"num_samples": 2}, [KEYS, tensors([0, 1, 2]), tuples(KEYS, tensors([1, 2], dtype=INTS))]),
    (
        "vision.roi_align",
        {"pooled_size": [1, 2], "spatial_scale": 1.0, "layout": "NHWC"},
        [tensors([4]), tensors([2], (2, 5)), tensors([4])],
    ),
    ("vision.multibox_prior", {}, [tensors([4]), tensors([3], (1, 2, 4))]),
    (
        "vision.multibox_transform_loc",
        {},
        [
            tensors([3]),
            tensors([2], (1, 2, 4)),
            tensors([3], (1, 4)),
            tuples(tensors([3], (1, 2, 6)), tensors([1], dtype=INTS)),
        ],
    ),
    (
        "vision.proposal",
        {"rpn_post_nms_top_n": 1},
        [tensors([4]), tensors([4]), tensors([2], (1, 3)), tensors([2], (1, 5))],
    ),
    ("vision.yolo_reorg", {"stride": 2}, [tensors([3, 4], (1, 2)), tensors([4], (0, 1, 2, 4))]),
    (
        "vision.get_valid_counts",
        {},
        [
            tensors([2, 3]),
            tensors([0]),
            tuples(tensors([1], dtype=INTS), tensors([3]), tensors([2], dtype=INTS)),
        ],
    ),
    (
        "vision.regular_non_max_suppression",
        {
            "max_detections_per_class": 1,
            "max_detections": 1,
            "num_classes": 1,
            "iou_threshold": 0,
            "score_threshold": 0,
        },
        [
            tensors([3]),
            tensors([3]),
            tuples(tensors([3], (1, 4)), tensors([2]), tensors([2]), tensors([1], dtype=INTS)),
        ],
    ),
    ("annotation.stop_fusion", {}, [tensors([0, 1]) + tuples(tensors([1])), tensors([0, 1]) + tuples(tensors([1]))]),
    (
        "relay.op.annotation.simulated_quantize",
        {},
        [tensors([0, 1]), tensors([0, 1]), tensors([0]), tensors([0]), tensors([0, 1])],
    ),
    ("layout_transform", {"src_layout": "NC", "dst_layout": "CN"}, [tensors([1, 2, 3]), tensors([1, 2, 3])]),
    ("layout_transform", {"src_layout": "NC", "dst_layout": "NC2c"}, [tensors([2], (1, 2, 3, 4)), tensors([3])]),
    ("layout_transform", {"src_layout": "NC2c", "dst_layout": "NC"}, [tensors([3]), tensors([2], (1, 2, 3, 4))]),
    (
        "meta_schedule_layout_transform",
        {"index_map": {"index_map": {"inputs": ["i", "j"], "outputs": ["floordiv((i*2+j),2)", "floormod(i,2)"]}}},
        [tensors([2], (0, 1, 2, 3)), tensors([2], (0, 1, 2, 3))],
    ),
]


@pytest.mark.parametrize(("op", "attrs", "universe"), UNIVERSES, ids=[op for op, _, _ in UNIVERSES])
def test_everything_that_holds_is_found_from_any_part(op, attrs, universe):
    assert_complete(op, attrs, universe)
