"""Conversions that may be missing: each gives the type that it says, and one that is wanted."""

from __future__ import annotations

import random
import re

import pytest

import relaylogic
from relaylogic.explain.blame.conversions import conversions
from relaylogic.explain.refusals.differences import compatible
from relaylogic.logic.terms.variables import fresh
from relaylogic.types import TensorType, TupleType, show_type

_CALL = re.compile(r"`([\w.]+)`(?: with (\w+=.*))? around %x")


def written(words: str) -> str:
    """A conversion of `%x` in Relay text."""
    call = _CALL.fullmatch(words)
    if call is not None:
        return f"{call[1]}(%x, {call[2]})" if call[2] else f"{call[1]}(%x)"
    return re.sub(r"field (\.\d+) of %x", r"%x\1", words)


def drawn(draw: random.Random) -> tuple[object, object]:
    """A type, and one that is wanted of it: open, or near it."""
    shape = tuple(draw.choice([1, 1, 2, 3, 6]) for _ in range(draw.randint(0, 4)))
    own = TensorType(shape, draw.choice(["float32", "int8", "bool"]))
    other = list(shape)
    draw.shuffle(other)
    kept = tuple(extent for extent in other if draw.random() < 0.7)
    needed = TensorType(draw.choice([fresh(), kept, tuple(other), (*shape[:1], 6), ()]), draw.choice([fresh(), "int8"]))
    if draw.random() < 0.3:
        return TupleType((own, TensorType((2,), "bool"))), draw.choice([needed, own])
    return own, needed


@pytest.mark.parametrize("seed", range(60))
def test_a_conversion_gives_the_type_that_it_says(seed):
    own, needed = drawn(random.Random(seed))
    for conversion in conversions(own, needed):
        assert compatible(conversion.type, needed)
        text = f"def @main(%x: {show_type(own)}) {{ {written(conversion.words.format('%x'))} }}"
        assert relaylogic.infer(text).functions["main"].ret_type == conversion.type


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_an_image_is_scaled_to_one_that_is_as_many_times_as_large_in_both_directions(k, layout):
    """What lacked an upsampling had no hint: no conversion made an image larger or smaller."""
    small, large = ((8, 12) if layout == "NCHW" else (12, 8)), (8 * k, 12 * k) if layout == "NCHW" else (12 * k, 8 * k)
    shapes = [(1, 5, *extents) if layout == "NCHW" else (1, *extents, 5) for extents in (small, large)]
    for own, other in (shapes, shapes[::-1]):
        wanted = TensorType(tuple(n if n != 5 else fresh() for n in other), fresh())
        found = [c for c in conversions(TensorType(own, "float32"), wanted) if "nn." in c.words]
        (made,) = [c for c in found if c.type == TensorType(other, "float32")]
        text = f"def @main(%x: {show_type(TensorType(own, 'float32'))}) {{ {written(made.words.format('%x'))} }}"
        assert relaylogic.infer(text).functions["main"].ret_type == made.type
    for none in ((1, 5, 8 * k, 12), (1, 5, 8 * k + 1, 12 * k + 1), (1, 5, 8 * k)):
        assert not any(
            "nn." in c.words for c in conversions(TensorType((1, 5, 8, 12), "int8"), TensorType(none, "int8"))
        )


def test_the_axis_of_a_batch_is_the_last_that_is_left_out():
    own = TensorType((1, 512, 1, 1), "float32")
    words = [conversion.words for conversion in conversions(own, fresh()) if "squeeze" in conversion.words]
    axes = [[2, 3], [0, 2, 3], [0], [2], [3]]
    assert words == [f"`squeeze` with axis={some} around {{}}" for some in axes]


def test_a_tuple_is_made_of_a_field():
    one, other = TensorType((2,), "int8"), TensorType((3,), "int8")
    found = [(c.words, c.type) for c in conversions(one, TupleType((other, one, one)))]
    made = TupleType((other, one, one))
    assert found == [("a tuple with {} as field .1", made), ("a tuple with {} as field .2", made)]


def test_what_fits_anywhere_is_left_out():
    own = TensorType((4, 3), "int8")
    assert {c.words.partition("`")[2].partition("`")[0] for c in conversions(own, fresh(), False)} == {"transpose"}
