"""Running sums and products, along an axis and over everything."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, result

ROWS = [
    ({"axis": 0}, "Tensor[(2, 3), float32]", "Tensor[(2, 3), float32]"),
    ({"axis": -2, "dtype": "int32"}, "Tensor[(2, 3), bool]", "Tensor[(2, 3), int32]"),
    ({"axis": 2}, "Tensor[(2, 3), float32]", "refused"),
    ({"axis": -3}, "Tensor[(2, 3), float32]", "refused"),
    ({"axis": 0}, "float32", "refused"),
    ({}, "Tensor[(2, 3), float32]", "Tensor[(6), float32]"),
    ({"dtype": "int64", "exclusive": None}, "Tensor[(5), int8]", "Tensor[(5), int64]"),
    ({}, "float32", "refused"),
    ({}, "Tensor[(?, 3), float32]", "Tensor[(?), float32]"),
    ({}, "Tensor[(?, ?), float32]", "Tensor[(?), float32]"),
    ({}, "Tensor[(0, ?), float32]", "Tensor[(0), float32]"),
    ({}, "Tensor[(0, 3), float32]", "Tensor[(0), float32]"),
    ({}, "Tensor[(65536, 65536), float32]", "Tensor[(4294967296), float32]"),
    ({}, "(Tensor[(2), float32],)", "refused"),
]


@pytest.mark.parametrize(("attrs", "data", "expected"), ROWS)
def test_forward(attrs, data, expected):
    assert result("cumsum", attrs, data) == expected


def test_backward():
    assert answers("cumprod", {"axis": 1}, "_", "Tensor[(2, 3), int8]") == [
        "Tensor[(2, 3), int8] -> Tensor[(2, 3), int8]"
    ]
    assert answers("cumprod", {"axis": 2}, "_", "Tensor[(2, 3), int8]") == []
    assert answers("cumsum", {}, "Tensor[(2, _), int8]", "Tensor[(6), int8]") == [
        "Tensor[(2, 3), int8] -> Tensor[(6), int8]"
    ]
    assert answers("cumsum", {}, "Tensor[(4, _), int8]", "Tensor[(6), int8]") == []
