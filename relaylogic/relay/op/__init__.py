"""All operators as functions that build calls, by room, and the registry: `get`, `register`.

Operators without a prefix are here and in `relaylogic.relay` itself. Made from the operator table; see `__init__.pyi`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..absent import absent, is_known
from ..expr import const
from . import annotation, contrib, dyn, image, memory, nn, op, random, vision, vm
from .op import Op, OpPattern, get, register, register_pattern, register_stateful
from .rooms import room

if TYPE_CHECKING:
    from .tensor import *  # noqa: F403

__all__ = [
    "Op",
    "OpPattern",
    "annotation",
    "const",
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
_FILES = frozenset({"algorithm", "reduce", "tensor", "transform"})
"""Where TVM keeps operators without a prefix."""


def __getattr__(name: str) -> Any:
    if name in _FILES:
        return import_module(".tensor", __name__)
    if is_known("relay.op", name):
        raise absent("relay.op", name)
    return _function(name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_names()])
