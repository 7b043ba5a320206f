"""What the limits of work ask of the process: how much memory it has.

For `relaylogic.host.governor` and the command line.
"""

from __future__ import annotations

import os
import sys

__all__ = ["default_memory", "resident"]


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
