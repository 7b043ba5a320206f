"""How much work an answer may take, counted so that the same question gets the same answer everywhere.

The unit is a site that is solved. A question to a relation that was not asked before takes as long as many of those,
and longer the more answers it has. What was asked is remembered here, and not looked up in any table, so that the
answers do not depend on what the process has done before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..infer.sites import RelationSite
from ..logic.options import weight

__all__ = ["Spent", "Work"]

NEW = 20
"""So many sites are solved in the time of a question that is new,"""

AN_ANSWER = 3
"""and so many more for each answer,"""

USUAL = 8
"""and so many times as many where its terms have so many times as many parts."""

SMALL, ENOUGH = 300, 5_000
"""Where an inference takes so few at most, about two milliseconds, an answer may take so many, in which all is mostly
found out: of a small program, the fewest places matter more than when they are told."""


class Spent(Exception):
    """There is no work left."""


def price(arguments: tuple[Any, ...], solution: Any) -> int:
    """So many sites are solved in the time of a question about these terms that was answered so."""
    answers = 0 if solution is None else len(solution.answers)
    return (NEW + AN_ANSWER * answers) * max(1, weight(arguments) // USUAL)


class Work:
    """So many sites may still be solved: `left`, which may be negative. The questions of `known` sites cost nothing.

    That is about as much as those sites have taken themselves, which were `tried` so often all together, unless that
    is little.
    """

    def __init__(self, known: Iterable[Any], tried: int) -> None:
        self._asked: set[Any] = set()
        self._is_owed = False
        self.left = 0
        self.asked(known)
        taken = tried - self.left
        self.left = ENOUGH if taken <= SMALL else taken

    def pay(self, sites: int) -> None:
        """Some sites were solved."""
        self.left -= sites

    def asked(self, sites: Iterable[Any]) -> None:
        """Some sites were solved: what their relations were asked, where that is new."""
        for site in sites:
            if isinstance(site, RelationSite):
                self.ask(site.relation, site.key, site.attrs, site.solution)

    def ask(self, relation: Any, arguments: tuple[Any, ...], attrs: Any, solution: Any) -> None:
        """A relation was asked with these canonical arguments."""
        question = (relation, arguments, attrs)
        if question not in self._asked:
            self._asked.add(question)
            self.left -= price(arguments, solution)

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
