"""Reductions: every way to name axes, forwards and backwards."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

RANK_3 = "Tensor[(2, 3, 4), float32]"

FORWARD = [
    # axis, keepdims, exclude, result
    (None, False, False, "float32"),
    (None, True, False, "Tensor[(1, 1, 1), float32]"),
    ([], False, True, "float32"),
    (None, True, True, "Tensor[(1, 1, 1), float32]"),
    ([1], False, False, "Tensor[(2, 4), float32]"),
    ([-1], False, False, "Tensor[(2, 3), float32]"),
    ([2, 0], False, False, "Tensor[(3), float32]"),
    ([2, 0], True, False, "Tensor[(1, 3, 1), float32]"),
    ([1], False, True, "Tensor[(3), float32]"),
    ([1], True, True, "Tensor[(1, 3, 1), float32]"),
    ([0, 1, 2], False, True, RANK_3),
    ([0, 0, 2], True, False, "Tensor[(1, 3, 1), float32]"),
    ([1, -2], False, False, "Tensor[(2, 4), float32]"),
    ([3], False, False, "refused"),
    ([-4], True, False, "refused"),
    ([0, 3], False, True, "refused"),
]


@pytest.mark.parametrize(("axis", "keepdims", "exclude", "expected"), FORWARD)
def test_forward(axis, keepdims, exclude, expected):
    assert result("sum", {"axis": axis, "keepdims": keepdims, "exclude": exclude}, RANK_3) == expected


def test_unknown_extents_and_scalars():
    assert result("max", {"axis": [0]}, "Tensor[(?, 3), float32]") == "Tensor[(3), float32]"
    assert result("all", {"axis": [1]}, "Tensor[(?, 3), bool]") == "Tensor[(?), bool]"
    assert result("prod", {}, "int8") == "int8"
    assert result("prod", {"axis": [0]}, "int8") == "refused"
    assert result("mean", {}, "(float32, float32)") == "refused"


BACKWARD = [
    # axis, keepdims, exclude, result, what is known of the data
    ([1], False, False, "Tensor[(2, 4), float32]", "Tensor[(2, _, 4), float32]"),
    ([-1], False, False, "Tensor[(2, 4), float32]", "Tensor[(2, 4, _), float32]"),
    ([2, 0], True, False, "Tensor[(1, 3, 1), float32]", "Tensor[(_, 3, _), float32]"),
    ([1], True, True, "Tensor[(1, 3, 1), float32]", "Tensor[(_, 3, _), float32]"),
    (None, True, False, "Tensor[(1, 1), int8]", "Tensor[(_, _), int8]"),
    ([1, -2], False, False, "Tensor[(2, 4), float32]", "Tensor[(_, _, ..._), float32]"),
    ([0], False, True, "Tensor[(2), float32]", "Tensor[(2, ..._), float32]"),
    (None, False, False, "float32", "Tensor[_, float32]"),
]


@pytest.mark.parametrize(("axis", "keepdims", "exclude", "out", "data"), BACKWARD)
def test_backward(axis, keepdims, exclude, out, data):
    attrs = {"axis": axis, "keepdims": keepdims, "exclude": exclude}
    assert answers("sum", attrs, "_", out) == [f"{data} -> {out}"]


def test_backward_refuses():
    assert answers("sum", {"axis": [0], "keepdims": True}, "_", "Tensor[(2, 3), float32]") == []
    assert answers("sum", {}, "_", "Tensor[(2), float32]") == []
    assert answers("sum", {"axis": [0]}, "Tensor[_, int8]", "Tensor[(2), float32]") == []


def test_positions():
    assert result("argmax", {"axis": [1]}, RANK_3) == "Tensor[(2, 4), int32]"
    assert (
        result("argmin", {"axis": [1], "keepdims": True, "select_last_index": True}, RANK_3)
        == "Tensor[(2, 1, 4), int32]"
    )
    assert result("argmax", {}, "float32") == "refused"
    assert result("argmax", {}, "Tensor[(0), int8]") == "int32"
    assert answers("argmax", {"axis": [0]}, "_", "Tensor[(4), int32]") == ["Tensor[(_, 4), _] -> Tensor[(4), int32]"]


def test_variance():
    kept = "Tensor[(2, 1, 4), float32]"
    assert result("variance", {"axis": [1]}, f"{RANK_3}, {kept}") == "Tensor[(2, 4), float32]"
    assert result("variance", {"axis": [1], "keepdims": True}, f"{RANK_3}, {kept}") == kept
    assert result("variance", {"axis": [1]}, f"{RANK_3}, {RANK_3}") == "Tensor[(2, 4), float32]"
    assert result("variance", {"axis": [1]}, f"{RANK_3}, Tensor[(?, 1, ?), float32]") == "Tensor[(2, 4), float32]"
    assert result("variance", {"axis": [1]}, f"{RANK_3}, Tensor[(2, 4), float32]") == "refused"
    assert result("variance", {"axis": [1]}, f"{RANK_3}, Tensor[(7, 1, 4), float32]") == "refused"
    assert result("variance", {}, "float32, float32") == "refused"


def test_variance_says_what_a_mean_may_be():
    found = answers("variance", {}, "Tensor[(3), float32], _")
    assert sorted(found) == [f"Tensor[(3), float32], Tensor[({n}), _] -> float32" for n in (1, 3)]


def test_as_many_axes_are_left_as_are_named():
    """Nothing said so before the rank was known: ranks were counted up for ever."""
    attrs = {"axis": [-1, -3], "keepdims": False, "exclude": True}
    for out, expected in (("Tensor[(2), int8]", []), ("Tensor[(2, 3), int8]", ["Tensor[(_, _, _, ..._), int8]"])):
        assert answers("sum", attrs, "_", out) == [f"{data} -> {out}" for data in expected]
