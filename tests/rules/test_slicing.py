"""strided_slice and slice_like: counted elements, defaults, modes, and what a result says of the input."""

from __future__ import annotations

import pytest

from relaylogic import query
from relaylogic.api import infer
from relaylogic.rulebase import AttributeProblem
from tests.rules.asking import ask, clauses_of, tensor

SLICES = [
    # begin, end, strides, mode, axes, input, result
    ([1, 1], [3, 4], [1, 2], "end", None, (4, 5, 6), (2, 2, 6)),
    ([3], [0], [-1], "end", None, (4, 5), (3, 5)),
    ([-1], [-100], [-1], "end", None, (4, 5), (4, 5)),
    ([100], [200], [1], "end", None, (4, 5), (0, 5)),
    ([0], [2], [1, -1], "end", None, (4, 5, 6), (2, 4, 6)),
    ([], [], [], "end", None, (4, 5), (4, 5)),
    ([None, 1], [None, None], [2, 1], "end", None, (4, 5), (2, 4)),
    ([None], [None], [-1], "end", None, (4, 5), (3, 5)),
    ([3], [9], [2], "size", None, (4, 5), (1, 5)),
    ([1], [-1], [1], "size", None, (4, 5), (3, 5)),
    ([-2], [1], [1], "size", None, (4, 5), (1, 5)),
    ([0], [4], [2], "bogus", None, (4, 5), (4, 5)),
    ([1], [3], [1], "end", [1], (4, 5), (4, 2)),
    ([1, 1], [2, 4], [1, 1], "end", [1, 1], (4, 5), (4, 3)),
    ([1, 1], [3, 3], [1, 1], "end", None, ("?", 5), ("?", 2)),
    ([0], [0], [1], "end", None, (4, 5), (0, 5)),
    ([0], [0], [1], "end", None, ("?", 5), ("?", 5)),
    ([3], [1], [1], "end", None, (4, 5), None),
    ([0], [4], [0], "end", None, (4, 5), None),
    ([0, 0, 0], [1, 1, 1], [1, 1, 1], "end", None, (4, 5), None),
    ([1], [3], [1], "end", [-1], (4, 5), None),
    ([1], [3], [1], "end", [2], (4, 5), None),
    ([1], [3], [1], "end", [0, 1], (4, 5), None),
    ([], [], [], "end", [], (4, 5), None),
    ([], [], [], "end", None, (), None),
    (None, [1], [1], "end", None, (4,), None),
]


@pytest.mark.parametrize(("begin", "end", "strides", "mode", "axes", "given", "expected"), SLICES)
def test_strided_slice(begin, end, strides, mode, axes, given, expected):
    found = ask("strided_slice", tensor(*given), "_", begin=begin, end=end, strides=strides, slice_mode=mode, axes=axes)
    assert (found and found[1]) == (None if expected is None else tensor(*expected))


def test_a_stride_is_a_number():
    with pytest.raises(AttributeProblem, match="`strides` cannot be"):
        ask("strided_slice", tensor(4), "_", begin=[0], end=[1], strides=[None])


def test_extent_from_its_slice():
    def sliced(begin, end, stride, result):
        found = ask("strided_slice", tensor("_"), tensor(result), begin=[begin], end=[end], strides=[stride], axes=None)
        return found and found[0]

    assert sliced(0, -1, 1, 2) == tensor(3)
    assert sliced(1, 7, 1, 2) == tensor(3)
    assert sliced(1, 3, 1, 2) == tensor("_")
    assert sliced(1, 3, 1, 3) is None


LIKE = [
    # axes, input, other, result
    (None, (4, 5), (3, 2, 9), (3, 2)),
    (None, (4, 5), (3,), (3, 5)),
    (None, ("?", 5), (3, "?"), (3, "?")),
    (None, (4, 5), (3, 6), None),
    ([-1], (4, 5), (3, 2), (4, 2)),
    ([0], (4, 5), (3,), (3, 5)),
    ([0], (4, 5), (5, 2), None),
    ([1], (4, 5), (3,), None),
    ([2], (4, 5), (3, 2, 1), None),
    ([], (4, 5), (3, 2), None),
]


@pytest.mark.parametrize(("axes", "given", "like", "expected"), LIKE)
def test_slice_like(axes, given, like, expected):
    found = ask("slice_like", tensor(*given), tensor(*like), "_", axes=axes)
    assert (found and found[2]) == (None if expected is None else tensor(*expected))
    if expected is not None:
        clause = "common_axes" if axes is None else "listed_axes"
        assert clauses_of("slice_like", tensor(*given), tensor(*like), "_", axes=axes) == {clause}


def test_slice_like_backwards():
    assert ask("slice_like", tensor(4, 5), tensor("_", 9), tensor(3, 5), axes=[0])[1] == tensor(3, 9)
    assert ask("slice_like", tensor(4, "_"), tensor(3), tensor(3, 5), axes=None)[0] == tensor(4, 5)


SYMBOLIC = [
    (0, 2, "min(2, N)"),
    (1, 2**63 - 1, "N - min(1, N)"),
    (0, -1, "N - min(1, N)"),
]


@pytest.mark.parametrize(("begin", "end", "expected"), SYMBOLIC)
def test_slices_of_an_extent_with_a_name(begin, end, expected):
    attrs = f"begin=[{begin}], end=[{end}], strides=[1], axes=[0]"
    result = infer(f"def @main[N: ShapeVar](%x: Tensor[(N, 5), float32]) {{ strided_slice(%x, {attrs}) }}")
    assert str(result.functions["main"].ret_type) == f"Tensor[({expected}, 5), float32]"


def test_the_slice_of_an_axis_may_be_asked_for_when_nothing_is_known_of_it():
    """Python's comparison of what is not known ended the question."""
    (found,) = query("SlicedExtent(5, n, 1, 4, stride)")
    assert str(found).startswith("2 // stride + 1 = n")
    assert str(next(iter(query("SizedExtent(5, n, begin, 2), begin = 4")))) == "n = 1, begin = 4"


@pytest.mark.parametrize(
    ("begin", "end", "stride", "mode"), [(2, 0, 1, "size"), (0, 0, -1, "end"), (2, 2, -1, "end"), (-3, -3, 2, "end")]
)
def test_an_empty_slice_of_an_open_extent_is_known_to_be_empty(begin, end, stride, mode):
    asked = {"begin": [begin], "end": [end], "strides": [stride], "slice_mode": mode, "axes": None}
    assert ask("strided_slice", tensor("_", 8), "_", **asked) == [tensor("_", 8), tensor(0, 8)]
