"""Usual calls of programs that compute shapes: operators that are given as data what others have as attributes, what is
done with vectors that hold a shape, and with tensors of which only the rank is known.

What the operators make is `?` where others know extents; its rank is the length of a vector. Of a call in a text, `%0`,
`%1` ... are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, permutations, product

from .axes import Usual
from .operators import even_shape

__all__ = ["calls_of_dynamic_operators", "calls_of_unknown_extents"]

LENGTHS = "12345"
"""The lengths of vectors that hold a shape."""
RANKS = 1, 2, 3, 4, 5
OF_SHAPES = (
    *[f"take({{}}, 0i64, axis={axis})" for axis in ("0", "None")],
    *[f"gather({{}}, {index}, axis=0)" for index in ("{}", 'cast(%1, dtype="int64")')],
    *[f"strided_slice({{}}, begin=[{begin}], end=[2], strides=[1])" for begin in (0, 1)],
    *[f"prod({{}}, axis=[0], keepdims={keep})" for keep in ("True", "False")],
    "cast_like({}, %1)",
    "concatenate(({}, {}), axis=0)",
    "concatenate(({}, {}, {}), axis=0)",
    "reshape({}, newshape=[-1])",
    "squeeze(strided_slice({}, begin=[0], end=[1], strides=[1]), axis=[0])",
    "split({}, indices_or_sections=1, axis=0)",
)
"""What is done with a vector of integers, which `{}` stands for."""
OF_ONE = (
    'cast(%0, dtype="float32")',
    'cast(%0, dtype="int64")',
    "cast_like(%0, %0)",
    "less(%0, 0f)",
    "less(%0, %0)",
    "add(%0, 1f)",
    "add(%0, %0)",
    "where(less(%0, %0), %0, %0)",
    "where(less(%0, %0), %0, 0f)",
    "argwhere(%0)",
    "nn.batch_flatten(%0)",
    "nn.softmax(%0, axis=-1)",
    "reshape(%0, newshape=[-1])",
    "concatenate((%0, %0), axis={axis})",
    "concatenate((%0, %0, %0), axis={axis})",
    "stack((%0, %0), axis={axis})",
    "expand_dims(%0, axis={axis})",
    "squeeze(expand_dims(%0, axis={axis}), axis=[{axis}])",
    "split(%0, indices_or_sections=2, axis={axis})",
    "mean(%0, axis=[{axis}], keepdims=True)",
    "mean(%0, axis=[{axis}], keepdims=False)",
    "argmax(%0, axis=[{axis}], keepdims=False)",
    'take(%0, cast(%1, dtype="int64"), axis={axis})',
    'shape_of(%0, dtype="int64")',
    'shape_of(%0, dtype="int32")',
)
"""What is done with a tensor of unknown extents, along each axis."""


def calls_of_dynamic_operators() -> Iterator[Usual]:
    """Calls of tensors of float32 with vectors of integers, and of such vectors."""
    for length, vector in enumerate(LENGTHS, 1):
        for filled in ("zeros", "ones"):
            yield Usual(f'dyn.{filled}({_integers(0)}, shape=None, dtype="float32")', (vector,))
        for dtype in ("float32", "int32", "int64"):
            full = f'dyn.full(cast(%1, dtype="{dtype}"), {_integers(0)}, shape=None, dtype="{dtype}")'
            yield Usual(full, (vector, ""))
        for rank in RANKS:
            for shape in _of_rank(rank):
                yield Usual(f"dyn.reshape(%0, {_integers(1)}, newshape=None)", (shape, vector))
            if rank <= length:
                yield Usual(f"dyn.broadcast_to(%0, {_integers(1)}, shape=None)", (even_shape(rank), vector))
            if length <= rank:
                yield Usual(f"dyn.squeeze(%0, {_integers(1)}, axis=None)", (even_shape(rank), vector))
        yield Usual(f"dyn.broadcast_to(%0, {_integers(1)}, shape=None)", ("", vector))
    for rank, vector in enumerate(LENGTHS, 1):
        for shape in _of_rank(rank):
            yield from _given_shapes(shape, rank, vector)
    for layout, shape in (("NCHW", "6, 8, 12, 12"), ("NHWC", "6, 12, 12, 8")):
        resized = f'dyn.image.resize2d(%0, {_integers(1)}, %2, size=None, roi=None, layout="{layout}")'
        yield Usual(resized, (shape, "2", "4"))
    for call in OF_SHAPES:
        yield Usual(call.replace("{}", _integers(0)), ("6", "8"))
    for rank in (0, *RANKS):
        yield Usual("cast_like(%0, %1)", (even_shape(rank), ""))
        yield Usual("cast_like(%0, %1)", (even_shape(rank), even_shape(rank)))


def _given_shapes(shape: str, rank: int, vector: str) -> Iterator[Usual]:
    """Calls of a tensor with places or sizes for each of its axes."""
    yield Usual(f"dyn.tile(%0, {_integers(1)}, reps=None)", (shape, vector))
    yield Usual(f"dyn.expand_dims(%0, {_integers(1)}, num_newaxis=1)", (shape, ""))
    places = f"{_integers(1)}, {_integers(2)}, {_integers(3)}"
    sliced = f"dyn.strided_slice(%0, {places}, begin=None, end=None, strides=None, axes=None)"
    yield Usual(sliced, (shape, vector, vector, vector))
    yield Usual(f"dyn.nn.pad(%0, {_integers(1)}, 0f, pad_width=None)", (shape, f"{vector}, 2"))
    for dtype, axis in product(("int32", "int64"), (*range(rank), -1)):
        greatest = f'dyn.topk(%0, {_integers(1)}, k=None, axis={axis}, ret_type="both", dtype="{dtype}")'
        yield Usual(greatest, (shape, ""))


def calls_of_unknown_extents() -> Iterator[Usual]:
    """Calls of tensors of float32 of which only the rank is known, or how long the last axis is, too."""
    for rank, call in product(RANKS, OF_ONE):
        for axis in (*range(rank), -1) if "{axis}" in call else (0,):
            yield Usual(call.replace("{axis}", str(axis)), (even_shape(rank, "?"), ""))
    for rank in RANKS:
        for axis in range(rank):
            yield Usual(f"strided_slice(%0, begin=[0], end=[2], strides=[1], axes=[{axis}])", (even_shape(rank, "?"),))
    orders = chain.from_iterable(permutations(range(rank)) for rank in (2, 3))
    for order in (*orders, (0, 2, 1, 3), (0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 3, 2)):
        yield Usual(f"transpose(%0, axes={list(order)})", (even_shape(len(order), "?"),))
    for rank in RANKS[1:4]:
        for shape in (even_shape(rank, "?"), _last_known(rank)):
            yield Usual("nn.dense(%0, %1)", (shape, "8, 12"))
            yield Usual("nn.dense(%0, %1, units=8)", (shape, "8, 12"))
            yield Usual("add(%0, %1)", (shape, "12"))
            yield Usual("nn.bias_add(%0, %1, axis=-1)", (shape, "12"))
            yield Usual("nn.layer_norm(%0, %1, %1, axis=-1)", (shape, "12"))
            yield Usual("reshape(%0, newshape=[-1, 12])", (shape,))
    for transposed in ("True", "False"):
        yield Usual(f"nn.batch_matmul(%0, %0, transpose_a=False, transpose_b={transposed})", (even_shape(3, "?"),))
    yield Usual("unique(%0, sorted=True)", (even_shape(1, "?"),))
    for indexing in ("ij", "xy"):
        yield Usual(f'meshgrid((%0, %0), indexing="{indexing}")', (even_shape(1, "?"),))


def _of_rank(rank: int) -> Iterable[str]:
    """Shapes of a rank: all of it is known, nothing, or the last extent."""
    return dict.fromkeys((even_shape(rank), even_shape(rank, "?"), _last_known(rank)))


def _last_known(rank: int) -> str:
    return ", ".join([*["?"] * (rank - 1), "12"])


def _integers(number: int) -> str:
    return f'cast(%{number}, dtype="int64")'
