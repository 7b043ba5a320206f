"""The prelude: the data types and functions of prelude.rly, as text and as a module."""

from __future__ import annotations

from pathlib import Path

from ..ir import IRModule
from ..once import once
from ..text import parse

__all__ = ["prelude_module", "prelude_text"]

_FILE = Path(__file__).parent / "prelude.rly"


@once
def prelude_text() -> str:
    """The prelude in Relay text."""
    return _FILE.read_text(encoding="utf-8")


@once
def prelude_module() -> IRModule:
    """The prelude as a module, read once in a process, so that everybody who uses it has the same handles."""
    return parse(prelude_text(), "<prelude>")
