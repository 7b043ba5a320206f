"""The texts of programs by what they answer, in memory and, for the shipped rules, in the user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock

from ...cache import keep, known

__all__ = ["MET", "Store", "origin_of"]

NAME = "modes"
MOST = 2_000
"""More programs than that have no text here: what is kept is read whenever rules are loaded, in some 6 ms if it is
so much. Of all networks of the conformance set, it is a third."""
MET = "?"
"""What is kept of a question that was met, and for which no program was made yet."""


def origin_of(folder: Path) -> str:
    """What the programs of the rules in a folder are made of: these, and the engine that answers."""
    package = Path(__file__).resolve().parents[2]
    parts = []
    for place in (
        folder,
        package / "logic",
        package / "logic" / "integers",
        package / "rulebase",
        Path(__file__).parent,
    ):
        with os.scandir(place) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith((".py", ".rel")):
                    seen = entry.stat()
                    parts.append(f"{entry.name} {seen.st_size} {seen.st_mtime_ns}")
    return "\n".join((str(folder), *parts))


class Store:
    """Programs by relation and mode, each below its question in a comment; nothing but that where there is none.
    Threads share it.

    `origin` is what they are made of, if they are kept from one process to the next.
    """

    def __init__(self, origin: str | None = None) -> None:
        self._origin = origin
        self._texts: dict[str, dict[str, str]] = {}
        self._new = False
        self._lock = Lock()
        if origin is not None:
            self._texts = known(NAME, origin) or {}

    def get(self, relation: str, key: str) -> str | None:
        """The program for a question; None if nobody has tried to make one."""
        return self._texts.get(relation, {}).get(key)

    def put(self, relation: str, key: str, text: str) -> None:
        """Add a program, or that a question was met. If there are too many, those of the relation that has most go."""
        with self._lock:
            if key not in self._texts.get(relation, {}) and sum(map(len, self._texts.values())) >= MOST:
                del self._texts[max(self._texts, key=lambda name: len(self._texts[name]))]
            self._texts.setdefault(relation, {})[key] = text
            self._new = True

    def programs(self, relation: str) -> list[tuple[str, str]]:
        """The questions about a relation, in order, with their programs."""
        with self._lock:
            texts = [text for text in self._texts.get(relation, {}).values() if text != MET]
        told = [text.removeprefix("# ").partition("\n") for text in texts]
        return sorted((asked, text) for asked, _, text in told)

    def keep(self) -> None:
        """Write what is new to the cache folder, with what others have written there in the meantime."""
        with self._lock:
            if self._new and self._origin is not None:
                self._new = False
                self._write(self._origin)

    def _write(self, origin: str) -> None:
        merged = {relation: {**programs} for relation, programs in (known(NAME, origin) or {}).items()}
        for relation, own in self._texts.items():
            there = merged.setdefault(relation, {})
            there.update((key, text) for key, text in own.items() if text != MET or key not in there)
        if sum(map(len, merged.values())) <= MOST:
            self._texts = merged
        keep(NAME, origin, self._texts)
