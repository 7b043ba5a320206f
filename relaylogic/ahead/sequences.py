"""Usual calls of sequences of any length, each alone or in batches of any size: their length is `?` in a later place
than the first one, where the size of a batch stands.

Of a call in a text, `%0`, `%1` ... are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .axes import Usual

__all__ = ["calls_of_sequences"]

BATCHES = "6", "?"

OF_WORDS = (
    'cast(%0, dtype="float32")',
    'cast(%0, dtype="int32")',
    'cast(%0, dtype="int64")',
    'take(%1, cast(%0, dtype="int32"), axis=0)',
    "nn.softmax(%0, axis=-1)",
    "less(%0, 1f)",
    'shape_of(%0, dtype="int32")',
    'shape_of(%0, dtype="int64")',
    *[f"expand_dims(%0, axis={axis})" for axis in (0, 1, 2, -1)],
    "reshape(%0, newshape=[-1])",
)
"""Calls of a batch of sequences of words, and of a table of what is known of words."""

OF_SEQUENCES = (
    *[f'cast(%0, dtype="{dtype}")' for dtype in ("float32", "float16")],
    *[f"nn.dense(%0, %1{units})" for units in ("", ", units=4")],
    *[
        f"{call}(%0, {vector}, axis={axis})"
        for axis in (2, -1)
        for call, vector in (("nn.bias_add", "%2"), ("nn.layer_norm", "%2, %2"))
    ],
    *[f"nn.softmax(%0, axis={axis})" for axis in (1, 2, -1)],
    *[f"mean(%0, axis=[{axis}], keepdims={keep})" for axis in (1, 2, -1) for keep in ("True", "False")],
    *[f"argmax(%0, axis=[{axis}])" for axis in (1, 2, -1)],
    *[
        f"reshape(%0, newshape=[{sizes}])"
        for sizes in (
            "0, 0, 2, 12",
            "0, -1, 2, 12",
            "0, -1, 24",
            "0, 0, 24",
            "0, 0, -1",
            "-1, 24",
            "6, -1, 24",
            "6, -1, 2, 12",
            "-1, 1, 24",
            "-4, -1, 2, 0, 0",
        )
    ],
    *[f"transpose(%0, axes={axes})" for axes in ("[0, 2, 1]", "[1, 0, 2]", "[1, 2, 0]", "[2, 0, 1]")],
    *[f"nn.batch_matmul(%0, %0, transpose_a=False, transpose_b={second})" for second in ("True", "False")],
    "nn.batch_matmul(%0, transpose(%0, axes=[0, 2, 1]), transpose_a=False, transpose_b=False)",
    *[f'take(%0, cast(%3, dtype="int32"), axis={axis})' for axis in (0, 1, 2)],
    *[f"expand_dims(%0, axis={axis})" for axis in (0, 1, 2, -1)],
    *[f"concatenate((%0, %0), axis={axis})" for axis in (1, 2, -1)],
    *[
        f"split(%0, indices_or_sections={parts}, axis={axis})"
        for parts in ("2", "3", "[6]", "[6, 12]", "[6, 12, 18]")
        for axis in (2, -1)
    ],
    *[
        f"strided_slice(%0, begin=[{begin}], end=[{begin + 2}], strides=[1], axes=[{axis}])"
        for axis in (1, 2)
        for begin in (0, 2)
    ],
    *[f"reverse(%0, axis={axis})" for axis in (0, 1)],
    'shape_of(%0, dtype="int32")',
    'shape_of(%0, dtype="int64")',
    "add(%0, %2)",
    "add(%2, %0)",
    "add(%0, mean(%0, axis=[2], keepdims=True))",
)
"""Calls of a batch of sequences of 24 numbers each, and of a matrix, a vector and a number."""

OF_HEADS = (
    'cast(%0, dtype="float32")',
    *[f"transpose(%0, axes={axes})" for axes in ("[0, 2, 1, 3]", "[0, 1, 3, 2]", "[0, 2, 3, 1]")],
    *[
        f"reshape(%0, newshape=[{sizes}])"
        for sizes in ("0, 0, 8", "0, -1, 8", "-1, 2, 4", "-1, 8", "6, -1, 8", "-3, 0, 0", "0, 0, -1", "0, 0, -3")
    ],
    "nn.softmax(%0, axis=-1)",
    *[f"concatenate((%0, %0), axis={axis})" for axis in (1, 2, 3, -1)],
    *[f"split(%0, indices_or_sections=2, axis={axis})" for axis in (3, -1)],
    *[
        f"strided_slice(%0, begin=[{begin}], end=[{begin + 2}], strides=[1], axes=[{axis}])"
        for axis in (1, 2, 3)
        for begin in (0, 2)
    ],
    *[f"mean(%0, axis=[{axis}], keepdims={keep})" for axis in (3, -1) for keep in ("True", "False")],
    'shape_of(%0, dtype="int32")',
    'shape_of(%0, dtype="int64")',
)
"""Calls of a batch of sequences of heads, of 4 numbers each, or of a batch of heads of such sequences."""

MASKS = "?, ?", "6, ?, ?", "?, ?, ?", "1, 1, ?, ?", "?, 1, ?, ?", "?, 1, 1, ?"
"""Shapes of masks of attention."""


def calls_of_sequences() -> Iterator[Usual]:
    """Calls of tensors of float32 whose lengths are `?`."""
    for batch in BATCHES:
        for call in OF_WORDS:
            yield Usual(call, (f"{batch}, ?", "12, 8"))
        for call in OF_SEQUENCES:
            yield Usual(call, (f"{batch}, ?, 24", "4, 24", "24", ""))
        for call in OF_HEADS:
            yield Usual(call, (f"{batch}, ?, 2, 4",))
            yield Usual(call, (f"{batch}, 2, ?, 4",))
        yield Usual(
            "nn.batch_matmul(%0, %1, transpose_a=False, transpose_b=False)", (f"{batch}, ?, ?", f"{batch}, ?, 8")
        )
        yield from _scores(batch)
    for steps in range(1, 9):
        yield Usual(f"split(%0, indices_or_sections={steps})", (f"{steps}, ?, 8",))
    for steps in range(2, 9):
        yield Usual(f"concatenate(({', '.join(['%0'] * steps)}), axis=0)", ("1, ?, 8",))
    yield Usual("squeeze(%0, axis=[0])", ("1, ?, 8",))
    for shape in ("3, ?, 2, ?, 4", "3, ?, 2, 8, 4", "3, 6, 2, ?, 4"):
        yield Usual("split(%0, indices_or_sections=3, axis=0)", (shape,))
        yield Usual("squeeze(%0, axis=[0])", (shape.replace("3", "1"),))
        yield Usual('take(%0, cast(%1, dtype="int32"), axis=0)', (shape, ""))
    for axis in (0, 1, -1):
        yield Usual(f"expand_dims(%0, axis={axis})", ("?",))
    yield from _broadcast()


def _scores(batch: str) -> Iterator[Usual]:
    """Calls of the scores of attention."""
    for shape in (f"{batch}, ?, ?", f"{batch}, 2, ?, ?"):
        yield Usual("nn.softmax(%0, axis=-1)", (shape,))
    yield Usual("reshape(%0, newshape=[-3, 0, 0])", (f"{batch}, 2, ?, ?",))
    for shape, mask in product((f"{batch}, ?, ?", f"{batch}, 2, ?, ?"), MASKS):
        if mask.count(",") in (1, shape.count(",")):
            yield Usual("add(%0, %1)", (shape, mask))
            yield Usual("where(less(%1, 1f), %0, 0f)", (shape, mask))


def _broadcast() -> Iterator[Usual]:
    """Element by element: with tensors alike, with numbers, with a vector or a table of places."""
    for shape in ("6, ?", "6, ?, 8", "?, ?, 8", "6, ?, 1", "?, ?, 1", "6, ?, ?", "?, ?, ?"):
        yield from _with_numbers(shape)
    for shape in ("?, 1, ?", "6, 1, ?", "?, 1, 1, ?", "6, 1, 1, ?"):
        yield from _with_numbers(shape)
        if shape.count(",") == 2:
            yield Usual("expand_dims(%0, axis=1)", (shape,))
    # Of rank 4 there are so many ways to broadcast that extents of 1 are told apart.
    for batch, rest in product(("1", *BATCHES), ("2, ?, 4", "?, 2, 4", "2, ?, ?")):
        yield from _with_numbers(f"{batch}, {rest}")
    for batch in ("1", *BATCHES):
        for table in ("?, 8", "1, ?, 8", "12, 8", "1, 12, 8"):
            yield Usual("add(%0, %1)", (f"{batch}, ?, 8", table))
        for table in ("?, 4", "1, ?, 4", "1, 1, ?, 4", "6, 1, ?, 4"):
            yield Usual("add(%0, %1)", (f"{batch}, 2, ?, 4", table))
        for table in ("?, 1, 4", "1, ?, 1, 4"):
            yield Usual("add(%0, %1)", (f"{batch}, ?, 2, 4", table))


def _with_numbers(shape: str) -> Iterator[Usual]:
    for call in (
        "nn.relu(%0)",
        "add(%0, %0)",
        "add(%0, 1f)",
        "add(1f, %0)",
        "less(%0, 1f)",
        "where(less(%0, 1f), %0, %0)",
    ):
        yield Usual(call, (shape,))
