"""The history of the interactive top level: a file that may be unreadable, unwritable, or on a full disk.

What cannot be kept is forgotten; the top level goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import FileHistory

__all__ = ["KeptHistory"]


class KeptHistory(FileHistory):
    """A file of lines, in prompt_toolkit's format; each is there as a whole or not at all."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path

    def load_history_strings(self) -> Iterable[str]:
        """The lines of earlier sessions, the newest first; none if the file cannot be read."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        """Add a line to the file if that is possible."""
        with suppress(OSError):
            before = self.path.stat().st_size if self.path.exists() else 0
            try:
                super().store_string(string)
            except BaseException:
                os.truncate(self.path, before)
                raise
