"""Comparisons of minima and maxima that hold whatever their operands are: nothing is said of them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from tests.effort import examples

NAMES = ("n", "m", "k")
LEAF = st.sampled_from((*NAMES, "0", "1", "2", "5"))
SIDE = st.builds(lambda how, left, right: f"{how}({left}, {right})", st.sampled_from(("min", "max")), LEAF, LEAF)


def told(comparison):
    """What is said of a comparison, which has one answer."""
    (answer,) = relaylogic.query(comparison)
    return str(answer)


@settings(max_examples=examples(400))
@given(SIDE, SIDE | LEAF)
def test_nothing_is_said_exactly_of_what_holds_for_all_naturals(left, right):
    values = range(7)  # one more than the greatest constant is as good as any greater one
    holds = all(
        eval(f"({left}) <= ({right})", {"min": min, "max": max}, dict(zip(NAMES, some, strict=True)))
        for some in product(values, repeat=len(NAMES))
    )
    found = list(map(str, relaylogic.query(f"{left} <= {right}")))
    assert (found == ["true"]) == holds


@pytest.mark.parametrize(
    "comparison", ["min(1, n) <= min(5, n)", "max(n, 3) >= min(n, 5)", "min(min(n, m), 4) <= max(k, m)"]
)
def test_what_holds_is_not_told(comparison):
    assert told(comparison) == "true"


def test_a_slice_of_an_unknown_extent_is_told_without_what_always_holds():
    assert "<= min(" not in told("strided_slice(Tensor[(n), int8], begin=[1], end=[5], strides=[2]) = B")


def test_of_what_may_have_no_value_that_is_told():
    assert told("min(n, m // k) <= max(n, m)") != "true"
