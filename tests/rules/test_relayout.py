"""Changes of layout, in both directions."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

NAMES = [
    ("NCHW", "NHWC", (1, 16, 8, 9), "(1, 8, 9, 16)"),
    ("NCHW", "NCHW4c", (1, 17, 8, 9), "(1, 5, 8, 9, 4)"),
    ("NCHW4c", "NCHW8c", (1, 3, 8, 9, "?"), "(1, 2, 8, 9, 8)"),
    ("NCHW4c", "NCHW", (1, "?", 8, 9, 4), "(1, ?, 8, 9)"),
    ("NCHW16c", "NCHW", (8, 4, 1, 2, 4), None),
    ("NCH", "NCHW", (1, 16, 8), None),
    ("NCHW", "", (1, 16, 8, 9), None),
    ("NCHW", "NCHWc", (1, 16, 8, 9), None),
    ("NCHW", "NHWC", (1, 16, 8), None),
]


def tensor(extents):
    return f"Tensor[({', '.join(map(str, extents))}), float32]"


@pytest.mark.parametrize(("source", "target", "extents", "expected"), NAMES)
def test_by_names(source, target, extents, expected):
    found = result("layout_transform", {"src_layout": source, "dst_layout": target}, tensor(extents))
    assert found == (f"Tensor[{expected}, float32]" if expected else "refused")


def test_by_names_backward():
    out = "Tensor[(1, 8, 9, 16), float32]"
    attrs = {"src_layout": "NCHW", "dst_layout": "NHWC"}
    assert answers("layout_transform", attrs, "_", out) == [f"Tensor[(1, 16, 8, 9), float32] -> {out}"]
    out = "Tensor[(1, 5, 8, 9), float32]"
    attrs = {"src_layout": "NCHW4c", "dst_layout": "NCHW"}
    assert answers("layout_transform", attrs, "_", out) == []


LENGTHS = [
    ("2A4b", "(2, 4)"),
    ("7Q3Z", "(7, 3)"),
    ("AB4C", "(4)"),
    ("0A4B", "(4)"),
    ("4A3", "(4)"),
    ("4_2a", "(4, 2)"),
    ("100cc8a", "(100, 8)"),
    ("4A,2B", None),
    ("1 A", None),
]


@pytest.mark.parametrize(("layout", "expected"), LENGTHS)
def test_by_lengths(layout, expected):
    found = result("auto_scheduler_layout_transform", {"src_layout": "8A", "dst_layout": layout}, "Tensor[(8), int8]")
    assert found == (f"Tensor[{expected}, int8]" if expected else "refused")
    assert (
        result("auto_scheduler_layout_transform", {"src_layout": "8A", "dst_layout": ""}, "Tensor[(8), int8]") == "int8"
    )
    assert result("auto_scheduler_layout_transform", {"src_layout": "8A", "dst_layout": "8A"}, "(int8,)") == "refused"


MAPS = [
    ("i", "floordiv(i, 4) floormod(i, 4)", (3,), "(1, 4)"),
    ("i", "floordiv(i, 4) floormod(i, 4)", (18,), "(5, 4)"),
    ("i j", "j i", ("?", 0), "(0, ?)"),
    ("i j", "((i*8)+j)", (4, 8), "(32)"),
    ("i j", "(j+(8*i)) 0", (4, 8), "(32, 1)"),
    ("i j", "floordiv(((i*30)+j),8)", (17, 30), "(64)"),
    ("i", "(i+3)", (8,), None),
    ("i", "(i*-1)", (8,), None),
    ("i", "(i-1)", (8,), None),
    ("i j", "j i", (8,), None),
]


@pytest.mark.parametrize(("inputs", "outputs", "extents", "expected"), MAPS)
def test_by_a_map_of_indices(inputs, outputs, extents, expected):
    outputs = outputs.replace(", ", ",").split()
    attrs = {"index_map": {"index_map": {"inputs": inputs.split(), "outputs": outputs}}}
    found = result("meta_schedule_layout_transform", attrs, tensor(extents))
    assert found == (f"Tensor[{expected}, float32]" if expected else "refused")


def test_by_a_map_of_indices_backward():
    attrs = {"index_map": {"index_map": {"inputs": ["i", "j"], "outputs": ["j", "floordiv(i,1)", "((i*2)+j)"]}}}
    out = "Tensor[(2, 4, _), int8]"
    assert answers("meta_schedule_layout_transform", attrs, "_", out) == [
        "Tensor[(4, 2), int8] -> Tensor[(2, 4, 8), int8]"
    ]
    assert result("meta_schedule_layout_transform", {}, "Tensor[(8), int8]") == "refused"
