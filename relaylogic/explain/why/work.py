"""How much work an answer may take, counted so that the same question gets the same answer everywhere.

The unit is a site that is solved. A question to a relation that was not asked before takes as long as many of those,
and longer the more answers it has. What was asked is remembered here, and not looked up in any table, so that the
answers do not depend on what the process has done before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...infer.sites.relation_site import RelationSite
from ...logic.search.options import weight
from ...logic.terms.terms import is_ground
from ..places.places import Places

__all__ = ["KNOWN", "NEW", "NODES", "OPEN", "PLACES", "THOROUGH", "Spent", "Work", "budget"]

KNOWN = 4
"""So many sites are solved in the time of a question that is new where all types but the last are known,"""

NEW = 24
"""so many where they are not,"""

AN_ANSWER = 6
"""and so many more for each answer,"""

USUAL = 8
"""and so many times as many where its terms have so many times as many parts;"""

OPEN = 80
"""so many where attributes are open, whether goals find out what they may be or a program tells what comes of that; for
each answer where the types are not known, which no program tells."""

TEN_CALLS = 17
"""Ten calls of operators or global functions were inferred in the time of so many sites of calls whose types are found
out anew,"""

NODES = 32
"""and so many nodes of a program were looked at in the time of one,"""

PLACES = 3
"""and so many places were found and tied to each other, or attributes taken for parts of calls."""

A_CHOICE = 1
"""A choice of places that may force a type is made in the time of so many sites."""

SMALL, ENOUGH = 64, 4_000
"""Of a short program of so few places, the fewest that force a type matter more than when they are told: there an
answer may take so much, in which all is mostly found out."""

PATIENT, PATIENT_MOST = 30, 2_500
"""A patient answer may take so many times as much as one inference, but so much at most, if an inference takes less: a
fraction of a second, which who waits for a process to start does not notice."""

THOROUGH = 300_000
"""A thorough answer may take so much: up to a minute, where calls of many open types are asked about."""


class Spent(Exception):
    """There is no work left."""


def price(relation: Any, arguments: tuple[Any, ...], solution: Any) -> int:
    """So many sites are solved in the time of a question about these terms that was answered so."""
    answers = 0 if solution is None else len(solution.answers)
    if relation.asked is not None and solution is not None:
        inputs = arguments[: -1 - len(relation.asked[1].open)]
        if all(map(is_ground, inputs)):
            return OPEN
        if answers > 1:
            return OPEN * answers
    each = KNOWN if all(map(is_ground, arguments[:-1])) else NEW + AN_ANSWER * answers
    return each * max(1, weight(arguments) // USUAL)


def budget(places: Places, nodes: int, patient: bool) -> int:
    """How much an answer about a program may take: about as much as its inference, unless it is short, or `patient`."""
    if not places.is_long and len(places) <= SMALL:
        return ENOUGH
    inference = TEN_CALLS * places.direct_calls // 10 + nodes // NODES
    most = max(inference, min(PATIENT * inference, PATIENT_MOST)) if patient else inference
    return most - (len(places) + places.given) // PLACES


class Work:
    """So many sites may still be solved: `left`, which may be negative. The questions of `known` sites cost nothing."""

    def __init__(self, known: Iterable[Any], left: int) -> None:
        self._asked = {_question(site) for site in known if isinstance(site, RelationSite)}
        self._is_owed = False
        self.left = left

    def pay(self, sites: int) -> None:
        """Some sites were solved."""
        self.left -= sites

    def asked(self, sites: Iterable[Any]) -> None:
        """Some sites were solved: what their relations were asked, where that is new."""
        for site in sites:
            if isinstance(site, RelationSite):
                self.ask(*_question(site), site.solution)

    def ask(self, relation: Any, arguments: tuple[Any, ...], attrs: Any, solution: Any) -> None:
        """A relation was asked with these canonical arguments."""
        question = (relation, arguments, attrs)
        if question not in self._asked:
            self._asked.add(question)
            self.left -= price(relation, arguments, solution)

    def choose(self) -> None:
        """A choice of places is looked at. Raises Spent if there is no work left."""
        self.left -= A_CHOICE
        self.check()

    def check(self) -> None:
        """Raises Spent if there is no work left."""
        if self.left <= 0 and not self._is_owed:
            raise Spent

    @contextmanager
    def owed(self) -> Iterator[None]:
        """What is done meanwhile is done in any case, and paid for."""
        before, self._is_owed = self._is_owed, True
        try:
            yield
        finally:
            self._is_owed = before

    @contextmanager
    def at_most(self, sites: int) -> Iterator[None]:
        """What is done meanwhile is given up after so much work."""
        kept = max(0, self.left - sites)
        self.left -= kept
        try:
            yield
        finally:
            self.left += kept


def _question(site: RelationSite) -> tuple[Any, tuple[Any, ...], Any]:
    """What the relation of a site was asked: canonical arguments and attributes."""
    return site.relation, site.key, site.attrs
