"""What the command line prints: on which stream, in which letters, and what happens if it cannot be written.

Nothing that is printed is lost in silence: a write that fails raises `OutputLost`. Letters that the encoding of a
stream lacks are written as `\\uXXXX`, which JSON reads back. Names and strings of a program cannot command a terminal:
their control characters, and those that turn the direction of writing, are shown there as U+FFFD.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..host.governor import afford_text, governed
from .letters import ESCAPES, made_room

__all__ = ["OutputLost", "abandon", "complain", "flush", "is_terminal", "prepare", "printing", "say"]

_WRITE_ERRORS = frozenset(
    {errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF, errno.EAGAIN, errno.ECONNRESET}
)
_COMMANDS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal takes for more than a letter; `\\r` is progress's own."""


class OutputLost(Exception):
    """Something could not be written; `number` is the system's for the error (`errno`), if it is one of the system."""

    def __init__(self, reason: str, number: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.number = number

    @property
    def broken_pipe(self) -> bool:
        """Whether nobody reads the output any more."""
        return self.number == errno.EPIPE


def prepare() -> None:
    """Have standard output and standard error escape the letters that their encodings lack.

    A standard error that is closed is replaced by one that nobody reads: others write there without asking.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPES)


def say(text: str, paid: bool = False) -> None:
    """Print a line on standard output, at once. Raises OutputLost; LimitReached, unless the text was `paid` for."""
    if not paid:
        governed(lambda: afford_text(len(text) + 1))
    if sys.stdout is None:
        raise OutputLost("standard output is closed")
    _write(sys.stdout, f"{text}\n")


def complain(text: str, end: str = "\n") -> None:
    """Print a line on standard error; if that is closed there is nobody to tell. Raises OutputLost."""
    if sys.stderr is None:
        return
    try:
        _write(sys.stderr, text + end)
    except OutputLost as lost:
        if lost.number != errno.EBADF:  # closed, too
            raise


def _write(stream: Any, text: str) -> None:
    if is_terminal(stream):
        text = _COMMANDS.sub("\N{REPLACEMENT CHARACTER}", text)
    try:
        stream.write(made_room(text, getattr(stream, "encoding", None) or "utf-8"))
        stream.flush()
    except (OSError, ValueError) as problem:  # ValueError: the stream is closed
        raise _lost(problem) or OutputLost(str(problem)) from problem


def flush() -> None:
    """Write what waits to be written. Raises OutputLost."""
    if sys.stdout is not None:
        _write(sys.stdout, "")
    complain("", end="")


@contextmanager
def printing() -> Iterator[None]:
    """Where others print: what they cannot write raises OutputLost here too."""
    try:
        yield
    except OSError as problem:
        lost = _lost(problem)
        if lost is None:
            raise
        raise lost from problem


def _lost(problem: OSError | ValueError) -> OutputLost | None:
    """What an error says of a write that failed; None if it is about something else, such as a file by its name."""
    if not isinstance(problem, OSError) or problem.errno not in _WRITE_ERRORS or problem.filename is not None:
        return None
    return OutputLost(problem.strerror or str(problem), problem.errno)


def abandon() -> None:
    """Drop what waits to be written, so that the end of the process does not stumble over it again."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
            continue
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def is_terminal(stream: Any) -> bool:
    """Whether somebody watches this stream."""
    with suppress(OSError, ValueError, AttributeError):
        return bool(stream.isatty())
    return False
