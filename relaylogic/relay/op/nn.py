"""Operators of neural networks, as functions that build calls. Made from the operator table; see `nn.pyi`."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("nn")
