"""Stops from outside what does not look at its limits itself: a thread that raises something in the thread that works.

What is raised in a thread arrives as soon as that runs Python again: at the end of one long call in C, not within it.
Seldom nobody gets it: where an object dies (`__del__`, callbacks of weak references), and where C drops what a
comparison raised, Python goes on as if nothing was. So it is raised again, at once when it was lost; not while it is on
its way up, where it would stop what cleans up. Both can be told apart: while it is on its way, the exception is alive.
How long after a loss varies: who works in a rhythm might else be met at the same beat again and again.

For `relaylogic.host.governor`; `whole` is for everybody.
"""

from __future__ import annotations

import _weakrefset
import contextlib
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["POLL", "Watcher", "whole"]

Function = TypeVar("Function", bound=Callable[..., Any])

POLL = 0.02
"""Seconds between two looks."""

_SOON = POLL / 10  # where nothing may be raised just now, or what was may be lost
_LATER = 0.05  # seconds: the longest pause after something was raised
_GOLDEN = 0.618034  # multiples of it fall evenly between whole numbers
_LONGEST = 0.5  # seconds: what is on its way for longer is kept by somebody who goes on working


class Watcher:
    """Watches the threads that work within one block of limits.

    `stop` is what is raised; while it is raised somewhere, `flies` is told. `overdue` says which limit is reached, and
    has been for a while, or ""; `tell` is told before something is raised for it.
    """

    def __init__(self, stop: type[BaseException], overdue: Callable[[], str], tell: Callable[[str], None]) -> None:
        self._stop = stop
        self._overdue = overdue
        self._tell = tell
        self._workers: set[int] = set()
        self._flying: dict[int, weakref.ref[BaseException]] = {}  # what was raised last in each thread
        self._raised: set[int] = set()  # the threads that were stopped from outside
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._over = threading.Event()

    # The thread that works.

    def is_working(self) -> bool:
        """Whether this thread may be stopped."""
        return threading.get_ident() in self._workers

    def enter(self, watched: bool) -> None:
        """This thread may be stopped from now on, from outside too if it is to be watched."""
        self._workers.add(threading.get_ident())
        if watched and self._thread is None and _can_raise():
            self._thread = threading.Thread(target=self._watch, name="relaylogic limits", daemon=True)
            self._thread.start()

    def flies(self, stop: BaseException) -> None:
        """This is being raised in this thread."""
        self._flying[threading.get_ident()] = weakref.ref(stop)

    def leave(self) -> None:
        """This thread is not to be stopped any more; what was raised in it and has not arrived arrives here."""
        worker = threading.get_ident()
        with self._lock:
            self._workers.discard(worker)
            stopped = worker in self._raised
            self._raised.discard(worker)
        if stopped:
            self._receive(worker)
        self._flying.pop(worker, None)

    def _receive(self, worker: int) -> None:
        """Raise it once more, in place of what has not arrived, and wait for it.

        Taking it back is no way: CPython 3.11 looks for what is not there for ever after, and a thread that is traced
        or profiled does nothing else.
        """
        try:
            _raise_in(worker, self._stop)
            while True:
                pass
        except self._stop:
            pass

    def close(self) -> None:
        """Nobody is to be watched any more, and nothing is raised from now on."""
        with self._lock:
            self._over.set()
            self._workers.clear()

    # The thread that watches.

    def _watch(self) -> None:
        """Stop threads that work on although a limit is reached."""
        since: dict[int, float] = {}
        pause, raised = POLL, 0
        while not self._over.wait(pause):
            pause = POLL
            name = self._overdue()
            if not name:
                since.clear()
                continue
            now = time.monotonic()
            for worker in list(self._workers):
                if self._is_flying(worker) and now < since.setdefault(worker, now) + _LONGEST:
                    continue
                pause, since[worker] = _SOON, now
                with self._lock:
                    if worker in self._workers and not _is_whole(worker):
                        self._tell(name)
                        self._raised.add(worker)
                        _raise_in(worker, self._stop)
                        raised += 1
                        pause += _LATER * (raised * _GOLDEN % 1)

    def _is_flying(self, worker: int) -> bool:
        """Whether what was raised last in a thread is on its way up."""
        flying = self._flying.get(worker)
        return flying is not None and flying() is not None


def _can_raise() -> bool:
    """Whether something can be raised in another thread: in CPython it can."""
    import ctypes  # takes as long as all of this room, and only limits need it

    return hasattr(ctypes, "pythonapi") and hasattr(ctypes.pythonapi, "PyThreadState_SetAsyncExc")


def _raise_in(thread: int, problem: type[BaseException]) -> None:
    """Raise a problem in a thread."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(problem))


# --- what is not to be stopped ----------------------------------------------------------------------------------------

_WHOLE: set[Any] = set()  # the code of functions that are marked as `whole`, when they are defined
_UNTOUCHED = ("<frozen importlib", weakref.__file__, _weakrefset.__file__, contextlib.__file__)


def whole(function: Function) -> Function:
    """Decorator: the watcher does not stop what is within this function, which does something wholly or not at all."""
    _WHOLE.add(function.__code__)
    return function


def _is_whole(thread: int) -> bool:
    """Whether a thread is within something that is not to be left half done, or loses what is raised there.

    That is an import, a function marked so, where a `with` begins and ends, what is called when an object dies. What is
    raised in a thread arrives where that gave way to the watcher, so the frame that is seen here is where it arrives.
    """
    frame = sys._current_frames().get(thread)
    while frame is not None:
        code = frame.f_code
        if code in _WHOLE or code.co_name == "__del__" or code.co_filename.startswith(_UNTOUCHED):
            return True
        frame = frame.f_back
    return False
