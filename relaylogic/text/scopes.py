"""Names while a text is being read.

`Names` is a stack of levels of one kind of names; entering and leaving a level costs what it binds, looking
up a name costs one dictionary access, however many levels are open. As in TVM, the first binding of a name at
a level stands: a parameter is not hidden by a `let` of the same name at the top of its function's body.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Generic, TypeVar

__all__ = ["Names", "Reach"]

T = TypeVar("T")


class Names(Generic[T]):
    """A stack of levels that bind names to values of type `T`. The outermost level is open from the start."""

    def __init__(self) -> None:
        self._bound: dict[str, list[tuple[int, T]]] = {}
        self._levels: list[list[str]] = [[]]
        # `serials[i]` tells the i-th open level from all others there were at this depth.
        self.serials: list[int] = [0]
        self._entered = 0

    @property
    def depth(self) -> int:
        """The index of the innermost level; 0 for the outermost."""
        return len(self._levels) - 1

    def enter(self) -> None:
        """Open a level."""
        self._entered += 1
        self._levels.append([])
        self.serials.append(self._entered)

    def leave(self, count: int = 1) -> None:
        """Close the innermost levels."""
        for _ in range(count):
            for name in self._levels.pop():
                self._bound[name].pop()
            self.serials.pop()

    def binds(self, name: str) -> bool:
        """Whether the innermost level binds `name`."""
        stack = self._bound.get(name)
        return bool(stack) and stack[-1][0] == len(self._levels) - 1  # type: ignore[index]

    def bind(self, name: str, value: T) -> None:
        """Bind `name` at the innermost level, unless that level binds it already."""
        depth = len(self._levels) - 1
        stack = self._bound.setdefault(name, [])
        if not stack or stack[-1][0] != depth:
            stack.append((depth, value))
            self._levels[-1].append(name)

    def find(self, name: str) -> tuple[int, T] | None:
        """The index of the innermost level that binds `name`, and what it is bound to."""
        stack = self._bound.get(name)
        return stack[-1] if stack else None

    def visible(self) -> list[str]:
        """The names that are bound now."""
        return [name for name, stack in self._bound.items() if stack]


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
