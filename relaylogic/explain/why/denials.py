"""Which sets of places do not force the type of an expression, as far as other typings tell.

Each set that forces it has one of the places that a world denies in which the expression has another type (`worlds`):
these are corrections, found without a question about open types. Where all sets with one place less lack a correction,
a set is minimal if it forces the type at all; where corrections cannot be hit by fewer places, it is smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from ..conflicts.hitting import disjoint, smallest_hitting
from ..places.atoms import WHOLE, Atoms
from ..places.place import Place
from ..places.said import Part
from .changes import MORE, OTHER_DTYPE, Change
from .worlds import World, Worlds

__all__ = ["Denials"]

MOST_AXES = 4
"""The extent is changed on so many axes at most."""

SMALL = 8
"""It is looked for a smallest set that hits all corrections where it has so many places at most."""


class Denials:
    """The corrections of what was asked, found for one place after the other; `differs` tells it of a world.

    `attributes` are the places of attributes.
    """

    def __init__(self, worlds: Worlds, differs: Callable[[World], bool], atoms: Atoms, attributes: Part) -> None:
        self._worlds = worlds
        self._attributes = attributes
        self._differs = differs
        asked = {atom[-1] for atom in atoms if atom != WHOLE}
        is_shaped = not asked or asked != {"dtype"}
        some = dict.fromkeys((*sorted([axis for axis in asked if type(axis) is int]), *range(MOST_AXES)))
        self._axes = (*islice(some, MOST_AXES), MORE) if is_shaped else ()
        extents = [Change(axis, worlds.rank if axis == MORE else 1) for axis in self._axes]
        dtype = [OTHER_DTYPE] if not asked or "dtype" in asked else []
        self._changes = [*dtype, *extents]  # no call that refuses another dtype is asked
        # A call that takes other dtypes besides is denied.
        self._later = [*extents[:-1], *dtype, *extents[-1:]]
        self.corrections: dict[Part, None] = {}
        self._at: dict[int, list[Part]] = {}  # the corrections that a place is one of
        self._count = self._disjoint = 0  # of corrections, and how many of them share no place
        self._hitting: Part | None = None  # a smallest set that hits these, once it is known
        # Places whose worlds were all looked at, with those of the others that these depend on.
        self._in_vain: set[tuple[int, Part]] = set()

    def deny(self, kept: Part) -> bool:
        """Whether a set of places lacks one of the corrections that are known: it does not force what was asked."""
        return any(map(kept.isdisjoint, self.corrections))

    def bears(self, place: Place) -> bool:
        """Whether what was asked is something else in the first world that is tried where a place, but of an attribute,
        says something else."""
        return any(self._take(world) for change in self._changes[:1] for world in self._worlds.changed(place, change))

    def need(self, place: Place, others: Part) -> bool:
        """Whether some places are known not to force what was asked without one more."""
        at = self._at.setdefault(place.index, [])
        if any(map(others.isdisjoint, at)):
            return True
        tried = (place.index, others & self._worlds.changeable)
        if tried in self._in_vain:
            return False
        if self._axes and place.kind == "annotation" and self._worlds.is_told(place, others):
            return False
        for world in self._tried(place, others):
            if self._take(world) and others.isdisjoint(world.denied):
                return True
        self._in_vain.add(tried)
        return False

    def learn(self, call: Any, result: Any, attributes: Iterable[str], kept: Part) -> None:
        """Look at what is so where some attributes of a call that are none of the places `kept` give another result."""
        for world in self._worlds.of_result(call, result, attributes, kept):
            self._take(world)

    def demand(self, places: Part) -> None:
        """Take it that some places are each needed."""
        for place in places:
            self._note(frozenset([place]))

    def begin(self) -> None:
        """Look at what is told of all at once."""
        if not self._axes:
            world = self._worlds.of_other_dtypes()
            if world is not None:
                self._take(world)

    def fewer(self, than: int) -> Part | None:
        """A set of fewer places that hits all corrections; None if there is none, or if that is not found out."""
        if than > SMALL or self._apart() >= than:
            return None
        if self._hitting is None:
            alone = self.indispensable()
            others = smallest_hitting([one for one in self.corrections if one.isdisjoint(alone)], [])
            self._hitting = None if others is None else alone | others
        return self._hitting if self._hitting is not None and len(self._hitting) < than else None

    def allow_fewer(self, than: int) -> bool:
        """Whether fewer places may hit all corrections, as far as that is found out."""
        return self._apart() < than and (than > SMALL or self.fewer(than) is not None)

    def _apart(self) -> int:
        """How many corrections share no place, of those that are known."""
        if self._count != len(self.corrections):
            self._count, self._disjoint, self._hitting = len(self.corrections), disjoint(list(self.corrections)), None
        return self._disjoint

    def indispensable(self) -> Part:
        """The places that are corrections on their own: each set that forces what was asked has them."""
        return frozenset(place for correction in self.corrections if len(correction) == 1 for place in correction)

    def _tried(self, place: Place, others: Part) -> Iterator[World]:
        """Worlds in which something else stands at a place, and what is not among others as well where that helps."""
        if place.kind == "attribute":
            yield from self._worlds.of_attribute(place)
            return
        fixed = others | {place.index}
        helped: list[int] = []  # axes whose change a call takes, or more may be changed with
        for change in self._later if self._worlds.is_taken_with(place, others) else self._changes:
            if change.axis == MORE:  # the last one
                if not self._attributes <= others:
                    for axis in helped:
                        for other in (Change(axis, -1), Change(axis, times=2), Change(axis, 1, 0)):
                            yield from self._worlds.changed(place, other, others)
                yield from self._worlds.changed(place, change)
                return
            is_free = self._worlds.is_free(place, others, change)
            may_help, is_taken = is_free, False
            for world in self._worlds.changed(place, change, others if is_free else None):
                yield world
                may_help = may_help or self._worlds.may_change_more(world, fixed, change)
                is_taken = is_taken or self._worlds.is_taken(world, place)
            if may_help and not is_free:
                yield from self._worlds.changed(place, change, others)
            if change.more > 0 and (may_help or is_taken):
                helped.append(change.axis)

    def _take(self, world: World) -> bool:
        if not self._differs(world):
            return False
        self._note(world.denied)
        return True

    def _note(self, correction: Part) -> None:
        if correction not in self.corrections:
            self.corrections[correction] = None
            for index in correction:
                self._at.setdefault(index, []).append(correction)
