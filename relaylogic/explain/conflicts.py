"""Minimal conflicts and minimal corrections of a refuted program, all of them, as they are asked for.

A set of places is *consistent* if the program that says only what stands there (all else is a hole) is not refuted. A
*minimal conflict* is an inconsistent set of which every proper part is consistent; a *minimal correction* is a set
without which the rest is consistent, and no proper part of which is one. Corrections hit all conflicts.

Finding one conflict. The few places nearest to a refused demand are tried; then those that its refusal rests on
(`slicing`); then more around it, twice as many each time. Of what is inconsistent, places are left out, the farthest
first, more at once as long as that goes well (deletion; Marques-Silva, "Minimal unsatisfiability", 2010). What nothing
ties to the demand that is refused now goes with them.

Finding all. Corrections are the minimal sets that hit all conflicts (Reiter, "A theory of diagnosis from first
principles", 1987). A smallest set that hits the known conflicts and contains no known correction is asked for: if the
rest is consistent, it is a correction; if not, there is a further conflict in the rest. When there is no such set, all
conflicts and all corrections are known. (The scheme of MARCO, Liffiton et al., "Fast, flexible MUS enumeration",
2016, with minimal hitting sets in place of maximal models; so corrections come by their size.) A correction that is
known otherwise can be given before: where there are many faults, a smallest one takes all their conflicts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..infer.relaxation import Relaxation
from ..types import IncompleteType
from .hitting import smallest_hitting
from .places import Places
from .slicing import rests_on

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["Conflicts", "Said"]

Part = frozenset[int]
"""Places by their numbers."""

CLOSE = (8, 16, 32)
"""How many places around a refused demand are tried first: most conflicts are small."""


PATIENCE = 4
"""After how many places that seem not to be needed by all conflicts one conflict is looked at alone."""


class Said:
    """What a program says with some of its places only; remembers which sets are consistent."""

    def __init__(self, inference: Inference, retry: Callable[[Relaxation], Inference]) -> None:
        self.whole = inference
        self.what_if = retry
        self.places = Places(inference.module)
        self._holes: dict[int, Any] = {}
        self._spoken: dict[int, int] = {}
        for place in self.places:
            if place.kind in ("annotation", "result"):
                self._holes[id(place.node)] = IncompleteType()
        self._uncalled = any(site.state == "contradicted" for site in inference.failed())
        self._known: dict[Part, list[Site]] = {}
        self.questions = 0
        # What is refused though nothing is said has places of its own.
        while True:
            refused = self.refused(())
            if not refused:
                break
            for site in refused:
                self.places.of_demand(site)
            self._known.clear()
        self.all: Part = frozenset(range(len(self.places)))
        self._known[self.all] = _in_order(inference)

    def refused(self, kept: Collection[int]) -> list[Site]:
        """The demands that are refused where only the places in `kept` say something; none if these are consistent."""
        key = frozenset(kept)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _in_order(self.inferred(key))
        return known

    def inferred_once(self, kept: Part) -> Inference:
        """The inference where only some places say something; that of the whole program is known."""
        return self.whole if kept == self.all else self.inferred(kept)

    def inferred(self, kept: Collection[int]) -> Inference:
        """The inference where only the places in `kept` say something."""
        self.questions += 1
        return self.what_if(self.relaxation(kept))

    def relaxation(self, kept: Collection[int]) -> Relaxation:
        """What is left out so that only the places in `kept` say something."""
        holes = dict(self._holes)
        silent: set[int] = set()
        demands = set()
        owners = set()
        keep = kept if isinstance(kept, (set, frozenset)) else set(kept)
        for place in self.places:
            if place.index in keep:
                owners.add(place.owner)
                if place.kind in ("annotation", "result"):
                    holes.pop(id(place.node), None)
            elif place.demand is not None:
                demands.add(place.demand)
            elif place.kind not in ("annotation", "result"):
                silent.add(id(place.node))
        return Relaxation(holes, frozenset(demands), {}, frozenset(owners), silent, True, self._uncalled)


def _in_order(inference: Inference) -> list[Site]:
    """The refused demands, those of a function together: the order of functions in the text does not matter."""
    return sorted(inference.failed(), key=lambda site: site.owner)


class Conflicts:
    """The minimal conflicts and corrections among some places, found one after the other."""

    def __init__(self, said: Said, among: Iterable[int] | None = None) -> None:
        self.said = said
        self._all: Part = said.all if among is None else frozenset(among)
        self.conflicts: list[Part] = []
        self.corrections: list[Part] = []
        self._search = self._found()

    def begin_with(self, hitting: Part) -> None:
        """Let the first correction be among some places, if the rest is consistent without them."""
        if self.corrections or self.said.refused(self._all - hitting):
            return
        for place in sorted(hitting):
            fewer = hitting - {place}
            if not self.said.refused(self._all - fewer):
                hitting = fewer
        self.corrections.append(hitting)

    def each_conflict(self) -> Iterator[Part]:
        """All minimal conflicts."""
        return self._each(self.conflicts)

    def each_correction(self) -> Iterator[Part]:
        """All minimal corrections, small ones first (but for that of `begin_with`)."""
        return self._each(self.corrections)

    def _each(self, found: list[Part]) -> Iterator[Part]:
        given = 0
        while True:
            while given < len(found):
                yield found[given]
                given += 1
            if next(self._search, None) is None:
                return

    def _found(self) -> Iterator[Part]:
        """Search, pausing at each find."""
        if not self.said.refused(self._all):
            return
        while True:
            hitting = smallest_hitting(self.conflicts, self.corrections)
            if hitting is None:
                return
            rest = self._all - hitting
            if self.said.refused(rest):
                self.conflicts.append(self.minimal(rest))
                yield self.conflicts[-1]
            else:
                self.corrections.append(hitting)
                yield hitting

    def minimal(self, inconsistent: Part) -> Part:
        """A minimal conflict among inconsistent places."""
        said = self.said
        order = self._near(inconsistent)
        for size in CLOSE:
            if size < len(order) and said.refused(order[:size]):
                return self._deleted(order[:size], [])
        refused = said.refused(inconsistent)
        rests = inconsistent & rests_on(refused[0], said.inferred_once(inconsistent), said.places)
        if not said.refused(rests):
            return self._deleted(self._nearby(order, inconsistent), [])
        # What the program cannot do without is needed by each of its conflicts; of others, the calls are left out.
        others = {place for site in refused[1:] for place in said.places.at(site.expr)}
        context = inconsistent - (others - rests)
        needed: list[int] = []
        nearness = {place: i for i, place in enumerate(order)}
        for tried, place in enumerate(sorted(rests, key=lambda place: nearness.get(place, len(order)))):
            if not said.refused(context - {place}):
                needed.append(place)
            elif tried >= 2 * (len(needed) + PATIENCE):
                break
        if len(needed) == len(rests):
            return rests
        left = sorted(rests.difference(needed), key=lambda place: nearness.get(place, len(order)))
        return self._deleted(left, needed)

    def _nearby(self, order: list[int], inconsistent: Part) -> list[int]:
        """The first of some places, as many as are inconsistent."""
        size = 2 * CLOSE[-1]
        while size < len(order):
            if self.said.refused(order[:size]):
                return order[:size]
            size *= 2
        return order if self.said.refused(order) else [*order, *sorted(inconsistent.difference(order))]

    def _deleted(self, left: list[int], needed: list[int]) -> Part:
        """A minimal conflict that has the places `needed`, which all conflicts have, and some that are left."""
        said = self.said
        if needed and said.refused(needed):
            return frozenset(needed)
        chunk = 1
        while left:
            fewer = left[: -min(chunk, len(left))]
            if said.refused([*needed, *fewer]):
                kept = set(self._near(frozenset((*needed, *fewer))))
                nearer = [place for place in fewer if place in kept]
                left = nearer if len(nearer) < len(fewer) and said.refused([*needed, *nearer]) else fewer
                chunk *= 2
            elif chunk == 1:
                needed = [*needed, left.pop()]
            else:
                chunk = 1
        return frozenset(needed)

    def _near(self, inconsistent: Part) -> list[int]:
        """Inconsistent places by their distance from a demand that they refuse; others are left out."""
        site = self.said.refused(inconsistent)[0]
        distances = self.said.places.distances([id(site.expr)], inconsistent)
        return sorted(distances, key=lambda place: (distances[place], place))
