"""Operators of random numbers, as functions that build calls. Made from the operator table; see `random.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("random")
