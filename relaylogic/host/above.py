"""What rooms need of those above them, which they do not import: functions by a name, which whoever has both registers.

A room asks for `Call.attrs`, say; that `relay.attrs` serves it is known to the package, which has all rooms (the engine
says who serves within it). It is loaded when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

__all__ = ["above", "register"]

_WHERE: dict[str, str] = {}


def register(where: Mapping[str, str]) -> None:
    """Say where things are served, each as `module:name`. What is served stays so for as long as the process lives."""
    _WHERE.update(where)


@cache
def above(name: str) -> Any:
    """What is served under a name."""
    module, _, attribute = _WHERE[name].partition(":")
    return getattr(import_module(module), attribute)
