"""Operators of memory, as functions that build calls. Made from the operator table; see `memory.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("memory")
