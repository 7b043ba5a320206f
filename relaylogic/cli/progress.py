"""Progress of long work on a terminal."""

from __future__ import annotations

import sys
import time
from typing import Any

from .output import complain, is_terminal

__all__ = ["Counting", "Progress", "count_found"]

PATIENCE = 1.0


class Progress:
    """A progress bar on standard error, if that is a terminal, once the work has taken a second."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, done: int, total: int) -> None:
        """Say that `done` of `total` parts are done."""
        if self._bar is None:
            if not is_terminal(sys.stderr) or time.monotonic() - self._started < PATIENCE:
                return
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self.title, total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total)


def count_found(found: int) -> None:
    """Say on a terminal how many answers were found, where standard output does not show them as they come."""
    if is_terminal(sys.stderr) and not is_terminal(sys.stdout):
        complain(f"\r{found} answers so far", end="")


class Counting:
    """Says on a terminal, about once a second, how many parts of a long count were looked at."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def __call__(self, looked: int) -> None:
        """So many parts were looked at."""
        now = time.monotonic()
        if now - self._said > PATIENCE and is_terminal(sys.stderr):
            self._said = now
            complain(f"\rcounting: {looked} parts so far", end="")
