"""Names while a text is being read.

`Names` is a stack of levels of one kind of names; entering and leaving a level costs what it binds, looking
up a name costs one dictionary access, however many levels are open. As in TVM, the first binding of a name at
a level stands: a parameter is not hidden by a `let` of the same name at the top of its function's body.
"""

from __future__ import annotations

from array import array
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

__all__ = ["Names", "Reach"]

T = TypeVar("T")


class Names(Generic[T]):
    """A stack of levels that bind names to values of type `T`. The outermost level is open from the start.

    A let opens a level, so there may be as many as lines, most of which bind one name: such a level is that name, and
    what a name is bound to is one tuple, which ends with what it hides.
    """

    def __init__(self) -> None:
        self._bound: dict[str, tuple[int, T, Any]] = {}
        self._levels: list[str | list[str] | None] = [None]
        # `serials[i]` tells the i-th open level from all others there were at this depth.
        self.serials = array("q", (0,))
        self._hidden = bytearray((True,))  # of each level, whether a let may hide what it binds
        self._entered = 0

    @property
    def depth(self) -> int:
        """The index of the innermost level; 0 for the outermost."""
        return len(self._levels) - 1

    def enter(self, hidden: bool = False) -> None:
        """Open a level; `hidden` if a let within it may hide what it binds."""
        self._entered += 1
        self._levels.append(None)
        self.serials.append(self._entered)
        self._hidden.append(hidden)

    def leave(self, count: int = 1) -> None:
        """Close the innermost levels."""
        for _ in range(count):
            names = self._levels.pop()
            for name in () if names is None else (names,) if type(names) is str else names:
                outer = self._bound[name][2]
                if outer is None:
                    del self._bound[name]
                else:
                    self._bound[name] = outer
            self.serials.pop()
            self._hidden.pop()

    def holds_fast(self, name: str) -> bool:
        """Whether the innermost level binds `name`, and no let may hide that."""
        found = self._bound.get(name)
        return found is not None and found[0] == len(self._levels) - 1 and not self._hidden[-1]

    def bind(self, name: str, value: T) -> None:
        """Bind `name` at the innermost level, unless that level binds it already."""
        depth = len(self._levels) - 1
        outer = self._bound.get(name)
        if outer is not None and outer[0] == depth:
            return
        self._bound[name] = (depth, value, outer)
        names = self._levels[-1]
        if names is None:
            self._levels[-1] = name
        elif type(names) is list:
            names.append(name)
        else:
            self._levels[-1] = [names, name]  # type: ignore[list-item]

    def find(self, name: str) -> tuple[int, T, Any] | None:
        """The index of the innermost level that binds `name`, what it is bound to, and what that hides."""
        return self._bound.get(name)

    def visible(self) -> list[str]:
        """The names that are bound now."""
        return list(self._bound)


class Reach:
    """The levels that a stretch of text uses by names bound at them.

    Of a level that the text itself has opened and closed again nothing is left when `innermost` is asked: what is
    bound and used inside of an expression does not tie the expression to its place.
    """

    __slots__ = ("_levels",)

    def __init__(self) -> None:
        self._levels: list[int] = []  # negative, as a heap; a level may be there several times

    def use(self, level: int) -> None:
        """Something bound at `level` is used."""
        levels = self._levels
        if level and not (levels and levels[0] == -level):
            heappush(levels, -level)

    def innermost(self, depth: int) -> int:
        """The innermost level used, when `depth` levels are open; the deeper ones are forgotten."""
        levels = self._levels
        while levels and -levels[0] > depth:
            heappop(levels)
        return -levels[0] if levels else 0

    def join(self, other: Reach) -> None:
        """Take over what `other` uses."""
        if len(other._levels) > len(self._levels):
            self._levels, other._levels = other._levels, self._levels
        for level in other._levels:
            heappush(self._levels, level)
