"""Quantised operators, as functions that build calls. Made from the operator table; see `op.pyi`."""

from __future__ import annotations

from ..op.rooms import room

__getattr__, __dir__ = room("qnn")
