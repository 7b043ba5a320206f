"""What may be meant at a place, and what there is around it that tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .conversions import Conversion
from .edits import Edit

__all__ = ["Around", "Beside", "Meant", "Renamed", "converted", "exchanged"]

Beside = tuple[tuple[int, Any], ...]
"""Numbers of places, each with the type that stands there, or None if it says nothing."""


Renamed = tuple[Any, ...]
"""Two parameters whose names are exchanged, or none."""


@dataclass(frozen=True)
class Meant:
    """A type that might be meant at a place: it stands there then.

    `edit` is the change that it takes, if that is one of an attribute, an index or a constant; `slip` tells another
    change: what the program is right with then. `converted` is what a conversion is put around, if one is: "this", or
    an argument. `beside` are the numbers of places that change with it, each with the type that stands there then, or
    None if it says nothing: the calls in a call, the parameter that another one is exchanged with. `replaced` says
    that another operator is called then, or something else is given to it; `renamed` are the parameters whose names
    are exchanged then; `left_out` that what stands there is left out, and what it is given stands there instead.
    """

    type: Any
    edit: Edit | None = None
    slip: str = ""
    converted: str = ""
    beside: Beside = ()
    replaced: bool = False
    renamed: Renamed = ()
    left_out: bool = False


@dataclass(frozen=True)
class Around:
    """What may be meant instead, from the rest of the program.

    `known` are the demands that are refused as it is, by identity; `spare` the types of variables that nobody uses,
    with their names, `near` those of all that are bound before the place; `dtypes` those that annotations have, the
    usual first. `shapes` are those that the refused demand speaks of, and those of annotations; `parameters` are those
    of types that the function has. For a call, a tuple or a projection, `bound` are the types of what is made before
    it, each with a name or ""; for a call, `operators` are the names of the others that are called. `uses` tells how
    often a variable, or another value, is used, `calls` which calls may be missing at a value of a type where another
    one is wanted.
    """

    known: frozenset[Any]
    spare: Mapping[Any, str]
    near: Sequence[Any]
    shapes: Sequence[tuple[Any, ...]]
    dtypes: Sequence[str]
    parameters: Sequence[Any]
    bound: Mapping[Any, str]
    operators: Sequence[str]
    uses: Callable[[Any], int]
    calls: Callable[[Any, Any], Iterator[Conversion]]

    def extents(self, axis: int, rank: int) -> list[int]:
        """The extents that shapes have on an axis of a tensor, counted from the front or from the back."""
        places = [(shape, i) for shape in self.shapes for i in dict.fromkeys((axis, axis + len(shape) - rank))]
        found = (shape[i] for shape, i in places if 0 <= i < len(shape))
        return list(dict.fromkeys(extent for extent in found if type(extent) is int))


def converted(conversion: Conversion, what: str) -> Meant:
    """What a conversion makes, in words about `what` is converted."""
    return Meant(conversion.type, None, conversion.words.format(what), what)


def exchanged(what: str, pair: tuple[int, int]) -> str:
    """That two arguments, or two fields, are exchanged."""
    i, j = pair
    return f"{what} .{i} and .{j} exchanged here" if what == "fields" else f"{what} {i + 1} and {j + 1} exchanged here"
