"""A dictionary that forgets what it has held longest, so that a process that runs for months does not grow."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

__all__ = ["Bounded"]


class Bounded(dict[Any, Any]):
    """Entries of together at most the weight `most`: when it is full, the older half goes. Safe between threads.

    `weigh` says what a value weighs (1 if it is not given): about how much it holds, found out without walking it.
    """

    def __init__(self, most: int, weigh: Callable[[Any], int] | None = None) -> None:
        super().__init__()
        self.most = most
        self._weigh = weigh
        self._taken = 0
        self._lock = Lock()

    def __setitem__(self, key: Any, value: Any) -> None:
        weigh = self._weigh
        if weigh is None and len(self) < self.most:  # a dictionary takes an entry in one step
            dict.__setitem__(self, key, value)  # `super()` takes a third of the time of this
            return
        with self._lock:
            if (len(self) if weigh is None else self._taken) >= self.most:
                for old in list(self)[: len(self) // 2 + 1]:
                    self.pop(old, None)
                self._taken = 0 if weigh is None else sum(map(weigh, self.values()))
            dict.__setitem__(self, key, value)
            self._taken += 0 if weigh is None else weigh(value)

    def clear(self) -> None:
        with self._lock:
            super().clear()
            self._taken = 0
