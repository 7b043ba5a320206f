"""A file to which processes append what they have made: texts by name and key.

A line is a check, what the text was made of (a digest), the name, the key and the text, these as JSON. Of lines for
one name and key the last counts. Lines that were made of something else count for nothing; nor does what is damaged,
which is found out when it is asked for. Where more lines count for nothing than for something, or some are dropped, the
file is written anew, beside its place, and moved there. It is appended to in one piece, so that others who do that do
no harm.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from ...host.cache import write_whole

__all__ = ["Log"]

_PARTS = 5


class Log:
    """The texts in a file that were made of `origin`, and those that are added. Without a path, there is no file."""

    def __init__(self, path: Path | None, origin: str) -> None:
        self._path = path
        self._digest = f"{zlib.crc32(origin.encode()):08x}{zlib.adler32(origin.encode()):08x}"
        self._lines: dict[tuple[str, str], str] = {}
        self._useless = 0
        self._holds_dropped = False  # whether the file does, which is written anew with what is added next
        self._new: list[str] = []
        if path is not None:
            with suppress(OSError, UnicodeDecodeError):
                self._read(path.read_bytes().decode("ascii"))

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        """Names and keys, with their texts."""
        for name, written in list(self._lines):
            text = self._text(name, written)
            if text is not None:
                yield name, json.loads(written), text

    def get(self, name: str, key: str) -> str | None:
        """The text for a name and a key; None if there is none."""
        return self._text(name, json.dumps(key))

    def add(self, name: str, key: str, text: str) -> None:
        """Add a text, which is written with the next ones."""
        written = json.dumps(key)
        said = f"{self._digest}\t{name}\t{written}\t{json.dumps(text)}"
        line = f"{_check(said)}\t{said}"
        self._useless += (name, written) in self._lines
        self._lines[name, written] = line
        if self._path is not None:
            self._new.append(line)

    @property
    def names(self) -> Counter[str]:
        """The names, with how many texts each has."""
        return Counter(name for name, _ in self._lines)

    def drop(self, name: str | None = None, text: str | None = None) -> None:
        """Drop the texts of a name, or those that are the same as a text."""
        end = f"\t{json.dumps(text)}"
        dropped = [at for at, line in self._lines.items() if at[0] == name or (text is not None and line.endswith(end))]
        for at in dropped:
            del self._lines[at]
        self._holds_dropped = self._holds_dropped or bool(dropped)

    def write(self) -> None:
        """Write what is new; nothing if it cannot be written."""
        new, self._new = self._new, []
        if self._path is None or not new:
            return
        with suppress(OSError):
            if self._holds_dropped or self._useless > len(self._lines):
                write_whole(self._path, _content(self._lines.values()))
                self._useless, self._holds_dropped = 0, False
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with open(self._path, "ab", buffering=0) as file:
                file.write(_content(["", *new]))

    def _read(self, content: str) -> None:
        for line in content.split("\n"):
            parts = line.split("\t", _PARTS - 1)
            if len(parts) == _PARTS and parts[1] == self._digest:
                self._useless += (parts[2], parts[3]) in self._lines
                self._lines[parts[2], parts[3]] = line
            elif line:
                self._useless += 1

    def _text(self, name: str, written: str) -> str | None:
        line = self._lines.get((name, written))
        if line is None:
            return None
        check, _, said = line.partition("\t")
        if check != _check(said):
            self._lines.pop((name, written), None)
            self._useless += 1
            return None
        text: str = json.loads(said.rpartition("\t")[2])
        return text


def _check(said: str) -> str:
    """A check of what follows, for damage; who may write the file may write anything."""
    return f"{zlib.crc32(said.encode()):08x}"


def _content(lines: Iterable[str]) -> bytes:
    return "".join([f"{line}\n" for line in lines]).encode()
