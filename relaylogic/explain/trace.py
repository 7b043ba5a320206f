"""A trace of a search: which premise failed, after how much had held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..logic.terms import reify_term

__all__ = ["Failure", "Trace"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A premise that failed: the path of (clause, arguments) pairs and premise texts that led to it, and what it was.

    `what` is a constraint, or a pair of terms that could not be made equal; variables are replaced by what was known.
    `progress` counts the premises that had held before.
    """

    path: tuple[Any, ...]
    what: Any
    progress: int


class Trace:
    """Collects failures; see `relaylogic.logic.premise` for who calls it."""

    __slots__ = ("failures", "path", "progress")

    def __init__(self, path: tuple[Any, ...] = (), progress: int = 0, failures: list[Failure] | None = None) -> None:
        self.path = path
        self.progress = progress
        self.failures: list[Failure] = [] if failures is None else failures

    def inside(self, step: Any) -> Trace:
        """The trace to use below `step`."""
        return Trace((*self.path, step), self.progress, self.failures)

    def after(self, inner: Trace) -> Trace:
        """The trace to use when what `inner` followed has held."""
        return Trace(self.path, inner.progress + 1, self.failures)

    def failed(self, what: Any, bindings: Mapping[Any, Any]) -> None:
        """Note that `what` failed."""
        known = reify_term(what, bindings)
        self.failures.append(Failure(self.path, known, self.progress))

    def furthest(self) -> Failure | None:
        """The failure that came after the most premises had held; the first of several, the deepest of those."""
        best = None
        for failure in self.failures:
            if best is None or (failure.progress, len(failure.path)) > (best.progress, len(best.path)):
                best = failure
        return best
