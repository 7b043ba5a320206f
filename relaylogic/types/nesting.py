"""How much may still stand inside of a type, and inside of each of its parts: the kinds of a bounded universe.

On the way from a whole type to any part of it stand at most so many data types, tuples and functions. So a part has a
kind that says how many of each are left; where one variable stands in two places, both hold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Inside", "Rest", "element", "length_left", "meet", "whole"]

_ELEMENT = {"shape": "dim", "types": "type"}


@dataclass(frozen=True, slots=True)
class Inside:
    """The kind of a type (`name` is "type"), or of a list of types ("types"), under which so much may still stand.

    None: there is no bound. `most` is how many elements a list has at most.
    """

    name: str
    data: int | None
    tuples: int | None
    functions: int | None
    most: int | None = None

    def below(self, form: str, name: str = "type", most: int | None = None) -> Inside:
        """The kind of a part of a type of that form: "data", "tuples" or "functions"."""
        left = getattr(self, form)
        return replace(self, name=name, most=most, **{form: None if left is None else left - 1})

    @property
    def is_full(self) -> bool:
        """Whether more stands around a part of this kind than the universe has."""
        return any(left is not None and left < 0 for left in (self.data, self.tuples, self.functions))


@dataclass(frozen=True, slots=True)
class Rest:
    """The kind of a list of some `kind` that comes after `used` elements of the whole."""

    kind: Any
    used: int


def whole(kind: Any) -> tuple[str, int]:
    """The name of a kind, and how many elements of the whole list come before a rest."""
    kind, used = (kind.kind, kind.used) if type(kind) is Rest else (kind, 0)
    return (kind.name if type(kind) is Inside else kind), used


def element(kind: Any) -> Any:
    """The kind of the elements of a list."""
    if type(kind) is Rest:
        kind = kind.kind
    if type(kind) is Inside:
        return replace(kind, name="type", most=None)
    return _ELEMENT.get(kind, "dim" if kind is None else kind)


def length_left(kind: Any, most: int | None) -> int | None:
    """How long a list may be at most, `most` being the bound on all such lists; None: as long as it will."""
    kind, used = (kind.kind, kind.used) if type(kind) is Rest else (kind, 0)
    bound = _least(most, kind.most if type(kind) is Inside else None)
    return None if bound is None else bound - used


_SAYS = {"dim": 3, "shape": 2, "dtype": 2, "number": 2, "value": 1}
"""How much is said of what is no type: an attribute may be an extent, a number, a shape, a dtype, or none."""


def meet(a: Any, b: Any) -> Any:
    """The kind of what has both kinds: of what stands in two places."""
    if a is b:
        return a
    used = max(whole(a)[1], whole(b)[1])
    mine, other = (kind.kind if type(kind) is Rest else kind for kind in (a, b))
    if type(mine) is not Inside or type(other) is not Inside:
        # The end of two lists is bounded by the longer one, a number by being an extent too.
        return b if (whole(b)[1], _SAYS.get(b, 0)) > (whole(a)[1], _SAYS.get(a, 0)) else a
    both = Inside(
        mine.name,
        _least(mine.data, other.data),
        _least(mine.tuples, other.tuples),
        _least(mine.functions, other.functions),
    )
    left = _least(length_left(a, None), length_left(b, None))
    both = replace(both, most=None if left is None else left + used)
    return Rest(both, used) if used else both


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)
