"""Minimal conflicts and minimal corrections of a refuted program, all of them, as they are asked for.

A set of places is *consistent* if the program that says only what stands there (all else is a hole) is not refuted. A
*minimal conflict* is an inconsistent set of which every proper part is consistent; a *minimal correction* is a set
without which the rest is consistent, and no proper part of which is one. Corrections hit all conflicts. An attribute
is said only where its call is.

Finding one conflict. Attributes stay with their calls until no whole place can be left out (`wholes`); then those are
left open that do not matter. (What could not be left out before cannot be left out then.)

Finding all. Corrections are the minimal sets that hit all conflicts (Reiter, "A theory of diagnosis from first
principles", 1987). A smallest set that hits the known conflicts and contains no known correction is asked for: if the
rest is consistent, it is a correction; if not, there is a further conflict in the rest. When there is no such set, all
conflicts and all corrections are known. (The scheme of MARCO, Liffiton et al., "Fast, flexible MUS enumeration",
2016, with minimal hitting sets in place of maximal models; so corrections come by their size.) Where there are many
faults, a smallest correction takes all their conflicts; one among places that are known otherwise takes none
(`corrected`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from ...host.uncollected import uncollected
from ...infer.sites.relaxation import PATIENT
from ..places.said import Part, Said
from .hitting import Hitting
from .wholes import Wholes

if TYPE_CHECKING:
    from ...infer.sites.site import Site

__all__ = ["Conflicts"]

MANY = 24
"""If the first conflict has more attributes, they are not told apart from their calls: each takes an inference."""

OPENED = 64
"""Nor if more attributes have to be left open for that, counted in all questions together: one takes about 8 ms."""

DOUBTED = 8
"""It is looked twice whether the first conflict can do without a place, until so many attributes were left open for
that, counted in all questions together: half a second is soon gone where one call has many."""


class Conflicts:
    """The minimal conflicts and corrections among some places, found one after the other."""

    def __init__(self, said: Said, among: Iterable[int] | None = None) -> None:
        self.said = said
        self._all: Part = said.all if among is None else frozenset(among)
        self.conflicts: list[Part] = []
        self.corrections: list[Part] = []
        self._hitting = Hitting(self.conflicts, self.corrections)
        self._doubts = DOUBTED
        self._doubted: dict[int, None] = {}  # places that are kept though it is not sure that they must be, as met

    def corrected(self, hitting: Part) -> Part | None:
        """A minimal correction among some places; None if the rest is not consistent without them."""
        if self._refused(self._all - hitting):
            return None
        for place in sorted(hitting):
            fewer = hitting - {place}
            if not self._refused(self._all - fewer):
                hitting = fewer
        return hitting

    def each_conflict(self) -> Iterator[Part]:
        """All minimal conflicts."""
        return self._each(self.conflicts)

    def each_correction(self) -> Iterator[Part]:
        """All minimal corrections, small ones first."""
        return self._each(self.corrections)

    def _each(self, found: list[Part]) -> Iterator[Part]:
        given = 0
        while True:
            while given < len(found):
                yield found[given]
                given += 1
            with uncollected():  # it would collect after each of many inferences, which make no cycles
                if not self._finds_another():
                    return

    def _finds_another(self) -> bool:
        """Whether there is another conflict or correction, which is found. What a limit stops is looked for again."""
        if not self.conflicts:
            return self._finds_first()
        hitting = self._hitting.next()
        if hitting is None:
            return False
        rest = self._all - hitting
        if self._refused(rest):
            self.conflicts.append(self.minimal(rest))
        else:
            self.corrections.append(hitting)
        return True

    def _finds_first(self) -> bool:
        """Whether there is a conflict, which is found."""
        if not self.said.refused(self._all):
            return False
        first = self.coarse(self._all)
        apart = self._told_apart(first, self._all, OPENED)
        if apart is None:
            self.said.bundle()
            self._all -= self.said.attributes
        self.conflicts.append(first if apart is None else apart)
        return True

    def _refused(self, kept: Collection[int]) -> list[Site]:
        """The demands that are refused where only some places say something; looked at twice where that is not sure."""
        said = self.said
        refused = said.refused(kept)
        if refused or not said.is_unsure(kept):
            return refused
        if not self.conflicts:
            left_open = len(frozenset(said.places.attributes(kept)).difference(kept))
            if left_open > self._doubts:
                return refused
            self._doubts -= left_open
        return said.refused(kept, PATIENT)

    def _is_needed(self, place: int, rest: Collection[int]) -> bool:
        """Whether a conflict needs a place: the rest of some places is consistent, or not found to be refused."""
        if self._refused(rest):
            return False
        if self.said.is_unsure(rest):
            self._doubted[place] = None
        return True

    def _surely_needed(self, conflict: Part, given: Part = frozenset()) -> Part:
        """A conflict without the places that it does not need, of which that was not sure when it was larger.

        Beside fewer places, there is less to be asked about before a limit is reached.
        """
        looked: Part | None = None
        while conflict is not looked:
            looked = conflict
            needed: list[int] = []
            left = [place for place in reversed(self._doubted) if place in conflict]
            while left:
                place = left.pop()
                if self.said.refused(given.union(conflict) - {place}):
                    conflict = self.said.saying(conflict - {place})
                else:
                    needed.append(place)
                    separating = self.said.separation.between(conflict, needed)
                    left = [other for other in left if other not in separating]
        return conflict

    def minimal(self, inconsistent: Part) -> Part:
        """A minimal conflict among inconsistent places."""
        found = self._told_apart(self.coarse(inconsistent), inconsistent)
        assert found is not None
        return found

    def _told_apart(self, whole: Part, inconsistent: Part, opened: int | None = None) -> Part | None:
        """A conflict of whole places, with the attributes that it needs if these are places of their own.

        None if that takes too long; `opened` is how many attributes may be left open for it.
        """
        if not self.said.told_apart:
            return whole
        if opened is not None and len([*self.said.places.attributes(whole)]) > MANY:
            return None
        return self.refined(whole, inconsistent & self.said.attributes, opened)

    def coarse(self, inconsistent: Part) -> Part:
        """A conflict among inconsistent places of which no whole place can be left out; without attributes."""
        attributes = inconsistent & self.said.attributes
        self._doubted.clear()
        found = Wholes(self.said, attributes, self._doubted, self._is_needed).minimal(inconsistent - attributes)
        return self._surely_needed(found, attributes)

    def refined(self, conflict: Part, attributes: Part, opened: int | None = None) -> Part | None:
        """A conflict of whole places, with those of some attributes that it needs.

        An attribute that is left open makes its call slow to solve. So each is left out alone first: without those that
        are needed even then, others are rarely needed. If more than `opened` are left open, there is no answer.
        """
        said = self.said
        places = said.places.all
        left = sorted(attributes.intersection(said.places.attributes(conflict)), key=lambda i: (places[i].attribute, i))
        if not left or self._refused(conflict):
            return conflict
        needed = [*conflict]
        if len(left) > 1:
            needed += [i for i in left if self._is_needed(i, conflict.union(left) - {i})]
            left = [i for i in left if i not in needed]
            if said.refused(needed):
                return self._surely_needed(frozenset(needed))
        chunk, left_open = 1, 0
        count = len(left) + len(needed)
        while left:
            chunk = min(chunk, len(left))
            left_open += count - len(needed) - len(left) + chunk
            if opened is not None and left_open > opened:
                return None
            if said.refused([*needed, *left[:-chunk]]):
                del left[-chunk:]
                chunk *= 2
            elif chunk > 1:
                chunk = 1
            elif self._is_needed(left[-1], [*needed, *left[:-1]]):
                needed.append(left.pop())
        return self._surely_needed(frozenset(needed))
