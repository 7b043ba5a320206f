"""Flatten: the batch stays, the rest is multiplied."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f


@pytest.mark.parametrize(
    ("data", "out"),
    [
        (f(2, 3, 4), f(2, 12)),
        (f(5), f(5, 1)),
        (f(2, 3), f(2, 3)),
        (f(2, 0, 4), f(2, 0)),
        (f(2, 3, "?", 5), f(2, "?")),
        (f("?", 3), f("?", 3)),
        (f(1, 65536, 65536), f(1, 4294967296)),
    ],
)
def test_forwards(data, out):
    assert ask("nn.batch_flatten", data, "_") == [data, out]


def test_backwards():
    assert ask("nn.batch_flatten", f(2, "_", 4), f(2, 12)) == [f(2, 3, 4), f(2, 12)]
    assert ask("nn.batch_flatten", f("_", 3), f(2, "_")) == [f(2, 3), f(2, 3)]


@pytest.mark.parametrize(
    ("data", "out"),
    [(f(), "_"), (f(2, 3, 4), f(2, 11)), (f(2, "_", 4), f(2, 11)), ("(float32,)", "_"), (f(2, 3), f(6))],
)
def test_refused(data, out):
    assert ask("nn.batch_flatten", data, out) is None
