"""reverse_sequence, sequence_mask, trilu: one length for each batch, the input's type stays."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, tensor

CALLS = [
    # operator, attributes, input, lengths, dtype of the lengths; whether the call holds
    ("reverse_sequence", {}, (4, 5), (4,), "int32", True),
    ("reverse_sequence", {"seq_axis": 0, "batch_axis": -1}, (4, 5), (5,), "int64", True),
    ("reverse_sequence", {"seq_axis": 0, "batch_axis": 0}, (4, 5), ("?",), "int64", True),
    ("reverse_sequence", {}, (4, 5), (5,), "int32", False),
    ("reverse_sequence", {}, (4, 5), (4,), "uint8", False),
    ("reverse_sequence", {}, (4, 5), (4, 1), "int32", False),
    ("reverse_sequence", {"seq_axis": 2}, (4, 5), (4,), "int32", False),
    ("reverse_sequence", {"batch_axis": None}, (4, 5), (4,), "int32", False),
    ("sequence_mask", {}, (4, 5), (5,), "int32", True),
    ("sequence_mask", {"axis": 1}, (4, 5), ("?",), "float32", True),
    ("sequence_mask", {"axis": 1}, (4,), (4,), "int32", True),
    ("sequence_mask", {}, (4,), (4,), "int32", False),
    ("sequence_mask", {}, (4, 5), (4,), "int32", False),
    ("sequence_mask", {"axis": -1}, (4, 5), (5,), "int32", False),
]


@pytest.mark.parametrize(("op", "attrs", "given", "lengths", "dtype", "holds"), CALLS)
def test_lengths(op, attrs, given, lengths, dtype, holds):
    found = ask(op, tensor(*given), tensor(*lengths, dtype=dtype), "_", **attrs)
    assert (found and found[2]) == (tensor(*given) if holds else None)


def test_open_lengths():
    assert ask("reverse_sequence", tensor(4, 5), "_", "_")[1] == "Tensor[(4), _]"
    assert ask("sequence_mask", tensor(4, 5), "_", "_", axis=0)[1] == "Tensor[(5), _]"
    assert ask("sequence_mask", "_", tensor(3), "_", axis=1)[0] == "Tensor[(3, ..._), _]"


def test_trilu():
    assert ask("trilu", tensor(3, 4), "int32", "_")[2] == tensor(3, 4)
    assert ask("trilu", "_", "_", tensor(3), upper=False)[:2] == [tensor(3), "Tensor[(), _]"]
    assert ask("trilu", tensor(3, 4), tensor(1), "_") is None
