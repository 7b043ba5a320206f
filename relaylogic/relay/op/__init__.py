"""All operators as functions that build calls, by room, and the registry: `get`, `register`.

Operators without a prefix are here and in `relaylogic.relay` itself. Made from the operator table; see `__init__.pyi`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import annotation, contrib, dyn, image, memory, nn, op, random, vision, vm
from .op import Op, OpPattern, get, register, register_pattern, register_stateful
from .rooms import room

if TYPE_CHECKING:
    from .tensor import *  # noqa: F403

__all__ = [
    "Op",
    "OpPattern",
    "annotation",
    "contrib",
    "dyn",
    "get",
    "image",
    "memory",
    "nn",
    "op",
    "random",
    "register",
    "register_pattern",
    "register_stateful",
    "vision",
    "vm",
]

_function, _names = room("")


def __getattr__(name: str) -> Any:
    return _function(name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_names()])
