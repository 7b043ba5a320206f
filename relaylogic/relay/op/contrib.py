"""Operators of contributions that have no other room, as functions that build calls. Made from the operator table; see `contrib.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("contrib")
