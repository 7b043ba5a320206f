"""Operators of annotations, which say something of an expression without changing its type, as functions that build calls. Made from the operator table; see `annotation.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("annotation")
