"""What a process makes when it is first asked for, and keeps: a parser, the prelude.

`functools.cache` lets two threads that ask at the same time make two, of which each gets another.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TypeVar

__all__ = ["once"]

Made = TypeVar("Made")


def once(make: Callable[[], Made]) -> Callable[[], Made]:
    """Decorator: a function without arguments that is called once in a process, by whichever thread asks first."""
    made: list[Made] = []
    lock = RLock()

    def known() -> Made:
        if not made:
            with lock:
                if not made:
                    made.append(make())
        return made[0]

    known.__doc__, known.__name__, known.__module__ = make.__doc__, make.__name__, make.__module__
    return known
