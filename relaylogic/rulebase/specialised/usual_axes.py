"""Usual calls of operators that are told apart by axes, ranks, numbers of tensors, and ones among extents.

Of a call in a text, `%0`, `%1` ... are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

__all__ = ["Usual", "calls_of_axes", "calls_that_broadcast"]

FLOAT = "float32"
INTEGERS = "int32", "int64"
RANKS = 1, 2, 3, 4
_EXTENTS = "12", "24", "36", "48"
_RESHAPED = "144", "12, 12", "6, 4, 6", "2, 3, 4, 6", "2, 3, 2, 3, 4"
"""A shape of each rank, of one number of elements."""
_TRANSPOSED = "0213 0231 0312 0132 0321 1023 1203 2013 2310 3201 02134 20314 01324"
"""Axes of tensors of higher ranks: of layouts, heads of attention, groups of channels."""


class Usual(NamedTuple):
    """A call, the shapes of its tensors, and their dtype."""

    call: str
    shapes: tuple[str, ...]
    dtype: str = FLOAT


def calls_of_axes() -> Iterator[Usual]:
    """Calls that are told apart by axes, ranks and numbers of tensors."""
    yield from _of_one_axis()
    yield from _reshaped()
    yield from _of_several()
    for rank, dtype in product(RANKS, INTEGERS):
        yield Usual(f'shape_of(%0, dtype="{dtype}")', (_shape(rank),))
    for rank, dtype in product(RANKS, (FLOAT, "float16", *INTEGERS)):
        yield Usual(f'zeros(shape=[{", ".join(["2"] * rank)}], dtype="{dtype}")', ("",))


def _shape(rank: int) -> str:
    return ", ".join(_EXTENTS[:rank])


def _of_one_axis() -> Iterator[Usual]:
    for rank in RANKS:
        for axis in (*range(rank), -1):
            calls = [f"nn.softmax(%0, axis={axis})", f"argmax(%0, axis=[{axis}])"]
            calls += [f"mean(%0, axis=[{axis}])", f"mean(%0, axis=[{axis}], keepdims=True)"]
            calls += [f"split(%0, indices_or_sections={number}, axis={axis})" for number in (1, 2, 3, 4)]
            yield from (Usual(call, (_shape(rank),)) for call in calls)
            yield from (Usual(calls[0], (_shape(rank),), dtype) for dtype in ("float16", "float64"))
            for dtype in (FLOAT, *INTEGERS):
                call = f"squeeze(expand_dims(%0, axis={axis}), axis=[{axis}])"
                yield Usual(call, (_shape(rank - 1),), dtype)
    for rank, axis, index_rank, dtype in product(RANKS[:3], range(3), range(3), INTEGERS):
        if axis < rank:
            call = f'take(%0, cast(%1, dtype="{dtype}"), axis={axis})'
            yield Usual(call, (_shape(rank), _shape(index_rank)))
    for dtype, index_rank, index in product(INTEGERS, range(2), INTEGERS):
        yield Usual(f'take(%0, cast(%1, dtype="{index}"), axis=0)', (_shape(1), _shape(index_rank)), dtype)


def _reshaped() -> Iterator[Usual]:
    for shape, length in product(_RESHAPED, range(1, 6)):
        yield Usual(f"reshape(%0, newshape=[{_RESHAPED[length - 1]}])", (shape,))
        for place in range(length):
            sizes = ", ".join("-1" if place == i else "2" for i in range(length))
            yield Usual(f"reshape(%0, newshape=[{sizes}])", (shape,))
    for rank, dtype, sizes in product(range(3), INTEGERS, ("-1", "1, -1", "-1, 1")):
        yield Usual(f"reshape(%0, newshape=[{sizes}])", (_shape(rank),), dtype)
    yield Usual("reshape(%0, newshape=[1])", ("",))
    orders = [*permutations(range(2)), *permutations(range(3))]
    orders += [tuple(map(int, order)) for order in _TRANSPOSED.split()]
    for order in orders:
        yield Usual(f"transpose(%0, axes={list(order)})", (_RESHAPED[len(order) - 1],))


def _of_several() -> Iterator[Usual]:
    for rank in RANKS:
        for axis, number in product((*range(rank), -1), (2, 3, 4)):
            yield _joined("concatenate", axis, [_shape(rank)] * number)
        for axis, number in product((0, 1, -1), (2, 3)):
            if axis < rank:
                yield _joined("stack", axis, [_shape(rank - 1)] * number)
    for (rank, axis), number in product(((1, 0), (2, 1), (2, -1), (3, 1), (4, 1), (4, 3)), (5, 6, 7, 8)):
        yield _joined("concatenate", axis, [_shape(rank)] * number)
    for dtype, number in product(INTEGERS, (2, 3, 4, 5)):
        yield _joined("concatenate", 0, [_shape(1)] * number, dtype)
        yield _joined("stack", 0, [_shape(0)] * number, dtype)


def _joined(operator: str, axis: int, shapes: list[str], dtype: str = FLOAT) -> Usual:
    tensors = ", ".join(f"%{i}" for i in range(len(shapes)))
    return Usual(f"{operator}(({tensors}), axis={axis})", tuple(shapes), dtype)


def calls_that_broadcast() -> Iterator[Usual]:
    """Calls that broadcast. Of ranks from 3 on there are too many ways to, so that extents of 1 are told apart."""
    for pairs in product(("88", "18", "81", "11"), repeat=3):
        yield Usual("add(%0, %1)", tuple([", ".join(side) for side in zip(*pairs, strict=True)]))
    for batch, rank in product("18", (3, 4)):
        for ones in product("18", repeat=rank):
            shapes = f"{batch}, 8, 8, 8", ", ".join(ones)
            yield Usual("add(%0, %1)", shapes)
            yield Usual("add(%0, %1)", shapes[::-1])
    for batch in "18":
        yield Usual("add(%0, %1)", (f"{batch}, 8, 8, 8, 8", f"{batch}, 8, 8, 8, 8"))
        yield Usual("add(%0, %1)", (f"{batch}, 8, 8, 8, 8", f"{batch}, 8, 1, 1, 1"))
        yield Usual("where(less(%1, %1), %0, 0f)", (f"{batch}, 8, 8, 8", "1, 1, 8, 8"))
        yield Usual("where(less(%1, %1), %0, 0f)", (f"{batch}, 8, 8, 8", f"{batch}, 1, 1, 8"))
    for rank in RANKS:
        shape = ", ".join(["8"] * rank)
        for dtype in (FLOAT, "float16", "float64"):
            yield Usual("add(%0, %1)", (shape, shape), dtype)
            yield Usual("add(%0, %1)", (shape, "8"), dtype)
        for dtype in (FLOAT, "float16", "float64", *INTEGERS):
            yield Usual("add(%0, %1)", (shape, ""), dtype)
            yield Usual("add(%0, %1)", ("", shape), dtype)
            yield Usual("less(%0, %1)", (shape, ""), dtype)
            yield Usual("less(%0, %1)", (shape, shape), dtype)
        yield from (Usual(f"where(less(%0, %0), {values})", (shape,)) for values in ("%0, %0", "%0, 0f", "0f, %0"))
