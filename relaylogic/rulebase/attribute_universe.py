"""What attributes that are not known range over, which follows from their declarations.

| kind | universe |
|---|---|
| `bool` | both |
| `dtype` | the dtypes that are asked for; void, where that is the default |
| `str[A\\|B]` | those that are declared; `str[layout NCHW]`: the orders of these axes |
| `int`, `integer`, `dim` | naturals, also `int[axis]`; `int[-4..]` from -4 on, `int[..]` of any sign; \
`integer` and `dim` may be None |
| `list` | lists of these, `list[2]` of two, `list[pairs]` of pairs, `list[order]` of different ones, `list[axes]` of \
ascending ones; None, where that is the default (as an element, None can only be given) |
| `object[sections]` | a natural, or an ascending list of them |
| others | none: they must be known where a rule looks at them |

Axes are naturals, too: each is said once, counted from the front. Where one is that of shapes of several ranks, those
that are counted from the end are others, and are tried, too (`AttributeBounds.from_the_end`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, product
from typing import Any

from ..logic.constraints.unseen import MOST
from ..types.universe import DTYPES
from .attributes import Attribute

__all__ = ["LENGTH", "UNBOUNDED", "AttributeBounds", "choices_of", "lengths_of", "may_be_none", "values_of"]

LENGTH = 6
"""Up to which length lists are tried where it is not said."""


@dataclass(frozen=True, slots=True)
class AttributeBounds:
    """Up to which number and length of lists attributes go, and their dtypes (None: all common ones).

    Without `most` they are not given values: numbers stay symbolic where no rule looks at them, and are tried up to
    `MOST` above the least where one does. With `symbolic` they are not given values either, within the same bounds.
    `covered`: all shapes of the call are known, and no list of different axes is longer than that. `from_the_end`: axes
    may be counted from the end, as far as lists go, and of one axis more.
    """

    most: int | None = None
    longest: int | None = None
    dtypes: tuple[str, ...] | None = None
    covered: bool = False
    symbolic: bool = False
    from_the_end: bool = False

    @property
    def valued(self) -> bool:
        """Whether attributes are given values, also where no rule looks at them."""
        return self.most is not None and not self.symbolic

    @property
    def numbers(self) -> int:
        """Up to which number attributes are tried."""
        return MOST if self.most is None else self.most

    @property
    def length(self) -> int:
        """Up to which length lists are tried."""
        return max(self.most or 0, LENGTH) if self.longest is None else self.longest

    def behind(self, attribute: Attribute) -> tuple[int, ...]:
        """The axes that are tried, counted from the end."""
        return tuple(range(-1 - self.length, 0)) if self.from_the_end and attribute.is_axis else ()

    def least(self, attribute: Attribute) -> int:
        """The least number of an attribute."""
        return -self.numbers if attribute.least is None else attribute.least


UNBOUNDED = AttributeBounds()


def choices_of(attribute: Attribute, bounds: AttributeBounds) -> tuple[Any, ...] | None:
    """The values of an attribute that is neither a number nor a list; None if they are not declared."""
    if attribute.choices is not None:
        return attribute.choices
    if attribute.kind == "bool":
        return (False, True)
    if attribute.kind == "dtype":
        return (*(("",) if attribute.omitted == "" else ()), *(DTYPES if bounds.dtypes is None else bounds.dtypes))
    return None


def lengths_of(attribute: Attribute, bounds: AttributeBounds) -> Iterable[int]:
    """The lengths of an attribute's lists.

    Of a call that gives a longer list, a rule may well hold: for two axes, TVM reads no third stride.
    """
    if attribute.lengths is None:
        return range(1 + bounds.length)
    return tuple([length for length in attribute.lengths if length <= bounds.length])


def may_be_none(attribute: Attribute) -> bool:
    """Whether None is among the values of a number or a list."""
    return attribute.omitted is None if attribute.kind == "list" else attribute.kind in ("integer", "dim")


def values_of(attribute: Attribute, bounds: AttributeBounds) -> Iterator[Any] | None:
    """All values of an attribute, each once; None if it has no universe.

    >>> declared = Attribute("axis", "list", None, universe="axes")
    >>> list(values_of(declared, AttributeBounds(most=2, longest=2)))
    [None, (), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    """
    choices = choices_of(attribute, bounds)
    if choices is not None:
        return iter(choices)
    none = (None,) if may_be_none(attribute) else ()
    numbers = range(bounds.least(attribute), bounds.numbers + 1)
    if attribute.kind in ("int", "integer", "dim"):
        return chain(none, numbers)
    if attribute.universe == "sections":
        return chain(numbers, _lists(attribute, numbers, bounds))
    return chain(none, _lists(attribute, numbers, bounds)) if attribute.kind == "list" else None


def _lists(attribute: Attribute, numbers: range, bounds: AttributeBounds) -> Iterator[tuple[Any, ...]]:
    elements: Any = list(product(numbers, repeat=2)) if attribute.universe == "pairs" else numbers
    for length in lengths_of(attribute, bounds):
        for items in product(elements, repeat=length):
            if attribute.universe in ("axes", "sections") and any(a >= b for a, b in pairwise(items)):
                continue
            if attribute.universe == "order" and len(set(items)) < len(items):
                continue
            yield items
