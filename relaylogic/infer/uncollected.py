"""Work that makes no cycles, and many objects that live as long as it does."""

from __future__ import annotations

import gc

__all__ = ["uncollected"]


class uncollected:
    """Pause the cyclic garbage collector, which would go through all these objects to no avail."""

    __slots__ = ("_was_enabled",)

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()
