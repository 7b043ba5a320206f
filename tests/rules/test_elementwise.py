"""Element-wise operators: identity, tests, broadcasting, comparisons, where."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, clauses_of, tensor


def test_identity():
    assert ask("tanh", tensor(2, "?"), "_")[1] == tensor(2, "?")
    assert ask("copy", "_", f"({tensor(2)}, int32)")[0] == f"({tensor(2)}, int32)"
    assert ask("clip", "_", tensor(2), a_min=0.0, a_max=1.0)[0] == tensor(2)
    assert ask("exp", tensor(2), tensor(3)) is None


def test_special_values():
    assert ask("isnan", tensor(2), "_")[1] == tensor(2, dtype="bool")
    assert ask("isinf", "_", tensor(2, dtype="bool"))[0] == "Tensor[(2), _]"
    assert ask("isfinite", f"({tensor(2)},)", "_") is None
    assert ask("isfinite", tensor(2), tensor(2)) is None


BROADCASTS = [
    # left, right, both
    ((2, 3), (2, 3), (2, 3)),
    ((1, 3), (2, 1), (2, 3)),
    ((3,), (2, 3), (2, 3)),
    ((2, 3), (), (2, 3)),
    (("?",), (1,), ("?",)),
    (("?",), (2,), (2,)),
    ((2,), ("?",), (2,)),
    (("?",), ("?",), ("?",)),
    ((0,), (1,), (0,)),
    ((0,), (2,), None),
    ((2, 3), (3, 2), None),
]


@pytest.mark.parametrize(("left", "right", "both"), BROADCASTS)
def test_broadcasting(left, right, both):
    for op, dtype in (("add", "float32"), ("less", "bool")):
        found = ask(op, tensor(*left), tensor(*right), "_")
        assert (found and found[2]) == (None if both is None else tensor(*both, dtype=dtype))


def test_operands_have_one_dtype():
    for op in ("add", "equal"):
        assert ask(op, tensor(2), tensor(2, dtype="int8"), "_") is None
    assert ask("equal", "_", "int32", "_")[0] == "Tensor[_, int32]"
    assert ask("equal", "_", tensor(1, dtype="int32"), tensor(3, dtype="bool"))[0] == tensor(3, dtype="int32")
    assert ask("add", "_", tensor(1), tensor(3))[0] == tensor(3)


SHAPES = {"same_rank": ((2, 3), (2, 3)), "left_shorter": ((3,), (2, 3)), "right_shorter": ((2, 3), (3,))}


@pytest.mark.parametrize("clause", SHAPES)
def test_alignment(clause):
    left, right = SHAPES[clause]
    assert ask("multiply", tensor(*left), tensor(*right), "_")[2] == tensor(2, 3)
    assert clauses_of("multiply", tensor(*left), tensor(*right), "_") == {"tensors"}


def test_where():
    flags = tensor(3, dtype="bool")
    assert ask("where", flags, tensor(2, 1), tensor(2, 3), "_")[3] == tensor(2, 3)
    assert ask("where", tensor(4, 3), "int8", "int8", "_")[3] == tensor(4, 3, dtype="int8")
    assert ask("where", flags, tensor(3), tensor(3, dtype="int8"), "_") is None
    assert ask("where", tensor(4, dtype="bool"), tensor("?"), tensor(3), "_") is None
    assert ask("where", flags, "_", tensor(3), "_")[1] == "Tensor[_, float32]"
