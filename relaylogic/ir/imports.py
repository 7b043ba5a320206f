"""The modules that `import "..."` names: they are made where they are read, in a room above."""

from __future__ import annotations

from typing import Any

from ..host.above import above

__all__ = ["KNOWN_MODULES", "load_module"]

KNOWN_MODULES = ("prelude", "nat", "core")


def load_module(name: str) -> Any:
    """The module of that name. Raises KeyError if there is none."""
    if name not in KNOWN_MODULES:
        raise KeyError(name)
    return above(f"{name}.rly")()
