"""Whether sets of places force some atoms of the type of an expression: asked, or known from what was asked before.

It is asked of an inference with a relaxation. Where only calls of operators, tuples, projections, constants and
annotations can bear on the expression, only the sites that are tied to it are solved, on their own (`alone`): that
comes to the same, and takes as long as there are such sites. Other typings may tell it, too (`denials`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ...host.once import cached_property
from ...ir import structural_equal
from ...logic.terms.terms import is_ground
from ...types import FuncType
from ..places.atoms import Atoms, atoms_of
from ..places.atoms import has as has_atoms
from ..places.said import Part, Said
from .denials import Denials
from .questions import Asked, Otherwise
from .work import NODES, Work

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["Oracle", "Question"]

A_FUNCTION = 8
"""A function that is called, or that stands within another, is generalised in the time of so many sites where places
are left out."""

A_CONDITION = 100
"""So many sites are solved in the time that it takes to see that a condition of a generalised function can hold."""

MOST_OPEN = 2
"""Where calls leave more attributes open, it is asked first about the places with these."""

_OVERHEAD = 10
"""So many sites take as long to be solved as an inference of nothing."""


class Question(NamedTuple):
    """What forces some atoms of `known`, the type of `expr`, which is in the function `owner`; `is_whole` says that
    these are all its atoms."""

    said: Said
    expr: Any
    owner: str
    known: Any
    atoms: Atoms
    is_whole: bool


class Oracle:
    """Whether sets of places force what a question asks for.

    `alone` is None where more than what it knows bears on the expression.
    """

    def __init__(self, question: Question, work: Work, alone: Asked | None) -> None:
        self._said, self._expr, self._owner, self._type, self._atoms, self._is_whole = question
        self._work = work
        self._answers: dict[Part, bool] = {}
        self._doubted: set[Part] = set()  # those that do not force them, as far as the call that is asked about says
        self._hope_helps = False  # whether something was found out without all answers of calls with open attributes
        self._uncalled = False
        self.alone = alone
        self.asks_dtype = all(atom[-1:] == ("dtype",) for atom in self._atoms)
        self.denials: Denials | None = None
        """What other typings tell, if they are looked at."""
        self.least: Part = frozenset()
        """A minimal set, once it is known."""
        self.last_price = 0
        """What the last question took that was asked of an inference."""

    def forces(self, kept: Part) -> bool:
        """Whether a set of places forces the atoms. Raises Spent."""
        kept = self._said.saying(kept)
        found = self._answers.get(kept)
        if found is None and self.is_denied(kept):
            found = False
        if found is None and self._hope_helps:
            found = self._hopefully(kept)
        return self._exactly(kept) if found is None else found

    def is_denied(self, kept: Part) -> bool:
        """Whether another typing tells that some places do not force the atoms. Raises Spent."""
        denials, places = self.denials, self._said.places.all
        if denials is None:
            return False
        missing = sorted(self.least - kept)
        return denials.deny(kept) or any(denials.need(places[place], kept) for place in missing)

    def _exactly(self, kept: Part) -> bool:
        self._work.check()
        before = self._work.left
        found = self._answers[kept] = self._found(kept)
        self.last_price = before - self._work.left
        return found

    def hopefully_forces(self, kept: Part) -> bool:
        """Whether some places force the atoms, where that is found out without all answers of calls with open
        attributes. Raises Spent."""
        kept = self._said.saying(kept)
        found = self._answers.get(kept)
        if found is None:
            found = self._hopefully(kept)
        if found is None:
            is_asked = not (self.asks_dtype or self._asks_type or kept in self._doubted or self.is_wide(kept))
            found = is_asked and self._exactly(kept)
        return found

    def is_wide(self, kept: Part) -> bool:
        """Whether calls leave so many attributes open that several atoms are mostly not known of them, after long."""
        opened = self._said.all.intersection(self._said.places.attributes(kept)) - kept
        return len(self._atoms) > 1 and len(opened) > MOST_OPEN

    def _hopefully(self, kept: Part) -> bool | None:
        """`forces` without all answers of calls with open attributes; None if that does not tell. Raises Spent."""
        if self.alone is None:
            return None
        self._work.check()
        type_, is_sure, other = self.alone.hopes_for(kept, self.asks_dtype)
        if other is not None and self._is_otherwise(other, kept):
            return False
        if not is_sure and not self.has(type_):
            return None
        self._hope_helps = self._hope_helps or not is_sure
        found = self._answers[kept] = self.has(type_)
        return found

    def _is_otherwise(self, other: Otherwise, kept: Part) -> bool:
        """Whether another result of a call tells that some places do not force the atoms. Raises Spent."""
        denials = self.denials
        if denials is not None and other.attributes:
            denials.learn(*other, kept)
            if denials.deny(kept):
                return True
        if other.call is self._expr and not self.has(other.result):
            self._doubted.add(kept)
        return False

    def _found(self, kept: Part) -> bool:
        type_ = None if self.alone is None else self.alone.type_with(kept)
        if type_ is None:
            relaxation = self._said.looking_at(kept, self._expr)
            owners = frozenset((*(relaxation.functions or ()), self._owner))
            uncalled = relaxation.uncalled or self._uncalled
            relaxation = replace(relaxation, functions=owners, uncalled=uncalled)
            inference = self._said.what_if(relaxation)
            type_ = inference.type_of(self._expr)
            self._work.pay(self._price(inference))
            self._work.asked(inference.driver.sites)
        return self.has(type_)

    def _price(self, inference: Inference) -> int:
        """So many sites are solved in the time of an inference, but for what is asked by its sites."""
        met, driver = inference.generator.types, inference.driver
        tried = sum([site.attempts for site in driver.sites])
        tried += A_FUNCTION * sum([body in met for body in self._said.generalised])
        return _OVERHEAD + len(met) // NODES + tried + A_CONDITION * len(driver.absorbed)

    def has(self, type_: Any) -> bool:
        """Whether a type has the atoms."""
        return type_ is not None and has_atoms(self._type, type_, self._atoms, _same)

    def known_to_force(self, kept: Part) -> bool:
        """Whether a set of places forces the atoms, where that is known without an inference."""
        with self._work.owed():
            type_ = None if self.alone is None else self.alone.type_with(kept)
        if type_ is None:
            return False
        self._answers[kept] = self.has(type_)
        return self._answers[kept]

    def learn(self, kept: Part) -> None:
        """It is known that some places force the atoms."""
        self._answers[self._said.saying(kept)] = True

    def is_witnessed(self, kept: Part, place: int) -> bool:
        """Whether the expression is known to have another type where another one stands at a place. Raises Spent."""
        kept = self._said.saying(kept)
        if self.alone is None or kept in self._answers:
            return False
        if self.denials is not None:
            return self.denials.need(self._said.places.all[place], kept)
        for other in self.alone.others(kept, place):
            if is_ground(other) and not self.has(other):
                self._answers[kept] = False
                return True
        return False

    def may_bear(self, attribute: int) -> bool:
        """Whether the atoms may be others where the attribute at a place is: a number says nothing of a dtype."""
        if not self.asks_dtype:
            return True
        place = self._said.places.all[attribute]
        return isinstance(place.node.given[place.attribute], str)

    @cached_property
    def _asks_type(self) -> bool:
        """Whether the whole type of the expression is asked for: of a function, that is its result."""
        result = self._type.ret_type if type(self._type) is FuncType else None
        return self._is_whole or self._atoms == {("result", *atom) for atom in atoms_of(result)}

    def known(self, kept: Part) -> bool | None:
        """What was found out of a set of places; None if nothing was."""
        return self._answers.get(kept)

    def failing(self) -> Iterator[Part]:
        """The sets that are known not to force the atoms."""
        return (kept for kept, forces in self._answers.items() if not forces)

    def doubts(self, kept: Part) -> bool:
        """Whether a set does not force the atoms as far as the call that is asked about says."""
        return kept in self._doubted

    def ask_all(self) -> None:
        """Ask inferences from now on, of functions that are not called as well, and forget what was found out."""
        self._uncalled, self.alone = True, None
        self._answers.clear()


def _same(left: Any, right: Any) -> bool:
    """Whether two parts of types that differ are one polymorphic type, but for the names of its type parameters."""
    return type(left) is FuncType and type(right) is FuncType and bool(structural_equal(left, right))
