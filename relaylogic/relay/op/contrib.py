"""Operators that have no other room, as functions. Made from the operator table; see `contrib.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("contrib")
