"""Typings as families: types with variables, disjoint, each with the number of its typings in a universe.

The answers without any bound are families already, but a typing may belong to several of them. Those that have a typing
in common, within the bounds that are asked for, are put together to one family of several forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

from ..errors import several
from ..logic import conde, fresh_list
from ..logic.circuits.branching import Root, counted, solve_goal
from ..logic.circuits.circuit import Filled, answers
from ..logic.control import StepLimit
from ..logic.search.profiles import asked_about
from ..logic.states.goals import Goal, lall
from ..types.universe import Universe
from .answers import Answers, Ended
from .asked import Asked, Typing
from .holes import bounds_of
from .members import belongs, with_members

__all__ = ["Families", "Family"]

MOST_FORMS = 500
MORE = 50


class Family:
    """Typings of one family: `forms` (typings with variables) and their `count` in the universe that was asked for.

    `count` is None where there are no bounds, or no count was found. No typing belongs to two families; it may have two
    forms of one.
    """

    __slots__ = ("count", "forms")

    def __init__(self, forms: tuple[Typing, ...], count: int | None) -> None:
        self.forms = forms
        self.count = count

    @property
    def size(self) -> tuple[Any, ...]:
        """What puts a smaller family before a larger one."""
        return self.forms[0].size

    def to_dict(self) -> dict[str, Any]:
        """The family as plain data."""
        return {"forms": [form.to_dict() for form in self.forms], "count": self.count}

    def __str__(self) -> str:
        counted = "" if self.count is None else f"  # {several(self.count, 'typing')}"
        return " ; ".join(map(str, self.forms)) + counted

    def __repr__(self) -> str:
        return f"<{self}>"


class Families(Answers):
    """The families of what is asked of a program; those without a typing within the bounds are left out."""

    noun = ("family", "families")

    def __init__(self, asked: Asked, limit: int | None, steps: int) -> None:
        symbolic = Universe(data=asked.universe.data, max_attr_length=asked.universe.max_attr_length)
        attributes = replace(bounds_of(asked.universe), symbolic=True)
        node, search = asked.root(steps, universe=symbolic, attributes=attributes)
        super().__init__(node, _itself, limit, steps, search, symbolic, asked.outside, asked.names)
        self._forms = node
        self._asked = asked
        self._universe_asked = asked.universe if asked.universe.symbolic else replace(asked.universe, ground=True)

    def _walk(self) -> Iterator[list[Any]]:
        forms: list[Filled] = []
        paths: list[Any] = []
        doubts: list[Ended] = []
        for path in self._open_forms(doubts):
            if len(forms) == MOST_FORMS:
                raise Ended(f"unknown: there are more than {MOST_FORMS} forms")
            self._budget.grant(self.steps)
            forms.append(Filled(path, self._forms.width))
            paths.append(path)
        for group in self._groups(forms):
            number = self._count([forms[i] for i in group])
            if number != 0:
                yield [Family(tuple(self._asked.typing(paths[i]) for i in group), number)]
        for doubt in doubts:
            raise doubt

    def _open_forms(self, doubts: list[Ended]) -> Iterator[Any]:
        """The walks to the forms. Within bounds, their numbers tell whether anything belongs to them."""
        if not self._universe_asked.symbolic:
            yield from answers(self._forms)
            return
        try:
            yield from chain.from_iterable(with_members(self._forms, self._asked))
        except Ended as ended:
            doubts.append(ended)

    def _groups(self, forms: Sequence[Filled]) -> list[list[int]]:
        """The forms that are connected by typings that they have in common."""
        leader = list(range(len(forms)))

        def find(i: int) -> int:
            while leader[i] != i:
                i = leader[i]
            return i

        for i, j in combinations(range(len(forms)), 2):
            a, b = find(i), find(j)
            if a != b and self._overlap(forms[i], forms[j]):
                leader[max(a, b)] = min(a, b)
        groups: dict[int, list[int]] = {}
        for i in range(len(forms)):
            groups.setdefault(find(i), []).append(i)
        return list(groups.values())

    def _overlap(self, a: Filled, b: Filled) -> bool:
        """Whether two forms have a typing in common; it is taken that they have, if that is not found out."""
        wanted = fresh_list(len(a.terms))
        try:
            root = self._root(wanted, lall(belongs(wanted, a), belongs(wanted, b)), self.steps)
            return next(answers(root), None) is not None
        except (StepLimit, RecursionError):
            return True

    def _count(self, forms: Sequence[Filled]) -> int | None:
        if self._universe_asked.symbolic:
            return None
        wanted = fresh_list(len(forms[0].terms))
        stated = [belongs(wanted, form) for form in forms]
        try:
            return counted(self._root(wanted, conde(*([one] for one in stated)), MORE * self.steps))
        except (StepLimit, RecursionError):
            return None

    def _root(self, wanted: tuple[Any, ...], goal: Goal, steps: int) -> Root:
        """The circuit of what the forms say in a goal of the types that are wanted, in the universe that is asked for.

        Which values attributes may have there, forms do not say: the program does.
        """
        if "value" in self._asked.kinds:
            return self._asked.root(steps, goal, universe=self._universe_asked, listed=wanted)[0]
        search = asked_about(goal, self._asked.rules)
        search.budget.grant(steps)
        return solve_goal(goal, dict.fromkeys(wanted, "type"), self._universe_asked, search)


def _itself(family: Family) -> Family:
    return family
