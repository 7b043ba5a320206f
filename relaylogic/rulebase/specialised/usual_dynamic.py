"""Usual calls of operators that are given as data what others have as attributes: shapes, places, numbers.

What they make is `?` where others know extents; its rank is the length of a vector. Of a call in a text, `%0`, `%1` ...
are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .usual_axes import Usual

__all__ = ["calls_of_dynamic_operators"]

LENGTHS = "12345"
"""The lengths of vectors that hold a shape."""


def calls_of_dynamic_operators() -> Iterator[Usual]:
    """Calls of tensors of float32, and of vectors of integers."""
    for length, vector in enumerate(LENGTHS, 1):
        for filled in ("zeros", "ones"):
            yield Usual(f'dyn.{filled}({_integers(0)}, shape=None, dtype="float32")', (vector,))
        for dtype in ("float32", "int32", "int64"):
            full = f'dyn.full(cast(%1, dtype="{dtype}"), {_integers(0)}, shape=None, dtype="{dtype}")'
            yield Usual(full, (vector, ""))
        for rank in range(1, len(LENGTHS) + 1):
            yield Usual(f"dyn.reshape(%0, {_integers(1)}, newshape=None)", (_shape(rank), vector))
            if rank <= length:
                yield Usual(f"dyn.broadcast_to(%0, {_integers(1)}, shape=None)", (_shape(rank), vector))
            if length <= rank:
                yield Usual(f"dyn.squeeze(%0, {_integers(1)}, axis=None)", (_shape(rank), vector))
    for rank, vector in enumerate(LENGTHS, 1):
        yield Usual(f"dyn.tile(%0, {_integers(1)}, reps=None)", (_shape(rank), vector))
        yield Usual(f"dyn.expand_dims(%0, {_integers(1)}, num_newaxis=1)", (_shape(rank), ""))
        places = f"{_integers(1)}, {_integers(2)}, {_integers(3)}"
        sliced = f"dyn.strided_slice(%0, {places}, begin=None, end=None, strides=None, axes=None)"
        yield Usual(sliced, (_shape(rank), vector, vector, vector))
        yield Usual(f"dyn.nn.pad(%0, {_integers(1)}, 0f, pad_width=None)", (_shape(rank), f"{vector}, 2"))
        for dtype, axis in product(("int32", "int64"), (*range(rank), -1)):
            greatest = f'dyn.topk(%0, {_integers(1)}, k=None, axis={axis}, ret_type="both", dtype="{dtype}")'
            yield Usual(greatest, (_shape(rank), ""))
    for layout, shape in (("NCHW", "6, 8, 12, 12"), ("NHWC", "6, 12, 12, 8")):
        resized = f'dyn.image.resize2d(%0, {_integers(1)}, %2, size=None, roi=None, layout="{layout}")'
        yield Usual(resized, (shape, "2", "4"))


def _shape(rank: int) -> str:
    return ", ".join(["12"] * rank)


def _integers(number: int) -> str:
    return f'cast(%{number}, dtype="int64")'
