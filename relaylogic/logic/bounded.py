"""A dictionary that forgets what it has held longest, so that a process that runs for months does not grow."""

from __future__ import annotations

from typing import Any

__all__ = ["Bounded"]


class Bounded(dict[Any, Any]):
    """At most `most` entries: when it is full, the older half goes. Safe to share between threads."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self) >= self.most:
            for old in list(self)[: self.most // 2]:
                self.pop(old, None)
        super().__setitem__(key, value)
