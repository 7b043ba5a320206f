"""Programs that were made when the package was installed: their code in one file, their texts in files by relation.

Beside them stands what they were made of: of other rules, they are none. The texts are for readers, and for a Python
that is not the one of the code.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from .codes import Program, codes_in, program_below, write_codes
from .log import Log

__all__ = ["CODES", "Made"]

CODES = "codes"
"""The name of the file of the code of all programs."""
_CONTENT = "modes"
"""The name of the file that says what the programs were made of."""


class Made:
    """The programs in a folder that were made of `content`, by relation; none if they were made of something else.

    `codes` is their code; None if there is none for this Python.
    """

    def __init__(self, folder: Path, content: str) -> None:
        self._folder = folder
        self._content = content
        self._are_these = False
        if content:  # rules that have just changed are made of nothing yet
            with suppress(OSError):
                self._are_these = (folder / _CONTENT).read_bytes() == content.encode()
        self.codes = codes_in(str(folder / CODES), content) if self._are_these else None

    @staticmethod
    def are_there(folder: Path) -> bool:
        """Whether there are any in a folder, whatever they were made of."""
        return (folder / _CONTENT).is_file()

    def of(self, relation: str) -> Mapping[str, str]:
        """The texts of the programs of a relation, by what they answer as it is written."""
        return _read(str(self._folder / f"{relation}.log"), self._content) if self._are_these else {}

    def program(self, relation: str, key: Any) -> Program | None:
        """The program for what is asked of a relation; None if there is none."""
        if self.codes is not None:
            return self.codes.program(relation, key)
        text = self.of(relation).get(repr(key)) if self._are_these else None
        return None if text is None else program_below(text)

    def write(self, texts: Iterable[tuple[str, str, str]]) -> None:
        """Write programs in place of those that are there, each with its relation and what it answers, as kept.

        Raises OSError.
        """
        for file in self._folder.glob("*.log"):
            file.unlink()
        logs: dict[str, Log] = {}
        for relation, key, text in texts:
            if relation not in logs:
                logs[relation] = Log(self._folder / f"{relation}.log", self._content)
            logs[relation].add(relation, key, text)
        for log in logs.values():
            log.write()
        write_codes(self._folder / CODES, self._content, (entry for log in logs.values() for entry in _coded(log)))
        (self._folder / _CONTENT).write_bytes(self._content.encode())
        _read.cache_clear()
        codes_in.cache_clear()


def _coded(programs: Log) -> Iterator[tuple[str, Any, str]]:
    """Programs without the questions above them, each with its relation and what it answers, where that is data."""
    for relation, key, text in programs:
        with suppress(ValueError, SyntaxError):
            yield relation, literal_eval(key), text.partition("\n")[2]


@lru_cache(256)
def _read(path: str, content: str) -> Mapping[str, str]:
    """The programs in a file, which is read once by a process, as modules are."""
    return {key: text for _, key, text in Log(Path(path), content)}
