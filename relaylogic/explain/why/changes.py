"""What could stand for a type or an attribute: something much like it.

A type is another one in one extent, in its dtype, or in how many axes it has. What has changed in one type, numbers and
dtypes, may be changed in another one, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...logic.terms.numbers import UNKNOWN
from ...types import TensorType, TupleType

__all__ = [
    "MORE",
    "OTHER_DTYPE",
    "Change",
    "changed",
    "dtypes_of",
    "has_other_names",
    "has_others",
    "most_axes",
    "swapped",
    "swapped_once",
    "swaps_of",
    "unknown_in",
    "values_near",
]

_OTHER = "float16"
"""What is supposed to be the dtype of something else."""


MORE = -1
"""Stands for more axes than there are: what is broadcast takes them, and is of another rank then."""


class Change(NamedTuple):
    """The extent on an axis is so many `times` as much, and then `more`, or less; or there are `more` axes in all."""

    axis: int
    more: int = 0
    times: int = 1


OTHER_DTYPE = Change(0)
"""Stands for another dtype."""


def changed(known: Any, change: Change) -> Any:
    """A type that is much like a type but for one change; None if there is none.

    Of a tuple, its tensors are others, or those of the tuple that is its first field.
    """
    behind = []  # what stands behind the first fields, from the outside on
    while type(known) is TupleType and type(known.fields) is tuple and known.fields:
        if type(known.fields[0]) is not TupleType:
            others = [_changed_tensor(field, change) for field in known.fields]
            if others.count(None) == len(others):
                return None
            known = TupleType(tuple([o or field for o, field in zip(others, known.fields, strict=True)]))
            break
        behind.append(known.fields[1:])
        known = known.fields[0]
    else:
        known = _changed_tensor(known, change)
    if known is None:
        return None
    for fields in reversed(behind):
        known = TupleType((known, *fields))
    return known


def _changed_tensor(known: Any, change: Change) -> Any:
    if type(known) is not TensorType or type(known.shape) is not tuple:
        return None
    shape, dtype = known.shape, known.dtype
    axis, more, times = change
    if change is OTHER_DTYPE:
        dtype = _OTHER if dtype != _OTHER else "float32"
    elif axis == MORE:
        if more <= len(shape):
            return None
        shape = (*(1,) * (more - len(shape)), *shape)
    elif axis >= len(shape) or type(shape[axis]) is not int:
        return None
    else:
        extent = shape[axis] * times + more
        if extent < 1 or extent == shape[axis]:
            return None
        shape = (*shape[:axis], extent, *shape[axis + 1 :])
    return TensorType(shape, dtype)


def dtypes_of(types: Iterable[Any]) -> list[Any]:
    """The dtypes of tensors, and of those in tuples."""
    found = []
    for type_ in types:
        if type(type_) is TensorType:
            found.append(type_.args[1])
        elif type(type_) is TupleType:
            found += dtypes_of(type_.fields)
    return found


def unknown_in(known: Any) -> Any:
    """Where a type has `?`: the rank of a tensor and its axes, or those in the fields of a tuple; () if it has none."""
    if type(known) is TensorType and type(known.shape) is tuple:
        axes = tuple([axis for axis, extent in enumerate(known.shape) if extent is UNKNOWN])
        return (len(known.shape), axes) if axes else ()
    if type(known) is TupleType and type(known.fields) is tuple:
        inside = tuple(map(unknown_in, known.fields))
        return inside if any(inside) else ()
    return ()


def most_axes(types: Iterable[Any]) -> int:
    """The number of axes of the tensor among some types, or in tuples among them, that has most; 0 if there is none."""
    agenda, seen, most = list(types), set(), 0
    while agenda:
        item = agenda.pop()
        if type(item) is TensorType and type(item.shape) is tuple:
            most = max(most, len(item.shape))
        elif type(item) is TupleType and type(item.fields) is tuple and id(item) not in seen:
            seen.add(id(item))
            agenda += item.fields
    return most


def swaps_of(known: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers and dtypes that differ between a type, or a list of numbers, and another that is like it."""
    if type(known) is TensorType and type(other) is TensorType:
        yield from swaps_of(known.shape, other.shape)
        yield from swaps_of(known.dtype, other.dtype)
    elif type(known) is TupleType and type(other) is TupleType:
        yield from swaps_of(known.fields, other.fields)
    elif type(known) in (tuple, list) and type(other) in (tuple, list) and len(known) == len(other):
        for left, right in zip(known, other, strict=True):
            yield from swaps_of(left, right)
    elif type(known) in (int, str) and type(known) is type(other) and known != other:
        yield known, other


def swapped(known: Any, swaps: Mapping[Any, Any]) -> Any:
    """A type, or what an attribute is, with other numbers and dtypes."""
    if type(known) is TensorType:
        return TensorType(swapped(known.shape, swaps), swapped(known.dtype, swaps))
    if type(known) is tuple:
        return tuple([swapped(part, swaps) for part in known])
    if type(known) is list:
        return [swapped(part, swaps) for part in known]
    return swaps.get(known, known) if type(known) in (int, str) else known


def swapped_once(known: Any, swaps: Mapping[Any, Any]) -> Any:
    """The same for the first number or dtype of an attribute that is another one."""
    if type(known) not in (tuple, list):
        return swapped(known, swaps)
    for i, part in enumerate(known):
        if swapped(part, swaps) != part:
            return type(known)((*known[:i], swapped(part, swaps), *known[i + 1 :]))
    return known


def has_others(value: Any) -> bool:
    """Whether an attribute may be another one with what has changed elsewhere, or near to it."""
    return isinstance(value, (int, str, tuple, list))


def has_other_names(value: Any) -> bool:
    """Whether an attribute may be another one with a dtype that has changed elsewhere."""
    return isinstance(value, str) or (isinstance(value, (tuple, list)) and any(map(has_other_names, value)))


def values_near(value: Any) -> Iterator[Any]:
    """A few other values of the kind of an attribute."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):  # what is less is refused less often; of axes, the first is farthest from others
        yield from dict.fromkeys((value - 1, 0, value + 1) if value > 0 else (value + 1, value - 1))
    elif isinstance(value, (tuple, list)) and all(type(v) is int for v in value):
        sequence = tuple(value)
        if sequence:
            first, *others = sequence
            if others:
                yield (first + 1, *others)
                yield tuple([number + 1 for number in sequence])
                yield from [(first - 1, *others)] if first > 0 else []
                yield (first + 2, *others)
            else:
                yield from ((number,) for number in values_near(first))
        if len(set(sequence)) > 1:
            yield tuple(reversed(sequence))
    elif isinstance(value, (tuple, list)) and value and all(isinstance(part, (tuple, list)) for part in value):
        others = [next(values_near(part), part) for part in value]
        if others != list(value):
            yield tuple(others)
    elif isinstance(value, str) and value.isupper():  # a layout
        yield value[:1] + value[2:] + value[1:2]
        yield value[1:] + value[:1]
    elif isinstance(value, str) and value:
        yield from (dtype for dtype in ("float32", "int32") if dtype != value)
