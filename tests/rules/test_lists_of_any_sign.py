"""Lists of numbers that may be negative: each number is a choice of its own, and counted apart from the others."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from relaylogic.typings.query import count_query
from tests.rules.asking import ask, tensor

MOST = 2
ANY_SIGN = range(-MOST, MOST + 1)


def slices_of(extent, mode="end"):
    """How many slices of an axis there are, and how many it has of each number of elements."""
    found = {}
    for begin, end, stride in product(ANY_SIGN, repeat=3):
        attrs = {"begin": [begin], "end": [end], "strides": [stride], "slice_mode": mode, "axes": None}
        types = ask("strided_slice", tensor(extent), "_", **attrs)
        if types is not None:
            found[types[1]] = found.get(types[1], 0) + 1
    return found


def counted(extents, result, mode="end"):
    names = [f"{name}{i}" for i in range(len(extents)) for name in ("b", "e", "s")]
    begin, end, strides = (f"[{', '.join(names[i::3])}]" for i in range(3))
    asked = f"strided_slice({tensor(*extents)}, begin={begin}, end={end}, strides={strides}, slice_mode='{mode}')"
    asked = asked.replace("'", '"')
    return count_query(f"{asked} = {result}", ground=True, max_rank=3, min_dim=0, max_dim=4, max_attr=MOST)


@pytest.mark.parametrize("mode", ["end", "size"])
@pytest.mark.parametrize("extents", [(0,), (3,), (1, 2), (3, 3, 2), (4, 1, 3)])
def test_slices_of_some_axes_are_as_many_as_those_of_each_together(extents, mode):
    each = [slices_of(extent, mode) for extent in extents]
    assert counted(extents, "R", mode) == prod(sum(found.values()) for found in each)
    twos = prod(found.get(tensor(2), 0) for found in each)
    assert counted(extents, tensor(*(2 for _ in extents)), mode) == twos


@pytest.mark.parametrize("source", [(), (4,), (2, 3), (1, 2, 2)])
def test_shapes_are_described_in_as_many_ways_as_by_brute_force(source):
    described = 0
    for length in range(4):
        for codes in product(range(-4, 5), repeat=length):
            types = ask("reshape", tensor(*source), "_", newshape=codes)
            described += types is not None and types[1].count(",") <= 3 and "0" not in types[1]
    bounds = {"max_rank": 3, "max_dim": 99, "max_attr": 4, "max_attr_length": 3}
    asked = f"reshape({tensor(*source)}, newshape=N) = R"
    assert count_query(asked, ground=True, **bounds) == described


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        ("reshape(Tensor[(2, 3, 2), int8], newshape=[a, b, c, d]) = R", 64_000),
        ("strided_slice(Tensor[(3, 3, 2), int8], begin=B, end=E, strides=S) = R", 64_000),
    ],
)
def test_lists_are_counted_in_few_steps(asked, steps):
    assert count_query(asked, ground=True, max_rank=4, max_dim=12, max_attr=4, steps=steps) > 0
