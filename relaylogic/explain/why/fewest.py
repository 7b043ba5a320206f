"""Fewest places: minimal sets that force what was asked about, and smallest ones.

A minimal set is found by leaving out places, the farthest first, more at once as long as that goes well. A smallest set
hits all *corrections* (sets without which the rest does not force the atoms): a smallest set that hits the known ones
is tried; if it does not force them, there is one more correction that it does not hit (implicit hitting sets; Ignatiev
et al., "Smallest MUS extraction with minimal hitting set dualization", 2015). There, the set would be grown as far as
it still does not force them, which takes many questions, most of them about much of the program. Here, none is asked:
what is tied to the expression by the places of the set alone is a correction (`separation`), if a larger one.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from contextlib import nullcontext
from typing import Any, NamedTuple

from ...logic.terms.terms import is_ground
from ..conflicts.hitting import smallest_hitting
from ..places.said import Part, Said
from .nearness import Nearness
from .oracle import Oracle
from .work import PLACES, Spent, Work

__all__ = ["Fewest", "Forced"]

FEW = 32
"""Among so many places, at most, a smallest set is looked for,"""

SMALL = 8
"""and where a minimal one has so many at most."""

PARTED = 8
"""What separates so many places from the expression is found out in the time of one site."""

SEPARATED = 4
"""Of fewer places, it is not found out first which ones separate others from the expression, and are needed too."""

FEW_NEEDED = 3
"""Of a minimal set of more places, it is asked first which ones each set that forces the atoms has."""

LOOKED = 600
"""A set of fewer places than a minimal one is looked for in the time of so many sites; a single one in any time."""

A_PLACE = 16
"""Leaving out one place after the other is begun only with this for each."""


class Forced(NamedTuple):
    """A set of places that forces what was asked about; `minimal` and `smallest` say what is known of it."""

    places: Part
    minimal: bool
    smallest: bool


class Fewest:
    """The fewest of some places that force what the `oracle` is asked about; `thorough` says that a smallest set is
    looked for among all places."""

    def __init__(self, said: Said, expr: Any, oracle: Oracle, order: Nearness, thorough: bool, work: Work) -> None:
        self._said = said
        self._expr = expr
        self._oracle = oracle
        self._order = order
        self._thorough = thorough
        self._work = work
        self.indispensable: Part = frozenset()
        """Places that are known to be in each set."""

    def may_begin(self, enough: Collection[int]) -> bool:
        """Whether each of some places, or what separates those that may be left out, may be asked about with the work
        that is left, as far as is known before these are put in order."""
        most = self._most
        if len(enough) <= most or not most:
            return len(enough) <= most
        if sum(map(self._is_an_end, enough)) > most:
            return False
        return self._said.is_separated or PLACES * self._work.left >= len(self._said.places)

    @property
    def _most(self) -> int:
        """So many places may be asked about."""
        each = A_PLACE if self._oracle.alone is not None else max(A_PLACE, self._oracle.last_price)
        return max(0, self._work.left // each)

    def minimal(self, enough: Part, left: list[int]) -> tuple[Part, bool]:
        """Those of some places that cannot be left out, the last first; whether that was found out of all."""
        needed = sorted(self.indispensable)
        left = [place for place in left if place not in self.indispensable]
        if not self._may_end(left):
            return enough, False
        chunk = 1
        while left:
            fewer = left[: -min(chunk, len(left))]
            try:
                kept = frozenset((*needed, *fewer))
                forces = not (chunk == 1 and self._oracle.is_witnessed(kept, left[-1])) and self._oracle.forces(kept)
            except Spent:
                return self._said.saying((*needed, *left)), False
            if forces:
                left = fewer
                chunk *= 2
            elif chunk == 1:
                needed.append(left.pop())
                if len(left) < SEPARATED:
                    continue
                separating = self._said.separation.before(needed[-1], set(left), set(needed), self._expr)
                self._work.pay(1 + len(left) // PARTED)
                needed += [place for place in left if place in separating]
                left = [place for place in left if place not in separating]
            else:
                chunk = 1
        return self._said.saying(needed), True

    def _may_end(self, left: list[int]) -> bool:
        """Whether each of some places can be asked about, but those that separate the first one from the expression."""
        most = self._most
        if len(left) <= most or not self.may_begin(left):
            return len(left) <= most
        way = None if self._oracle.alone is None else self._oracle.alone.way(left[-1], left)
        if way is not None and len(left) - way > most:  # what separates them is on each way
            return False
        return len(left) - len(self._said.separation.before(left[-1], set(left[:-1]), set(), self._expr)) <= most

    def _is_an_end(self, place: int) -> bool:
        """Whether a place separates no others, since it ties one node to nothing: an annotation without a hole."""
        item = self._said.places.all[place]
        return item.kind == "annotation" and is_ground(item.node.type_annotation)

    def smallest(self, least: Part) -> Forced:
        """A smallest set that forces the atoms, if it can be found; `least` is a minimal one."""
        self._oracle.least = least
        if self._oracle.denials is not None:
            self.indispensable |= self._oracle.denials.indispensable()
            if not self._oracle.denials.allow_fewer(len(least)):
                return Forced(least, True, True)
        alone = self.indispensable
        if len(least) == len(alone) + (not alone or self._oracle.known(alone) is False):
            return Forced(least, True, True)
        order = self._order.near(self._said.all, sys.maxsize if self._thorough else FEW + 1)
        attributes = frozenset(self._said.places.attributes(order)) & self._said.all
        is_hopeful = self._thorough or (len(order) <= FEW and len(least) <= SMALL)
        if not is_hopeful or not least <= attributes.union(order):
            return Forced(least, True, False)
        with nullcontext() if self._thorough or len(least) == 2 else self._work.at_most(LOOKED):
            return self._hitting_all(least)

    def _hitting_all(self, least: Part) -> Forced:
        """A smallest set, found by asking sets that hit all known corrections; `least` where that takes too long."""
        forces = self._oracle.forces
        try:
            corrections = [*map(_alone, self.indispensable), *self._known_corrections()]
            is_first = True  # that is to be asked about
            while True:
                told = [] if self._oracle.denials is None else self._oracle.denials.corrections
                hitting = smallest_hitting([*corrections, *told], [], self._work.choose) or frozenset()
                if len(hitting) >= len(least):
                    return Forced(least, True, True)
                tied, others, own = self._tied(hitting)
                if not self._oracle.is_denied(tied):
                    if is_first:
                        is_first = False
                        corrections += map(_alone, self._needed_of(least))
                        continue
                    if not own <= tied and not forces(tied | own):  # what is known of a call is asked sooner
                        others -= own
                    elif forces(tied):
                        return Forced(tied, True, True)
                if not others:  # where places contradict each other, more of them may force less
                    return Forced(least, True, False)
                corrections.append(others)
        except Spent:
            return Forced(least, True, False)

    def _needed_of(self, least: Part) -> Part:
        """Those of the places of a minimal set that are known to be needed by all, as far as that is worth a question.

        Attributes are not asked about, of which all values would have to be looked at. Where other typings tell, they
        mostly tell of all that are needed.
        """
        needed = self.indispensable
        if len(least) > FEW_NEEDED:
            for place in self._order.ordered(least - needed - self._said.attributes):
                if not self._oracle.forces(self._said.all - {place}):
                    needed |= {place}
                elif self._oracle.denials is not None:
                    break
        return needed

    def _known_corrections(self) -> list[Part]:
        """What is tied to the expression by sets that are known not to force the atoms.

        Where attributes are left open, not all of their values may have been looked at.
        """
        asked = map(self._tied, self._oracle.failing())
        return [others for tied, others, own in asked if own <= tied and others]

    def _tied(self, some: Part) -> tuple[Part, Part, Part]:
        """Those of some places that are tied to the expression, what else is by these alone, and the attributes of the
        calls among the former, which are tied by these."""
        tied, others = self._said.separation.around(self._expr, some)
        own = self._said.all.intersection(self._said.places.attributes(tied))
        return some & (tied | own), (self._said.all & (others | own)) - some, own


def _alone(place: int) -> Part:
    return frozenset([place])
