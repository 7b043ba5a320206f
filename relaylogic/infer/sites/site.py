"""A demand on types, as the worklist knows it.

A site is tried as soon as it is known, and again whenever a variable that it waits for is bound. `attempt` either
settles the site, or returns the variables it waits for, or raises `Refusal`. What a site concludes is in the store of
the driver that tries it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .given import Given
from .places import Ending, Using

__all__ = ["UNNAMED", "Refusal", "Site"]


class Refusal(Exception):
    """A site that cannot hold, with the reason in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Site:
    """A demand on types. `expr` is the expression it came from; `owner` the name of the function that holds it.

    `given` is what is taken for granted where the demand stands; at the latest, the driver sets it when it takes the
    site on.
    """

    __slots__ = ("attempts", "error", "expr", "final", "given", "open", "owner", "state", "where")
    relation_name = ""
    is_application = False
    """Whether a value is called of which it may be unknown what it is."""

    @property
    def terms(self) -> tuple[Any, ...]:
        """The terms that it relates."""
        return ()

    @property
    def looks_again(self) -> bool:
        """Whether it is tried once more when everything else is decided."""
        return False

    @property
    def span(self) -> Any:
        """The place of the demand: `where`, or that of its expression."""
        where = self.where
        if type(where) is Ending or type(where) is Using:
            return where.span
        return where if where is not None else getattr(self.expr, "span", None)

    def numbers(self) -> tuple[tuple[Any, ...], dict[int, Any]] | None:
        """What this demand comes to, if some of that is constraints on numbers; None if it is not, or not yet.

        The second part is what the slots in the constraints stand for, as far as that is known.
        """
        return None

    def __init__(self, expr: Any, owner: str, span: Any = None) -> None:
        self.expr = expr
        self.owner = owner
        self.where = span
        # Then waiting, done, refused, assumed (refused for good) or absorbed (into the type of a generalised function).
        self.state = "new"
        self.error: Refusal | None = None
        self.attempts = 0
        self.open: Sequence[Any] = ()  # the variables that were waited for after the last attempt
        self.final = False  # settled for good: no variable is involved
        self.given: Given | None = None

    @property
    def is_done_at_once(self) -> bool:
        """Whether it was settled in its first attempt."""
        return self.state == "done" and self.attempts == 1

    @property
    def identity(self) -> Any:
        """What this demand is known by in another inference of the same program."""
        return type(self).__name__, self.relation_name, id(self.expr), getattr(self, "place", "")

    def waive(self, driver: Any) -> None:
        """Make the demand hold without saying anything."""
        self.state = "absorbed"

    def attempt(self, driver: Any) -> list[Any]:
        """Conclude what can be concluded; the variables waited for, none if the site is settled.

        A site of no kind was made to be refused, and is refused again, or to be given up, and is not tried.
        """
        raise NotImplementedError if self.error is None else self.error

    def default(self, driver: Any) -> None:
        """Say what nothing else does, where that may be said at the end."""


UNNAMED = "no variable yet"
"""The result of a call in its first attempt: a variable is made only if the call is not decided at once."""
