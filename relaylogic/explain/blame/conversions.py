"""Conversions that may be missing: what a program would put around a value to make it one of another type.

A value is reshaped, its axes are permuted, left out or added; an image is scaled; it is averaged, or it is asked
whether all is true, over some axes or all of them; it is a field of a tuple, or a tuple has it as a field; it is what a
reference holds, or a reference holds it.
(It is not cast: where a dtype is wrong, that which says so is seldom right, and a cast fits anywhere; `casts` tells it
besides.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod
from typing import Any, NamedTuple

from ...types import RefType, TensorType, TupleType
from ..refusals.differences import compatible

__all__ = ["Conversion", "conversions", "has_one_axis_more", "is_flattened", "is_of_channels", "scaling", "shape_of"]

ALL_ORDERS = 3
"""Up to this rank, axes are tried in all orders; above, in a few."""

SPATIAL = (2, 1, 3)
"""So many axes are added at once: those of an image, of a sequence, of a volume."""

_MOST_FIELDS = 16

_FLATTENED, _SQUEEZED, _EXPANDED, _SPATIAL_AXES = "`nn.batch_flatten`", "`squeeze`", "`expand_dims`", "num_newaxis="


_IMAGES = (("NCHW", (2, 3)), ("NHWC", (1, 2)))
"""The layouts of images, with the axes that an image is scaled along."""

_LARGER = "`nn.upsampling` with scale_h={k}f, scale_w={k}f{layout} around {{}}"
_SMALLER = "`nn.max_pool2d` with pool_size=[{k}, {k}], strides=[{k}, {k}]{layout} around {{}}"


class Conversion(NamedTuple):
    """What is put around a value, in words in which `{}` stands for the value, and the type that it has then."""

    words: str
    type: Any


def conversions(own: Any, needed: Any, freely: bool = True) -> Iterator[Conversion]:
    """What may be put around a value of type `own`, all of which is known, where something `needed` is wanted.

    Unless `freely`, nothing that fits nearly anywhere: a new axis, or a mean, can be broadcast.
    """
    if type(own) is TupleType:
        found = (Conversion(f"field .{i} of {{}}", field) for i, field in enumerate(own.fields[:_MOST_FIELDS]))
        yield from (conversion for conversion in found if compatible(conversion.type, needed))
    elif type(own) is RefType and compatible(own.value, needed):
        yield Conversion("`ref_read` around {}", own.value)
    if type(needed) is RefType and compatible(own, needed.value):
        yield Conversion("`ref` around {}", RefType(own))
    elif type(needed) is TupleType and type(needed.fields) is tuple and getattr(needed, "ground", False):
        for i, field in enumerate(needed.fields[:_MOST_FIELDS]):
            if field == own:
                yield Conversion(f"a tuple with {{}} as field .{i}", needed)
    elif type(own) is TensorType and type(own.shape) is tuple:
        reduced = "all" if own.dtype == "bool" else "mean"
        shapes = _shapes(own.shape, needed, freely, reduced)
        found = (Conversion(words, TensorType(shape, own.dtype)) for words, shape in shapes)
        yield from (c for c in found if c.type != own and compatible(c.type, needed))


def is_flattened(words: str) -> bool:
    """Whether a conversion of these words may make a matrix of a batch, with all of each part in a row."""
    return words.startswith((_FLATTENED, _SQUEEZED))


def is_of_channels(words: str) -> bool:
    """Whether a conversion of these words makes an image of what is one number for each channel."""
    return _SPATIAL_AXES in words


def has_one_axis_more(words: str) -> bool:
    """Whether a conversion of these words adds an axis."""
    return words.startswith(_EXPANDED) and not is_of_channels(words)


def shape_of(type_: Any) -> tuple[Any, ...]:
    """The shape of a tensor whose rank is known; none else."""
    return type_.shape if type(type_) is TensorType and type(type_.shape) is tuple else ()


def scaling(words: str) -> int:
    """Whether a conversion of these words makes an image larger, which is 1, smaller, which is -1, or neither, 0."""
    return words.startswith("`nn.upsampling`") - words.startswith("`nn.max_pool2d`")


def _shapes(shape: tuple[Any, ...], needed: Any, freely: bool, reduced: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The shapes that a tensor of a known shape can be brought to, those that keep most of it first; `reduced` is the
    operator that leaves axes out."""
    units = [i for i, extent in enumerate(shape) if extent == 1]
    for axes in _some_of(units):
        left = tuple(extent for i, extent in enumerate(shape) if i not in axes)
        yield f"{_SQUEEZED} with axis={axes} around {{}}", left
    for i in range(len(shape) + 1) if freely else ():
        yield f"{_EXPANDED} with axis={i} around {{}}", (*shape[:i], 1, *shape[i:])
    if freely and shape:  # as what is one number for each channel of an image is
        for count in SPATIAL if len(shape) == 1 else SPATIAL[:1]:
            words = f"{_EXPANDED} with axis={len(shape)}, {_SPATIAL_AXES}{count} around {{}}"
            yield words, (*shape, *(1,) * count)
    for order in _orders(len(shape)):
        yield f"`transpose` with axes={list(order)} around {{}}", tuple(shape[i] for i in order)
    if not all(type(extent) is int for extent in shape):
        return
    if len(shape) > 2:
        yield f"{_FLATTENED} around {{}}", (shape[0], prod(shape[1:]))
    wanted = getattr(needed, "shape", None)
    if type(wanted) is tuple:
        yield from _scaled(shape, wanted)
    if type(wanted) is tuple and all(type(extent) is int for extent in wanted) and prod(wanted) == prod(shape):
        yield f"`reshape` with newshape={list(wanted)} around {{}}", wanted
    if type(wanted) is tuple and 0 < len(wanted) < len(shape):
        yield from _averaged(shape, len(shape) - len(wanted), reduced)
    if shape and freely:
        yield f"`{reduced}` around {{}}", ()


def _scaled(shape: tuple[Any, ...], wanted: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The shape of an image that is as many times as large, or as small, in both directions as another one is."""
    for layout, axes in _IMAGES if len(shape) == len(wanted) == len("NCHW") else ():
        own, other = [shape[i] for i in axes], [wanted[i] for i in axes]
        if not all(type(extent) is int and extent > 0 for extent in (*own, *other)):
            continue
        scaled = tuple([wanted[i] if i in axes else extent for i, extent in enumerate(shape)])
        of_layout = "" if layout == "NCHW" else f', layout="{layout}"'
        for words, small, large in ((_LARGER, own, other), (_SMALLER, other, own)):
            times = large[0] // small[0]
            if times > 1 and [extent * times for extent in small] == large:
                yield words.format(k=times, layout=of_layout), scaled


def _some_of(units: list[int]) -> Iterator[list[int]]:
    """All axes of extent 1, but for the first, which mostly counts; all of them; each alone."""
    behind = [axis for axis in units if axis]
    found = [behind, units, *([axis] for axis in units)]
    for i, axes in enumerate(found):
        if axes and axes not in found[:i]:
            yield axes


def _averaged(shape: tuple[Any, ...], count: int, reduced: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The shapes without so many axes that are next to each other; the first axis, which mostly counts, at last."""
    for start in (*range(1, len(shape) - count + 1), 0):
        axes = list(range(start, start + count))
        yield f"`{reduced}` with axis={axes} around {{}}", (*shape[:start], *shape[start + count :])


def _orders(rank: int) -> Iterator[tuple[int, ...]]:
    """Orders of axes but their own one: the reverse, the last two exchanged; all where there are few axes."""
    own = tuple(range(rank))
    found = [own[::-1], (*own[:-2], *own[:-3:-1])]
    if rank <= ALL_ORDERS:
        found += permutations(own)
    yield from (order for order in dict.fromkeys(found) if order != own)
