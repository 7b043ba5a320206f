"""Leaving out what other typings do not need: a set of places that should force a type, and be smallest.

Of places that force a type, those are left out one after the other of which no world (`worlds`) tells that the others
need them. So what is left lacks no correction that is known, and each of its places is in one that no other place of
it is in: if it forces the type, which is one question, it is minimal. Where types and attributes are open in it, that
takes long: so it is looked before whether an annotation that is left out is needed by what is left at last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..places.places import Places
from ..places.said import Part
from .denials import Denials

__all__ = ["Dispensing"]

FAR = 1_000
"""So far are places that nothing ties to an expression."""

_FIRST = {"attribute": 0, "annotation": 1}
"""The kinds of places that are left out first."""


class Dispensing:
    """What is left of the places `enough`, which force the type of `expr`, or some atoms of it.

    `may_matter` says whether a place can bear on these at all, `is_whole` that they are all.
    """

    def __init__(
        self,
        places: Places,
        denials: Denials,
        expr: Any,
        enough: Part,
        may_matter: Callable[[int], bool],
        is_whole: bool,
    ) -> None:
        self._all = places.all
        self._denials = denials
        some = [place for place in enough if may_matter(place)]
        denials.begin()
        looked_at = [] if is_whole else [place for place in some if places.all[place].kind != "attribute"]
        self._idle = {place for place in looked_at if not denials.bears(places.all[place])}
        distances = places.distances([id(expr)], enough)

        def rank(place: int) -> tuple[bool, int, int, int]:
            kind = _FIRST.get(places.all[place].kind, len(_FIRST))
            return place not in self._idle, kind, -distances.get(place, FAR), -place

        self._rank = rank
        self._order = sorted(some, key=rank)
        """First those that seem not to bear on the atoms; then by their kinds, the farthest first."""

    def likely(self, everything: Part) -> Iterator[Part]:
        """Sets that should force the atoms, the most likely first, by what is known when they are asked for; no more
        once it is known that not even all places do.

        Raises Spent.
        """
        enough, kept = frozenset(self._order), self._needed()
        while not self._denials.deny(enough):
            if self._denials.deny(kept):  # by what was found after a place was left out
                kept = self._needed()
            if self._leaves_open(kept) and self._bears_after_all(kept):
                continue
            for place in sorted(place for place in kept if self._all[place].kind in ("attribute", "call")):
                if not self._denials.allow_fewer(len(kept)):
                    break
                self._denials.need(self._all[place], everything - {place})
            yield kept
            if not self._denials.deny(kept):
                fewer = self._denials.fewer(len(kept))
                if fewer is not None:
                    yield fewer
                break

    def _leaves_open(self, kept: Part) -> bool:
        """Whether attributes and annotations are left out: it takes long then to ask whether the others are enough."""
        return {self._all[place].kind for place in self._order if place not in kept}.issuperset(_FIRST)

    def _bears_after_all(self, kept: Part) -> bool:
        """Whether what is kept needs an annotation that is left out: then that does bear on the atoms."""
        needed = next(filter(partial(self._needs, kept), sorted(self.annotations - kept)), None)
        if needed in self._idle:
            self._idle.discard(needed)
            self._order.sort(key=self._rank)
        return needed is not None

    def _needs(self, kept: Part, place: int) -> bool:
        return self._denials.need(self._all[place], kept)

    def _needed(self) -> Part:
        enough = frozenset(self._order)
        for place in self._order:
            if not self._needs(enough - {place}, place):
                enough -= {place}
        return enough

    @property
    def annotations(self) -> Part:
        """The annotations among the places."""
        return frozenset(place for place in self._order if self._all[place].kind == "annotation")
