"""How much work an answer may take, counted so that the same question gets the same answer everywhere.

The unit is a site that is solved. A question to a relation that was not asked before takes as long as many of those,
and longer the more answers it has. What was asked is remembered here, and not looked up in any table, so that the
answers do not depend on what the process has done before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..infer.sites import RelationSite

__all__ = ["Spent", "Work"]

NEW = 60
"""So many sites are solved in the time of a question that is new,"""

AN_ANSWER = 10
"""and so many more for each answer."""


class Spent(Exception):
    """There is no work left."""


class Work:
    """So many sites may still be solved: `left`, which may be negative. The questions of `known` sites cost nothing."""

    def __init__(self, left: int, known: Iterable[Any]) -> None:
        self.left = left
        self._asked: set[Any] = set()
        for site in known:
            if isinstance(site, RelationSite):
                self._asked.add((site.relation, site.key, site.attrs))

    def pay(self, sites: int) -> None:
        """Some sites were solved."""
        self.left -= sites

    def asked(self, relation: Any, arguments: tuple[Any, ...], attrs: Any, solution: Any) -> None:
        """A relation was asked with these canonical arguments."""
        question = (relation, arguments, attrs)
        if question not in self._asked:
            self._asked.add(question)
            self.left -= NEW + AN_ANSWER * (0 if solution is None else len(solution.answers))

    def check(self) -> None:
        """Raises Spent if there is no work left."""
        if self.left <= 0:
            raise Spent
