"""What forces a type: sets of places that give an expression its type, whatever stands in the rest of the program.

A set of places *forces* some atoms of the type of an expression if the program that says only what stands there (all
else is a hole) gives it these atoms. It is *minimal* if none of its places can be left out, and *smallest* if no set
with fewer places forces them.

Finding one. In a long program, a dtype is followed to what states it (`dtype_ways`). In a short program, it is looked
at what other types the rest allows where a place says something else (`denials`): what nothing needs that is found so
is left out (`dispensing`), and a question tells whether what is left forces the atoms. If not, or in other programs,
the places that the atoms come from (`sources`) are taken, where it is sure that they force them, or tried; before that,
in a program that is long or refuted, those that a function is declared with, all that are below the expression. In a
long one these are what is left if the sources can only be guessed in the time that there is. Where these are many, a
few places around the expression are tried if that takes a small part of the work. In a long one with functions that are
called or stand within another, it is what the atoms seem to come from, as far as that is known without a record, or a
few places around the expression, or all. If those of other programs do not suffice, more around it are tried, twice as
many each time. Of places that force the atoms, the fewest are looked for (`fewest`).

All that is paid for in sites solved (`work`), which bounds what is found out.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from ...infer.sites.places import tail
from ...ir import Function
from ...ir import Var as LocalVar
from ..places.said import Part
from .alone import Alone
from .denials import Denials
from .dispensing import Dispensing
from .fewest import Fewest, Forced
from .nearness import Nearness
from .oracle import Oracle, Question
from .questions import Asked
from .work import OPEN, Spent, Work

if TYPE_CHECKING:
    from .sources import Sources
    from .worlds import World, Worlds

__all__ = ["Forcing"]

FEW_AROUND = (4, 16, 64)
"""In a long program with functions, so many places around an expression are tried first."""

FEW_NEAR = (4, 8, 16)
"""In another one, so many are tried where many more are known to be enough."""

A_NEAR = 80
"""They are tried only with so much work left for each."""

MOST = 2
"""Of a long program, it is not asked whether more than half of the places suffice: few of them could be left out."""

FEW_BEGINNINGS = 2
"""Where `?` begins at more places, other typings are not looked at: whether each of these is needed is asked first."""


class Forcing:
    """The sets of places that force what a question asks for; `thorough` says that a smallest set is looked for among
    all places."""

    def __init__(self, question: Question, thorough: bool, work: Work, alone: Alone | None) -> None:
        self._said, self._expr, _, _, self._atoms, self._is_whole = question
        self._thorough = thorough
        self._work = work
        asked = None if alone is None else Asked(alone, self._expr, work)
        self._oracle = Oracle(question, work, asked)
        self._order = Nearness(self._said, self._expr, asked is not None)
        self._fewest = Fewest(self._said, self._expr, self._oracle, self._order, thorough, work)

    def found(self, likely: Callable[..., Sources]) -> Forced:
        """A set that forces the atoms, where `likely` seems to be one; as small as the budget allows.

        `likely` is told how many places are too many: where it has more, it may give any of them; whether it may make a
        record of an inference for it (`records`), without which it may find none; and whether to raise Spent where it
        would have to guess (`exactly`).

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
            left = self._order.ordered(enough)
        else:
            try:
                if is_brief and generalises:  # a record of functions takes as long as all that they took
                    raise Spent
                enough = self._behind(likely, most, is_brief)
            except Spent:
                enough = self._below()
                if enough is None:
                    return Forced(self._said.all, False, False)
            near = self._fewer_near(len(enough)) if is_brief else None
            if near is None and is_brief and not self._fewest.may_begin(enough):
                return Forced(enough, False, False)
            left = self._those_tied(enough) if near is None else self._order.ordered(near)
            enough = enough if near is None else near
        least, is_minimal = self._fewest.minimal(enough, left)
        if not is_minimal:
            return Forced(least, False, False)
        return self._fewest.smallest(least)

    def _written(self) -> Forced | None:
        """The annotation of the expression, if it is a variable and that says the atoms: nothing says less."""
        if self._oracle.alone is None or type(self._expr) is not LocalVar or self._expr.type_annotation is None:
            return None
        (annotation,) = (i for i in self._said.places.at(self._expr) if self._said.places.all[i].kind == "annotation")
        alone = frozenset([annotation])
        return Forced(alone, True, True) if self._oracle.known_to_force(alone) else None

    def _by_way(self) -> Forced | None:
        """The way to what states a dtype, in a long program; None if there is none, or if that is not asked for."""
        said, alone = self._said, self._oracle.alone
        if not said.places.is_long or alone is None or said.whole.failed() or len(self._atoms) != 1:
            return None
        (atom,) = self._atoms
        if atom[-1:] != ("dtype",) or any(step != "fields" for step in atom[:-1:2]):
            return None
        try:
            way = alone.way_of_dtype(atom[1:-1:2], said.all)
        except Spent:
            return None
        if way is None or not way.is_minimal:
            return None
        if not self._thorough and self._work.left < OPEN:  # a question about fewer places takes longer
            return Forced(way.places, True, len(way.places) == 1)
        return self._fewest.smallest(way.places)

    def _by_denials(self) -> Forced | None:
        """A minimal set of a short program that is found by looking at other typings; None if these do not tell.

        One question is asked, whether it forces the atoms.
        """
        alone = self._oracle.alone
        if alone is None or self._said.places.is_long or self._said.whole.failed():
            return None
        worlds = alone.worlds(self._said.all) if self._work.left > 0 else None
        if worlds is None or not self._needs_all(alone.beginnings(self._said.all)):
            return None
        denials = self._oracle.denials = Denials(
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
                    self._oracle.denials = None
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
            if any(self._oracle.forces(self._said.all - {place}) for place in few):
                return False
        except Spent:
            return False
        self._fewest.indispensable |= few
        return True

    def _dispensed(self, enough: Part, denials: Denials) -> Forced | None:
        """What is left of places that should force the atoms without those that other typings do not need."""
        oracle = self._oracle
        left = Dispensing(self._said.places, denials, self._expr, enough, self._may_matter, self._is_whole)
        tried: list[Part] = []
        for kept in left.likely(self._said.all):
            if oracle.hopefully_forces(kept):
                return self._fewest.smallest(kept)
            tried.append(kept)
        if not tried:
            return None
        last = tried[-1]
        if not (oracle.asks_dtype or oracle.doubts(last) or oracle.is_wide(last)) and oracle.forces(last):
            return self._fewest.smallest(last)
        return self._with_more(tried[0], left.annotations)

    def _differs(self, alone: Asked, worlds: Worlds, world: World) -> bool:
        """Whether the expression does not have the atoms in a world: of a whole type, each change takes some away."""
        if not alone.touches(world):
            return False
        return self._is_whole or not self._oracle.has(alone.type_in(worlds, world, self._said.all))

    def _with_more(self, kept: Part, annotations: Part) -> Forced | None:
        """A minimal set of some places and more; None if it is not found.

        What an inference cannot conclude may be so in all typings: then annotations help it, or attributes.
        """
        oracle, ordered = self._oracle, self._order.ordered
        attributes = frozenset(self._said.places.attributes(kept))
        for others in (annotations.union(attributes),) if oracle.is_wide(kept) else (annotations, attributes):
            more = self._said.saying(kept.union(others))
            if more != kept and (oracle.hopefully_forces(more) or (not oracle.asks_dtype and oracle.forces(more))):
                least, is_minimal = self._fewest.minimal(more, [*ordered(kept), *ordered(more - kept)])
                return self._fewest.smallest(least) if is_minimal else Forced(least, False, False)
        return None

    def _all_tied(self) -> Part | None:
        """All places that are tied to the expression, if they are known to force the atoms."""
        return self._said.all if self._oracle.known_to_force(self._said.all) else None

    def _may_matter(self, place: int) -> bool:
        return self._said.places.all[place].kind != "attribute" or self._oracle.may_bear(place)

    def _needs_nothing(self) -> bool:
        """Whether no place at all is needed, where that is known without an inference."""
        if self._oracle.alone is None or any(atom[-1:] == ("dtype",) for atom in self._atoms):  # some place states it
            return False
        return self._oracle.known_to_force(frozenset())

    def _below(self) -> Part | None:
        """The places below the expression, or below a call that takes it, if they are known to force the atoms."""
        found = () if self._oracle.alone is None else map(self._said.all.intersection, self._oracle.alone.below())
        return next(filter(self._oracle.known_to_force, found), None)

    def _soon(self, likely: Callable[..., Sources]) -> Part | None:
        """The likely places as far as they are found without a record, if they are no more than a part of all, and
        force the atoms."""
        most = len(self._said.places) // MOST
        found = frozenset(likely(most, records=False).places)
        if not 0 < len(found) <= most:
            return None
        with self._work.owed():
            return self._said.saying(found) if self._oracle.forces(found) else None

    def _fewer_near(self, number: int) -> Part | None:
        """Places near to the expression that force the atoms, much fewer than are known to; what uses it is near, too.

        They are looked for where that takes a small part of the work that is left.
        """
        for few in FEW_NEAR:
            if MOST * few > number or A_NEAR * few > self._work.left:
                return None
            distances = self._said.places.distances([id(tail(self._expr)[0])], self._said.all, few)
            near = frozenset(self._order.nearest(distances)[:few])
            if self._oracle.forces(near):
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
            near = frozenset(self._order.nearest(distances)[:few])
            before = self._work.left
            try:
                if self._oracle.forces(near):
                    return near
            except Spent:
                return None
            if self._work.left < MOST * (before - self._work.left):
                return None
        return None

    def _behind(self, likely: Callable[..., Sources], most: int, exactly: bool) -> Part:
        """Some places that force the atoms, among them those that these come from. Raises Spent if these are more than
        `most`, or if finding out takes too long."""
        self._work.check()
        told = likely(most, exactly=exactly)
        found = self._said.all.intersection(told.places)
        if len(found) > most:
            raise Spent
        if told.are_enough and self._oracle.alone is not None:
            self._oracle.learn(found)
            return found
        return self._enough(found)

    def _enough(self, likely: Part) -> Part:
        """Some places that force the atoms, `likely` among them. Raises Spent if finding out takes too long."""
        everything, is_long = self._said.all, self._said.places.is_long
        with nullcontext() if is_long else self._work.owed():
            if self._oracle.forces(likely):
                return likely
        if not self._oracle.forces(everything):
            # What extents must be to be natural is found out where a function is generalised.
            self._oracle.ask_all()
            self._order.from_below = False
            if self._oracle.forces(likely):
                return likely
        order = self._order.near(everything)
        size = max(8, len(likely))
        while size < len(order):
            more = likely.union(order[:size])
            if self._oracle.forces(more):
                return more
            size *= 2
        more = likely.union(order)
        return more if self._oracle.forces(more) else everything

    def _those_tied(self, enough: Part) -> list[int]:
        """Enough places by their distance from the expression; what nothing ties to it only if that is needed."""
        near = self._order.near(enough)
        try:
            if self._oracle.alone is not None and self._oracle.forces(frozenset(near)):
                return near
        except Spent:
            pass
        return [*near, *sorted(enough.difference(near))]
