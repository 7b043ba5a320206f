"""What the limits of work ask of the process: how much memory it has, and to raise something in a thread that works.

For `relaylogic.governor`; `whole` is for everybody.
"""

from __future__ import annotations

import _weakrefset
import contextlib
import os
import sys
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["can_raise", "default_memory", "is_whole", "raise_in", "resident", "whole"]

Function = TypeVar("Function", bound=Callable[..., Any])


def _page_size() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 4096


_PAGE = _page_size()
_UNLIMITED = 1 << 62
_UNUSED = 16 << 20


def _pages(field: int) -> int | None:
    """A field of `/proc/self/statm` in bytes (0: all addresses, 1: what is resident); None where there is none."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as statm:
            return int(statm.read(200).split()[field]) * _PAGE
    except (OSError, IndexError, ValueError):
        return None


def resident() -> int:
    """The memory of this process in bytes: what is resident, where the system tells (Linux); else the most there was.

    0 where the system tells neither (Windows): there only what is charged before it is made, and a MemoryError, reach
    the limit of memory.
    """
    now = _pages(1)
    if now is not None:
        return now
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most) if sys.platform == "darwin" else int(most) * 1024


def default_memory() -> int:
    """What the command line allows: 8 GB, or three quarters of the machine's memory if that is less.

    It is less, too, if the system allows this process no more addresses: where these run out, Python crawls.
    """
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * _PAGE
    except (AttributeError, OSError, ValueError):
        machine = 4 * 8 * 10**9
    return min(8 * 10**9, machine * 3 // 4, _room())


def _room() -> int:
    """How much more memory the system lets this process have, less what stays unused: arenas, stacks of threads."""
    used = _pages(0)
    if used is None:
        return _UNLIMITED
    import resource  # where there is /proc, there is this

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return _UNLIMITED if allowed < 0 else max(allowed - used - allowed // 4 - _UNUSED, _UNUSED)


# --- threads ----------------------------------------------------------------------------------------------------------


def can_raise() -> bool:
    """Whether something can be raised in another thread: in CPython it can."""
    import ctypes  # takes as long as all of this room, and only limits need it

    return hasattr(ctypes, "pythonapi") and hasattr(ctypes.pythonapi, "PyThreadState_SetAsyncExc")


def raise_in(thread: int, problem: type[BaseException] | None) -> None:
    """Raise a problem in a thread; None takes back what was raised and has not arrived."""
    import ctypes

    raised = None if problem is None else ctypes.py_object(problem)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_WHOLE: set[Any] = set()  # the code of functions that are marked as `whole`, when they are defined
_UNTOUCHED = ("<frozen importlib", weakref.__file__, _weakrefset.__file__, contextlib.__file__)


def is_whole(thread: int) -> bool:
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


def whole(function: Function) -> Function:
    """Decorator: the watcher does not stop what is within this function, which does something wholly or not at all."""
    _WHOLE.add(function.__code__)
    return function
