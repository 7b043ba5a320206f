"""Operators that say something of an expression without changing its type. Made from the operator table."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("annotation")
