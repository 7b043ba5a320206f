"""The texts of programs by what they answer, in memory and, for the shipped rules, in the user's cache folder.

Those of usual calls are made when the package is installed (`ahead`): they are there where nothing is kept yet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from ...host.cache import made_folder, path_of
from .codes import Program, program_below
from .log import Log
from .made import Made

__all__ = ["FILE", "MET", "Key", "Store", "content_of", "origin_of"]

Key = Any
"""What is asked of a relation: a tuple of texts, numbers, bytes, None and such tuples, the key of the attributes last.
It is written as `repr` says it."""

FILE = "modes.log"
"""The name of the file of what is kept."""
MOST = 2_000
"""More programs than that have no text here: what is kept is read whenever rules are loaded. The networks of the
conformance set keep a hundred, besides those that were made ahead."""
ROOM = 3 * MOST // 4
"""If there are too many, so many stay: room is not made again for each that is added."""
MET = "?"
"""What is kept of a question that was met, and for which no program was made yet."""
_CONTENT = "", "content"
"""What the content of the files is kept under that are known by their times of change."""


def origin_of(folder: Path) -> str:
    """What the programs of the rules in a folder are made of, by sizes and times of change."""
    seen = ((entry.name, entry.stat()) for entry in _made_of(folder))
    return "\n".join((str(folder), *(f"{name} {s.st_size} {s.st_mtime_ns}" for name, s in seen)))


def content_of(folder: Path) -> str:
    """What the programs of the rules in a folder are made of, by what is written there."""
    from hashlib import blake2b  # it is seldom asked for

    digest = blake2b(digest_size=16)
    for entry in _made_of(folder):
        content = Path(entry.path).read_bytes()
        digest.update(f"{entry.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


@lru_cache(16)
def _content_once(origin: str, folder: Path) -> str:
    """As `content_of`; files that have not changed are read once by a process."""
    return content_of(folder)


def _made_of(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The files of the rules in a folder, and of the engine that answers."""
    package = Path(__file__).resolve().parents[2]
    places = [os.fspath(place) for place in (package / "rulebase", package / "logic", folder)]
    while places:
        with os.scandir(places.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir() and entry.name != "__pycache__":
                    places.append(entry.path)
                elif entry.name.endswith((".py", ".rel")):
                    yield entry


class Store:
    """Programs by relation and mode, each below its question in a comment; nothing but that where there is none.
    Threads share it.

    If they are kept from one process to the next, `origin` is what they are made of. Besides, there are those that
    were made ahead of the same rules, which are in `folder`; `codes` are these, where this Python can run them.
    """

    def __init__(self, origin: str | None = None, folder: Path | None = None) -> None:
        self._lock = Lock()
        self._met: dict[tuple[str, Key], bool] = {}
        self._log = Log(None if origin is None else path_of(FILE), origin or "")
        content = ""
        if folder is not None and Made.are_there(made_folder()):
            content = self._log.get(*_CONTENT) or ""
            if not content:
                content = _content_once(origin or "", folder)
                self._log.add(*_CONTENT, content)
                self._log.write()  # now, not when the first program has been inferred
        self._made = Made(made_folder(), content)
        self.codes = self._made.codes

    def program(self, relation: str, key: Key) -> Program | None:
        """The program for a question; None if nobody has tried to make one, or if it is damaged."""
        found = self._made.program(relation, key)
        if found is None and len(self._log):
            with self._lock:
                text = self._log.get(relation, repr(key))
            if text is not None and text != MET:
                found = program_below(text)
        return found

    def was_met(self, relation: str, key: Key) -> bool:
        """Whether a question was met before, by somebody who has kept that."""
        if not len(self._log):
            return False
        with self._lock:
            return self._log.get(relation, repr(key)) == MET

    def put(self, relation: str, key: Key, text: str) -> None:
        """Add a program. If there are too many, those of the relation that has most go."""
        with self._lock:
            self._add(relation, repr(key), text)

    def met(self, relation: str, key: Key, by_many: bool) -> None:
        """Note that a question was met for which there is no program; `by_many`: whoever asks it, others will, too."""
        with self._lock:
            self._met[relation, key] = by_many

    def begin(self) -> None:
        """Forget which questions were met that nobody else may ask, and that were not kept."""
        if self._met:
            with self._lock:
                self._met = {asked: True for asked, by_many in self._met.items() if by_many}

    def programs(self, relation: str) -> list[tuple[str, str]]:
        """The questions about a relation, in order, with their programs."""
        with self._lock:
            texts = {k: t for name, k, t in self._log if name == relation and t != MET} | {**self._made.of(relation)}
        told = [text.removeprefix("# ").partition("\n") for text in texts.values()]
        return sorted((asked, text) for asked, _, text in told)

    def keep(self) -> None:
        """Write what is new to the cache folder."""
        with self._lock:
            for relation, key in self._met:
                if self._log.get(relation, repr(key)) is None:
                    self._add(relation, repr(key), MET)
            self._met.clear()
            self._log.write()

    def _add(self, relation: str, key: str, text: str) -> None:
        log = self._log
        if len(log) >= MOST and log.get(relation, key) is None:
            log.drop(text=MET)
            while len(log) > ROOM:
                ((most, _),) = log.names.most_common(1)
                log.drop(name=most)
        log.add(relation, key, text)
