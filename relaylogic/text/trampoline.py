"""Recursion without Python's stack: a recursive function is written as a generator that yields its recursive
calls."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["Steps", "trampoline"]

T = TypeVar("T")
Steps = Generator[Any, Any, T]
"""A computation of a `T` that yields other computations and is sent their results."""


def trampoline(steps: Steps[T]) -> T:
    """The result of `steps`."""
    stack: list[Steps[Any]] = [steps]
    value: Any = None
    while stack:
        try:
            called = stack[-1].send(value)
        except StopIteration as stop:
            stack.pop()
            value = stop.value
        else:
            stack.append(called)
            value = None
    return value  # type: ignore[no-any-return]
