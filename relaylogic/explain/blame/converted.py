"""What calls give with one of their arguments converted to what is wanted of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from ...types import TensorType
from ..refusals.differences import compatible
from .around import Around, Meant, converted
from .conversions import conversions, has_one_axis_more, is_of_channels, scaling, shape_of

__all__ = ["each_converted", "with_one_converted"]


def with_one_converted(
    inputs: tuple[Any, ...],
    taken: Sequence[Any],
    needed: Any,
    result: Callable[[tuple[Any, ...]], Any],
    around: Around,
) -> list[Meant]:
    """What a call of an operator gives with an argument converted to what is `taken` there; first where it gives what
    an argument is: nobody means that all are stretched; of these, what is one number for each channel first."""
    freely = bool(getattr(needed, "ground", False))
    found: list[Meant] = []
    for i, wanted in enumerate(taken):
        if wanted is None:
            continue
        # What is broadcast may be of any shape; that of the result is the likeliest.
        for aim in [needed, wanted] if freely and compatible(wanted, needed) else [wanted]:
            for meant, other in _converted_at(i, inputs, aim, freely, around):
                made = result(other)
                if made != other[i] or type(made) is TensorType:  # what goes through is put into a tuple behind it
                    found.append(replace(meant, type=made))
        for meant, other in () if freely else _converted_at(i, inputs, wanted, True, around):
            made = result(other) if is_of_channels(meant.slip) or has_one_axis_more(meant.slip) else None
            if made in inputs and (has_one_axis_more(meant.slip) or len(shape_of(made)) > len("NC")):
                found.append(replace(meant, type=made))

    def unlikely(meant: Meant) -> tuple[bool, bool]:
        return meant.type not in inputs, not is_of_channels(meant.slip) or len(shape_of(meant.type)) <= len("NC")

    return sorted(found, key=unlikely)


def _are_of_one_size(image: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two images differ in one axis at most, that of their channels."""
    return len(image) == len(other) and sum(a != b for a, b in zip(image, other, strict=True)) <= 1


def each_converted(
    inputs: Sequence[Any], wanted: Sequence[Any], freely: bool, around: Around
) -> Iterator[tuple[Meant, tuple[Any, ...]]]:
    """What it is to convert one of some arguments to what is wanted of it, and all of them then."""
    for i, needed in enumerate(wanted[: len(inputs)]):
        yield from _converted_at(i, inputs, needed, freely, around)


def _converted_at(
    i: int, inputs: Sequence[Any], needed: Any, freely: bool, around: Around
) -> Iterator[tuple[Meant, tuple[Any, ...]]]:
    """What it is to convert one argument to what is wanted of it, and all of them then."""
    own = inputs[i]
    ways = chain(conversions(own, needed, freely), around.calls(own, needed)) if getattr(own, "ground", False) else ()
    others = [shape_of(other) for k, other in enumerate(inputs) if k != i]
    for conversion in ways:
        made = shape_of(conversion.type)
        # An image is scaled where it meets another one.
        if not scaling(conversion.words) or any(_are_of_one_size(made, shape) for shape in others):
            yield converted(conversion, f"argument {i + 1}"), (*inputs[:i], conversion.type, *inputs[i + 1 :])
