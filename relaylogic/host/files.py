"""Files are read in parts: one without end, or too large, or that gives nothing, is stopped by a limit between them."""

from __future__ import annotations

from contextlib import suppress
from os.path import exists, samefile
from pathlib import Path
from select import select
from typing import BinaryIO

from .governor import afford, check_while_waiting, current

__all__ = ["NoText", "bytes_of", "is_same", "text_in", "text_of", "with_plain_lines"]

_PART = 1 << 20
_PATIENCE = 0.05  # seconds between two looks at the limits, while there is nothing to read
_SHOWN = 200  # bytes behind one that is wrong
_SPACE = 3  # bytes for a byte that was read: the parts, all of them joined, the text


def bytes_of(stream: BinaryIO) -> bytes:
    """All that a stream has. Raises OSError; Stopped if a limit is reached."""
    parts: list[bytes] = []
    read = stream.read if current() is None else getattr(stream, "read1", stream.read)  # what there is, not all of it
    while True:
        _wait(stream)
        part = read(_PART)
        if not part:
            return b"".join(parts)
        afford(_SPACE * len(part))
        parts.append(part)


def _wait(stream: BinaryIO) -> None:
    """Wait for something to read, or the end; while a pipe has neither, the limits hold. Raises Stopped."""
    with suppress(OSError, ValueError):  # of this kind of file that cannot be asked
        while current() is not None and not select([stream], [], [], _PATIENCE)[0]:
            check_while_waiting()


def text_of(path: Path) -> str:
    r"""The text of a file in UTF-8, with or without a byte order mark; lines end with `\n`.

    Raises OSError, NoText; Stopped if a limit is reached.
    """
    with path.open("rb") as stream:
        return text_in(bytes_of(stream))


class NoText(ValueError):
    """Bytes that are no UTF-8. The first one that is wrong is at `offset` of `text`, which is as much of them as shows
    its line, with U+FFFD for what is wrong."""

    def __init__(self, data: bytes, wrong: int) -> None:
        super().__init__(f"this is no text: byte {wrong} (0x{data[wrong]:02x}) is not UTF-8")
        before, behind = (
            with_plain_lines(part.decode(encoding, "replace"))
            for part, encoding in ((data[:wrong], "utf-8-sig"), (data[wrong : wrong + _SHOWN], "utf-8"))
        )
        self.offset = len(before)
        self.text = before + behind.partition("\n")[0]

    @property
    def place(self) -> str:
        """The place of the first byte that is wrong, `line:column`."""
        before = self.text[: self.offset]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return f"{line}:{column}"


def text_in(data: bytes) -> str:
    r"""The text that is written in some bytes, as `text_of`. Raises NoText."""
    try:
        return with_plain_lines(data.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:  # which counts from behind the byte order mark
        raise NoText(data, problem.start + len(data) - len(problem.object)) from None


def is_same(path: Path, other: str) -> bool:
    """Whether two names are of one file that there is; one that no file can have is of none."""
    return exists(path) and exists(other) and samefile(path, other)


def with_plain_lines(text: str) -> str:
    r"""The text with lines that end with `\n`, whatever they ended with."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
