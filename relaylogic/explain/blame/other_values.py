"""What an attribute could be instead of what it is, likely values first: where one was mistyped, little has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from math import prod
from typing import Any

from ...infer.sites.repairs import exchanges
from ...logic.terms.numbers import UNKNOWN
from ...logic.terms.terms import is_ground
from ...types import TensorType
from ..refusals.differences import differences

__all__ = ["NEARBY", "other_values"]

SMALL = (0, 1, 2)
NEARBY = 3
"""What is near to a number above is likelier than what is small."""

FEW = 4
"""So many shapes are taken as those of what is reshaped."""

WINDOWS = (3, 5, 7)
"""What a list of one number could be of, if it is none of those: windows are mostly odd."""


def other_values(
    value: Any, extents: Sequence[int], needed: Any, shapes: Sequence[tuple[Any, ...]] = ()
) -> Iterator[Any]:
    """Values of the kind of `value`; `extents`, the type that is `needed`, and `shapes` suggest some."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        known = [extent for shape in shapes[:FEW] for extent in shape if type(extent) is int]
        near, small = (value + 1, value - 1), (0, 1, -1, 2, 3)
        few = (*small, *near, *((2 * value,) if value > 1 else ()), *extents[:4])
        yield from (*known, *extents[:4], *near, *small) if value > NEARBY else few
    elif isinstance(value, str):
        if value.isupper():
            yield from dict.fromkeys(_layouts(value))
        elif type(getattr(needed, "dtype", None)) is str:
            yield needed.dtype
        else:
            yield from ("float32", "int32", "bool")
    elif isinstance(value, (tuple, list)) and all(isinstance(v, int) for v in value):
        yield from _lists(tuple(map(int, value)), extents, needed, shapes)  # `True` is taken for 1: it may not be meant
    elif isinstance(value, (tuple, list)) and all(isinstance(v, (tuple, list)) for v in value):
        rows = tuple(map(tuple, value))
        yield from (other for _, other in exchanges(rows) if other != rows)  # as the axes that are padded
        yield from ((*rows[:i], row, *rows[i + 1 :]) for i in range(len(rows)) for row in dict.fromkeys(rows))


def _layouts(layout: str) -> Iterator[str]:
    """The axes of a layout in another order, what is spatial as it is: the usual ones first, with the channels last or
    second, or, those of a kernel, behind or before what is spatial, the other way round; or so behind it."""
    found = [layout[:1] + layout[2:] + layout[1:2], layout[:1] + layout[-1:] + layout[1:-1]]
    found += [layout[2:] + layout[1::-1], layout[:-3:-1] + layout[:-2]]
    if layout.endswith(("IO", "OI")):  # as that of a kernel for each channel
        found.append(layout[:-2] + layout[:-3:-1])
    found += [layout[i:] + layout[:i] for i in range(1, len(layout))]
    spatial = "".join(axis for axis in layout if axis not in "NCOI")
    yield from (other for other in found if spatial in other)


def _lists(
    numbers: tuple[int, ...], extents: Sequence[int], needed: Any, shapes: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[int, ...]]:
    """Lists that are like one of numbers: of equally many first, and where these are not all the same, those of which
    one number is another one."""
    count = len(numbers)
    evened = [(k,) * count for k in SMALL]
    is_even = len(set(numbers)) < 2
    is_shape = max(numbers, default=0) > WINDOWS[-1]  # and no window
    if is_shape:
        evened = [(1,) * count]  # which can be broadcast: nearly anything can be that
    elif is_even:
        if numbers and numbers[0] > NEARBY:
            yield from ((k,) * count for k in (numbers[0] - 1, numbers[0] + 1))
        yield from evened
    else:
        yield from ((k,) * count for k in dict.fromkeys(numbers) if k > 0 and numbers.count(k) == count - 1)
    if type(needed) is TensorType and type(needed.shape) is tuple and len(needed.shape) == count:
        pairs = zip(needed.shape, numbers, strict=True)
        yield tuple([extent if type(extent) is int else own for extent, own in pairs])
    if is_shape:
        yield from _beside(numbers, shapes)
    # Where an extent is `?`, the list may say what it likes, as -1 in a new shape.
    like = [
        tuple([own if extent is UNKNOWN else extent for extent, own in zip(shape, numbers, strict=True)])
        for shape in shapes
        if len(shape) == count
    ]
    yield from (s for s in like if is_ground(s) and differences(s, numbers) == 1)
    if is_even and numbers:
        yield from ((k,) * count for k in dict.fromkeys((numbers[0] - 1, numbers[0] + 1, *WINDOWS)))
        known = [shape for shape in shapes[:FEW] if all(type(extent) is int for extent in shape)]
        images = [shape for shape in known if len(shape) == count + len("NC")]
        yield from (window for shape in images for window in (shape[-count:], shape[1:-1]))  # that of all of an image
    yield from _of_as_many(numbers, shapes)
    for change in zip_longest(*[_numbers(number, numbers, extents) for number in numbers]):
        for i, k in enumerate(change):
            if k is not None:
                yield (*numbers[:i], k, *numbers[i + 1 :])
    yield from evened
    yield from (numbers[:i] + numbers[i + 1 :] for i in reversed(range(count)))
    yield tuple(reversed(numbers))
    yield from (other for _, other in exchanges(numbers))
    yield from ((*numbers[:i], -1, *numbers[i:]) for i in range(count + 1))  # as a reshape finds out
    is_sorted = count > 0 and all(a < b for a, b in pairwise(numbers))  # as axes are
    for k in (*SMALL, 3):
        if not is_sorted:
            yield (*numbers, k)
        elif k not in numbers:
            yield tuple(sorted((*numbers, k)))


def _beside(numbers: tuple[int, ...], shapes: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, ...]]:
    """Lists with an extent that one of some shapes has there, counted from the back, as what is broadcast is."""
    for shape in shapes[:FEW]:
        for back, extent in zip(range(1, len(numbers) + 1), reversed(shape), strict=False):
            i = len(numbers) - back
            if type(extent) is int and extent > 1 and extent != numbers[i]:
                yield (*numbers[:i], extent, *numbers[i + 1 :])


def _of_as_many(numbers: tuple[int, ...], shapes: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, ...]]:
    """Lists with another number, of which a tensor has as many elements as one of some shapes."""
    for shape in shapes[:FEW] if numbers and min(numbers) > 0 and max(numbers) > 1 else ():  # strides may be all 1
        if all(type(extent) is int for extent in shape):  # and none is an expression over others
            for i in range(len(numbers)):
                found, rest = divmod(prod(shape), prod((*numbers[:i], *numbers[i + 1 :])))
                if found and not rest:
                    yield (*numbers[:i], found, *numbers[i + 1 :])


def _numbers(number: int, beside: Sequence[int], extents: Sequence[int]) -> Iterable[int]:
    """What one number of a list could be: small, one of those `beside` it, about as much, or an extent."""
    return dict.fromkeys((*SMALL, 3, *beside, number - 1, number + 1, *extents[:4]))
