"""The table of the terms that are alive: one for each functor, shared by all threads, holding on to none of them.

What a `WeakValueDictionary` does, at half the cost: making terms is what open numbers cost most.
"""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import Any
from weakref import ref

from ..exact import exact
from .variables import VARIABLES

__all__ = ["HoldsRules", "Interning", "InterningByIdentity"]


class HoldsRules:
    """A relation, or a function of a rule: it holds on to the rule base that it is of."""

    __slots__ = ()


class _Entry(ref):  # type: ignore[type-arg]
    """A reference to a term that knows what the term is kept by."""

    __slots__ = ("key",)
    key: Any


class Interning:
    """Terms by their arguments, as long as somebody holds them."""

    __slots__ = ("_dead", "_entries", "_lock")
    key = staticmethod(exact)
    """What terms of some arguments are kept by."""

    def __init__(self) -> None:
        self._entries: dict[Any, _Entry] = {}
        self._dead: deque[_Entry] = deque()  # a term may die while the lock is held; its entry goes next time
        self._lock = Lock()

    def __len__(self) -> int:
        return sum(1 for entry in list(self._entries.values()) if entry() is not None)

    def get(self, key: tuple[Any, ...]) -> Any:
        """The living term of this `key`, or None."""
        entry = self._entries.get(key)
        return None if entry is None else entry()

    def keep(self, key: tuple[Any, ...], term: Any) -> Any:
        """The living term of this `key`, which is `term` if there was none."""
        entry = _Entry(term, self._dead.append)
        entry.key = key
        entries, dead = self._entries, self._dead
        with self._lock:
            while dead:
                gone = dead.popleft()
                if entries.get(gone.key) is gone:
                    del entries[gone.key]
                del gone  # with its key, which may be the last to hold other terms
            known = entries.setdefault(key, entry)
            if known is not entry:
                found = known()
                if found is not None:
                    return found
                entries[key] = entry
        return term


class InterningByIdentity(Interning):
    """The same of terms that may have relations or functions of rules among their arguments.

    Those hold on to the rule base that they are of, and that holds on to the terms of its answers. A key with them in
    it would keep all of these alive for ever; so they are known there by their identity, which is theirs as long as the
    term lives.
    """

    __slots__ = ()

    @staticmethod
    def key(args: tuple[Any, ...]) -> tuple[Any, ...]:
        """What terms of some arguments are kept by."""
        return exact(_by_identity(args))


_PLAIN = frozenset({int, str, bool, float, *VARIABLES})


def _by_identity(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        [
            part
            if type(part) in _PLAIN
            else (Interning, id(part))
            if isinstance(part, HoldsRules)
            else part
            if type(part) is not tuple or _PLAIN.issuperset(map(type, part))
            else _list_by_identity(part)
            for part in key
        ]
    )


def _list_by_identity(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list that may hold further lists, however deep they are within each other."""
    known: dict[int, tuple[Any, ...]] = {}
    agenda = [items]
    while agenda:
        top = agenda[-1]
        inner = [part for part in top if type(part) is tuple and id(part) not in known]
        if inner:
            agenda += inner
        else:
            known[id(agenda.pop())] = tuple(
                [
                    known[id(part)]
                    if type(part) is tuple
                    else (Interning, id(part))
                    if isinstance(part, HoldsRules)
                    else part
                    for part in top
                ]
            )
    return known[id(items)]
