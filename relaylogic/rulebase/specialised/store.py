"""The texts of programs by what they answer, in memory and, for the shipped rules, in the user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock

from ...cache import keep, known

__all__ = ["MET", "Store", "origin_of"]

MOST = 400
"""So many programs of a relation have a text here: what is kept of it is read when it is first asked for."""
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

    `origin` is what they are made of, if they are kept from one process to the next: in a file for each relation.
    """

    def __init__(self, origin: str | None = None) -> None:
        self._origin = origin
        self._texts: dict[str, dict[str, str]] = {}
        self._new: set[str] = set()
        self._lock = Lock()

    def get(self, relation: str, key: str) -> str | None:
        """The program for a question; None if nobody has tried to make one."""
        with self._lock:
            return self._of(relation).get(key)

    def put(self, relation: str, key: str, text: str) -> None:
        """Add a program, or that a question was met. If there are too many of the relation, the others go."""
        with self._lock:
            own = self._of(relation)
            if key not in own and len(own) >= MOST:
                own.clear()
            own[key] = text
            self._new.add(relation)

    def programs(self, relation: str) -> list[tuple[str, str]]:
        """The questions about a relation, in order, with their programs."""
        with self._lock:
            texts = [text for text in self._of(relation).values() if text != MET]
        told = [text.removeprefix("# ").partition("\n") for text in texts]
        return sorted((asked, text) for asked, _, text in told)

    def keep(self) -> None:
        """Write what is new to the cache folder, with what others have written there in the meantime."""
        if not self._new:
            return
        with self._lock:
            new, self._new = self._new, set()
            for relation in new:
                self._write(relation)

    def _of(self, relation: str) -> dict[str, str]:
        found = self._texts.get(relation)
        if found is None:
            found = self._texts[relation] = self._written(relation)
        return found

    def _written(self, relation: str) -> dict[str, str]:
        """What is kept of a relation."""
        return {} if self._origin is None else known(f"modes-{relation}", f"{relation}\n{self._origin}") or {}

    def _write(self, relation: str) -> None:
        if self._origin is None:
            return
        merged, own = self._written(relation), self._texts[relation]
        merged.update((key, text) for key, text in own.items() if text != MET or key not in merged)
        if len(merged) <= MOST:
            self._texts[relation] = merged
        keep(f"modes-{relation}", f"{relation}\n{self._origin}", self._texts[relation])
