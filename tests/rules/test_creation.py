"""zeros, ones, full, full_like, one_hot, arange."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, clauses_of, tensor


def test_filled():
    assert ask("zeros", "_", shape=[2, 3], dtype="int8") == [tensor(2, 3, dtype="int8")]
    assert ask("ones", "_", shape=[], dtype="bool") == ["bool"]
    assert ask("ones", "_", shape=["?", 0], dtype="bool") == [tensor("?", 0, dtype="bool")]
    assert ask("zeros", "_", shape=None) is None
    assert ask("zeros", "_", shape=[-1], dtype="int8") is None
    assert ask("ones", tensor(3), shape=[2], dtype="float32") is None


def test_full():
    assert ask("full", "int8", "_", shape=[2])[1] == tensor(2, dtype="int8")
    assert ask("full", "int8", "_", shape=[2], dtype="float32")[1] == tensor(2)
    assert ask("full", "_", tensor(2), shape=[2])[0] == "float32"
    assert ask("full", tensor(1), "_", shape=[2]) is None
    assert ask("full", "int8", "_", shape=[-2]) is None
    assert ask("full_like", tensor(2, "?"), "int8", "_")[2] == tensor(2, "?")
    assert ask("full_like", "_", "_", tensor(2)) == [tensor(2), "Tensor[(), _]", tensor(2)]
    assert ask("full_like", tensor(2), tensor("?"), "_") is None
    assert ask("full_like", f"({tensor(2)},)", "int8", "_") is None


ONE_HOT = [
    # depth, axis, indices, result
    (10, -1, (2, 3), (2, 3, 10)),
    (10, 0, (2, 3), (10, 2, 3)),
    (10, 2, (2, 3), (2, 3, 10)),
    (10, 3, (2, 3), None),
    (10, -2, (2, 3), None),
    (0, -1, (2, 3), None),
]


@pytest.mark.parametrize(("depth", "axis", "indices", "expected"), ONE_HOT)
def test_one_hot(depth, axis, indices, expected):
    given = tensor(*indices, dtype="int32")
    found = ask("one_hot", given, "float32", "()", "_", depth=depth, axis=axis, dtype="float32")
    assert (found and found[3]) == (None if expected is None else tensor(*expected))


def test_one_hot_backwards():
    assert ask("one_hot", "_", "_", "_", tensor(2, 10), depth=10, dtype="float32")[0] == "Tensor[(2), _]"
    assert ask("one_hot", "_", "_", "_", tensor(2, 9), depth=10, dtype="float32") is None


def constant(value):
    return {"const": value, "dtype": "float32", "shape": []}


def arange(start, stop, step, *given):
    return {"start": start, "stop": stop, "step": step, "dtype": "int32"}


ARANGES = [
    (0, 10, 1, 10),
    (0, 10, 3, 4),
    (10, 0, -2, 5),
    (0.0, 1.0, 0.1, 10),
    (0, 10, -1, None),
    (0, 2**31, 1, None),
    (0, 10, 0, None),
    (0, {"float": "inf"}, 1, None),
]


@pytest.mark.parametrize(("start", "stop", "step", "length"), ARANGES)
def test_arange(start, stop, step, length):
    attrs = arange(constant(start), constant(stop), constant(step))
    found = ask("arange", "_", "int32", "_", "_", **attrs)
    assert found == (None if length is None else ["int32", "int32", "int32", tensor(length, dtype="int32")])


def test_arange_between_values():
    attrs = arange({"arg": 0}, constant(5), constant(1))
    assert ask("arange", "int32", "_", "_", "_", **attrs)[3] == tensor("?", dtype="int32")
    assert clauses_of("arange", "int32", "_", "_", "_", **attrs) == {"between_values"}
    assert ask("arange", "float32", "_", "_", "_", **attrs) is None
    assert ask("arange", tensor(1, dtype="int32"), "_", "_", "_", **attrs) is None
