"""The dyn operators of shapes: ranks are known, extents are not."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor

FULL = {"shape": None, "dtype": "float32"}
SLICE = {"begin": None, "end": None, "strides": None, "axes": None}

CALLS = [
    # operator, attributes, inputs, result
    ("dyn.reshape", {"newshape": []}, [(2, 3), (3,)], ("?", "?", "?")),
    ("dyn.reshape", {"newshape": []}, [(2, 3), (0,)], ()),
    ("dyn.reshape", {"newshape": []}, [(2, 3), (30000,)], ("?",) * 30000),
    ("dyn.reshape", {"newshape": []}, [(2, 3), (2, 7)], ("?", "?")),
    ("dyn.reshape", {"newshape": []}, [(2, 3), ("?",)], None),
    ("dyn.reshape", {"newshape": []}, [(2, 3), ()], None),
    ("dyn.broadcast_to", FULL, [(2, 3), (3,)], ("?", "?", "?")),
    ("dyn.broadcast_to", FULL, [(2, 3), (1,)], None),
    ("dyn.broadcast_to", FULL, [(2, 3), ("?",)], None),
    ("dyn.tile", {"reps": []}, [(2, 3), (1,)], ("?", "?")),
    ("dyn.tile", {"reps": []}, [(2, 3), (3,)], ("?", "?", "?")),
    ("dyn.tile", {"reps": []}, [(2, 3), ("?",)], None),
    ("dyn.zeros", FULL, [(2,)], ("?", "?")),
    ("dyn.ones", FULL, [("?",)], None),
    ("dyn.full", FULL, [(), (3,)], ("?", "?", "?")),
    ("dyn.full", FULL, [(1,), (3,)], None),
    ("dyn.full", FULL, [(), ("?",)], None),
    ("dyn.one_hot", {"dtype": "float32"}, [(2, 3), (), (), ()], (2, 3, "?")),
    ("dyn.one_hot", {"dtype": "float32", "axis": 0}, [(2, 3), (), (), ()], ("?", 2, 3)),
    ("dyn.one_hot", {"dtype": "float32", "axis": 3}, [(2, 3), (), (), ()], None),
    ("dyn.one_hot", {"dtype": "float32", "axis": -2}, [(2, 3), (), (), ()], None),
    ("dyn.strided_slice", SLICE, [(4, 5, 6), (2,), (2,), (2,)], ("?", "?", 6)),
    ("dyn.strided_slice", SLICE, [(4, 5), (3,), (3,), (3,)], None),
    ("dyn.strided_slice", SLICE, [(4, 5), (2**31 - 1,), (3,), (3,)], None),
    ("dyn.strided_slice", SLICE, [(4, 5), ("?",), (2,), (2,)], None),
    ("dyn.squeeze", {}, [(1, 2, 1), (2,)], ("?",)),
    ("dyn.squeeze", {}, [(1, 2, 1), (4,)], None),
    ("dyn.squeeze", {}, [(1, 2, 1), ("?",)], None),
    ("dyn.squeeze", {}, [(1, 2, 1), (2, 1)], None),
    ("dyn.expand_dims", {"num_newaxis": 2}, [(2,), ()], ("?", "?", "?")),
    ("dyn.expand_dims", {"num_newaxis": -1}, [(2,), ()], None),
    ("dyn.expand_dims", {}, [(2,), (1,)], None),
]


@pytest.mark.parametrize(("op", "attrs", "given", "expected"), CALLS)
def test_forward(op, attrs, given, expected):
    found = ask(op, *(tensor(*shape) for shape in given), "_", **attrs)
    assert (found and found[-1]) == (None if expected is None else tensor(*expected))


def test_dtype_of_full():
    assert ask("dyn.full", "int8", tensor(1), "_", shape=None)[2] == tensor("?", dtype="int8")
    assert ask("dyn.full", "_", tensor(1), tensor("?"), shape=None)[0] == "float32"


BACKWARDS = [
    ("dyn.reshape", {"newshape": []}, [tensor(2, 3), "_", tensor("?", "?")], 1, "Tensor[(2, ..._), _]"),
    ("dyn.broadcast_to", FULL, [tensor(2, 3), "_", tensor("?", "?")], 1, "Tensor[(2, ..._), _]"),
    ("dyn.tile", {"reps": []}, [tensor(2, 3), "_", tensor("?", "?", "?")], 1, "Tensor[(3, ..._), _]"),
    ("dyn.zeros", FULL, ["_", tensor("?", "?")], 0, "Tensor[(2, ..._), _]"),
    ("dyn.strided_slice", SLICE, ["_", tensor(1), "_", "_", tensor("?", 3)], 0, tensor("_", 3)),
    ("dyn.squeeze", {}, ["_", tensor(1), tensor("?", "?")], 0, tensor("_", "_", "_")),
    ("dyn.expand_dims", {}, ["_", "int64", tensor("?", "?")], 0, tensor("_")),
]


@pytest.mark.parametrize(("op", "attrs", "given", "index", "expected"), BACKWARDS)
def test_backwards(op, attrs, given, index, expected):
    assert ask(op, *given, **attrs)[index] == expected
