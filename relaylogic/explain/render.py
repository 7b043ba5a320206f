"""What inference has to say of a program, as text for people."""

from __future__ import annotations

from typing import Any

from ..errors import rendered
from ..infer.results.result import Problem, Residue

__all__ = ["render_problem", "render_residue", "render_warning"]


MOST_RELATED = 6
"""How many related places of an error are shown; JSON has all."""


def render_problem(problem: Problem) -> str:
    """An error: its place, the source line with a caret, the places it does not go with, what would fit instead."""
    related = [(label.span, label.message) for label in problem.related]
    left = len(related) - MOST_RELATED
    part = "1 more place takes part" if left == 1 else f"{left} more places take part"
    more = (f"{part} in this conflict",) if left > 0 else ()
    return rendered(problem.message, problem.span, (*problem.hints, *more), related=related[:MOST_RELATED])


def render_warning(message: str, span: Any) -> str:
    """A warning in the same form."""
    return rendered(message, span, (), "warning")


def render_residue(item: Residue) -> str:
    """A call that is not decided, with what it could be."""
    arguments = f"({', '.join(item.arguments)})" if item.arguments else ""
    message = f"not decided: {item.relation or 'the rest of the program'}{arguments}"
    if item.limit:
        message += f" (unknown: {item.limit})"
    hints = tuple(f"could be {item.relation}({', '.join(alternative)})" for alternative in item.alternatives)
    return rendered(message, item.span, hints, "note")
