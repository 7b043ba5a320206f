"""Correlation of two images of one shape."""

import pytest

from tests.rules.asking import ask
from tests.rules.asking import tensor as f

NEAR = {"max_displacement": 4, "padding": [4, 4]}


@pytest.mark.parametrize(
    ("types", "attrs", "known"),
    [
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), NEAR, f(1, 81, 10, 12)),
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), {**NEAR, "stride2": 2}, f(1, 25, 10, 12)),
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), {**NEAR, "stride1": 3, "kernel_size": 3}, f(1, 81, 3, 4)),
        ((f(1, 3, 10, "?"), f(1, 3, "?", 12), "_"), NEAR, f(1, 81, 10, 12)),
        ((f("?", 3, "?", 12), f(1, 3, 10, "?"), "_"), NEAR, f("?", 81, "?", "?")),
        (("_", f(1, 3, 10, 12), "_"), NEAR, f(1, 81, 10, 12, dtype="_")),
        ((f(1, 3, 10, 12), f(1, 4, 10, 12), "_"), NEAR, None),
        ((f(1, 3, 10), f(1, 3, 10), "_"), NEAR, None),
        ((f(1, 3, 4, 4), f(1, 3, 4, 4), "_"), {**NEAR, "padding": [0]}, None),
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), {**NEAR, "padding": [1, 1, 1]}, None),
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), {**NEAR, "stride2": 0}, None),
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), {**NEAR, "stride1": 0}, None),
        ((f(1, 3, 10, 12), f(1, 3, 10, 12), "_"), {**NEAR, "layout": "NHWC"}, None),
    ],
)
def test_correlation(types, attrs, known):
    found = ask("nn.correlation", *types, **attrs)
    assert (found and found[-1]) == known


def test_backward():
    found = ask("nn.correlation", "_", f(1, 3, "_", "_"), f(1, 81, 10, 12), **NEAR)
    assert found == [f(1, 3, 10, 12), f(1, 3, 10, 12), f(1, 81, 10, 12)]
