"""Each attribute, and each number of a list, is a choice of its own, and counted apart from the others."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from relaylogic.typings.query import count_query
from tests.effort import in_turn
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


@pytest.mark.parametrize(("extents", "mode"), in_turn([(0,), (3,), (1, 2), (3, 3, 2), (4, 1, 3)], ["end", "size"]))
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
        ("sliding_window(Tensor[(n, m), int8], axis=X, window_shape=W, strides=S) = R", 8_000),
        ('topk(A, k=K, axis=X, ret_type="values", is_ascend=B, dtype=D) = R', 64_000),
    ],
)
def test_what_is_open_is_counted_in_few_steps(asked, steps):
    bounds = {"max_rank": 4, "max_dim": 12, "max_attr": 4, "dtypes": ("int8", "int32")}
    assert count_query(asked, ground=True, steps=steps, **bounds) > 0


def test_windows_that_slide_are_as_many_as_by_brute_force():
    attrs = [(w, s) for n in (1, 2) for w in product(range(4), repeat=n) for s in product(range(4), repeat=n)]
    slid = 0
    for axis, (window, strides) in product(range(3), attrs):
        types = ask("sliding_window", tensor(2, 3), "_", axis=axis, window_shape=window, strides=strides)
        slid += types is not None and "0" not in types[1]
    asked = f"sliding_window({tensor(2, 3)}, axis=X, window_shape=W, strides=S) = R"
    assert count_query(asked, ground=True, max_rank=4, max_dim=9, max_attr=3, max_attr_length=2) == slid


@pytest.mark.parametrize("ret_type", ["both", "values", "indices"])
def test_the_largest_elements_are_asked_for_in_as_many_ways_as_by_brute_force(ret_type):
    dtypes = ("int8", "int32")
    ways = 0
    for shape in [(), *((n,) for n in (1, 2)), *product((1, 2), repeat=2)]:
        for k, axis, dtype, ascending in product(range(3), range(3), ("", *dtypes), (False, True)):
            attrs = {"k": k, "axis": axis, "ret_type": ret_type, "is_ascend": ascending, "dtype": dtype}
            types = ask("topk", tensor(*shape, dtype="int8"), "_", **attrs)
            ways += types is not None and "void" not in types[1]
    asked = f'topk(Tensor[s, int8], k=K, axis=X, ret_type="{ret_type}", is_ascend=B, dtype=D) = R'
    assert count_query(asked, ground=True, max_rank=2, max_dim=2, max_attr=2, dtypes=dtypes) == ways
