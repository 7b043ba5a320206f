"""Windows: their places in an extent, forwards and backwards, and how attributes describe them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.logic import fresh
from relaylogic.logic.search.search import search
from relaylogic.types import ANY
from rules.windows import padding_of_axes, per_axis_values, stretched, window
from tests.effort import examples


def known(relate, *numbers):
    """What is known of numbers (None: open) that are related; None if they are not."""
    terms = tuple(fresh() if n is None else n for n in numbers)
    general = search([("", relate(*terms))], terms, steps=1_000).general
    return general and tuple(n if type(n) is int or n is ANY else None for n in general)


@pytest.mark.parametrize(
    ("extent", "size", "out", "how", "found"),
    [
        (8, 3, None, {}, (8, 3, 6)),
        (8, 3, None, {"padding": 2}, (8, 3, 8)),
        (8, 3, None, {"dilation": 2}, (8, 3, 4)),
        (8, 3, None, {"stride": 2}, (8, 3, 3)),
        (8, 3, None, {"stride": 2, "ceil": True}, (8, 3, 4)),
        (3, 5, None, {}, None),
        # a window has elements, which are apart, and it fits
        (8, 0, None, {}, None),
        (8, 3, None, {"dilation": 0}, None),
        (3, 4, None, {}, None),
        (2, 4, None, {"stride": 2}, None),
        (3, 4, None, {"stride": 2}, None),
        (4, 4, None, {"stride": 2}, (4, 4, 1)),
        (3, 4, None, {"stride": 2, "ceil": True}, (3, 4, 1)),
        (2, 4, None, {"stride": 2, "ceil": True}, None),
        (None, 4, 0, {"stride": 2}, None),
        (8, None, 9, {}, None),
        (ANY, 3, None, {"stride": 2}, (ANY, 3, ANY)),
        (8, ANY, None, {}, (8, ANY, ANY)),
        (8, 3, None, {"padding": ANY}, (8, 3, ANY)),
        # backwards
        (None, 3, 6, {"padding": 1}, (7, 3, 6)),
        (8, None, 6, {}, (8, 3, 6)),
        (8, None, 4, {"dilation": 2}, (8, 3, 4)),
        (8, None, 5, {"dilation": 2}, None),
        (None, 3, 3, {"stride": 2}, (None, 3, 3)),
    ],
)
def test_window(extent, size, out, how, found):
    assert known(lambda a, b, c: window(a, b, c, **how), extent, size, out) == found


def places(extent, size, stride, dilation, padding, ceil):
    """How often a window fits, tried out; with `ceil`, once more if something is left over for it."""
    reach = (size - 1) * dilation + 1
    found = sum(1 for first in range(0, extent + padding, stride) if first + reach <= extent + padding)
    if ceil and found == 0:
        return int(extent + padding + stride - 1 >= reach)
    return found + (ceil and (found - 1) * stride + reach < extent + padding)


@given(
    extent=st.integers(0, 12),
    size=st.integers(1, 5),
    stride=st.integers(1, 4),
    dilation=st.integers(1, 3),
    padding=st.integers(0, 3),
    ceil=st.booleans(),
)
@settings(max_examples=examples(300))
def test_places_are_those_that_fit(extent, size, stride, dilation, padding, ceil):
    how = {"stride": stride, "dilation": dilation, "padding": padding, "ceil": ceil}
    found = known(lambda a, b, c: window(a, b, c, **how), extent, size, None)
    count = places(extent, size, stride, dilation, padding, ceil)
    assert found == ((extent, size, count) if count else None)


def test_a_window_and_its_transpose():
    for extent in range(1, 6):
        for size in range(1, 4):
            for stride in (1, 2, 3):
                _, _, out = known(lambda a, b, c, s=stride: stretched(a, b, c, s), extent, size, None)
                assert out == stride * (extent - 1) + size
                assert known(lambda a, b, c, s=stride: window(a, b, c, s), out, size, None)[2] == extent
                assert known(lambda a, b, c, s=stride: stretched(a, b, c, s), None, size, out)[0] == extent


@pytest.mark.parametrize(
    ("padding", "rank", "total"),
    [
        ((1,), 1, (2,)),
        ((1, 2), 1, (3,)),
        ((1,), 2, (2, 2)),
        ((1, 2), 2, (2, 4)),
        ((1, 2, 3, 4), 2, (4, 6)),
        ((1, 2, 3), 3, (2, 4, 6)),
        ((1, 2, 3, 4, 5, 6), 3, (5, 7, 9)),
        ((1, ANY), 2, (2, ANY)),
        ((1, 2, 3), 2, None),
        ((1, 2), 3, None),
        ((), 1, None),
        (None, 2, None),
    ],
)
def test_padding(padding, rank, total):
    assert padding_of_axes(padding, rank) == total


@pytest.mark.parametrize(
    ("values", "how", "found"),
    [
        ((1, 2), {}, (1, 2)),
        ((1, 2, 3), {}, (1, 2)),
        ((1, 2, 3), {"exact": True}, None),
        ((1,), {}, None),
        (None, {}, None),
        ((0, 1), {}, (0, 1)),
        ((0, 1), {"least": 1}, None),
        ((-1, 1), {}, None),
        ((ANY, 1), {"least": 1}, (ANY, 1)),
    ],
)
def test_values_of_axes(values, how, found):
    assert per_axis_values(values, 2, **how) == found
