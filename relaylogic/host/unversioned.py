"""logical-unification without a look at what is installed.

When it is imported, it asks which version of it that is, for which the machinery of packages is loaded: that takes as
long as a sixth of a short command. Here it is asked when somebody wants to know.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["import_unification"]

_NEEDLESS = "importlib.metadata"


def import_unification() -> None:
    """Import it, as long as nobody has, for a process of the command line: no other thread imports anything then."""
    if _NEEDLESS in sys.modules or "unification" in sys.modules:
        return
    stand_in: Any = ModuleType(_NEEDLESS)
    stand_in.version = lambda name: ""
    sys.modules[_NEEDLESS] = stand_in
    try:
        with suppress(ImportError, AttributeError):  # if it wants more, it is imported later, by whoever needs it
            unification: Any = import_module("unification")
            del unification.__version__
            unification.__getattr__ = _version_of_unification
    finally:
        del sys.modules[_NEEDLESS]


def _version_of_unification(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'unification' has no attribute {name!r}", name=name)
    from importlib.metadata import version

    return version("logical-unification")
