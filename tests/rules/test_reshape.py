"""reshape, contrib_reverse_reshape, reshape_like: the codes, forwards and backwards."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor

CODES = [
    # newshape, input, result
    ([6, 4], (2, 3, 4), (6, 4)),
    ([-1], (2, 3, 4), (24,)),
    ([-1, 4], (2, 3, 4), (6, 4)),
    ([4, 0, 2], (2, 3, 4), (4, 3, 2)),
    ([0, -3], (2, 3, 4), (2, 12)),
    ([-3, -2], (2, 3, 4, 5), (6, 4, 5)),
    ([-2, 1, 1], (2, 3), (2, 3, 1, 1)),
    ([2, 3, 4, -2], (24,), (2, 3, 4)),
    ([-4, 1, 2, -2], (2, 3, 4), (1, 2, 3, 4)),
    ([2, -4, -1, 3, -2], (2, 3, 4), (2, 1, 3, 4)),
    ([-2, -1], (2, 3, 4), (2, 3, 4, 1)),
    ([-4, 2, 2, -1], (4, 6), (2, 2, 6)),
    ([0, -1], (0, 3), (0, 3)),
    ([-1], (0, 3), (0,)),
    ([-1], ("?", 3), ("?",)),
    ([2, 4], ("?", 3), (2, 4)),
    ([-1, 0], (2, "?", 3), (6, "?")),
    ([5, 5], (2, 3, 4), None),
    ([5, -1], (2, 3, 4), None),
    ([-1, -1], (2, 3, 4), None),
    ([0, 0, 0, 0], (2, 3, 4), None),
    ([-2, 0], (2, 3, 4), None),
    ([-4, 2, -1, 0], (7, 3), None),
    ([-4, -1, -1], (4,), None),
    ([-4, 2], (4,), None),
    ([-5], (4,), None),
]


@pytest.mark.parametrize(("newshape", "given", "expected"), CODES)
def test_codes(newshape, given, expected):
    found = ask("reshape", tensor(*given), "_", newshape=newshape)
    assert found == (None if expected is None else [tensor(*given), tensor(*expected)])


def test_zero_with_allowzero():
    assert ask("reshape", tensor(0, 3), "_", newshape=[3, 0], allowzero=True) == [tensor(0, 3), tensor(3, 0)]
    assert ask("reshape", tensor(0, 3), "_", newshape=[-1, 0], allowzero=True) is None
    assert ask("reshape", tensor("?", 3), "_", newshape=[-1, 0], allowzero=True)[1] == tensor("?", 0)


BACKWARDS = [
    # newshape, input, result, what the input must be
    ([-1, 4], ("_", 4), (6, 4), (6, 4)),
    ([2, 6], ("_", 4), (2, 6), (3, 4)),
    ([0, -3], ("_", 3, 4), (2, 12), (2, 3, 4)),
    ([-4, 2, -1, 3], ("_", 3), (2, 4, 3), (8, 3)),
    ([0, 4], ("_", "_"), (2, 4), (2, 4)),
]


@pytest.mark.parametrize(("newshape", "given", "result", "expected"), BACKWARDS)
def test_backwards(newshape, given, result, expected):
    assert ask("reshape", tensor(*given), tensor(*result), newshape=newshape)[0] == tensor(*expected)


def test_rank_of_the_input():
    assert ask("reshape", "_", tensor(2, 3, 4), newshape=[-2])[0] == tensor(2, 3, 4)
    assert ask("reshape", "_", "_", newshape=[2, 3]) == ["Tensor[_, _]", "Tensor[(2, 3), _]"]
    assert ask("reshape", "_", tensor(2, 3), newshape=[0, 0, 0]) is None


def test_from_the_right():
    assert ask("contrib_reverse_reshape", tensor(10, 5, 4), "_", newshape=[-1, 0])[1] == tensor(50, 4)
    assert ask("contrib_reverse_reshape", tensor("_", 5, 4), tensor(50, 4), newshape=[-1, 0])[0] == tensor(10, 5, 4)
    assert ask("contrib_reverse_reshape", tensor(2, 3, 4), "_", newshape=[5, 0]) is None


LIKE = [
    # attributes, input, other, result
    ({}, (2, 3), (6,), (6,)),
    ({}, (2, 3), (7,), None),
    ({}, ("?", 3), (7,), (7,)),
    ({"lhs_begin": 1, "rhs_begin": -2}, (2, 12), (9, 3, 4), (2, 3, 4)),
    ({"lhs_end": 2, "rhs_end": 1}, (2, 3, 4), (6, 9), (6, 4)),
    ({"lhs_begin": 3}, (2, 3), (6,), None),
    ({"rhs_end": 3}, (2, 3), (6,), None),
]


@pytest.mark.parametrize(("attrs", "given", "like", "expected"), LIKE)
def test_reshape_like(attrs, given, like, expected):
    found = ask("reshape_like", tensor(*given), tensor(*like), "_", **attrs)
    assert found == (None if expected is None else [tensor(*given), tensor(*like), tensor(*expected)])


def test_reshape_like_backwards():
    assert ask("reshape_like", tensor("_", 3), tensor(2, 6), "_")[0] == tensor(4, 3)
