"""Files are read in parts: one that has no end, or is too large, is stopped by a limit between two of them."""

from __future__ import annotations

from os.path import exists, samefile
from pathlib import Path
from typing import BinaryIO

from .governor import afford

__all__ = ["bytes_of", "is_same", "text_of", "with_plain_lines"]

_PART = 1 << 20
_SPACE = 3  # bytes for a byte that was read: the parts, all of them joined, the text


def bytes_of(stream: BinaryIO) -> bytes:
    """All that a stream has. Raises OSError; Stopped if a limit is reached."""
    parts = []
    while part := stream.read(_PART):
        afford(_SPACE * len(part))
        parts.append(part)
    return b"".join(parts)


def text_of(path: Path) -> str:
    r"""The text of a file in UTF-8, with or without a byte order mark; lines end with `\n`.

    Raises OSError, UnicodeDecodeError; Stopped if a limit is reached.
    """
    with path.open("rb") as stream:
        return with_plain_lines(bytes_of(stream).decode("utf-8-sig"))


def is_same(path: Path, other: str) -> bool:
    """Whether two names are of one file that there is; one that no file can have is of none."""
    return exists(path) and exists(other) and samefile(path, other)


def with_plain_lines(text: str) -> str:
    r"""The text with lines that end with `\n`, whatever they ended with."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
