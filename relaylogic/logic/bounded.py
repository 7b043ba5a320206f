"""A dictionary that forgets what it has held longest, so that a process that runs for months does not grow."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from sys import getsizeof
from threading import Lock
from typing import Any

from .flat import Record
from .terms import Term

__all__ = ["Bounded", "size_of"]

INTERNED = 256
"""What interning a term costs, in bytes."""


def size_of(value: Any) -> int:
    """About how many bytes a value takes, with all parts of its tuples, terms and records, each part once.

    Parts that other values share are counted as if they were its own; other objects, as if they held nothing.
    """
    size = 0
    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        size += getsizeof(item)
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, Term):
            size += INTERNED
            stack.append(item.args)
        elif isinstance(item, Record):
            stack.extend(item._parts())
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif is_dataclass(item) and not isinstance(item, type):
            stack.extend(getattr(item, field.name) for field in fields(item))
    return size


class Bounded(dict[Any, Any]):
    """At most `most` entries, of together about `room` bytes (if that is not None): when it is full, the older half
    goes. Safe to share between threads.
    """

    def __init__(self, most: int, room: int | None = None) -> None:
        super().__init__()
        self.most = most
        self.room = room
        self._taken = 0
        self._lock = Lock()

    def __setitem__(self, key: Any, value: Any) -> None:
        size = 0 if self.room is None else size_of((key, value))
        with self._lock:
            while len(self) >= self.most or (self.room is not None and self and self._taken + size > self.room):
                for old in list(self)[: max(1, self.most // 2 if self.room is None else len(self) // 2)]:
                    self.pop(old, None)
                self._taken = 0 if self.room is None else sum(map(size_of, self.items()))
            super().__setitem__(key, value)
            self._taken += size

    def clear(self) -> None:
        with self._lock:
            super().clear()
            self._taken = 0
