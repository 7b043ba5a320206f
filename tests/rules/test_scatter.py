"""scatter_elements, scatter_nd, matrix_set_diag, strided_set: what must fit, and that the input's type stays."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, clauses_of, tensor

FITTING = [
    # operator, attributes, input, indices (int64), updates; whether the call holds
    ("scatter_elements", {"axis": 0}, (4, 5), (1, 3), (1, 3), True),
    ("scatter_elements", {"axis": -2}, (4, 5), ("?", 3), (1, 3), True),
    ("scatter_elements", {"axis": 2}, (4, 5), (1, 3), (1, 3), False),
    ("scatter_elements", {"axis": 0}, (4, 5), (3,), (3,), False),
    ("scatter_elements", {"axis": 0}, (4, 5), (1, 3), (1, 2), False),
    ("scatter_nd", {}, (4, 5), (2, 3), (3,), True),
    ("scatter_nd", {"mode": "add"}, (4, 5), (1, 3), (3, 5), True),
    ("scatter_nd", {}, ("?", "?"), (1, 3), (3, 5), True),
    ("scatter_nd", {}, (4, 5), (2, 3), (4,), False),
    ("scatter_nd", {}, (4, 5), (1, 3), (3, 6), False),
    ("scatter_nd", {}, (4, 5), (3, 3), (3,), False),
    ("scatter_nd", {}, (4, 5), (2**31 - 1, 3), (3,), False),
    ("scatter_nd", {}, (4, 5), ("?", 3), (3, 5), False),
]


@pytest.mark.parametrize(("op", "attrs", "given", "indices", "updates", "holds"), FITTING)
def test_fitting(op, attrs, given, indices, updates, holds):
    found = ask(op, tensor(*given), tensor(*indices, dtype="int64"), tensor(*updates), "_", **attrs)
    assert (found and found[3]) == (tensor(*given) if holds else None)


def test_dtypes():
    for op, attrs in (("scatter_elements", {"axis": 0}), ("scatter_nd", {})):
        indices = tensor(1, 3, dtype="uint8")
        shape = (1, 3) if op == "scatter_elements" else (3, 5)
        assert ask(op, tensor(4, 5), indices, tensor(*shape), "_", **attrs) is not None
        assert ask(op, tensor(4, 5), indices, tensor(*shape, dtype="int8"), "_", **attrs) is None
        assert ask(op, tensor(4, 5), tensor(1, 3), tensor(*shape), "_", **attrs) is None


def test_open_updates():
    indices = tensor(1, 3, dtype="int64")
    assert ask("scatter_elements", tensor(4, 5), indices, "_", "_", axis=0)[2] == tensor(1, 3)
    assert ask("scatter_nd", tensor(4, 5), indices, "_", "_")[2] == tensor(3, 5)


DIAGONALS = [
    # k1, k2, matrix, diagonal; the clause that allows it
    (0, 0, (3, 4), (3,), "one_diagonal"),
    (1, 1, (2, 4, 4), (2, 3), "one_diagonal"),
    (0, 1, (3, 4), (2, 3), "several_diagonals"),
    (-1, 0, (5, 4), (2, 4), "several_diagonals"),
    (0, 1, ("?", "?"), (2, 7), "several_diagonals"),
    (0, 0, (3, 4), (4,), None),
    (0, 0, (2, 3, 4), (3, 3), None),
    (0, 1, (3, 4), (3, 3), None),
    (4, 4, (3, 4), (0,), None),
    (-3, -3, (3, 4), (0,), None),
    (1, 0, (3, 4), (3,), None),
    (0, 0, (4,), (4,), None),
]


@pytest.mark.parametrize(("k1", "k2", "matrix", "diagonal", "clause"), DIAGONALS)
def test_matrix_set_diag(k1, k2, matrix, diagonal, clause):
    allowed = clauses_of("matrix_set_diag", tensor(*matrix), tensor(*diagonal), "_", k1=k1, k2=k2)
    assert allowed == ({clause} if clause else set())


def test_open_diagonal():
    assert ask("matrix_set_diag", tensor(2, 3, 4), "_", "_", k1=0, k2=1)[1:] == [tensor(2, 2, 3), tensor(2, 3, 4)]
    assert ask("matrix_set_diag", tensor(3, 4), tensor(3, dtype="int8"), "_") is None


def test_strided_set():
    assert ask("strided_set", "_", "int8", "()", tensor(2), tensor(2), tensor(4, 5))[0] == tensor(4, 5)
    assert ask("strided_set", tensor(4), tensor(2), tensor(1), tensor(1), tensor(1), tensor(5)) is None


def test_scatter_is_a_name_only():
    assert ask("scatter", "_", "_") is None
