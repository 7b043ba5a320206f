"""Minimal conflicts and minimal corrections of a refuted program, all of them, as they are asked for.

A set of places is *consistent* if the program that says only what stands there (all else is a hole) is not refuted. A
*minimal conflict* is an inconsistent set of which every proper part is consistent; a *minimal correction* is a set
without which the rest is consistent, and no proper part of which is one. Corrections hit all conflicts. An attribute
is said only where its call is.

Finding one conflict. The few places nearest to a refused demand are tried; then those that its refusal rests on
(`slicing`); then more around it, twice as many each time. Of what is inconsistent, places are left out, the farthest
first, twice as many at once where that goes well and half as many where not (deletion; Marques-Silva, "Minimal
unsatisfiability", 2010). Of what the refusal rests on, most is needed; there the nearest come first: what is behind
them stays known, which is solved faster. What nothing ties to the demand that is refused now goes with them. Attributes
stay with their calls until no whole place can be left out; then those are left open that do not matter. (What could not
be left out before cannot be left out then.)

Finding all. Corrections are the minimal sets that hit all conflicts (Reiter, "A theory of diagnosis from first
principles", 1987). A smallest set that hits the known conflicts and contains no known correction is asked for: if the
rest is consistent, it is a correction; if not, there is a further conflict in the rest. When there is no such set, all
conflicts and all corrections are known. (The scheme of MARCO, Liffiton et al., "Fast, flexible MUS enumeration",
2016, with minimal hitting sets in place of maximal models; so corrections come by their size.) Where there are many
faults, a smallest correction takes all their conflicts; one among places that are known otherwise takes none
(`corrected`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..infer.kinds import kind_problems
from ..infer.relaxation import BRISK, PATIENT, Patience, Relaxation
from ..ir import Function, Op
from ..logic.variables import fresh
from ..once import cached_property
from ..types import FuncType, IncompleteType
from ..uncollected import uncollected
from .crossings import Crossings
from .hitting import smallest_hitting
from .places import Places
from .separation import Separation
from .slicing import rests_on

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["Conflicts", "Said", "exchanged_names"]

Part = frozenset[int]
"""Places by their numbers."""

CLOSE = (8, 16, 32)
"""How many places around a refused demand are tried first, if others are not just as near: most conflicts are small."""

MANY = 24
"""If the first conflict has more attributes, they are not told apart from their calls: each takes an inference."""

OPENED = 64
"""Nor if more attributes have to be left open for that, counted in all questions together: one takes about 8 ms."""

DOUBTED = 8
"""It is looked twice whether the first conflict can do without a place, until so many attributes were left open for
that, counted in all questions together: half a second is soon gone where one call has many."""


class Said:
    """What a program says with some of its places only; remembers which sets are consistent.

    `further` goes on behind what the inference refuses: what is refused there, by identity, is in `behind`.
    """

    def __init__(
        self, inference: Inference, retry: Callable[[Relaxation], Inference], further: Inference | None = None
    ) -> None:
        self.whole = inference
        self.further = further
        self.behind = frozenset(() if further is None else (site.identity for site in further.failed()))
        self.what_if = retry
        self.places = Places(inference.module)
        self._mends: dict[int, Any] = {}
        self._renamed: dict[int, int] = {}
        self._uncalled = bool(inference.failed())  # else nobody asks whether there is a type for what is open
        self.attributes: Part = frozenset(place.index for place in self.places if place.kind == "attribute")
        self._known: dict[Part, list[Site]] = {}
        # What is not known to be consistent, but was not found to be refused with that patience.
        self._unsure: dict[Part, Patience] = {}
        self._generous: list[bool] = []  # shared with those that are like this one but for mends, as the next
        self._separation: list[Separation] = []
        self._crossings: list[Crossings] = []
        self._last: list[Inference | None] = [None, None]  # that has refused something, and nothing
        self.told_apart = True
        self.questions = 0
        # What is refused though nothing is said has places of its own.
        while inference.failed():
            refused = self.refused(())
            if not refused:
                break
            for site in refused:
                self.places.of_demand(site)
            del self._nothing
            self._known.clear()
        self.all: Part = frozenset(range(len(self.places)))
        self._known[self.all] = _in_order(inference)

    def mended(
        self, index: int, type_: Any, beside: Iterable[tuple[int, Any]] = (), renamed: tuple[Any, ...] = ()
    ) -> Said:
        """The same program with another type at a place, which is beyond doubt then: it is none of the places.

        What is used where a type is wanted has that one then, and says nothing. So are the places `beside`, each with
        its type, or None if it says nothing; and the parameters that are `renamed` have each other's names then.
        """
        mends = dict([*beside, (index, type_)])
        other = self.opened(mends)
        known = {i: known for i, known in mends.items() if known is not None and not self.places.all[i].is_use}
        if known:
            other._mends = {**self._mends, **known}
        return other.renamed(renamed) if renamed else other

    def renamed(self, both: tuple[Any, ...]) -> Said:
        """The same program in which two parameters have each other's names."""
        other = self.opened(())
        other._renamed = {**self._renamed, **exchanged_names(both)}
        return other

    def opened(self, without: Collection[int]) -> Said:
        """The same program without what it says at some places."""
        other = copy(self)
        other.all = self.all.difference(without, self.places.attributes(without))
        other._known, other._unsure = {}, {}
        return other

    @cached_property
    def _holes(self) -> dict[int, Any]:
        """What stands for the types that are written, by the identity of what they are written at."""
        return {id(place.node): IncompleteType() for place in self.places if place.kind in ("annotation", "result")}

    @cached_property
    def _sound(self) -> set[int]:
        """Where the types that are written are well-kinded."""
        found: set[int] = set()
        is_sound: dict[int, bool] = {}  # of types: most are written many times
        for place in self.places:
            if place.kind in ("annotation", "result"):
                written = place.written
                if id(written) not in is_sound:
                    is_sound[id(written)] = not kind_problems(written, self.whole.module)
                if is_sound[id(written)]:
                    found.add(id(place.node))
        return found

    def makes_sense(self, node: Any) -> bool:
        """Whether the annotation of a variable, or of the result of a function, is well-kinded."""
        return id(node) in self._sound

    @property
    def is_generous(self) -> bool:
        """Whether some function is annotated with type parameters, or something polymorphic has a second name."""
        if not self._generous:
            nodes = (node for nodes in self.places.nodes.values() for node in nodes)
            bound = (self.whole.type_of(place.node) for place in self.places if place.binds is not None)
            self._generous.append(
                any(isinstance(node, Function) and node.type_params for node in nodes)
                or any(isinstance(type_, FuncType) and type_.type_params for type_ in bound)
            )
        return self._generous[0]

    @property
    def separation(self) -> Separation:
        """What ties the places together."""
        if not self._separation:
            self._separation.append(Separation(self.places))
        return self._separation[0]

    @property
    def crossings(self) -> Crossings:
        """What is tied in functions, to tell what is needed by two typings."""
        if not self._crossings:
            self._crossings.append(Crossings(self.places))
        return self._crossings[0]

    def crossed(self, conflict: Collection[int], asked: Collection[int]) -> set[int]:
        """Those of the `asked` places of an inconsistent set that are told to be needed by the last inferences: one
        that has refused something, and one that has not."""
        above, below = self._last
        if below is None or self._renamed:
            return set()
        known = (self.whole,) if above is None else (above, self.whole)
        return self.crossings.needed(conflict, asked, known, below, self._mends)

    def bundle(self) -> None:
        """From now on, attributes are parts of their calls, and no places of their own."""
        self.told_apart = False
        self.all -= self.attributes
        known = self._known.items()
        sure = ((k, v) for k, v in known if k not in self._unsure and k.issuperset(self.places.attributes(k)))
        self._known, self._unsure = {k - self.attributes: v for k, v in sure}, {}

    def refused(self, kept: Collection[int], patience: Patience = BRISK) -> list[Site]:
        """The demands that are refused where only the places in `kept` say something; none if these are consistent.

        Nor if it is not found out, which is rare where calls have attributes, or there is more `patience`.
        """
        key = self.saying(kept)
        known = self._known.get(key)
        if known is None or self._unsure.get(key, patience) < patience:
            self._unsure.pop(key, None)
            inference = self._looked_at(key, patience)
            known = self._known[key] = _in_order(inference)
            self._last[not known] = inference
            if not known and inference.is_cut():
                self._unsure[key] = patience
            elif not known and inference.leaves_rows_open():
                self._unsure[key] = PATIENT  # more patience would not tell
        return known

    def saying(self, kept: Collection[int]) -> Part:
        """Those of some places that say something: attributes do not without their calls."""
        key = frozenset(kept)
        if key & self.attributes:
            key = (key - self.attributes) | key.intersection(self.places.attributes(key) if self.told_apart else ())
        return key

    def is_unsure(self, kept: Collection[int]) -> bool:
        """Whether it is not sure that some places are consistent, though they are not found to be refused."""
        return self.saying(kept) in self._unsure

    def inferred_once(self, kept: Part) -> Inference:
        """The inference where only some places say something; that of the whole program is known."""
        return self.whole if self.all <= kept and len(self.all) == len(self.places) else self.inferred(kept)

    def inferred(self, kept: Collection[int]) -> Inference:
        """The inference where only the places in `kept` say something."""
        self.questions += 1
        return self.what_if(self.relaxation(kept))

    def _looked_at(self, kept: Part, patience: Patience) -> Inference:
        """The same, which looks only at what holds these places: what it refuses is there."""
        self.questions += 1
        return self.what_if(replace(self.looking_at(kept), patience=patience))

    @cached_property
    def generalised(self) -> list[int]:
        """The bodies of the functions that are called, or stand within others: these are generalised."""
        functions = self.whole.module.functions
        found = [functions[variable] for variable in self.places.mentions if variable in functions]
        found += [place.node for place in self.places if place.kind == "function"]
        return [id(function.body) for function in found]

    @cached_property
    def _nothing(self) -> tuple[dict[Any, Part], set[int], set[int]]:
        """The demands with the places that make them, what is silent and what is unbound where nothing is said."""
        demands: dict[Any, Part] = {}
        silent, unbound = set(), set()
        for place in self.places:
            if place.demand is not None:
                demands[place.demand] = demands.get(place.demand, frozenset()) | {place.index}
            elif place.binds is not None:
                unbound.add(id(place.binds))
            elif place.kind not in ("annotation", "result", "attribute"):
                silent.add(id(place.node))
        return demands, silent, unbound

    def relaxation(self, kept: Collection[int]) -> Relaxation:
        """What is left out so that only the places in `kept` say something."""
        keep = kept if isinstance(kept, (set, frozenset)) else set(kept)
        holes, nothing = dict(self._holes), self._nothing
        demands, silent, unbound = dict(nothing[0]), set(nothing[1]), set(nothing[2])
        owners = set()
        attrs: dict[int, dict[str, Any]] = {}
        for index in keep:
            place = self.places.all[index]
            if place.kind == "attribute":
                continue
            owners.add(place.owner)
            if place.kind in ("annotation", "result"):
                holes.pop(id(place.node), None)
            elif place.demand is not None:
                if demands.get(place.demand, keep) <= keep:
                    demands.pop(place.demand, None)
            elif place.binds is not None:
                unbound.discard(id(place.binds))
            else:
                silent.discard(id(place.node))
                for own in self.places.attributes([index]) if self.told_apart else ():
                    if own not in keep:
                        attribute = self.places.all[own].attribute
                        attrs.setdefault(id(place.node), dict(place.node.given))[attribute] = fresh()
        for index, type_ in self._mends.items():
            node = self.places.all[index].node
            holes[id(node)] = type_
            silent.discard(id(node))
            owners.add(self.places.all[index].owner)
        return Relaxation(
            holes,
            frozenset(demands),
            attrs,
            frozenset(owners),
            silent,
            True,
            self._uncalled,
            self.whole.driver.settled_none,
            self._sound,
            unbound,
            renamed=self._renamed,
        )

    def looking_at(self, kept: Collection[int], *exprs: Any) -> Relaxation:
        """The same, where nobody looks into what holds none of these places, and none of some expressions."""
        live = self.places.above((*kept, *self._mends), *exprs)
        return replace(self.relaxation(kept), live=live, mentions=self.places.mentions)

    def supposing(self, kept: Part, without: Part = frozenset()) -> Relaxation:
        """What is left out to see what the places `kept` need of those in `without`.

        Other calls, which are taken as wrong, have the results that they would have if they were right.
        """
        found = self.relaxation(kept - without)
        holes, silent = dict(found.holes), set(found.silent)
        for index in self.all - kept - without:
            call = self.places.all[index]
            known = None
            if call.kind == "call" and type(call.node.op) is Op and self.further is not None:
                known = self.further.type_of(call.node)
            if known is not None:
                holes[id(call.node)] = known
                silent.discard(id(call.node))
        return replace(found, holes=holes, silent=silent, omitted=False)


def exchanged_names(renamed: tuple[Any, ...]) -> dict[int, int]:
    """Of two parameters whose names are exchanged, the identity of each with that of the other; of none, nothing."""
    return dict(zip(map(id, renamed), map(id, reversed(renamed)), strict=True))


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
        self._doubts = DOUBTED
        self._doubted: set[int] = set()  # those of the places that are kept of which it is not sure that they must be

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
            if not self._finds_another():
                return

    def _finds_another(self) -> bool:
        """Whether there is another conflict or correction, which is found. What a limit stops is looked for again."""
        if not self.conflicts:
            return self._finds_first()
        hitting = smallest_hitting(self.conflicts, self.corrections)
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
        with uncollected():  # else it collects after each of many inferences
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
            self._doubted.add(place)
        return True

    def _surely_needed(self, conflict: Part, given: Part = frozenset()) -> Part:
        """A conflict without the places that it does not need, of which that was not sure when it was larger.

        Beside fewer places, there is less to be asked about before a limit is reached.
        """
        looked: Part | None = None
        while conflict is not looked:
            looked = conflict
            for place in sorted(self._doubted & conflict):
                if self.said.refused(given.union(conflict) - {place}):
                    conflict = self.said.saying(conflict - {place})
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
        found = _Wholes(self.said, attributes, self._doubted, self._is_needed).minimal(inconsistent - attributes)
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


class _Wholes:
    """The search for a conflict of whole places; calls that are said have the attributes that are `given`.

    `is_needed` is asked where a place is found to be needed beside others; of those in `doubted` it is not sure.
    """

    def __init__(
        self, said: Said, given: Part, doubted: set[int], is_needed: Callable[[int, Collection[int]], bool]
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
        rests = inconsistent & rests_on(refused[0], said.inferred_once(inconsistent | self._given), said.places)
        if not self._refused(rests):
            return self._deleted(self._nearby(order, inconsistent))
        return self._deleted(sorted(rests.difference(order)) + [place for place in reversed(order) if place in rests])

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
        while left:
            fewer = left[: -min(chunk, len(left))]
            if self._refused([*needed, *fewer]):
                kept = self._near(frozenset((*needed, *fewer)))
                nearer = [place for place in fewer if place in kept]
                left = nearer if len(nearer) < len(fewer) and self._refused([*needed, *nearer]) else fewer
                chunk *= 2
            elif chunk > 1:
                chunk //= 2
            elif self._is_needed(left[-1], self._given.union((*needed, *fewer))):
                needed.append(left.pop())
                if len(needed) == 1 and left:
                    first = self._said.crossings.first(left)
                    others = [place for place in left if place != first]
                    if not self._refused([*needed, *others]):
                        if self._said.is_unsure(self._given.union((*needed, *others))):
                            self._doubted.add(first)
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
                    if not self._doubted.isdisjoint(needed):
                        self._doubted |= separating
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
