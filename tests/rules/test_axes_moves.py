"""transpose, expand_dims, squeeze, reverse: where axes go, forwards and backwards."""

from __future__ import annotations

import pytest

from relaylogic.api import infer
from tests.rules.asking import ask, clauses_of, tensor

CALLS = [
    # operator, attributes, input, result
    ("transpose", {"axes": None}, (2, 3, 4), (4, 3, 2)),
    ("transpose", {"axes": [2, 0, 1]}, (2, 3, 4), (4, 2, 3)),
    ("transpose", {"axes": [-1, 0, 1]}, (2, 3, 4), (4, 2, 3)),
    ("transpose", {"axes": [1, 0]}, ("?", 3), (3, "?")),
    ("transpose", {"axes": [0, 0]}, (2, 3), None),
    ("transpose", {"axes": [0, 2]}, (2, 3), None),
    ("transpose", {"axes": []}, (2, 3), None),
    ("expand_dims", {"axis": 1}, (2, 3), (2, 1, 3)),
    ("expand_dims", {"axis": -1, "num_newaxis": 2}, (2, 3), (2, 3, 1, 1)),
    ("expand_dims", {"axis": -3}, (2, 3), (1, 2, 3)),
    ("expand_dims", {"axis": 2, "num_newaxis": 0}, (2, 3), (2, 3)),
    ("expand_dims", {"axis": 3, "num_newaxis": 0}, (2, 3), None),
    ("expand_dims", {"axis": -4}, (2, 3), None),
    ("expand_dims", {"axis": 0, "num_newaxis": -1}, (2, 3), None),
    ("squeeze", {"axis": [0, -1]}, (1, 2, 1), (2,)),
    ("squeeze", {"axis": [0, -3]}, (1, 2, 1), (2, 1)),
    ("squeeze", {"axis": []}, (1, 2), (1, 2)),
    ("squeeze", {"axis": [0]}, ("?", 2), (2,)),
    ("squeeze", {"axis": [1]}, (1, 2), None),
    ("squeeze", {"axis": [2]}, (1, 2), None),
    ("squeeze", {"axis": None}, (1, 2, 1, 3), (2, 3)),
    ("squeeze", {"axis": None}, ("?", 1), None),
    ("reverse", {"axis": -1}, (2, 3), (2, 3)),
    ("reverse", {"axis": 2}, (2, 3), None),
    ("reverse", {"axis": None}, (2, 3), None),
]


@pytest.mark.parametrize(("op", "attrs", "given", "expected"), CALLS)
def test_forward(op, attrs, given, expected):
    found = ask(op, tensor(*given), "_", **attrs)
    assert found == (None if expected is None else [tensor(*given), tensor(*expected)])


BACKWARDS = [
    ("transpose", {"axes": [2, 0, 1]}, "_", (2, 3, 4), tensor(3, 4, 2)),
    ("transpose", {"axes": None}, "_", (2, 3, 4), tensor(4, 3, 2)),
    ("expand_dims", {"axis": 1}, "_", (2, 1, 3), tensor(2, 3)),
    ("expand_dims", {"axis": -2}, "_", (2, 1, 3), tensor(2, 3)),
    ("squeeze", {"axis": [0]}, "_", (2, 3), tensor(1, 2, 3)),
    ("squeeze", {"axis": [-1]}, "_", (2, 3), tensor(2, 3, 1)),
    ("squeeze", {"axis": [0, -1]}, tensor(1, "_", "_"), (2,), tensor(1, 2, 1)),
    ("squeeze", {"axis": None}, tensor(1, "_", 3), (3,), tensor(1, 1, 3)),
    ("reverse", {"axis": 0}, "_", (2, 3), tensor(2, 3)),
]


@pytest.mark.parametrize(("op", "attrs", "given", "result", "expected"), BACKWARDS)
def test_backwards(op, attrs, given, result, expected):
    assert ask(op, given, tensor(*result), **attrs)[0] == expected


def test_what_stays_open():
    assert ask("transpose", "_", "_", axes=[1, 0]) == ["Tensor[(_, _), _]", "Tensor[(_, _), _]"]
    assert ask("squeeze", tensor(1, "_"), "_", axis=None)[1] == "Tensor[_, float32]"
    assert clauses_of("squeeze", tensor(1, 2), "_", axis=None) == {"all_ones"}
    assert ask("expand_dims", "_", tensor(2, 3), axis=1) is None


def test_ranks_tell_how_many_axes_are_inserted():
    """How many there are was tried without end, and nothing was said of the types."""
    for axis in ("2", "_"):
        call = f"expand_dims(%x, axis={axis}, num_newaxis=_)"
        result = infer(f"def @main(%x: Tensor[(2, 5, 8), _]) -> Tensor[(2, _, 1, 8), int8] {{ {call} }}", closed=True)
        assert result.verdict == "typed"
        assert str(result.functions["main"]) == "fn (Tensor[(2, 5, 8), int8]) -> Tensor[(2, 5, 1, 8), int8]"
    result = infer("def @main(%x: Tensor[(2, 3), int8]) { expand_dims(%x, axis=0, num_newaxis=_) }")
    assert result.verdict == "incomplete" and result.functions["main"].ret_type.dtype == "int8"
