"""The mode of a call: all that its answer depends on but for numbers.

A call of which each input is known, but for extents, or wholly open is split in two: the numbers in it, and its mode:
the ranks and dtypes of its inputs, which of them and of their extents are open, and its attributes but for those that
are extents or lists of extents. Calls of one mode have the same answer but for numbers, so it is found once for all.
Mostly it is the same but for dtypes, too: then modes that differ in these have one program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from ...logic.terms.numbers import UNKNOWN
from ...logic.terms.terms import Slot, slot
from ...types import TensorType, TupleType
from ..attribute_keys import key_of
from ..attributes import Attribute
from ..attrs import Attrs

__all__ = [
    "MOST_NUMBERS",
    "Natural",
    "Part",
    "are_lengths",
    "argument_of",
    "least_open",
    "number_of_dtypes",
    "of_dtypes",
    "open_extents",
    "part_of",
    "parts_of",
    "slots",
]

Part = Any
"""An input without its numbers: `(rank, dtype)` of a tensor (for the rank what its extents are, if some are not
numbers), the tuple of the parts of its fields of a tuple, and the number of its slot of an input that is open. In place
of the dtype stands its number among those of all inputs, but in a part that is for this dtype alone."""

_INTEGERS = frozenset({int})
MOST_NUMBERS = 64
"""Calls of more numbers than that have no mode: what is general of them is long, and they are rare."""


def part_of(argument: Any, numbers: list[int], dtypes: dict[str, int]) -> Part | None:
    """An input without its numbers, which join `numbers`, and without its dtypes, which join `dtypes`, each with its
    number in the order in which they occur; None if something else in it is not known."""
    kind = type(argument)
    if kind is TensorType:
        shape, dtype = argument.args
        if type(shape) is not tuple or type(dtype) is not str:
            return None
        if not _INTEGERS.issuperset(map(type, shape)):
            extents = _unknown(shape, numbers)
            return None if extents is None else (extents, dtypes.setdefault(dtype, len(dtypes)))
        numbers += shape
        return (len(shape), dtypes.setdefault(dtype, len(dtypes)))
    if kind is Slot:
        return argument.args[0]
    if kind is not TupleType:
        return None
    (fields,) = argument.args
    if type(fields) is not tuple or len(fields) > MOST_NUMBERS:
        return None
    parts = []
    for field in fields:
        part = part_of(field, numbers, dtypes) if type(field) is TensorType else None
        if part is None:
            return None
        parts.append(part)
    return tuple(parts)


def parts_of(inputs: tuple[Any, ...], numbers: list[int], dtypes: dict[str, int]) -> tuple[Part, ...] | None:
    """`part_of` each input; None if there is none of one, or there are too many numbers."""
    parts: list[Part] = []
    for given in inputs:
        if type(given) is TensorType:
            shape, dtype = given.args
            if type(dtype) is str and type(shape) is tuple and _INTEGERS.issuperset(map(type, shape)):  # as most are
                numbers += shape
                parts.append((len(shape), dtypes.setdefault(dtype, len(dtypes))))
                continue
        part = part_of(given, numbers, dtypes)
        if part is None:
            return None
        parts.append(part)
    return None if len(numbers) > MOST_NUMBERS else tuple(parts)


def _unknown(shape: tuple[Any, ...], numbers: list[int]) -> tuple[Any, ...] | None:
    """What is left of extents some of which are no numbers: for each whether it is `?`, or the name of its slot if it
    is open; None if it is something else."""
    unknown: list[Any] = []
    for extent in shape:
        if type(extent) is int:
            numbers.append(extent)
        elif type(extent) is Slot:
            unknown.append(f"_{extent.args[0]}")
            continue
        elif extent is not UNKNOWN:
            return None
        unknown.append(extent is UNKNOWN)
    return tuple(unknown)


def open_extents(part: Part) -> list[int]:
    """The numbers of the slots of open extents in an input."""
    if type(part) is int:
        return []
    if _is_tensor(part):
        extents = part[0]
        return [] if type(extents) is int else [int(item[1:]) for item in extents if type(item) is str]
    return [place for field in part for place in open_extents(field)]


def are_lengths(parts: Sequence[Part]) -> list[bool]:
    """Of each number of some inputs whether it is all there is of the shape of a tensor: the length of a vector."""
    found: list[bool] = []
    for part in parts:
        if type(part) is int:
            continue
        if _is_tensor(part):
            extents = part[0]
            numbers, rank = (extents, extents) if type(extents) is int else (extents.count(False), len(extents))
            found += [rank == 1] * numbers
        else:
            found += are_lengths(part)
    return found


def _is_tensor(part: Any) -> bool:
    """Whether a part that is not wholly open is that of a tensor; that of a field of a tuple is a tuple."""
    return len(part) == 2 and type(part[1]) is not tuple


def of_dtypes(parts: tuple[Part, ...], dtypes: tuple[str, ...]) -> tuple[Part, ...]:
    """The inputs with their dtypes in place of the numbers of these."""
    found: list[Part] = []
    for part in parts:
        if type(part) is int:
            found.append(part)
        elif _is_tensor(part):
            found.append((part[0], dtypes[part[1]]))
        else:
            found.append(of_dtypes(part, dtypes))
    return tuple(found)


def number_of_dtypes(parts: tuple[Part, ...]) -> int:
    """In place of how many dtypes numbers stand."""
    tensors = [part for part in parts if type(part) is not int]
    of_each = [_last_dtype(part) if _is_tensor(part) else number_of_dtypes(part) for part in tensors]
    return max(of_each, default=0)


def _last_dtype(part: Part) -> int:
    """The number of dtypes up to that of a tensor, if a number stands in its place."""
    return 0 if type(part[1]) is str else 1 + int(part[1])


def argument_of(part: Part, numbers: list[Any], first_dtype: int, first_open: int) -> Any:
    """The input of which `part` is left, with the next of `numbers`, which are taken from the front; the slots of
    dtypes are those from `first_dtype` on, those of open inputs the ones from `first_open` on."""
    if type(part) is int:
        return slot(first_open + part)
    if _is_tensor(part):
        extents, dtype = part
        shape: list[Any] = []
        for item in (False,) * extents if type(extents) is int else extents:
            if type(item) is str:
                shape.append(slot(first_open + int(item[1:])))
            else:
                shape.append(UNKNOWN if item else numbers.pop(0))
        return TensorType.make((tuple(shape), dtype if type(dtype) is str else slot(first_dtype + dtype)))
    return TupleType.make((tuple([argument_of(field, numbers, first_dtype, first_open) for field in part]),))


def slots(first: int, number: int) -> list[Any]:
    """So many slots, from the one numbered `first` on."""
    return list(map(slot, range(first, first + number)))


class Natural:
    """The attributes of a call, without the numbers in them that may be left open: `names` are the attributes that have
    some, `numbers` are these, and `shape` is what else stands in each attribute: None in place of a number, of a list
    an item for each of its items, which may be lists of numbers.

    `declared` are the attributes that may have some, each with the least number of it (`least_open`). `others` are the
    attributes without those that have some; `others_key` is what these are known by, `whatever` the attributes of some
    names are.
    """

    __slots__ = ("_attrs", "_places", "declared", "names", "numbers", "others", "others_key", "shape", "whatever")

    def __init__(self, attrs: Attrs, declared: Mapping[str, tuple[Attribute, int]], whatever: Collection[str]) -> None:
        numbers: list[int] = []
        names: list[str] = []
        shape: list[Any] = []
        others = dict(attrs.items())
        for name, (attribute, low) in declared.items():
            value: Any = others.get(name)
            kind = type(value)
            form = None
            if kind is int:
                if value < low or attribute.kind == "object":
                    continue
                numbers.append(value)
            elif kind is not tuple:
                continue
            elif not _INTEGERS.issuperset(map(type, value)):
                form = _pairs(value, low, numbers)
                if form is None:
                    continue
            elif not value or min(value) >= low:  # as it mostly is
                numbers += value
                form = (None,) * len(value)
            else:
                form = tuple([None if item >= low else item for item in value])
                if None not in form:
                    continue
                numbers += [item for item in value if item >= low]
            names.append(name)
            shape.append(form)
            del others[name]
        if len(numbers) > MOST_NUMBERS:
            numbers, names, shape, others = [], [], [], dict(attrs.items())
        self.declared = declared
        self.whatever = whatever
        self.numbers = numbers
        self.names = tuple(names)
        self.shape = tuple(shape)
        self.others = others
        self.others_key = key_of(others, whatever)
        self._attrs = attrs
        self._places: dict[str, tuple[Any, int, int, int]] | None = None

    def _where(self) -> dict[str, tuple[Any, int, int, int]]:
        """What stands in each attribute besides its numbers, where these begin and end among all, and the least that
        each may be."""
        found: dict[str, tuple[Any, int, int, int]] = {}
        end = 0
        for name, form in zip(self.names, self.shape, strict=True):
            begin, end = end, end + _opened(form)
            found[name] = form, begin, end, self.declared[name][1]
        return found

    def but(self, attrs: Attrs, given: Mapping[str, Any]) -> Natural | None:
        """The same of attributes that are these but for some that are `given`; None unless only numbers differ."""
        if self._places is None:
            self._places = self._where()
        numbers = [*self.numbers]
        for name, value in given.items():
            place = self._places.get(name)
            if place is None:
                return None
            form, begin, end, least = place
            new = (value,) if form is None else value
            is_like = form is None or (type(new) is tuple and len(form) == len(new) == form.count(None))
            if not is_like or not _INTEGERS.issuperset(map(type, new)) or min(new, default=least) < least:
                return None
            numbers[begin:end] = new
        made = Natural.__new__(Natural)
        made.declared, made.whatever, made._attrs, made.numbers = self.declared, self.whatever, attrs, numbers
        made.names, made.shape, made.others, made.others_key = self.names, self.shape, self.others, self.others_key
        made._places = self._places
        return made

    @property
    def key(self) -> Any:
        """The same for attributes that differ in these numbers only."""
        return (self.names, self.shape, key_of(self.others)) if self.names else self._attrs

    @property
    def least(self) -> tuple[int, ...]:
        """What each of the numbers is at least if it is left open."""
        lows = [self.declared[name][1] for name in self.names]
        return tuple([low for low, form in zip(lows, self.shape, strict=True) for _ in range(_opened(form))])

    def asked(self, parts: tuple[Part, ...]) -> tuple[Any, ...]:
        """What the programs of inputs with these attributes are known by, whatever the attributes are that none looks
        at."""
        if self.names:
            return "open", parts, self.names, self.shape, self.others_key
        return "as it is", parts, self.others_key

    def values(self, first: int) -> tuple[list[Any], int]:
        """The natural attributes with slots for their numbers, from `first` on, and the number of the next slot."""
        left = map(slot, count(first))
        made = [next(left) if form is None else tuple([_with_next(item, left) for item in form]) for form in self.shape]
        return made, first + len(self.numbers)


def _pairs(items: tuple[Any, ...], low: int, numbers: list[int]) -> tuple[Any, ...] | None:
    """A list of lists of integers with None in place of those from `low` on, which join `numbers`; None if it has none
    of these, or holds something else."""
    if not all(type(part) is tuple and _INTEGERS.issuperset(map(type, part)) for part in items):
        return None
    found = [item for part in items for item in part if item >= low]
    numbers += found
    return tuple([tuple([None if item >= low else item for item in part]) for part in items]) if found else None


def _opened(form: Any) -> int:
    """In place of how many numbers None stands."""
    if form is None:
        return 1
    return sum([part.count(None) if type(part) is tuple else part is None for part in form])


def _with_next(item: Any, left: Iterator[Any]) -> Any:
    """An item of a list with the next slots in place of None."""
    if type(item) is tuple:
        return tuple([next(left) if part is None else part for part in item])
    return next(left) if item is None else item


def least_open(attribute: Attribute) -> int | None:
    """The least number of an attribute that is left open where it is a number or a list of some; None if it never is.

    Rules look at integers, which are axes, unless these are declared to be natural; and where numbers of any sign are
    declared, what is not positive mostly has a meaning of its own, as None has.
    """
    if attribute.universe.removesuffix(" or None").endswith("..") and attribute.kind in ("int", "integer", "list"):
        return attribute.least if attribute.least is not None and attribute.least >= 0 else 1
    if attribute.universe == "pairs":
        return 0
    if attribute.universe == "sections":
        return 1
    return 0 if attribute.kind in ("dim", "list") and (attribute.lengths or not attribute.universe) else None
