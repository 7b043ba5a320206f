"""The modules that every program may import: the prelude, `nat` and `core`, as text and as modules.

Each is made once in a process, so that everybody who uses it has the same handles.
"""

from __future__ import annotations

from pathlib import Path

from ..host.once import once
from ..ir import IRModule, TypeData
from ..text import parse
from ..types import STORAGE

__all__ = ["core_module", "nat_module", "prelude_module", "prelude_text"]

_FOLDER = Path(__file__).parent


@once
def prelude_text() -> str:
    """The prelude in Relay text."""
    return (_FOLDER / "prelude.rly").read_text(encoding="utf-8")


@once
def prelude_module() -> IRModule:
    """The prelude as a module. Its `Optional` is found by the name that TVM's prelude gives it, too."""
    module = parse(prelude_text(), "<prelude>")
    module.also_named("Option", "Optional")
    return module


@once
def nat_module() -> IRModule:
    """Functions of natural numbers."""
    return parse((_FOLDER / "nat.rly").read_text(encoding="utf-8"), "<nat>")


@once
def core_module() -> IRModule:
    """The type of regions of memory."""
    module = IRModule()
    module.add_type_def(STORAGE, TypeData(STORAGE, [], [], extern=True))
    return module
