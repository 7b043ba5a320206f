"""How many answers there are, or why they are not counted."""

from __future__ import annotations

from collections.abc import Callable

from ..logic.circuits.branching import Root, counted
from ..logic.control import Endless, StepLimit
from ..types.universe import Universe

__all__ = ["number_of", "why_uncounted"]


def number_of(root: Root, universe: Universe, progress: Callable[[int], None] | None) -> int:
    """The number of answers in a universe. Raises StepLimit, and Endless with what nothing bounds."""
    try:
        return counted(root, progress)
    except Endless:
        raise Endless(*universe.endless(root.solver.endless)) from None


def why_uncounted(problem: StepLimit) -> str:
    """Why answers were not counted, as a status says it."""
    without_end = problem.args if isinstance(problem, Endless) else ()
    return f"unknown: nothing bounds {' or '.join(without_end)}" if without_end else "unknown: step limit"
