"""relaylogic: the types of Relay programs by logic programming.

    >>> import relaylogic
    >>> relaylogic.infer("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }").functions["main"]
    fn (Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32]

Everything is loaded when it is first used, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import infer, infer_call, parse
    from .errors import RelayLogicError
    from .infer.result import Result

__version__ = "0.1.0"

__all__ = ["RelayLogicError", "Result", "infer", "infer_call", "parse"]

_WHERE = {
    "RelayLogicError": "errors",
    "Result": "infer.result",
    "infer": "api",
    "infer_call": "api",
    "parse": "api",
}


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{where}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
