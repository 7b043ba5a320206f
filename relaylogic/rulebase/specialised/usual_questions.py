"""Usual questions about types that are partly open: queries, and programs (which begin with `fn`). For the calls that
come up in them, programs that say their ways are made when the package is installed (`ways`).

A program says the ways of calls of all extents from 2 on, so what differs is ranks, which extents are open, and the
attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

__all__ = ["LARGEST", "LARGEST_RANK", "is_program", "usual_questions"]

LARGEST, LARGEST_RANK = 16, 4
"""No extent, and no rank, is larger in the answers."""
EXTENTS = (2, 3, 4, 2)
TOGETHER = 8
"""So many operands are joined at most."""


def usual_questions() -> Iterator[str]:
    """The questions."""
    yield from _broadcasts()
    yield from _layers()
    yield from _windows()
    yield from _joins()


def is_program(question: str) -> bool:
    """Whether a question asks for the typings of a program."""
    return question.startswith("fn ")


def _broadcasts() -> Iterator[str]:
    """Operands of which some extents are known, in chains, and operands of which nothing is."""
    for a, b, c in product("a14", "b14", "c14"):
        yield f"BroadcastDim({a}, {b}, {c})"
    ranks = [_shape("", rank) for rank in range(len(EXTENTS) + 1)]
    for shape in ranks:
        for dtype in ("t", "float32"):
            yield f"Broadcast(Tensor[a, {dtype}], Tensor[b, {dtype}], Tensor[{shape}, {dtype}])"
            yield f"Broadcast(Tensor[{shape}, {dtype}], Tensor[b, {dtype}], Tensor[c, {dtype}])"
            yield f"Broadcast(Tensor[a, {dtype}], Tensor[{shape}, {dtype}], Tensor[c, {dtype}])"
    forms = [form for rank in range(3) for form in _forms(rank)]
    for a, b in product(forms, forms):
        yield _program((a, b), "add(%x0, %x1)")
        for c in _forms(max(a.count(","), b.count(",")) + 1 - (not a or not b)) if (a or b) else ("",):
            yield _program((a, b), "add(%x0, %x1)", c)
    for rank in (1, 2, 3):
        opened = ", ".join("_" * rank)
        for result in (None, *_forms(rank)):
            yield _program((opened,) * 3, "add(add(%x0, %x1), %x2)", result)


def _layers() -> Iterator[str]:
    """Products of matrices that are partly open, with a bias and without."""
    for data, weight, result in product(_forms(2), _forms(2), (None, *_forms(2))):
        yield _program((data, weight), "nn.dense(%x0, %x1)", result)
        yield _program((data, weight), "nn.matmul(%x0, %x1)", result)
    for data, bias, result in product(_forms(2), _forms(1), (None, *_forms(2))):
        yield _program((data, "_, _", bias), "add(nn.dense(%x0, %x1), %x2)", result)
        yield _program((data, "_, _", bias), "nn.bias_add(nn.dense(%x0, %x1, units=3), %x2)", result)
        two = "nn.dense(nn.relu(add(nn.dense(%x0, %x1), %x2)), %x3)"
        yield _program((data, "_, _", bias, "_, _"), two, result)
    for data, result in product(_forms(3), (None, *_forms(3))):
        yield _program((data, "_, _, _"), "nn.batch_matmul(%x0, %x1)", result)


def _windows() -> Iterator[str]:
    """Convolutions of data whose plane is open, and perhaps its channels."""
    for batch, channels, stride, kernel in product((1, 2), ("c", "3"), (1, 2), (1, 3, 5, 7)):
        for padding, sizes in product(sorted({0, kernel // 2}), (f"{kernel}, {kernel}", "k, k", "k, l")):
            yield (
                f"nn.conv2d(Tensor[({batch}, {channels}, h, w), float32], Tensor[(4, {channels}, {sizes}), float32],"
                f" strides=({stride}, {stride}), padding=({padding}, {padding})) = Tensor[({batch}, 4, 4, 4), float32]"
            )


def _joins() -> Iterator[str]:
    """Tensors that are joined at an axis, of which each has an open extent."""
    for rank in (1, 2, 3, 4):
        for axis, number in product(range(rank), range(2, TOGETHER + 1)):
            operands = (_shape(f"a{i}", rank, axis) for i in range(number))
            fields = ", ".join(f"Tensor[{shape}, float32]" for shape in operands)
            yield f"concatenate(({fields}), axis={axis}) = Tensor[{_shape('9', rank, axis)}, float32]"


def _shape(extent: str, rank: int, place: int = -1) -> str:
    extents = [extent if i == place else str(number) for i, number in enumerate(EXTENTS[:rank])]
    return f"({', '.join(extents)})"


def _forms(rank: int) -> list[str]:
    """The extents of tensors, of which each is known or open."""
    return [", ".join(extents) for extents in product(*(("_", str(number)) for number in EXTENTS[:rank]))]


def _program(parameters: tuple[str, ...], body: str, result: str | None = None) -> str:
    types = ", ".join(f"%x{i}: Tensor[({extents}), float32]" for i, extents in enumerate(parameters))
    given = "" if result is None else f" -> Tensor[({result}), float32]"
    return f"fn ({types}){given} {{ {body} }}"
