"""What forces a type: sets of places that give an expression its type, whatever stands in the rest of the program.

A set of places *forces* some atoms of the type of an expression if the program that says only what stands there (all
else is a hole) gives it these atoms. It is *minimal* if none of its places can be left out, and *smallest* if no set
with fewer places forces them.

Finding one. In a long program, a dtype is followed to what states it (`dtype_ways`). In a short program, it is looked
at what other types the rest allows where a place says something else (`denials`): what nothing needs that is found so
is left out (`dispensing`), and a question tells whether what is left forces the atoms. If not, or in other programs,
the places that the atoms seem to come from (`sources`) are tried; before that, in a program that is long or refuted,
those that a function is declared with, all that are below the expression. Where these are many, a few places around it
are tried if that takes a small part of the work. In a long one with functions that are called or stand within another,
it is what the atoms seem to come from, as far as that is known without a record, or a few places around the expression,
or all. If those of other programs do not suffice, more around it are tried, twice as many each time. Places are left
out, the farthest first, more at once as long as that goes well. A smallest set hits all *corrections* (sets without
which the rest does not force the atoms): a smallest set that hits the known ones is tried; if it does not force them,
there is one more correction that it does not hit (implicit hitting sets; Ignatiev et al., "Smallest MUS extraction with
minimal hitting set dualization", 2015). There, the set would be grown as far as it still does not force them, which
takes many questions, most of them about much of the program. Here, none is asked: what is tied to the expression by the
places of the set alone is a correction (`separation`), if a larger one.

Whether a set forces the atoms is asked of an inference with a relaxation. Where only calls of operators, tuples,
projections, constants and annotations can bear on the expression, only the sites that are tied to it are solved, on
their own (`alone`): that comes to the same, and takes as long as there are such sites.

All that is paid for in sites solved (`work`), which bounds what is found out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..host.once import cached_property
from ..infer.places import tail
from ..ir import Function, structural_equal
from ..ir import Var as LocalVar
from ..logic.terms import is_ground
from ..types import FuncType
from .alone import Alone
from .atoms import Atoms, atoms_of, has
from .denials import Denials
from .dispensing import Dispensing
from .hitting import smallest_hitting
from .questions import Asked, Otherwise
from .said import Part, Said
from .work import NODES, OPEN, Spent, Work

if TYPE_CHECKING:
    from ..infer.program import Inference
    from .worlds import World, Worlds

__all__ = ["Forced", "Forcing"]

FEW = 32
"""Among so many places, at most, a smallest set is looked for,"""

SMALL = 8
"""and where a minimal one has so many at most."""

FEW_AROUND = (4, 16, 64)
"""In a long program with functions, so many places around an expression are tried first."""

A_FUNCTION = 8
"""A function that is called, or that stands within another, is generalised in the time of so many sites where places
are left out."""

A_CONDITION = 100
"""So many sites are solved in the time that it takes to see that a condition of a generalised function can hold."""

FEW_NEAR = (4, 8, 16)
"""In another one, so many are tried where many more are known to be enough."""

A_NEAR = 80
"""They are tried only with so much work left for each."""

MOST = 2
"""Of a long program, it is not asked whether more than half of the places suffice: few of them could be left out."""

PARTED = 8
"""What separates so many places from the expression is found out in the time of one site."""

SEPARATED = 4
"""Of fewer places, it is not found out first which ones separate others from the expression, and are needed too."""

MOST_OPEN = 2
"""Where calls leave more attributes open, it is asked first about the places with these."""

FEW_NEEDED = 3
"""Of a minimal set of more places, it is asked first which ones each set that forces the atoms has."""

FEW_BEGINNINGS = 2
"""Where `?` begins at more places, other typings are not looked at: whether each of these is needed is asked first."""

LOOKED = 600
"""A set of fewer places than a minimal one is looked for in the time of so many sites; a single one in any time."""

A_PLACE = 8
"""Leaving out one place after the other is begun only with this for each."""

_OVERHEAD = 10
"""So many sites take as long to be solved as an inference of nothing."""


class Forced(NamedTuple):
    """A set of places that forces what was asked about; `minimal` and `smallest` say what is known of it."""

    places: Part
    minimal: bool
    smallest: bool


class Forcing:
    """The sets of places that force some atoms of `known`, the type of `expr`, which is in the function `owner`.

    `is_whole` says that these are all its atoms, `thorough` that a smallest set is looked for among all places.
    """

    def __init__(
        self,
        said: Said,
        expr: Any,
        owner: str,
        known: Any,
        atoms: Atoms,
        is_whole: bool,
        thorough: bool,
        work: Work,
        alone: Alone | None,
    ) -> None:
        self._said = said
        self._expr = expr
        self._owner = owner
        self._type = known
        self._atoms = atoms
        self._is_whole = is_whole
        self._asks_dtype = all(atom[-1:] == ("dtype",) for atom in atoms)
        self._thorough = thorough
        self._work = work
        self._answers: dict[Part, bool] = {}
        self._doubted: set[Part] = set()  # those that do not force them, as far as the call that is asked about says
        self._prices: list[int] = []  # what the questions took that were asked of an inference
        self._hope_helps = False  # whether something was found out without all answers of calls with open attributes
        self._indispensable: Part = frozenset()
        self._uncalled = False
        self._denials: Denials | None = None
        self._least: Part = frozenset()  # a minimal set, once it is known
        self._alone = None if alone is None else Asked(alone, expr, work)

    def found(self, likely: Callable[[int, bool], Iterable[int]]) -> Forced:
        """A set that forces the atoms, where `likely` seems to be one; as small as the budget allows.

        `likely` is told how many places are too many: where it has more, it may give any of them; and whether it may
        record an inference for it, without which it may find none.

        All of a type is mostly forced by what is below the expression.
        """
        if self._needs_nothing():
            return Forced(frozenset(), True, True)
        found = self._written() or self._by_way() or self._by_denials()
        if found is not None:
            return found
        is_traced = not self._said.places.is_long and not self._said.whole.failed()  # soon, without a record
        enough = self._below() if self._is_whole and not is_traced else None
        is_brief = self._said.places.is_long and not self._thorough
        most = len(self._said.all) // MOST if is_brief else len(self._said.places)
        generalises = self._said.places.is_long and bool(self._said.generalised)
        if enough is None and generalises:
            enough = self._soon(likely) or self._around()
        if enough is not None:
            left = self._ordered(enough)
        else:
            try:
                if is_brief and generalises:  # a record of functions takes as long as all that they took
                    raise Spent
                self._work.check()
                enough = self._enough(self._said.all.intersection(likely(most, True)), most)
            except Spent:
                enough = self._below()
                if enough is None:
                    return Forced(self._said.all, False, False)
            near = self._fewer_near(len(enough)) if is_brief else None
            left = self._those_tied(enough) if near is None else self._ordered(near)
            enough = enough if near is None else near
        least, is_minimal = self._minimal(enough, left)
        if not is_minimal:
            return Forced(least, False, False)
        return self._smallest(least)

    def _written(self) -> Forced | None:
        """The annotation of the expression, if it is a variable and that says the atoms: nothing says less."""
        if self._alone is None or type(self._expr) is not LocalVar or self._expr.type_annotation is None:
            return None
        (annotation,) = (i for i in self._said.places.at(self._expr) if self._said.places.all[i].kind == "annotation")
        alone = frozenset([annotation])
        return Forced(alone, True, True) if self._known_to_force(alone) else None

    def _by_way(self) -> Forced | None:
        """The way to what states a dtype, in a long program; None if there is none, or if that is not asked for."""
        if not self._said.places.is_long or self._alone is None or self._said.whole.failed() or len(self._atoms) != 1:
            return None
        (atom,) = self._atoms
        if atom[-1:] != ("dtype",) or any(step != "fields" for step in atom[:-1:2]):
            return None
        try:
            way = self._alone.way_of_dtype(atom[1:-1:2], self._said.all)
        except Spent:
            return None
        if way is None or not way.is_minimal:
            return None
        if not self._thorough and self._work.left < OPEN:  # a question about fewer places takes longer
            return Forced(way.places, True, len(way.places) == 1)
        return self._smallest(way.places)

    def _by_denials(self) -> Forced | None:
        """A minimal set of a short program that is found by looking at other typings; None if these do not tell.

        One question is asked, whether it forces the atoms.
        """
        if self._alone is None or self._said.places.is_long or self._said.whole.failed():
            return None
        alone = self._alone
        worlds = alone.worlds(self._said.all) if self._work.left > 0 else None
        if worlds is None or not self._needs_all(alone.beginnings(self._said.all)):
            return None
        denials = self._denials = Denials(
            worlds,
            lambda world: self._differs(alone, worlds, world),
            self._atoms,
            self._said.attributes,
        )
        denials.demand(alone.comes_to(self._atoms))
        # What is below mostly forces the type: that is not asked before some of it is found to do so.
        below = None if type(self._expr) is LocalVar else next(map(self._said.all.intersection, alone.below()))
        try:
            found = None if below is None else self._dispensed(below, denials)
            if found is None:
                enough = self._below() or self._all_tied()
                if enough is None:
                    self._denials = None
                elif enough != below:
                    found = self._dispensed(enough, denials)
        except Spent:
            return None
        return found

    def _needs_all(self, few: Part) -> bool:
        """Whether some places, if they are few, are needed by each set that forces the atoms."""
        if len(few) > FEW_BEGINNINGS:
            return False
        try:
            if any(self.forces(self._said.all - {place}) for place in few):
                return False
        except Spent:
            return False
        self._indispensable |= few
        return True

    def _dispensed(self, enough: Part, denials: Denials) -> Forced | None:
        """What is left of places that should force the atoms without those that other typings do not need."""
        left = Dispensing(self._said.places, denials, self._expr, enough, self._may_matter, self._is_whole)
        tried: list[Part] = []
        for kept in left.likely(self._said.all):
            if self._hopefully_forces(kept):
                return self._smallest(kept)
            tried.append(kept)
        if not tried:
            return None
        last = tried[-1]
        if not (self._asks_dtype or last in self._doubted or self._is_wide(last)) and self.forces(last):
            return self._smallest(last)
        return self._with_more(tried[0], left.annotations)

    def _differs(self, alone: Asked, worlds: Worlds, world: World) -> bool:
        """Whether the expression does not have the atoms in a world: of a whole type, each change takes some away."""
        if not alone.touches(world):
            return False
        return self._is_whole or not self._has(alone.type_in(worlds, world, self._said.all))

    def _with_more(self, kept: Part, annotations: Part) -> Forced | None:
        """A minimal set of some places and more; None if it is not found.

        What an inference cannot conclude may be so in all typings: then annotations help it, or attributes.
        """
        attributes = frozenset(self._said.places.attributes(kept))
        for others in (annotations.union(attributes),) if self._is_wide(kept) else (annotations, attributes):
            more = self._said.saying(kept.union(others))
            if more != kept and (self._hopefully_forces(more) or (not self._asks_dtype and self.forces(more))):
                least, is_minimal = self._minimal(more, [*self._ordered(kept), *self._ordered(more - kept)])
                return self._smallest(least) if is_minimal else Forced(least, False, False)
        return None

    def _all_tied(self) -> Part | None:
        """All places that are tied to the expression, if they are known to force the atoms."""
        return self._said.all if self._known_to_force(self._said.all) else None

    def _may_matter(self, place: int) -> bool:
        return self._said.places.all[place].kind != "attribute" or self._may_bear(place)

    @cached_property
    def _asks_type(self) -> bool:
        """Whether the whole type of the expression is asked for: of a function, that is its result."""
        result = self._type.ret_type if type(self._type) is FuncType else None
        return self._is_whole or self._atoms == {("result", *atom) for atom in atoms_of(result)}

    def _needs_nothing(self) -> bool:
        """Whether no place at all is needed, where that is known without an inference."""
        if self._alone is None or any(atom[-1:] == ("dtype",) for atom in self._atoms):  # some place states a dtype
            return False
        return self._known_to_force(frozenset())

    def _known_to_force(self, kept: Part) -> bool:
        """Whether a set of places forces the atoms, where that is known without an inference."""
        with self._work.owed():
            type_ = None if self._alone is None else self._alone.type_with(kept)
        if type_ is None:
            return False
        self._answers[kept] = self._has(type_)
        return self._answers[kept]

    def forces(self, kept: Part) -> bool:
        """Whether a set of places forces the atoms. Raises Spent."""
        kept = self._said.saying(kept)
        found = self._answers.get(kept)
        if found is None and self._is_denied(kept):
            found = False
        if found is None and self._hope_helps:
            found = self._hopefully(kept)
        return self._exactly(kept) if found is None else found

    def _is_denied(self, kept: Part) -> bool:
        """Whether another typing tells that some places do not force the atoms. Raises Spent."""
        denials, places = self._denials, self._said.places.all
        if denials is None:
            return False
        missing = sorted(self._least - kept)
        return denials.deny(kept) or any(denials.need(places[place], kept) for place in missing)

    def _exactly(self, kept: Part) -> bool:
        self._work.check()
        before = self._work.left
        found = self._answers[kept] = self._found(kept)
        self._prices.append(before - self._work.left)
        return found

    def _hopefully_forces(self, kept: Part) -> bool:
        """Whether some places force the atoms, where that is found out without all answers of calls with open
        attributes. Raises Spent."""
        kept = self._said.saying(kept)
        found = self._answers.get(kept)
        if found is None:
            found = self._hopefully(kept)
        if found is None:
            is_asked = not (self._asks_dtype or self._asks_type or kept in self._doubted or self._is_wide(kept))
            found = is_asked and self._exactly(kept)
        return found

    def _is_wide(self, kept: Part) -> bool:
        """Whether calls leave so many attributes open that several atoms are mostly not known of them, after long."""
        opened = self._said.all.intersection(self._said.places.attributes(kept)) - kept
        return len(self._atoms) > 1 and len(opened) > MOST_OPEN

    def _hopefully(self, kept: Part) -> bool | None:
        """`forces` without all answers of calls with open attributes; None if that does not tell. Raises Spent."""
        if self._alone is None:
            return None
        self._work.check()
        type_, is_sure, other = self._alone.hopes_for(kept, self._asks_dtype)
        if other is not None and self._is_otherwise(other, kept):
            return False
        if not is_sure and not self._has(type_):
            return None
        self._hope_helps = self._hope_helps or not is_sure
        found = self._answers[kept] = self._has(type_)
        return found

    def _is_otherwise(self, other: Otherwise, kept: Part) -> bool:
        """Whether another result of a call tells that some places do not force the atoms. Raises Spent."""
        denials = self._denials
        if denials is not None and other.attributes:
            denials.learn(*other, kept)
            if denials.deny(kept):
                return True
        if other.call is self._expr and not self._has(other.result):
            self._doubted.add(kept)
        return False

    def _found(self, kept: Part) -> bool:
        type_ = None if self._alone is None else self._alone.type_with(kept)
        if type_ is None:
            relaxation = self._said.looking_at(kept, self._expr)
            owners = frozenset((*(relaxation.functions or ()), self._owner))
            uncalled = relaxation.uncalled or self._uncalled
            relaxation = replace(relaxation, functions=owners, uncalled=uncalled)
            inference = self._said.what_if(relaxation)
            type_ = inference.type_of(self._expr)
            self._work.pay(self._price(inference))
            self._work.asked(inference.driver.sites)
        return self._has(type_)

    def _price(self, inference: Inference) -> int:
        """So many sites are solved in the time of an inference, but for what is asked by its sites."""
        met, driver = inference.generator.types, inference.driver
        tried = sum([site.attempts for site in driver.sites])
        tried += A_FUNCTION * sum([body in met for body in self._said.generalised])
        return _OVERHEAD + len(met) // NODES + tried + A_CONDITION * len(driver.absorbed)

    def _has(self, type_: Any) -> bool:
        """Whether a type has the atoms."""
        return type_ is not None and has(self._type, type_, self._atoms, _same)

    def _is_witnessed(self, kept: Part, place: int) -> bool:
        """Whether the expression is known to have another type where another one stands at a place. Raises Spent."""
        kept = self._said.saying(kept)
        if self._alone is None or kept in self._answers:
            return False
        if self._denials is not None:
            return self._denials.need(self._said.places.all[place], kept)
        for other in self._alone.others(kept, place):
            if is_ground(other) and not self._has(other):
                self._answers[kept] = False
                return True
        return False

    def _may_bear(self, attribute: int) -> bool:
        """Whether the atoms may be others where the attribute at a place is: a number says nothing of a dtype."""
        if not self._asks_dtype:
            return True
        place = self._said.places.all[attribute]
        return isinstance(place.node.given[place.attribute], str)

    def _below(self) -> Part | None:
        """The places below the expression, or below a call that takes it, if they are known to force the atoms."""
        found = () if self._alone is None else map(self._said.all.intersection, self._alone.below())
        return next(filter(self._known_to_force, found), None)

    def _soon(self, likely: Callable[[int, bool], Iterable[int]]) -> Part | None:
        """The likely places as far as they are found without a record, if they are no more than a part of all, and
        force the atoms."""
        most = len(self._said.places) // MOST
        found = frozenset(likely(most, False))
        if not 0 < len(found) <= most:
            return None
        with self._work.owed():
            return self._said.saying(found) if self.forces(found) else None

    def _fewer_near(self, number: int) -> Part | None:
        """Places near to the expression that force the atoms, much fewer than are known to; what uses it is near, too.

        They are looked for where that takes a small part of the work that is left.
        """
        for few in FEW_NEAR:
            if MOST * few > number or A_NEAR * few > self._work.left:
                return None
            distances = self._said.places.distances([id(tail(self._expr)[0])], self._said.all, few)
            near = frozenset(self._nearest(distances)[:few])
            if self.forces(near):
                return near
        return None

    def _around(self) -> Part | None:
        """A few places near to the expression, if they are found to force the atoms, and that does not take long.

        Near to a function are what says what its parameters are, and its result.
        """
        expr = self._expr
        made_of = (*expr.params, tail(expr.body)[0]) if type(expr) is Function else (tail(expr)[0],)
        for few in FEW_AROUND:
            if few <= MOST * len(made_of):
                continue
            distances = self._said.places.distances(map(id, made_of), self._said.all, few, by_users=False)
            near = frozenset(self._nearest(distances)[:few])
            before = self._work.left
            try:
                if self.forces(near):
                    return near
            except Spent:
                return None
            if self._work.left < MOST * (before - self._work.left):
                return None
        return None

    def _nearest(self, distances: dict[int, int]) -> list[int]:
        """Places by their distance; of those that are as far, annotations, then those that stand near to the first."""
        first = min(distances, key=lambda place: (distances[place], place), default=0)
        places = self._said.places.all

        def rank(place: int) -> tuple[int, bool, int]:
            return distances[place], places[place].kind != "annotation", abs(place - first)

        return sorted(distances, key=rank)

    def _enough(self, likely: Part, most: int) -> Part:
        """Some places that force the atoms, `likely` among them. Raises Spent if these are more than `most`, or if
        finding out takes too long."""
        everything, is_long = self._said.all, self._said.places.is_long
        if len(likely) > most:
            raise Spent
        with nullcontext() if is_long else self._work.owed():
            if self.forces(likely):
                return likely
        if not self.forces(everything):
            # What extents must be to be natural is found out where a function is generalised.
            self._uncalled, self._alone = True, None
            self._answers.clear()
            if self.forces(likely):
                return likely
        order = self._near(everything)
        size = max(8, len(likely))
        while size < len(order):
            more = likely.union(order[:size])
            if self.forces(more):
                return more
            size *= 2
        more = likely.union(order)
        return more if self.forces(more) else everything

    def _near(self, kept: Part, most: int = sys.maxsize) -> list[int]:
        """Places by their distance from the expression; what nothing ties to it is left out.

        So is what is farther than `most` others. Where types come from below, those of arguments come before those of
        calls.
        """
        places = self._said.places
        distances = places.distances([id(self._expr)], kept, most)
        if self._alone is None:
            return sorted(distances, key=lambda place: (distances[place], place))
        return self._ordered(distances)

    def _ordered(self, some: Iterable[int]) -> list[int]:
        """Places from the expression downwards, with annotations and attributes last."""
        kinds = {"annotation": 1, "attribute": 2}
        return sorted(some, key=lambda place: (kinds.get(self._said.places.all[place].kind, 0), -place))

    def _those_tied(self, enough: Part) -> list[int]:
        """Enough places by their distance from the expression; what nothing ties to it only if that is needed."""
        near = self._near(enough)
        try:
            if self._alone is not None and self.forces(frozenset(near)):
                return near
        except Spent:
            pass
        return [*near, *sorted(enough.difference(near))]

    def _minimal(self, enough: Part, left: list[int]) -> tuple[Part, bool]:
        """Those of some places that cannot be left out, the last first; whether that was found out of all."""
        needed = sorted(self._indispensable)
        left = [place for place in left if place not in self._indispensable]
        if not self._may_end(left):
            return enough, False
        chunk = 1
        while left:
            fewer = left[: -min(chunk, len(left))]
            try:
                kept = frozenset((*needed, *fewer))
                forces = not (chunk == 1 and self._is_witnessed(kept, left[-1])) and self.forces(kept)
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
        each = A_PLACE if self._alone is not None or not self._prices else max(A_PLACE, self._prices[-1])
        most = max(0, self._work.left // each)
        if len(left) <= most or not most:
            return len(left) <= most
        if sum(map(self._is_an_end, left)) > most:
            return False
        way = None if self._alone is None else self._alone.way(left[-1], left)
        if way is not None and len(left) - way > most:  # what separates them is on each way
            return False
        return len(left) - len(self._said.separation.before(left[-1], set(left[:-1]), set(), self._expr)) <= most

    def _is_an_end(self, place: int) -> bool:
        """Whether a place separates no others, since it ties one node to nothing: an annotation without a hole."""
        item = self._said.places.all[place]
        return item.kind == "annotation" and is_ground(item.node.type_annotation)

    def _smallest(self, least: Part) -> Forced:
        """A smallest set that forces the atoms, if it can be found; `least` is a minimal one."""
        self._least = least
        if self._denials is not None:
            self._indispensable |= self._denials.indispensable()
            if not self._denials.allow_fewer(len(least)):
                return Forced(least, True, True)
        alone = self._indispensable
        if len(least) == len(alone) + (not alone or self._answers.get(alone) is False):
            return Forced(least, True, True)
        order = self._near(self._said.all, sys.maxsize if self._thorough else FEW + 1)
        attributes = frozenset(self._said.places.attributes(order)) & self._said.all
        is_hopeful = self._thorough or (len(order) <= FEW and len(least) <= SMALL)
        if not is_hopeful or not least <= attributes.union(order):
            return Forced(least, True, False)
        with nullcontext() if self._thorough or len(least) == 2 else self._work.at_most(LOOKED):
            return self._hitting_all(least)

    def _hitting_all(self, least: Part) -> Forced:
        """A smallest set, found by asking sets that hit all known corrections; `least` where that takes too long."""
        try:
            corrections = [*map(_alone, self._indispensable), *self._known_corrections()]
            is_first = True  # that is to be asked about
            while True:
                told = [] if self._denials is None else self._denials.corrections
                hitting = smallest_hitting([*corrections, *told], [], self._work.choose) or frozenset()
                if len(hitting) >= len(least):
                    return Forced(least, True, True)
                tied, others, own = self._tied(hitting)
                if not self._is_denied(tied):
                    if is_first:
                        is_first = False
                        corrections += map(_alone, self._needed_of(least))
                        continue
                    if not own <= tied and not self.forces(tied | own):  # what is known of a call is asked sooner
                        others -= own
                    elif self.forces(tied):
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
        needed = self._indispensable
        if len(least) > FEW_NEEDED:
            for place in self._ordered(least - needed - self._said.attributes):
                if not self.forces(self._said.all - {place}):
                    needed |= {place}
                elif self._denials is not None:
                    break
        return needed

    def _known_corrections(self) -> list[Part]:
        """What is tied to the expression by sets that are known not to force the atoms.

        Where attributes are left open, not all of their values may have been looked at.
        """
        asked = [self._tied(kept) for kept, forces in self._answers.items() if not forces]
        return [others for tied, others, own in asked if own <= tied and others]

    def _tied(self, some: Part) -> tuple[Part, Part, Part]:
        """Those of some places that are tied to the expression, what else is by these alone, and the attributes of the
        calls among the former, which are tied by these."""
        tied, others = self._said.separation.around(self._expr, some)
        own = self._said.all.intersection(self._said.places.attributes(tied))
        return some & (tied | own), (self._said.all & (others | own)) - some, own


def _alone(place: int) -> Part:
    return frozenset([place])


def _same(left: Any, right: Any) -> bool:
    """Whether two parts of types that differ are one polymorphic type, but for the names of its type parameters."""
    return type(left) is FuncType and type(right) is FuncType and bool(structural_equal(left, right))
