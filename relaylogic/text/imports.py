"""Modules that come with relaylogic and are named by `import "..."`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..ir.module import IRModule

__all__ = ["known_modules", "load_module"]

_LIBRARY = Path(__file__).parent / "library"


def known_modules() -> list[str]:
    """The names that `import` understands."""
    return sorted(path.stem for path in _LIBRARY.glob("*.relay"))


@cache
def load_module(name: str) -> IRModule:
    """The module of that name, read once in a process. Raises KeyError if there is none."""
    from .parser import parse

    if name not in known_modules():
        raise KeyError(name)
    path = _LIBRARY / f"{name}.relay"
    return parse(path.read_text(encoding="utf-8"), f"<{name}>")
