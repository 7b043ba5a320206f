"""The modules that `import "..."` names."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..ir.module import IRModule

__all__ = ["KNOWN_MODULES", "load_module"]

# Where each module is made: a function, loaded when it is first asked for, since its room is above this one.
KNOWN_MODULES = {name: ("relaylogic.prelude", f"{name}_module") for name in ("prelude", "nat", "core")}


def load_module(name: str) -> IRModule:
    """The module of that name. Raises KeyError if there is none."""
    room, function = KNOWN_MODULES[name]
    return cast(IRModule, getattr(import_module(room), function)())
