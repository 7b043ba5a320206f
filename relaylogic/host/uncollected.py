"""Work that makes no cycles, and many objects that live as long as it does."""

from __future__ import annotations

import gc

from .watcher import whole

__all__ = ["uncollected"]


class uncollected:
    """Pause the cyclic garbage collector, which would go through all these objects to no avail.

    A limit does not stop what goes on here: the collector would stay off. So it would if one thread, which has found it
    paused, paused it once more after the other has resumed it: only who has found it at work does.
    """

    __slots__ = ("_was_enabled",)

    @whole
    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        if self._was_enabled:
            gc.disable()

    @whole
    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()
