"""Smallest sets that hit all sets of a family.

Conflicts of independent faults share no member, so a hitting set has one of each: there are exponentially many choices
of too few members, which are never tried. What is missed and shares no member needs a member each; a choice that leaves
no room for them is given up at once.

A family may grow: what was given up stays so, since no choice hits more of a larger family. So the search for the next
set goes on where the last one was found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

__all__ = ["Hitting", "disjoint", "smallest_hitting"]

Set = frozenset[int]


class Hitting:
    """The sets that hit all sets of a `family` and contain none of the `known` sets, smallest ones first.

    Both may grow between two questions: a known set is one that was found, or is known from the beginning. Each choice
    that is tried is charged for first; what that raises ends the search.
    """

    def __init__(self, family: Sequence[Set], known: Sequence[Set], charge: Callable[[], None] = lambda: None) -> None:
        self._family = family
        self._known = known
        self._charge = charge
        self._indexed = 0
        self._with: defaultdict[int, list[Set]] = defaultdict(list)  # known sets by their members
        self._size = disjoint(family)
        # What is chosen, the last of it, and what is left out of all that follows: a set is tried once, whatever the
        # order of its members. Sets of at most `size` members are looked for; `is_cut` says that there may be larger.
        self._stack: list[tuple[Set, int | None, Set]] = [(frozenset(), None, frozenset())]
        self._is_cut = False

    def next(self) -> Set | None:
        """A smallest set; None if there is none."""
        for one in self._known[self._indexed :]:
            for member in one:
                self._with[member].append(one)
        self._indexed = len(self._known)
        while True:
            found = self._of_size()
            if found is not None:
                return found
            if not self._is_cut:
                return None
            self._size, self._is_cut = self._size + 1, False
            self._stack.append((frozenset(), None, frozenset()))

    def _of_size(self) -> Set | None:
        """The next set of at most so many members."""
        stack = self._stack
        while stack:
            self._charge()
            node = chosen, last, out = stack.pop()
            # Of what is known, nothing was within what was chosen before.
            if any(one <= chosen for one in (self._known if last is None else self._with[last])):
                continue
            missed = [members - out for members in self._family if not members & chosen]
            if not missed:
                stack.append(node)  # unless it is known when the next one is asked for, more is missed then
                return chosen
            if disjoint(missed) > self._size - len(chosen):
                self._is_cut = True
                continue
            # Branches are stacked: the first member is tried first, with nothing more left out.
            members = sorted(sorted(missed, key=len)[0])
            for i, member in reversed([*enumerate(members)]):
                stack.append((chosen | {member}, member, out | set(members[:i])))
        return None


def smallest_hitting(
    family: Sequence[Set], known: Sequence[Set], charge: Callable[[], None] = lambda: None
) -> Set | None:
    """A smallest set that hits every set of a family and contains none of the known sets; None if there is none.

    Each choice that is tried is charged for first; what that raises ends the search.
    """
    return Hitting(family, known, charge).next()


def disjoint(family: Sequence[Set]) -> int:
    """How many sets of a family can be picked, small ones first, so that no two share a member."""
    taken: set[int] = set()
    count = 0
    for members in sorted(family, key=len):
        if taken.isdisjoint(members):
            taken |= members
            count += 1
    return count
