"""Where the function of each operator is: `nn.conv2d` in `relay.nn`, `add` in `relay`, `qnn.add` in `relay.qnn.op`.

A room is a module whose functions are made when they are first asked for, so that importing it reads no rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["ROOMS", "functions", "lookup", "room"]

_ROOMS = "annotation contrib dyn dyn.image dyn.nn image memory nn qnn random vision vm"
ROOMS = ("", *_ROOMS.split())
"""The prefixes that have a room; that of operators without a prefix is the empty one."""

_OTHER_ROOMS = {
    "contrib_reverse_reshape": "contrib.reverse_reshape",
    "nn.internal.sparse_dense_padded": "nn.sparse_dense_padded",
    "on_device": "annotation.on_device",
    "relay.op.annotation.simulated_quantize": "annotation.simulated_quantize",
}
"""Operators whose function has another name."""


@cache
def functions(prefix: str) -> dict[str, str]:
    """The functions of a room: their names, with the operator of each; no operator's name for one of several calls."""
    from ...rulebase import default_rules
    from .special import SPECIAL
    from .special_rooms import SPECIAL_IN_ROOMS

    found = {}
    for name in default_rules().operators:
        home, _, function = _OTHER_ROOMS.get(name, name).rpartition(".")
        if home == prefix:
            found[function] = name
    for name in (*SPECIAL, *SPECIAL_IN_ROOMS):
        home, _, function = name.rpartition(".")
        if home == prefix:
            found.setdefault(function, "")
    return dict(sorted(found.items()))


@cache
def lookup(prefix: str, name: str) -> Callable[..., Any]:
    """The function `name` of a room. Raises AttributeError."""
    from .build import function_of
    from .special import SPECIAL
    from .special_rooms import SPECIAL_IN_ROOMS

    operator = functions(prefix).get(name)
    path = f"{prefix}.{name}" if prefix else name
    if operator is None:
        from ...rulebase import default_rules, nearest

        raise AttributeError(f"there is no operator `{path}`{nearest(path, default_rules().operators)}")
    special = SPECIAL.get(path) or SPECIAL_IN_ROOMS.get(path)
    return special if special is not None else function_of(operator)


def room(prefix: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for the module of a room."""

    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return list(functions(prefix))
        if name.startswith("_"):
            raise AttributeError(name)
        return lookup(prefix, name)

    def __dir__() -> list[str]:
        return list(functions(prefix))

    return __getattr__, __dir__
