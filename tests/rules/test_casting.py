"""cast, reinterpret, cast_like: shape from one side, dtype from the other."""

from __future__ import annotations

from tests.rules.asking import ask, tensor


def test_cast():
    assert ask("cast", tensor(2, "?"), "_", dtype="int8")[1] == tensor(2, "?", dtype="int8")
    assert ask("reinterpret", "float32", "_", dtype="int8")[1] == "int8"
    assert ask("cast", "_", tensor(2, dtype="int8"), dtype="int8")[0] == "Tensor[(2), _]"
    assert ask("cast", tensor(2), tensor(2), dtype="int8") is None
    assert ask("cast", f"({tensor(2)},)", "_", dtype="int8") is None


def test_cast_like():
    assert ask("cast_like", tensor(2), tensor(7, dtype="int8"), "_")[2] == tensor(2, dtype="int8")
    assert ask("cast_like", "_", "_", tensor(2, dtype="int8")) == [
        "Tensor[(2), _]",
        "Tensor[_, int8]",
        "Tensor[(2), int8]",
    ]
