"""tile, repeat, sliding_window: extents multiplied and counted, in both directions."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, clauses_of, tensor

CALLS = [
    # operator, attributes, input, result
    ("tile", {"reps": [2]}, (2, 3), (2, 6)),
    ("tile", {"reps": [2, 1]}, ("?", 3), ("?", 3)),
    ("tile", {"reps": [4, 2, 1]}, (2, 3), (4, 4, 3)),
    ("tile", {"reps": [2, None]}, (2, 3), (4, 3)),
    ("tile", {"reps": []}, (2, 3), (2, 3)),
    ("tile", {"reps": [0]}, (2, 3), None),
    ("tile", {"reps": None}, (2, 3), None),
    ("repeat", {"repeats": 2, "axis": 0}, (2, 3), (4, 3)),
    ("repeat", {"repeats": 2, "axis": -1}, (2, "?"), (2, "?")),
    ("repeat", {"repeats": 2, "axis": 2}, (2, 3), None),
    ("repeat", {"repeats": 2, "axis": None}, (2, 3), None),
    ("repeat", {"repeats": 0, "axis": 0}, (2, 3), None),
    ("sliding_window", {"axis": 1, "window_shape": [3, 3], "strides": [1, 2]}, (2, 8, 9), (2, 6, 4, 3, 3)),
    ("sliding_window", {"axis": 0, "window_shape": [9], "strides": [1]}, (8,), (0, 9)),
    ("sliding_window", {"axis": 0, "window_shape": [3], "strides": [2]}, ("?",), ("?", 3)),
    ("sliding_window", {"axis": 0, "window_shape": [12], "strides": [1]}, (8,), None),
    ("sliding_window", {"axis": 0, "window_shape": [3], "strides": [1]}, (8, 4), None),
    ("sliding_window", {"axis": 0, "window_shape": [3], "strides": [1, 1]}, (8,), None),
    ("sliding_window", {"axis": 0, "window_shape": [3], "strides": [-1]}, (8,), None),
    ("sliding_window", {"axis": 1, "window_shape": [], "strides": []}, (8,), None),
    ("sliding_window", {"axis": -1, "window_shape": [3], "strides": [1]}, (8,), None),
    ("sliding_window", {"axis": 2**31 - 1, "window_shape": [3], "strides": [1]}, (8,), None),
]


@pytest.mark.parametrize(("op", "attrs", "given", "expected"), CALLS)
def test_forward(op, attrs, given, expected):
    found = ask(op, tensor(*given), "_", **attrs)
    assert (found and found[1]) == (None if expected is None else tensor(*expected))


def test_backwards():
    assert ask("tile", "_", tensor(4, 6), reps=[2])[0] == tensor(4, 3)
    assert ask("tile", tensor("_"), tensor(2, 6), reps=[2, 3])[0] == tensor(2)
    assert ask("tile", "_", tensor(5), reps=[2]) is None
    assert ask("repeat", "_", tensor(4, 6), repeats=2, axis=0)[0] == tensor(2, 6)
    assert ask("repeat", "_", tensor(5, 6), repeats=2, axis=0) is None
    assert ask("sliding_window", "_", tensor(6, 3), axis=0, window_shape=[3], strides=[1])[0] == tensor(8)


def test_clauses_of_tile():
    assert clauses_of("tile", "_", tensor(2, 6), reps=[2, 3]) == {"enough_axes", "fewer_axes"}
    assert clauses_of("tile", tensor(2), "_", reps=[2, 3]) == {"fewer_axes"}


def test_a_result_with_fewer_axes_than_repetitions_is_refused():
    assert ask("tile", "_", tensor(2), reps=[2, 1]) is None
