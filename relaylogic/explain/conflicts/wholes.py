"""The search for a conflict of whole places: attributes stay with their calls.

The few places nearest to a refused demand are tried; then those that its refusal rests on (`slicing`), at first without
what is behind all that a call is given, of many the nearest first; then more around it, twice as many each time. Of
what is inconsistent, places are left out, the farthest first, twice as many at once where that goes well and half as
many where not (deletion; Marques-Silva, "Minimal unsatisfiability", 2010). Of what the refusal rests on, most is
needed; there the nearest come first: what is behind them stays known, which is solved faster. What nothing ties to the
demand that is refused now goes with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from ..places.said import Part, Said
from .slicing import Resting

if TYPE_CHECKING:
    from ...infer.sites.site import Site

__all__ = ["Wholes"]

CLOSE = (8, 16, 32)
"""How many places around a refused demand are tried first, if others are not just as near: most conflicts are small."""

MANY = 64
"""Of more that a refusal rests on, so many are tried first, and twice as many each time."""


class Wholes:
    """The search for a conflict of whole places; calls that are said have the attributes that are `given`.

    `is_needed` is asked where a place is found to be needed beside others; of those in `doubted` it is not sure.
    """

    def __init__(
        self, said: Said, given: Part, doubted: dict[int, None], is_needed: Callable[[int, Collection[int]], bool]
    ) -> None:
        self._said = said
        self._given = given
        self._doubted = doubted
        self._is_needed = is_needed

    def _refused(self, kept: Collection[int]) -> list[Site]:
        return self._said.refused(self._given.union(kept))

    def minimal(self, inconsistent: Part) -> Part:
        """A minimal conflict among inconsistent places.

        An annotation with type parameters lets a function be called at several types: without it, more is refused; so
        it is with a second name of something polymorphic. What was needed beside one may not be needed any more when
        that is left out, and is looked at again.
        """
        found = self._one(inconsistent)
        while self._said.is_generous:
            spare = next((place for place in sorted(found) if self._refused(found - {place})), None)
            if spare is None:
                break
            found = self._deleted(sorted(found - {spare}))
        return found

    def _one(self, inconsistent: Part) -> Part:
        """A conflict among inconsistent places from which no place could be left out when it was looked at."""
        said = self._said
        near = self._near(inconsistent)
        order = [*near]
        for size in CLOSE:
            most = 2 * size
            if size < len(order) and not (most < len(order) and near[order[size - 1]] == near[order[most]]):
                if self._refused(order[:size]):
                    return self._deleted(order[:size])
        refused = self._refused(inconsistent)
        resting = Resting(refused[0], said.inferred_once(inconsistent | self._given), said.places)
        apart = inconsistent & resting.apart
        if apart and self._refused(apart):
            return self._deleted([place for place in order if place in apart] + sorted(apart.difference(order)))
        rests = inconsistent & resting.whole
        if not self._refused(rests):
            return self._deleted(self._nearby(order, inconsistent))
        nearest = [place for place in order if place in rests]
        size = MANY
        while size < len(nearest):
            if self._refused(nearest[:size]):
                return self._deleted(nearest[:size])
            size *= 2
        return self._deleted(sorted(rests.difference(order)) + nearest[::-1])

    def _nearby(self, order: list[int], inconsistent: Part) -> list[int]:
        """The first of some places, as many as are inconsistent."""
        size = 2 * CLOSE[-1]
        while size < len(order):
            if self._refused(order[:size]):
                return order[:size]
            size *= 2
        return order if self._refused(order) else [*order, *sorted(inconsistent.difference(order))]

    def _deleted(self, left: list[int]) -> Part:
        """A minimal conflict among inconsistent places; the last are left out first.

        What separates places that are needed is needed, too; so after the last that is needed, the one is asked about
        that the longest way leads from. (Only once: what is behind it is not known then, which is solved slowly.) What
        is known without it tells of more places that they are needed, by two typings (`crossings`).
        """
        needed: list[int] = []
        chunk, looked, crossed = 1, 1, 1
        suspects: set[int] = set()  # the last places, if it is known that one of them is needed
        while left:
            chunk = min(chunk, len(left))
            fewer = left[:-chunk]
            if self._refused([*needed, *fewer]):
                kept = self._near(frozenset((*needed, *fewer)))
                nearer = [place for place in fewer if place in kept]
                left = nearer if len(nearer) < len(fewer) and self._refused([*needed, *nearer]) else fewer
                suspects.intersection_update(left)
                chunk = max(1, len(suspects) // 2) if suspects else 2 * chunk
            elif chunk > 1:
                suspects = set(left[-chunk:])
                chunk //= 2
            elif self._is_needed(left[-1], self._given.union((*needed, *fewer))):
                needed.append(left.pop())
                suspects.clear()
                if len(needed) == 1 and left:
                    first = self._said.crossings.first(left)
                    others = [place for place in left if place != first]
                    if not self._refused([*needed, *others]):
                        if self._said.is_unsure(self._given.union((*needed, *others))):
                            self._doubted[first] = None
                        needed.append(first)
                        left = others
                if len(needed) > looked:  # seldom, where it tells nothing
                    separating = self._said.separation.between([*needed, *left], needed)
                    looked = len(needed) + len(separating) if separating else len(needed) * 9 // 8
                    if len(needed) > crossed:
                        asked = [place for place in left if place not in separating]
                        separating |= self._said.crossed(self._given.union((*needed, *left)), asked)
                        crossed = (len(needed) + len(separating)) * 2
                    needed += [place for place in left if place in separating]
                    if not self._doubted.keys().isdisjoint(needed):
                        self._doubted.update(dict.fromkeys(sorted(separating)))
                    left = [place for place in left if place not in separating]
        return frozenset(needed)

    def _near(self, inconsistent: Part) -> dict[int, tuple[int, int]]:
        """Inconsistent places with how near they are to a demand that they refuse, the nearest first; others are left
        out. Of many that are as near, those come first where a type is written that few others have."""
        site = self._refused(inconsistent)[0]
        places = self._said.places
        distances = places.distances([id(site.expr)], inconsistent)
        as_near = Counter(distances.values())
        many = [place for place, distance in distances.items() if as_near[distance] > CLOSE[-1]]
        written = Counter(places.all[place].written for place in many)
        near = {place: (distance, 0) for place, distance in distances.items()}
        near.update((place, (distances[place], written[places.all[place].written])) for place in many)
        return dict(sorted(near.items(), key=lambda item: (item[1], item[0])))
