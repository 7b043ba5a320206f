"""Goals on terms that follow from others unless the program says otherwise.

Relay types what is not annotated: a weight without a type gets the dtype of the data, and an extent `?` where the
data has one. An annotation may differ (weights of another dtype, 64 channels where the data says `?`). These goals
wait until what is followed is known, then fill in what is still open. That is a choice, not a consequence: the terms
that an annotation could give instead are no longer answers, so a rule states its defaults after everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from .arithmetic import Post
from .calls import EXPLORATION
from .goals import Step
from .numbers import UNKNOWN
from .state import Work
from .terms import reify_term, variables_of

__all__ = ["Follows", "default", "follows"]


class Follows:
    """`term` is `source` if it is open; `strict`: else it agrees with it, that is, is equal or one of them is `?`."""

    __slots__ = ("source", "strict", "term")

    def __init__(self, term: Any, source: Any, strict: bool) -> None:
        self.term = term
        self.source = source
        self.strict = strict

    def __repr__(self) -> str:
        return f"{'follows' if self.strict else 'default'}({self.term}, {self.source})"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables of both terms."""
        return variables_of((self.term, self.source), bindings)

    def reified(self, bindings: Mapping[Any, Any]) -> Follows:
        """The constraint with bound variables replaced."""
        return Follows(reify_term(self.term, bindings), reify_term(self.source, bindings), self.strict)

    def propagate(self, work: Work) -> bool | None:
        """Decide as soon as the source is known; an agreeing extent that is known tells the source."""
        if (EXPLORATION.on or EXPLORATION.undecided) and not self.strict:
            return True
        term, source = work.walk(self.term), work.walk(self.source)
        if term is source:
            return True
        if type(term) is Var:
            return None if type(source) is Var else work.unify(term, source)
        if not self.strict or term is UNKNOWN or source is UNKNOWN:
            return True
        return work.unify(term, source)


def follows(extent: Any, source: Any) -> Step:
    """The goal that `extent` agrees with `source`, and is `source`, be it `?`, where nothing says what it is."""
    return Post(Follows(extent, source, True))


def default(term: Any, value: Any) -> Step:
    """The goal that `term` is `value` where nothing says what it is; any other term is as good."""
    return Post(Follows(term, value, False))
