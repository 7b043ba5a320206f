"""Where a rule file in Python failed when it was run, and what it raised there, in words."""

from __future__ import annotations

from pathlib import Path
from traceback import TracebackException

from ..errors import rendered
from ..host.files import text_of
from ..ir import Source, Span

__all__ = ["failure"]


def failure(path: Path, problem: Exception) -> str:
    """What a rule file raised, with the place in it as far as that is known, and the line there."""
    place = _place(path, problem)
    is_here = isinstance(problem, SyntaxError) and problem.filename == str(path)
    reason = problem.msg if isinstance(problem, SyntaxError) and is_here else str(problem)
    message = f"{type(problem).__name__}: {reason}"
    return message if place is None else rendered(message, place)


def _place(path: Path, problem: Exception) -> Span | None:
    """Where in the file something was raised; None if not in its text, or if that cannot be read any more."""
    found = _line_and_column(path, problem)
    if found is None:
        return None
    try:
        source = Source(text_of(path), path)
    except (OSError, ValueError):
        return None
    line, column = found
    start = source.offset(line, column) or source.offset(line, 1)
    return None if start is None else Span(source, start, start)


def _line_and_column(path: Path, problem: Exception) -> tuple[int, int] | None:
    """The line and column of what cannot be read, or else of the last call that the file itself makes."""
    if isinstance(problem, SyntaxError) and problem.filename == str(path) and problem.lineno is not None:
        return problem.lineno, problem.offset or 1
    frames = [frame for frame in TracebackException.from_exception(problem).stack if frame.filename == str(path)]
    if not frames or frames[-1].lineno is None:
        return None
    return frames[-1].lineno, 1 + (getattr(frames[-1], "colno", None) or 0)  # Python 3.10 knows no columns
