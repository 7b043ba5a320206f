"""Programs that were made when the package was installed, and their code: files for each relation, read when one asks.

Beside them stands what they were made of: of other rules, they are none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from .codes import function, write_codes
from .log import Log
from .python import compiled

__all__ = ["Made"]

_CONTENT = "modes"
"""The name of the file that says what the programs were made of."""


class Made:
    """The programs in a folder that were made of `content`, by relation; none if they were made of something else."""

    def __init__(self, folder: Path, content: str) -> None:
        self._folder = folder
        self._path = f"{folder}{os.sep}"
        self._content = content
        self._of: dict[str, Mapping[str, str]] = {}
        self._are_these = False
        with suppress(OSError):
            self._are_these = (folder / _CONTENT).read_bytes() == content.encode()

    @staticmethod
    def are_there(folder: Path) -> bool:
        """Whether there are any in a folder, whatever they were made of."""
        return (folder / _CONTENT).is_file()

    def of(self, relation: str) -> Mapping[str, str]:
        """The programs of a relation, by what they answer."""
        found = self._of.get(relation)
        if found is None:
            found = _read(f"{self._path}{relation}.log", self._content) if self._are_these else {}
            self._of[relation] = found
        return found

    def function(self, relation: str, text: str) -> Callable[[list[int]], Any]:
        """The function that a program of a relation defines. Raises ValueError or SyntaxError for another text."""
        return function(f"{self._path}{relation}.code", text) if self._are_these else compiled(text)

    def write(self, texts: Iterable[tuple[str, str, str]]) -> None:
        """Write programs, each with its relation and what it answers. Raises OSError."""
        logs: dict[str, Log] = {}
        for relation, key, text in texts:
            if relation not in logs:
                logs[relation] = Log(self._folder / f"{relation}.log", self._content)
            logs[relation].add(relation, key, text)
        for relation, log in logs.items():
            log.write()
            write_codes(self._folder / f"{relation}.code", (text for _, _, text in log))
        (self._folder / _CONTENT).write_bytes(self._content.encode())


@lru_cache(256)
def _read(path: str, content: str) -> Mapping[str, str]:
    """The programs in a file, which is read once by a process, as modules are."""
    return {key: text for _, key, text in Log(Path(path), content)}
