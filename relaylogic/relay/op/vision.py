"""Operators of detection of objects, as functions that build calls. Made from the operator table; see `vision.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("vision")
