"""Few places of a long program that should force a type, found by carrying other typings along it (`carried`).

A place is needed if all others hold where the expression has another type. That is looked at from the expression
outwards, as far as places are needed: what only tells something to a place that is not needed is not, either. Of places
that are not needed since others say the same, the one that is farthest from what is written down is left out; that may
make others needed.

So each place that is left is needed, of those that were not left out before: if they force the type, they are a minimal
set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from .carried import Carried, Saying, Written
from .changes import MORE, OTHER_DTYPE, Change, changed

if TYPE_CHECKING:
    from .alone import Alone
    from .conflicts import Part

__all__ = ["Carving"]


class Carving:
    """Which places are left of those of `carried`, which are tied to the nodes `wanted`, besides the `ends`, which are
    needed; `changes` are tried."""

    def __init__(
        self, alone: Alone, carried: Carried, wanted: Sequence[int], ends: Sequence[int], changes: list[Change]
    ) -> None:
        self._alone = alone
        self._carried = carried
        self._wanted = dict.fromkeys(wanted)
        self._changes = changes
        self._needed = set(ends)
        self.doubtful: set[int] = set()
        """Those of the places that are left which may not be needed."""
        self._reached: set[int] = set()
        self._agenda: list[int] = []
        self._waiting: list[tuple[int, int, Saying | Written]] = []  # with costs, and how many were left out before
        self._later: list[Written] = []

    def found(self) -> Iterator[Part]:
        """What is left, without what calls take besides what comes first, as far as that is written down; then with
        that of it that is needed. Raises Spent."""
        self._try_first()
        for node in self._wanted:
            self._reach(node)
        self._carve()
        yield frozenset(self._needed)
        if self._later:
            while self._later:
                later, self._later = self._later, []
                for written in later:
                    self._look_at(written)
                self._carve()
            yield frozenset(self._needed)

    def follows(self, kept: Part) -> tuple[bool, int]:
        """`Carried.follows`."""
        return self._carried.follows(kept)

    def _try_first(self) -> None:
        """See what becomes of a change of what is written down, and taken, first: it mostly passes through a lot.

        Another dtype does not where others are written down.
        """
        taken = [node for node in self._carried.written if node in self._carried.users]
        if OTHER_DTYPE in self._changes and self._carried.givers.keys().isdisjoint(self._wanted):
            self._changes.sort(key=OTHER_DTYPE.__ne__)  # what only users tell has little of what they take
        is_dtype = self._changes[0] is OTHER_DTYPE
        if len(taken) == 1 or (taken and not is_dtype):
            first = min(taken, key=lambda node: self._carried.users[node][0])
            other = changed(self._alone.type(first), self._changes[0])
            if other is not None:
                self._carried.fate(first, other, self._carried.written[first][0].at, is_dtype)

    def _reach(self, node: int) -> None:
        """Look at what says the type of a node."""
        if node in self._reached:
            return
        self._reached.add(node)
        teller = self._carried.teller(node)
        if teller is not None:
            heappush(self._agenda, -teller)
        for written in self._carried.written.get(node, ()):
            if self._is_besides(node):
                self._later.append(written)
            else:
                self._look_at(written)

    def _is_besides(self, node: int) -> bool:
        """Whether a call takes a node besides what comes first."""
        steps = (self._carried.step(i) for i in self._carried.users.get(node, ()))
        return any(step.operator is not None and node in step.parts and node != step.parts[0] for step in steps)

    def _carve(self) -> None:
        """Look at all places that are reached; leave out what is not needed, what costs most first."""
        while self._agenda or self._waiting:
            if self._agenda:
                step = self._carried.step(-heappop(self._agenda))
                if step.is_tie:
                    for node in (step.head, *step.parts):
                        self._reach(node)
                elif step.at not in self._needed and step.at not in self._carried.left_out:
                    self._look_at(step)
                continue
            last = max(self._waiting, key=lambda item: item[0])
            self._waiting.remove(last)
            _, before, what = last
            if before < len(self._carried.left_out):  # others that say the same may have been left out meanwhile
                self._look_at(what)
            else:
                for teller in self._carried.leave_out(what):
                    heappush(self._agenda, -teller)

    def _look_at(self, what: Saying | Written) -> None:
        """See whether a place is needed: then what it is about is looked at, else it waits."""
        if not self._is_needed(what):
            cost = self._carried.costs[what.head] if isinstance(what, Saying) else 1
            self._waiting.append((cost, len(self._carried.left_out), what))
            return
        self._needed.add(what.at)
        if isinstance(what, Saying):
            for node in (what.head, *what.parts):
                self._reach(node)

    def _is_needed(self, what: Saying | Written) -> bool:
        """Whether a place is found to be needed of those that are not left out, or may be: that is so of a rank that a
        call takes, since another one may tell it too late."""
        if isinstance(what, Written):
            about = [what.node]
        elif what.head in self._carried.shown:
            return True
        else:
            about = [*self._carried.told_by(what), what.head]
        may_be = False
        for change in self._changes:
            for node in about:
                other = changed(self._alone.type(node), change)
                if other is None:
                    continue
                fate = self._carried.fate(node, other, what.at, change is OTHER_DTYPE)
                if fate.differs and fate.is_sure:
                    if change is not self._changes[0]:  # what shows it of one place mostly shows it of the next one
                        self._changes.remove(change)
                        self._changes.insert(0, change)
                    return True
                may_be = may_be or fate.differs or (fate.is_taken and change.axis == MORE)
        if may_be:
            self.doubtful.add(what.at)
        return may_be
