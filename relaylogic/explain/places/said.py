"""What a program says with some of its places only.

A set of places is *consistent* if the program that says only what stands there (all else is a hole) is not refuted. An
attribute is said only where its call is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ...host.once import cached_property
from ...infer.checks.kinds import kind_problems
from ...infer.sites.relaxation import BRISK, PATIENT, Patience, Relaxation
from ...ir import IRModule, Op
from ...logic.states.unknown import has_unknown
from ...logic.terms.variables import fresh
from ...types import IncompleteType
from .answered import Answered
from .consistent import Consistent, generous
from .crossings import Crossings
from .places import Places
from .separation import Separation

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.site import Site

__all__ = ["Part", "Said", "exchanged_names"]

_Made = TypeVar("_Made")

Part = frozenset[int]
"""Places by their numbers."""


class Said:
    """What a program says with some of its places only; remembers which sets are consistent.

    `further` goes on behind what the inference refuses: what is refused there, by identity, is in `behind`. If it is to
    be `brief`, attributes of a long program are parts of their calls.
    """

    def __init__(
        self,
        inference: Inference,
        retry: Callable[[Relaxation], Inference],
        further: Inference | None = None,
        brief: bool = False,
    ) -> None:
        self.whole = inference
        self.further = further
        self.behind = frozenset(() if further is None else (site.identity for site in further.failed()))
        self._retry = retry
        self.places = Places(inference.module, brief)
        self._mends: dict[int, Any] = {}
        self._edits: dict[int, dict[str, Any]] = {}
        self._renamed: dict[int, int] = {}
        self._uncalled = bool(inference.failed())  # else nobody asks whether there is a type for what is open
        self.attributes: Part = frozenset(place.index for place in self.places if place.kind == "attribute")
        self._known: dict[Part, list[Site]] = {}
        # What is not known to be consistent, but was not found to be refused with that patience.
        self._unsure: dict[Part, Patience] = {}
        self._consistent = Consistent()
        self._generous: list[Part] = []  # shared with those that are like this one but for mends, as the next six
        self._gradual: list[bool] = []
        self._looked_at: list[int] = [0]
        self._made: dict[Any, Any] = {}
        self._separation: list[Separation] = []
        self._crossings: list[Crossings] = []
        self._answered: list[Answered] = []
        self._live: frozenset[int] | None = None  # the nodes that may be looked into, all if it is None
        self._last: list[Inference | None] = [None, None]  # that has refused something, and nothing
        self.told_apart = self.places.has_attributes
        self.questions = 0
        # What is refused though nothing is said has places of its own.
        while inference.failed():
            refused = self.refused(())
            if not refused:
                break
            demanded: set[Any] = set()
            for site in refused:
                if site.identity not in demanded:  # what is wrong in several ways is one place
                    self.places.of_demand(site)
                    demanded.add(site.identity)
            del self._nothing
            self._known.clear()
        self.all: Part = frozenset(range(len(self.places)))
        self._known[self.all] = _in_order(inference)

    def what_if(self, relaxation: Relaxation) -> Inference:
        """The inference of the program without what a relaxation leaves out."""
        inference = self._retry(relaxation)
        self._looked_at[0] += len(inference.driver.sites)
        return inference

    @property
    def cost(self) -> int:
        """How many demands all what-if inferences had, of those that are like this one but for mends, too."""
        return self._looked_at[0]

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

    def edited(self, index: int, given: dict[str, Any]) -> Said:
        """The same program with other attributes of a call, which is beyond doubt then: it is none of the places.

        Unlike one that is `mended` it has the type that these give it, whatever its arguments are.
        """
        other = self.opened([index])
        other._edits = {**self._edits, index: given}
        return other

    def renamed(self, both: tuple[Any, ...]) -> Said:
        """The same program in which two parameters have each other's names."""
        other = self.opened(())
        other._renamed = {**self._renamed, **exchanged_names(both)}
        return other

    def opened(self, without: Collection[int]) -> Said:
        """The same program without what it says at some places."""
        other = copy(self)
        other.all = self.all.difference(without, self.places.attributes(without))
        other._known, other._unsure, other._consistent = {}, {}, Consistent()
        return other

    def only(self, functions: Collection[str], part: Part, behind: frozenset[Any]) -> Said:
        """What some functions say, which nothing ties to the others: nobody looks into these.

        They have the places `part`; `behind` is refused behind them.
        """
        other = copy(self)
        other.all, other.behind = part, behind
        other._live = frozenset(id(node) for name in functions for node in self.places.nodes[name])
        other._known, other._unsure, other._consistent = {}, {}, Consistent()
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
        return bool(self.generous)

    @property
    def generous(self) -> Part:
        """The places without one of which more may be refused: see `consistent.generous`."""
        if not self._generous:
            self._generous.append(generous(self.places, self.whole))
        return self._generous[0]

    @property
    def _is_gradual(self) -> bool:
        """Whether there is a `?` in the program: it may stand where no number does, so that without it, more may be
        refused."""
        if not self._gradual:
            written = tuple(place.written for place in self.places)
            known = (self.whole,) if self.further is None else (self.whole, self.further)
            self._gradual.append(has_unknown(written) or any(inference.meets_unknown() for inference in known))
        return self._gradual[0]

    def of_module(self, make: Callable[[IRModule], _Made]) -> _Made:
        """What somebody makes of the module, once for all that are like this one."""
        if make not in self._made:
            self._made[make] = make(self.whole.module)
        made: _Made = self._made[make]
        return made

    @property
    def is_separated(self) -> bool:
        """Whether somebody has asked what ties the places together, which takes as long as finding them."""
        return bool(self._separation)

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
        if below is None or self._renamed or self._edits:
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
        if known is None and self._consistent.holds(key, self.generous):
            known = self._known[key] = []
        if known is None or self._unsure.get(key, patience) < patience:
            self._unsure.pop(key, None)
            inference = self._inferred_there(key, patience)
            known = self._known[key] = _in_order(inference)
            self._last[not known] = inference
            if not known and inference.is_cut():
                self._unsure[key] = patience
            elif not known and (inference.leaves_rows_open() or inference.gives_up()):
                self._unsure[key] = PATIENT  # more patience would not tell
            elif not known and not (self._is_gradual or inference.meets_unknown()):
                self._consistent.add(key, self.generous)
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

    def _inferred_there(self, kept: Part, patience: Patience) -> Inference:
        """The same, which looks only at what holds these places: what it refuses is there."""
        self.questions += 1
        relaxation = replace(self.looking_at(kept), patience=patience, refutes=True)
        if not (self._edits or self._renamed):
            if not self._answered:
                self._answered.append(Answered(self.places))
            relaxation = replace(relaxation, remembered=self._answered[0].about(kept, self._mends, self.told_apart))
        return self.what_if(relaxation)

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
        for index, given in self._edits.items():
            place = self.places.all[index]
            attrs[id(place.node)] = given
            silent.discard(id(place.node))
            owners.add(place.owner)
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
            live=self._live,
            mentions=None if self._live is None else self.places.mentions,
        )

    def looking_at(self, kept: Collection[int], *exprs: Any) -> Relaxation:
        """The same, where nobody looks into what holds none of these places, and none of some expressions."""
        live = self.places.above((*kept, *self._mends, *self._edits), *exprs)
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
