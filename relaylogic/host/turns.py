"""One thread after the other: a lock whose waiting threads see their own limits."""

from __future__ import annotations

from threading import RLock
from typing import Any

from .governor import check_while_waiting
from .watcher import POLL, whole

__all__ = ["Turns"]


class Turns:
    """A lock for a block: one thread at a time runs it, and may enter it again from within.

    A thread that waits and reaches one of its limits raises LimitReached, or is stopped like other governed work.
    """

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = RLock()

    @whole
    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):  # one that is free takes three times as long with a timeout
            while not self._lock.acquire(timeout=POLL):
                check_while_waiting()

    def __exit__(self, *problem: Any) -> None:
        self._lock.release()
