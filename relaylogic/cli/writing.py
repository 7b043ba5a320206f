"""Files that commands write: whole, or not at all.

What is written goes to a file beside the one that is meant, which takes its place at the end. Where that cannot be (a
device, a pipe, a folder in which nobody may make files), it is written where it is meant to be.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import threading
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from .ending import BadInput
from .output import OutputLost

__all__ = ["WholeFile"]


class WholeFile:
    """A text file that is being written; `keep` it, or what was there before stays.

    Raises BadInput if there can be no such file. `errors` is what `open` takes.
    """

    def __init__(self, path: Path, errors: str) -> None:
        self._path = path
        self._part: Path | None = None
        self._handler: Any = None
        try:
            where = self._beside()
            self._stream = (where or path).open("w", encoding="utf-8", errors=errors, newline="\n")
        except (OSError, ValueError) as problem:
            self._cleared()
            reason = getattr(problem, "strerror", None) or problem
            raise BadInput(f"cannot be written: {reason}", path) from None

    def _beside(self) -> Path | None:
        """A new file in the folder of the one that is meant; None if that is written itself."""
        meant = Path(os.path.realpath(self._path))
        try:
            mode = meant.stat().st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            return None
        if mode is not None and not os.access(meant, os.W_OK):
            raise PermissionError(13, "Permission denied")
        part = meant.with_name(f".{meant.name[:100]}.{os.getpid()}.part")
        self._listen(part)
        try:
            part.touch(exist_ok=False)
        except OSError:
            self._cleared()
            return None
        if mode is not None:
            with suppress(OSError):
                shutil.copymode(meant, part)
        return part

    def _listen(self, part: Path) -> None:
        """From now on the part is removed if the process is asked to end."""
        self._part = part
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            self._handler = signal.signal(signal.SIGTERM, self._ended)

    def _ended(self, number: int, frame: FrameType | None) -> None:
        self._cleared()
        os.kill(os.getpid(), number)

    def _cleared(self) -> None:
        """Nothing is left of what was not kept."""
        if self._part is not None:
            with suppress(OSError):
                self._part.unlink()
        self._part = None
        if self._handler is not None:
            signal.signal(signal.SIGTERM, self._handler)
            self._handler = None

    def write(self, text: str) -> None:
        """Write a text. Raises OutputLost."""
        try:
            self._stream.write(text)
        except OSError as problem:
            raise OutputLost(problem.strerror or str(problem), problem.errno) from problem

    def keep(self) -> None:
        """The file is whole. Raises OutputLost, and keeps what was there before."""
        try:
            self._stream.close()
            if self._part is not None:
                os.replace(self._part, os.path.realpath(self._path))
                self._part = None
        except OSError as problem:
            raise OutputLost(problem.strerror or str(problem), problem.errno) from problem
        finally:
            self._cleared()

    def drop(self) -> None:
        """The file is not to be."""
        with suppress(OSError):
            self._stream.close()
        self._cleared()

    def __enter__(self) -> WholeFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.keep()
        else:
            self.drop()
