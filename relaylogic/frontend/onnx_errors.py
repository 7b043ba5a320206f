"""What can be wrong with a model that is to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import RelayLogicError, alike, several

__all__ = ["MissingExtra", "MissingOperators", "ONNXError"]


class ONNXError(RelayLogicError):
    """A model that cannot be read, or that says something that has no conversion.

    `span` is the line of the node in the listing of the graph that stands for a source text.
    """


class MissingExtra(ONNXError):
    """The package onnx is not installed."""

    def __init__(self) -> None:
        super().__init__("reading ONNX models needs the package onnx: pip install relaylogic[onnx]")


class MissingOperators(ONNXError):
    """Operators without conversion; `operators` maps each to the number of its nodes."""

    def __init__(self, found: Mapping[str, int], known: Iterable[str], first: Any) -> None:
        self.operators = dict(found)
        listed = ", ".join(f"{name} ({several(count, 'node')})" for name, count in sorted(found.items()))
        plural = len(found) != 1
        message = f"{len(found)} operator{'s have' if plural else ' has'} no conversion: {listed}"
        names = list(known)
        hints = []
        for name in sorted(found):
            close = alike(name, names)
            if close:
                hints.append(f"the nearest to {name} that can be converted: {', '.join(close)}")
        super().__init__(message, first, tuple(hints))
