"""Losses and the fifo buffer."""

import pytest

from tests.rules.asking import ask, clauses_of
from tests.rules.asking import tensor as f


def ints(*extents, dtype="int32"):
    return f(*extents, dtype=dtype)


@pytest.mark.parametrize("op", ["nn.cross_entropy", "nn.cross_entropy_with_logits"])
@pytest.mark.parametrize(
    ("x", "y", "out"),
    [
        (f(4, 10), f(4, 10), "float32"),
        (f(4, 10, dtype="float16"), ints(4, 10), "float16"),
        (f(4, 10), f("?", 10), "float32"),
        (f(4, 10), f(1, 10), None),
        (f(4, 10), f(4, 9), None),
        (f(10), f(10), None),
    ],
)
def test_cross_entropy(op, x, y, out):
    assert ask(op, x, y, "_") == (None if out is None else [x, y, out])


def test_cross_entropy_types_the_other_operand():
    assert ask("nn.cross_entropy", f(4, 10), "_", "_") == [f(4, 10), f(4, 10, dtype="_"), "float32"]
    assert ask("nn.cross_entropy", "_", f(4, 10), "float16")[0] == f(4, 10, dtype="float16")
    assert ask("nn.cross_entropy", f(4, 10), f(4, 10), f(1)) is None


@pytest.mark.parametrize(
    ("types", "reduction", "out"),
    [
        ((f(4, 10), ints(4), f(10)), "mean", "float32"),
        ((f(4, 10), ints(4), f(10)), "sum", "float32"),
        ((f(4, 10), ints(4), f(10)), "none", f(4)),
        ((f(4, 10, 7, 6), ints(4, 7, 6, dtype="int64"), f(10)), "none", f(4, 7, 6)),
        ((f(4, 10), ints("?"), f(10)), "none", f("?")),
        ((f(4, "?"), ints(4), f(10)), "mean", "float32"),
        ((f(4, 10), ints(5), f(10)), "none", None),
        ((f(4, 10, 7), ints(4, 8), f(10)), "mean", None),
        ((f(4, 10), ints(4), f(9)), "mean", None),
        ((f(4, 10), ints(4), f(10, dtype="float16")), "mean", None),
        ((ints(4, 10), ints(4), ints(10)), "mean", None),
        ((f(4, 10), ints(4, dtype="uint8"), f(10)), "mean", None),
        ((f(4, 10), ints(4), f(10)), "no such", None),
        ((f(10), ints(), f(10)), "mean", None),
        ((f(4, 10), ints(4, 10), f(10)), "mean", None),
    ],
)
def test_nll_loss(types, reduction, out):
    assert ask("nn.nll_loss", *types, "_", reduction=reduction, ignore_index=-1) == (
        None if out is None else [*types, out]
    )


def test_nll_loss_backwards():
    attrs = {"reduction": "none", "ignore_index": -1}
    assert ask("nn.nll_loss", f(4, 10, 7), "_", "_", "_", **attrs) == [
        f(4, 10, 7),
        f(4, 7, dtype="_"),
        f(10),
        f(4, 7),
    ]
    assert ask("nn.nll_loss", "_", ints(4, 7), f(10), "_", **attrs)[0] == f(4, 10, 7)
    assert clauses_of("nn.nll_loss", f(4, 10), ints(4), f(10), "_", **attrs) == {"one_per_target"}
    assert clauses_of("nn.nll_loss", f(4, 10), ints(4), f(10), "_", ignore_index=0) == {"reduced"}


@pytest.mark.parametrize(
    ("data", "buffer", "axis", "holds"),
    [
        (f(1, 6, 4), f(4, 6, 4), 0, True),
        (f(6, 4, 1), f(6, 4, 4), -1, True),
        (f(4, 6), f(4, 6), 0, True),
        (f("?", 6), f(4, 6), 0, True),
        (f(1, "?"), f(4, 6), 0, True),
        (f(1, 6, dtype="float16"), f(4, 6, dtype="int8"), 0, True),
        (f(1, 6, 4), f(4, 7, 4), 0, False),
        (f(9, 6), f(4, 6), 0, False),
        (f(1, 6), f(4, 6, 4), 0, False),
        (f(1, 6), f(4, 6), 2, False),
        (f(1, 6), f(4, 6), -3, False),
    ],
)
def test_fifo_buffer(data, buffer, axis, holds):
    assert ask("nn.fifo_buffer", data, buffer, "_", axis=axis) == ([data, buffer, buffer] if holds else None)


def test_fifo_buffer_backwards():
    assert ask("nn.fifo_buffer", f(1, 6), "_", f(4, 6)) == [f(1, 6), f(4, 6), f(4, 6)]
    assert ask("nn.fifo_buffer", "_", f(4, 6), "_")[0] == f("_", 6, dtype="_")
