"""What is made when it is first asked for, and kept: by a process (a parser, the prelude), or by an object.

`functools.cache` lets two threads that ask at the same time make two, of which each gets another. Before Python 3.12,
`functools.cached_property` has one lock for all objects: while one thread works out the errors of a program, another
would wait with those of its own, whatever its limits are.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, TypeVar, cast, overload

__all__ = ["cached_property", "once"]

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


class cached_property(Generic[Made]):
    """Decorator: a method that becomes an attribute of an object when it is first asked for.

    Threads that ask an object at the same time may each work it out; all get the same.
    """

    def __init__(self, make: Callable[[Any], Made]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> cached_property[Made]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> Made: ...
    def __get__(self, owner: object | None, kind: type) -> Any:
        """What is worked out; asked only while the object has no such attribute."""
        if owner is None:
            return self
        return cast(Made, vars(owner).setdefault(self._name, self._make(owner)))
