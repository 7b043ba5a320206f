"""Usual calls of operators that are told apart by axes, ranks, numbers of tensors, and ones among extents.

Of a call in a text, `%0`, `%1` ... are the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

__all__ = ["Usual", "calls_of_axes", "calls_that_broadcast"]

RANKS = 1, 2, 3, 4, 5
_EXTENTS = "12", "24", "36", "48", "60"
_RESHAPED = "288", "12, 24", "6, 8, 6", "2, 3, 8, 6", "2, 3, 2, 3, 8", "2, 3, 2, 3, 2, 4"
"""A shape of each rank, of one number of elements."""
_CODED = (
    ("-3, -2", "2, 3, 8, 6"),
    ("-3, -2", "2, 3, 8"),
    ("-3, 0", "2, 3, 8"),
    ("0, -3", "2, 3, 8"),
    ("-3, 0, 0", "2, 3, 8, 6"),
    ("0, -3, 0", "2, 3, 8, 6"),
    ("0, 0, -3", "2, 3, 8, 6"),
    ("-3, -3", "2, 3, 8, 6"),
    ("-4, 2, -1, -2", "8, 3, 6"),
    ("-4, -1, 2, 0, 0", "8, 3, 6"),
    ("0, 0, -4, 2, -1", "2, 3, 8"),
    ("0, -4, 2, -1, 0", "2, 8, 6"),
    ("0, -4, 2, -1, -2", "2, 8, 6, 6"),
)
"""New shapes that join and split axes, and a shape that each is given to: of heads of attention, groups of channels."""
_TRANSPOSED = "013245", "014253", "024135"
"""Axes of tensors of a higher rank: of windows, and of pixels."""
_STEPS = range(5, 33)
"""Numbers of steps that a sequence is taken apart into, and put together from."""
_TOGETHER = "01", "12", "23", "012", "023", "123", "234"
"""Axes that are reduced together."""


class Usual(NamedTuple):
    """A call and the shapes of its tensors."""

    call: str
    shapes: tuple[str, ...]


def calls_of_axes() -> Iterator[Usual]:
    """Calls that are told apart by axes, ranks and numbers of tensors."""
    yield from _of_one_axis()
    yield from _sliced()
    yield from _reduced()
    yield from _reshaped()
    yield from _transposed()
    yield from _of_several()
    for rank, dtype in product(RANKS, ("int32", "int64")):
        yield Usual(f'shape_of(%0, dtype="{dtype}")', (_shape(rank),))
    for rank, dtype in product(RANKS, ("float32", "float16", "int32", "int64")):
        yield Usual(f'zeros(shape=[{", ".join(["2"] * rank)}], dtype="{dtype}")', ())


def _shape(rank: int) -> str:
    return ", ".join(_EXTENTS[:rank])


def _split(rank: int, axis: int) -> str:
    """A shape of which an axis can be split at many places."""
    return ", ".join(["24" if place == axis % rank else "8" for place in range(rank)])


def _axes(rank: int) -> tuple[int, ...]:
    return (*range(rank), -1)


def _of_one_axis() -> Iterator[Usual]:
    for rank in RANKS:
        for axis in _axes(rank):
            yield Usual(f"nn.softmax(%0, axis={axis})", (_shape(rank),))
            for number in (1, 2, 3, 4):
                yield Usual(f"split(%0, indices_or_sections={number}, axis={axis})", (_shape(rank),))
            for places in ("[6]", "[6, 12]", "[3, 6, 9]"):
                yield Usual(f"split(%0, indices_or_sections={places}, axis={axis})", (_split(rank, axis),))
            yield Usual(f"squeeze(expand_dims(%0, axis={axis}), axis=[{axis}])", (_shape(rank - 1),))
    yield Usual("squeeze(%0, axis=[0])", ("1, 2, 3, 2, 3",))
    for (rank, axis), number in product(((2, 1), (3, 0), (3, 1)), _STEPS):
        shape = ", ".join([str(number * 2)] * rank)
        yield Usual(f"split(%0, indices_or_sections={number}, axis={axis})", (shape,))
    for rank, index_rank in product(RANKS[:3], range(4)):
        for axis in (*range(rank), "None"):
            yield Usual(f'take(%0, cast(%1, dtype="int32"), axis={axis})', (_shape(rank), _shape(index_rank)))
    for rank in RANKS[3:]:
        for axis in range(rank):
            yield Usual(f'take(%0, cast(%1, dtype="int32"), axis={axis})', (_shape(rank), ""))


def _sliced() -> Iterator[Usual]:
    """Slices from the beginning of all axes, or from within one."""
    for rank in RANKS:
        for begun, strides in product(range(rank + 1), {1, rank}):
            begin = [3 if axis == begun else 0 for axis in range(rank)]
            call = f"strided_slice(%0, begin={begin}, end={[9] * rank}, strides={[1] * strides})"
            yield Usual(call, (_shape(rank),))
        for first in range(rank - 1):
            begin = [3 if axis in (first, first + 1) else 0 for axis in range(rank)]
            yield Usual(f"strided_slice(%0, begin={begin}, end={[9] * rank}, strides={[1] * rank})", (_shape(rank),))
        for axis, begun in product(range(rank), (0, 3)):
            yield Usual(f"strided_slice(%0, begin=[{begun}], end=[9], strides=[1], axes=[{axis}])", (_shape(rank),))


def _reduced() -> Iterator[Usual]:
    for rank in RANKS:
        listed = [str(axis) for axis in _axes(rank)]
        together = [", ".join(axes) for axes in _TOGETHER if int(max(axes)) < rank]
        for axes, keep in product((*listed, *together), ("False", "True")):
            yield Usual(f"mean(%0, axis=[{axes}], keepdims={keep})", (_shape(rank),))
        for kept in listed if rank > 1 else ():
            yield Usual(f"mean(%0, axis=[{kept}], exclude=True)", (_shape(rank),))
        for axis, keep in product(listed, ("False", "True")):
            yield Usual(f"argmax(%0, axis=[{axis}], keepdims={keep})", (_shape(rank),))


def _reshaped() -> Iterator[Usual]:
    for shape, length in product(_RESHAPED, range(1, 1 + len(_RESHAPED))):
        yield Usual(f"reshape(%0, newshape=[{_RESHAPED[length - 1]}])", (shape,))
        for place in range(length):
            sizes = ["-1" if place == i else "2" for i in range(length)]
            yield Usual(f"reshape(%0, newshape=[{', '.join(sizes)}])", (shape,))
    for rank, kept, length in product(range(2, 5), (1, 2), range(2, 5)):
        if kept < length and kept < rank:
            left = ", ".join(_RESHAPED[rank - 1].split(", ")[:kept])
            shape = f"{left}, 24" + ", 1" * (rank - kept - 1)
            for place in range(kept, length):
                sizes = ["0" if i < kept else "-1" if i == place else "2" for i in range(length)]
                yield Usual(f"reshape(%0, newshape=[{', '.join(sizes)}])", (shape,))
            sizes = ["0" if i < kept else "24" if i == kept else "1" for i in range(length)]
            yield Usual(f"reshape(%0, newshape=[{', '.join(sizes)}])", (shape,))
    for codes, shape in _CODED:
        yield Usual(f"reshape(%0, newshape=[{codes}])", (shape,))
    for shape, like in (("6, 8, 4", "2, 3, 8, 6"), ("6, 8", "2, 3, 8")):
        yield Usual("reshape_like(%0, %1, lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=2)", (shape, like))
    yield Usual("reshape(%0, newshape=[1])", ("",))
    yield Usual("reshape(%0, newshape=[-1])", ("",))


def _transposed() -> Iterator[Usual]:
    orders = [order for rank in RANKS[1:] for order in permutations(range(rank))]
    orders += [tuple(map(int, order)) for order in _TRANSPOSED]
    for order in orders:
        yield Usual(f"transpose(%0, axes={list(order)})", (_RESHAPED[len(order) - 1],))


def _of_several() -> Iterator[Usual]:
    for rank in RANKS:
        for axis, number in product(_axes(rank), (2, 3, 4)):
            yield _joined("concatenate", axis, [_shape(rank)] * number)
        for axis, number in product((0, 1, 2, -1), (2, 3, 4)):
            if axis < rank:
                yield _joined("stack", axis, [_shape(rank - 1)] * number)
    for (rank, axis), number in product(((1, 0), (2, 1), (2, -1), (3, 1), (4, 1), (4, 3)), (5, 6, 7, 8)):
        yield _joined("concatenate", axis, [_shape(rank)] * number)
    for axis, number in product((0, 1), _STEPS):
        yield _joined("stack", axis, [_shape(2)] * number)


def _joined(operator: str, axis: int, shapes: list[str]) -> Usual:
    tensors = ", ".join(f"%{i}" for i in range(len(shapes)))
    return Usual(f"{operator}(({tensors}), axis={axis})", tuple(shapes))


def calls_that_broadcast() -> Iterator[Usual]:
    """Calls that broadcast. Of ranks from 3 on there are too many ways to, so that extents of 1 are told apart."""
    for pairs in product(("88", "18", "81", "11"), repeat=3):
        yield Usual("add(%0, %1)", tuple([", ".join(side) for side in zip(*pairs, strict=True)]))
    for batch, (rank, other) in product("18?", ((3, 2), (3, 3), (4, 2), (4, 3), (4, 4), (5, 3), (5, 5))):
        for ones in product("18", repeat=other):
            shapes = ", ".join([batch, *"8888"[: rank - 1]]), ", ".join(ones)
            yield Usual("add(%0, %1)", shapes)
            yield Usual("add(%0, %1)", shapes[::-1])
    for batch, another in ("??", "?1", "?8"):  # of batches of any size, among them such that are one broadcast to all
        for pairs in product(("88", "18", "81", "11"), repeat=2):
            one, two = (", ".join(side) for side in zip(*pairs, strict=True))
            yield Usual("add(%0, %1)", (f"{batch}, {one}", f"{another}, {two}"))
            yield Usual("add(%0, %1)", (f"{another}, {two}", f"{batch}, {one}"))
        for rank in (4, 5):
            for ones in product("18", repeat=rank - 1):
                shapes = f"{batch}{', 8' * (rank - 1)}", ", ".join([another, *ones])
                yield Usual("add(%0, %1)", shapes)
                yield Usual("add(%0, %1)", shapes[::-1])
    for batch in "18":  # each with each
        for one, another in (("8, 8, 1", "8, 1, 8"), ("8, 1, 8", "1, 8, 8"), ("8, 1, 8", "8, 8, 1")):
            yield Usual("add(%0, %1)", (f"{batch}, {one}", f"{batch}, {another}"))
    for rank in RANKS[1:4]:
        for less in range(rank + 1):
            for ones in product("18", repeat=less):
                yield Usual(f"broadcast_to(%0, shape={[8] * rank})", (", ".join(ones),))
        for ones in product("18", repeat=rank):
            yield Usual("broadcast_to_like(%0, %1)", (", ".join(ones), ", ".join(["8"] * rank)))
    for batch in "18":
        yield Usual("add(%0, %1)", (f"{batch}, 8, 1, 1", f"{batch}, 8, 1, 1"))
        for mask in ("1, 1, 8, 8", f"{batch}, 1, 1, 8", f"{batch}, 1, 8, 8"):
            yield Usual("where(less(%1, %1), %0, 0f)", (f"{batch}, 8, 8, 8", mask))
    for shape in ("8", *[", ".join(ends) for ends in _with_ends("81")]):
        yield from (Usual(f"where(less(%0, %0), {values})", (shape,)) for values in ("%0, %0", "%0, 0f", "0f, %0"))


def _with_ends(extents: str) -> Iterator[tuple[str, ...]]:
    """Shapes of ranks from 2 on that begin and end with some extents, with 8 between."""
    for rank, first, last in product(RANKS[1:4], extents, extents):
        yield first, *"8888"[: rank - 2], last
