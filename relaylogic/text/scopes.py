"""Names while a text is being read.

`Names` is a stack of levels of one kind of names; entering and leaving a level costs what it binds, looking
up a name costs one dictionary access, however many levels are open. As in TVM, the first binding of a name at
a level stands: a parameter is not hidden by a `let` of the same name at the top of its function's body.
"""

from __future__ import annotations

from array import array
from heapq import heappop, heappush
from typing import Generic, TypeVar

__all__ = ["Names", "Reach"]

T = TypeVar("T")


class Names(Generic[T]):
    """A stack of levels that bind names to values of type `T`. The outermost level is open from the start.

    A let opens a level, so there may be as many as lines, most of which bind one name that hides none: such a level is
    that name, and makes no other object that lives as long.
    """

    def __init__(self) -> None:
        self._values: dict[str, T] = {}
        self._depths: dict[str, int] = {}  # the index of the innermost level that binds a name
        self._hiding: dict[str, list[tuple[T, int]]] = {}  # what a name was bound to before, and where, the last on top
        self._levels: list[str | list[str] | None] = [None]
        # `serials[i]` tells the i-th open level from all others there were at this depth.
        self.serials = array("q", (0,))
        self._hidden = bytearray((True,))  # of each level, whether a let may hide what it binds
        self._entered = 0
        self.reach: Reach | None = None  # of the stretch of text that began last, and has not ended

    @property
    def depth(self) -> int:
        """The index of the innermost level; 0 for the outermost."""
        return len(self._levels) - 1

    def enter(self) -> None:
        """Open a level that no let hides."""
        self._entered += 1
        self._levels.append(None)
        self.serials.append(self._entered)
        self._hidden.append(False)

    def leave(self, count: int = 1) -> None:
        """Close the innermost levels."""
        for _ in range(count):
            names = self._levels.pop()
            for name in () if names is None else (names,) if type(names) is str else names:
                if self._hiding.get(name):
                    self._values[name], self._depths[name] = self._hiding[name].pop()
                else:
                    del self._values[name], self._depths[name]
            self.serials.pop()
            self._hidden.pop()

    def enter_let(self, name: str, value: T) -> None:
        """Open the level of a let, which another one within it may hide; it binds `name`, unless the level around it
        binds that, and no let may hide it."""
        depth = len(self._levels)
        outer = self._depths.get(name)
        stands = outer == depth - 1 and not self._hidden[-1]
        if not stands:
            if outer is not None:
                self._hiding.setdefault(name, []).append((self._values[name], outer))
            self._values[name], self._depths[name] = value, depth
        self._entered += 1
        self._levels.append(None if stands else name)
        self.serials.append(self._entered)
        self._hidden.append(True)

    def bind(self, name: str, value: T) -> None:
        """Bind `name` at the innermost level, unless that level binds it already."""
        depth = len(self._levels) - 1
        outer = self._depths.get(name)
        if outer == depth:
            return
        if outer is not None:
            self._hiding.setdefault(name, []).append((self._values[name], outer))
        self._values[name], self._depths[name] = value, depth
        names = self._levels[-1]
        if names is None:
            self._levels[-1] = name
        elif type(names) is list:
            names.append(name)
        else:
            self._levels[-1] = [names, name]  # type: ignore[list-item]

    def find(self, name: str) -> T | None:
        """What `name` is bound to; None if nothing binds it."""
        return self._values.get(name)

    def use(self, name: str) -> T | None:
        """The same, where a text uses it: its `reach` is told."""
        found = self._values.get(name)
        if found is not None and self.reach is not None:
            self.reach.use(self._depths[name])
        return found

    def visible(self) -> list[str]:
        """The names that are bound now."""
        return list(self._values)


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
