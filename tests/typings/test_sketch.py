"""The sketch of a network in examples/, whose architecture is left open, against brute force over its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaylogic.typings.program import count_typings, typings
from tests.effort import some

SKETCH = (Path(__file__).parents[2] / "examples" / "sketch.relay").read_text()
BOUNDS = {"max_dim": 64, "max_attr": 4}
HEADS = "%heads.newshape = [1, h, 8], h >= 1"


def networks():
    """All sketches: channels, kernel, stride, heads, and how many numbers signal and weights hold."""
    for stride in range(1, 5):
        for kernel in range(1, 19):
            places = (16 + 2 - kernel) // stride + 1
            for channels in range(1, 65):
                if places > 64 or channels * places > 64:
                    continue
                for heads in range(1, 5):
                    numbers = 64 + channels * 4 * kernel + 8 * heads * channels * places + 10 * heads
                    yield channels, kernel, stride, heads, numbers


def described(typing):
    stem, strides, heads = (typing.bindings[name] for name in ("%stem", "%a.strides", "%heads.newshape"))
    return stem.shape[0], stem.shape[2], strides[0], heads[1]


def test_the_sketch_has_so_many_networks():
    assert count_typings(SKETCH, where=[HEADS], **BOUNDS) == len(list(networks()))


@pytest.mark.parametrize("most", some([1000, 300]))
def test_of_few_numbers_there_are_so_many(most):
    found = count_typings(SKETCH, where=[HEADS, f"elements <= {most}"], **BOUNDS)
    assert found == sum(numbers <= most for *_, numbers in networks())


def test_the_smallest_ones_are_found():
    found = typings(SKETCH, where=[HEADS, "h >= 2, %a[1] >= 4"], minimize="elements", **BOUNDS)
    least = {described(typing) for typing in found}
    wide = [network for network in networks() if network[0] >= 4 and network[3] >= 2]
    assert found.optimum == min(numbers for *_, numbers in wide) == 388
    assert least == {network[:4] for network in wide if network[4] == 388}


def test_what_is_drawn_is_among_them():
    found = typings(SKETCH, where=[HEADS, "elements <= 1000"], sample=10, seed=1, **BOUNDS)
    drawn = [described(typing) for typing in found]
    assert found.total == 2169 and len(drawn) == 10 and len(set(drawn)) > 5
    assert set(drawn) <= {network[:4] for network in networks() if network[4] <= 1000}
