"""Sorting and searching."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, clauses, result

X = "Tensor[(4, 5), float32]"

ROWS = [
    ("sort", {"axis": 0, "dtype": "int8"}, X, X),
    ("sort", {"axis": 2}, X, "refused"),
    ("sort", {}, "float32", "refused"),
    ("sort", {}, f"({X},)", "refused"),
    ("argsort", {"dtype": "int32"}, X, "Tensor[(4, 5), int32]"),
    ("argsort", {}, X, "Tensor[(4, 5), void]"),
    ("argsort", {"axis": -3}, X, "refused"),
    ("topk", {"k": 3, "dtype": "int32"}, X, "(Tensor[(4, 3), float32], Tensor[(4, 3), int32])"),
    ("topk", {"k": 9, "axis": 0, "ret_type": "values"}, X, "Tensor[(9, 5), float32]"),
    ("topk", {"k": 1, "ret_type": "indices", "dtype": "int64"}, X, "Tensor[(4, 1), int64]"),
    ("topk", {"k": 0, "axis": 0, "ret_type": "values"}, "Tensor[(?, 5), float32]", "Tensor[(?, 5), float32]"),
    ("topk", {"k": -1, "dtype": "int8"}, X, f"({X}, Tensor[(4, 5), int8])"),
    ("topk", {"k": -1, "axis": 2}, X, "refused"),
    ("topk", {"k": 1, "axis": 2}, X, "refused"),
    ("topk", {"k": 1, "axis": -3}, X, "refused"),
    ("topk", {"k": None}, X, "refused"),
    ("topk", {"k": 1, "ret_type": "all"}, X, "refused"),
    ("dyn.topk", {"dtype": "int32"}, f"{X}, int64", "(Tensor[(4, ?), float32], Tensor[(4, ?), int32])"),
    ("dyn.topk", {"axis": 0, "ret_type": "values"}, f"{X}, Tensor[(1), float32]", "Tensor[(?, 5), float32]"),
    ("dyn.topk", {}, f"{X}, Tensor[(2), int32]", "refused"),
    ("dyn.topk", {}, f"{X}, Tensor[(?), int32]", "refused"),
    ("dyn.topk", {}, f"{X}, Tensor[(1, 1), int32]", "refused"),
    ("dyn.topk", {"axis": 2}, f"{X}, int64", "refused"),
    ("searchsorted", {}, "Tensor[(8), float32], Tensor[(3, 4), int8]", "Tensor[(3, 4), int32]"),
    ("searchsorted", {}, "float32, Tensor[(3), float32]", "Tensor[(3), int32]"),
    (
        "searchsorted",
        {"dtype": "int64"},
        "Tensor[(2, 8), float32], Tensor[(?, 3), float32]",
        "Tensor[(?, 3), int64]",
    ),
    ("searchsorted", {}, "Tensor[(1, 8), float32], Tensor[(2, 3), float32]", "refused"),
    ("searchsorted", {}, "Tensor[(2, 8), float32], Tensor[(2, 2, 3), float32]", "refused"),
    ("searchsorted", {}, "Tensor[(8), float32], float32", "refused"),
    (
        "unique",
        {},
        "Tensor[(?), int8]",
        "(Tensor[(?), int8], Tensor[(?), int32], Tensor[(?), int32], Tensor[(1), int32])",
    ),
    ("unique", {}, "Tensor[(5, 1), int8]", "refused"),
    ("argwhere", {}, "Tensor[(?, 3), bool]", "Tensor[(?, 2), int32]"),
    ("argwhere", {}, "float32", "Tensor[(?, 0), int32]"),
    ("argwhere", {}, "(bool,)", "refused"),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "expected"), ROWS)
def test_forward(name, attrs, inputs, expected):
    assert result(name, attrs, inputs) == expected


def test_unique_counts():
    five = "Tensor[(5), int32]"
    expected = f"(Tensor[(5), bool], {five}, {five}, Tensor[(1), int32], {five})"
    assert result("unique", {"return_counts": True}, "Tensor[(5), bool]") == expected


BACKWARD = [
    ("sort", {"axis": 1}, "_", X, X),
    ("argsort", {"dtype": "int32"}, "_", "Tensor[(4, 5), int32]", "Tensor[(4, 5), _]"),
    ("topk", {"k": 3, "ret_type": "values"}, "_", "Tensor[(4, 3), int8]", "Tensor[(4, _), int8]"),
    ("topk", {"k": 3, "axis": 0, "ret_type": "indices"}, "_", "Tensor[(3, 4), void]", "Tensor[(_, 4), _]"),
    ("topk", {"k": 0}, "_", "(_, Tensor[(3, 4), void])", "Tensor[(3, 4), _]"),
    ("argwhere", {}, "_", "Tensor[(?, 2), int32]", "Tensor[(_, _), _]"),
    (
        "searchsorted",
        {},
        "Tensor[(8), int8], _",
        "Tensor[(3, 4), int32]",
        "Tensor[(8), int8], Tensor[(3, 4), _]",
    ),
    (
        "searchsorted",
        {},
        "Tensor[(2, 8), int8], _",
        "Tensor[(_, 4), int32]",
        "Tensor[(2, 8), int8], Tensor[(2, 4), _]",
    ),
]


@pytest.mark.parametrize(("name", "attrs", "inputs", "out", "expected"), BACKWARD)
def test_backward(name, attrs, inputs, out, expected):
    assert [found.rpartition(" -> ")[0] for found in answers(name, attrs, inputs, out)] == [expected]


def test_backward_refuses():
    assert answers("topk", {"k": 3, "ret_type": "values"}, "_", "Tensor[(4, 2), int8]") == []
    assert answers("argwhere", {}, "Tensor[(2, 3), int8]", "Tensor[(?, 3), int32]") == []


def test_searchsorted_with_an_open_sequence():
    found = clauses("searchsorted", {}, "_, Tensor[(2, 3), float32]")
    assert found == {"one_sequence", "sequence_for_each_row"}
