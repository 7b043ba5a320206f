"""Annotations keep types; simulated quantisation types its scalars."""

from __future__ import annotations

import pytest

from tests.rules.calls import answers, operator, result

SAME = [
    "annotation.bitpack_start",
    "annotation.bitpack_end",
    "annotation.cast_hint",
    "annotation.checkpoint",
    "annotation.compiler_begin",
    "annotation.compiler_end",
    "annotation.stop_fusion",
    "annotation.with_funcid",
    "device_copy",
    "on_device",
]
TYPES = ["float32", "Tensor[(?, 3), int8]", "(float32, Tensor[(2), bool])", "fn (float32) -> float32"]


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("type_", TYPES)
def test_the_type_stays(name, type_):
    assert result(name, {}, type_) == type_
    assert answers(name, {}, "_", type_) == [f"{type_} -> {type_}"]


def test_attributes():
    assert operator("annotation.cast_hint").attrs({"dtype": "float"}).dtype == "float32"
    assert operator("annotation.compiler_begin").attrs({"compiler": "dnnl"}).compiler == "dnnl"
    assert operator("on_device").attrs({}).constrain_body is True


DATA = "Tensor[(1, ?), int8]"

QUANTISED = [
    ({"axis": -1}, f"{DATA}, float32, float32, float32", DATA),
    ({"kind": 1, "sign": False, "rounding": "floor"}, f"{DATA}, float32, _, _", DATA),
    ({}, "float32, float32, float32, float32", "refused"),
    ({}, f"{DATA}, Tensor[(1), float32], float32, float32", "refused"),
    ({}, f"{DATA}, float32, float16, float32", "refused"),
]


@pytest.mark.parametrize(("attrs", "inputs", "expected"), QUANTISED)
def test_simulated_quantize(attrs, inputs, expected):
    assert result("relay.op.annotation.simulated_quantize", attrs, inputs) == expected


def test_scale_and_bounds_get_their_type():
    found = answers("relay.op.annotation.simulated_quantize", {}, "_, _, _, _", DATA)
    assert found == [f"{DATA}, float32, float32, float32 -> {DATA}"]
