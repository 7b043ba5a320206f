"""That a term is a natural number, said of a variable that might be something else."""

from __future__ import annotations

from typing import Any

from ..states.goals import Step
from ..states.state import Constraint
from ..states.work import Work
from ..terms.variables import VARIABLES
from .comparisons import Post

__all__ = ["Natural", "is_natural_number"]


class Natural(Constraint):
    """A term is a natural number: what is said of a variable that might be something else."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"natural({self.args[0]})"

    def is_of_integers(self, work: Work) -> bool:
        """It is."""
        return True

    def propagate(self, work: Work) -> bool | None:
        """Wait for the term."""
        term = work.walk(self.args[0])
        if type(term) not in VARIABLES:
            return type(term) is int and term >= 0
        work.tell_integer(term)
        return None


def is_natural_number(term: Any) -> Step:
    """The goal that a term is a natural number, now or when it is known."""
    return Post(Natural.draft((term,)))
