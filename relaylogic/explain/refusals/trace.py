"""A trace of a search: which premise failed, after how much had held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...logic.constraints.gradual import Test
from ...logic.terms.rebuilding import reify_term

__all__ = ["Failure", "Trace"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A premise that failed: the path of (clause, arguments) pairs and premises that led to it, and what it was.

    `what` is a constraint, a goal that waited and had no outcome, or a pair of terms that could not be made equal;
    variables are replaced by what was known.
    `progress` counts the premises that had held before, `known` the variables that were bound.
    """

    path: tuple[Any, ...]
    what: Any
    progress: int
    known: int


class Trace:
    """Keeps the failure that came furthest; see `relaylogic.logic.constraints.premise` for who calls it.

    That is the one after the most premises had held; of several the deepest, then that before which most was known,
    then the first. Apart from them, it keeps the goal without an outcome that came furthest: what such a goal has tried
    has failed, too, and mostly says more.
    """

    __slots__ = ("_found", "path", "progress")

    def __init__(
        self, path: tuple[Any, ...] = (), progress: int = 0, found: dict[str, Failure] | None = None
    ) -> None:
        self.path = path
        self.progress = progress
        self._found = {} if found is None else found  # the best so far of both kinds, shared by all that follow

    def inside(self, step: Any) -> Trace:
        """The trace to use below `step`."""
        return Trace((*self.path, step), self.progress, self._found)

    def after(self, inner: Trace) -> Trace:
        """The trace to use when what `inner` followed has held."""
        return Trace(self.path, inner.progress + 1, self._found)

    def failed(self, what: Any, bindings: Mapping[Any, Any]) -> None:
        """Note that `what` failed; that a term is no symbol is nothing to be mended."""
        if not (type(what) is Test and what.args[0] == "rigid"):
            self._note("failed", what, bindings)

    def ended(self, what: Any, bindings: Mapping[Any, Any]) -> None:
        """Note that the goal `what` had no outcome."""
        self._note("ended", what, bindings)

    def _note(self, kind: str, what: Any, bindings: Mapping[Any, Any]) -> None:
        best = self._found.get(kind)
        came = self.progress, len(self.path), len(bindings)
        if best is None or came > (best.progress, len(best.path), best.known):
            self._found[kind] = Failure(self.path, reify_term(what, bindings), self.progress, len(bindings))

    def furthest(self) -> list[Failure]:
        """The failure that came furthest, then the goal without an outcome that did; those of them that there were."""
        return [self._found[kind] for kind in ("failed", "ended") if kind in self._found]
