"""Sparse operands in compressed rows."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f


def ints(*extents, dtype="int32"):
    return f(*extents, dtype=dtype)


CSR = (f(100), ints(100), ints(33))
BSR = (f(20, 16, 1), ints(20), ints(5))


@pytest.mark.parametrize("op", ["nn.sparse_dense", "nn.internal.sparse_dense_padded"])
@pytest.mark.parametrize(
    ("dense", "sparse", "lhs", "out", "clause"),
    [
        (f(4, 64), CSR, False, f(4, 32), "times_sparse"),
        (f(4, 64), BSR, False, f(4, 64), "times_sparse"),
        (f(4, 64), CSR, True, f(32, 4), "sparse_times"),
        (f(4, 64), BSR, True, f(64, 4), "sparse_times"),
        (f("?", 64), (f("?"), ints("?"), ints("?")), False, f("?", "?"), "times_sparse"),
    ],
)
def test_sparse_dense(op, dense, sparse, lhs, out, clause):
    assert ask(op, dense, *sparse, "_", sparse_lhs=lhs) == [dense, *sparse, out]
    assert clauses_of(op, dense, *sparse, "_", sparse_lhs=lhs) == {clause}


@pytest.mark.parametrize(
    ("dense", "sparse"),
    [
        (f(2, 4, 64), CSR),
        (f(4, 64), (f(100), ints(99), ints(33))),
        (f(4, 64), (f(100), f(100), ints(33))),
        (f(4, 64), (f(100), ints(100), f(33))),
        (f(4, 64), (f(100), ints(100), ints(33, 2))),
        (f(4, 64), (f(100), ints(100), ints(0))),
        (f(4, 64), (f(10, 10), ints(10), ints(33))),
    ],
)
def test_sparse_dense_refused(dense, sparse):
    assert ask("nn.sparse_dense", dense, *sparse, "_") is None
    assert ask("nn.sparse_dense", dense, *sparse, "_", sparse_lhs=True) is None


def test_the_rows_say_how_long_indptr_is():
    assert ask("nn.sparse_dense", f(4, 64), f(100), "_", "_", f(4, 32))[2:4] == [
        f(100, dtype="_"),
        f(33, dtype="_"),
    ]
    assert ask("nn.sparse_dense", "_", *BSR, f(4, 64))[0] == f(4, "_")


def test_sparse_transpose():
    assert ask("nn.sparse_transpose", *CSR, "_") == [*CSR, f"({', '.join(CSR)})"]
    assert ask("nn.sparse_transpose", "_", "_", "_", f"({', '.join(CSR)})")[:3] == list(CSR)
    assert ask("nn.sparse_transpose", f(10, 10), ints(10), ints(3), "_") is None
    assert ask("nn.sparse_transpose", f(100), ints(7), ints(3), "_") is None


def test_sparse_add():
    assert ask("nn.sparse_add", f(10, 10), f(30), ints(30), ints(11), "_")[-1] == f(10, 10)
    assert ask("nn.sparse_add", "_", f(30), ints(30), ints(11), f(10, 10))[0] == f(10, 10)
    assert ask("nn.sparse_add", f(10, 10), f(30, dtype="float16"), ints(30), ints(11), "_") is None
    assert ask("nn.sparse_add", f(10), f(30), ints(30), ints(11), "_") is None


@pytest.mark.parametrize(
    ("data", "kernel", "layout", "out"),
    [
        (f(1, 28, 28, 64), f(20, 16, 1), "NHWC", f(1, 28, 28, 64)),  # of_known_width
        (f(1, 28, 28, 64), f(20, 8), "NHWC", f(1, 28, 28, 32)),  # of_width_one
        (f(1, 64, 28, 27), f(20, 8, 1), "NCHW", f(1, 32, 28, 27)),
        (f(28, 28, 64), f(20, 16, 1), "NHWC", None),
        (f(1, 28, 28, 64), f(20), "NHWC", None),
        (f(1, 28, 28, 64), f(20, 16, 1), "NCWH", None),
    ],
)
def test_sparse_conv2d(data, kernel, layout, out):
    types = (data, kernel, ints(20), ints(5))
    assert ask("nn.sparse_conv2d", *types, "_", layout=layout) == (None if out is None else [*types, out])


def test_sparse_conv2d_backwards():
    assert ask("nn.sparse_conv2d", f(1, 28, 28, 64), f(20, 8, 1), ints(20), "_", f(1, 28, 28, 32))[3] == f(5, dtype="_")
