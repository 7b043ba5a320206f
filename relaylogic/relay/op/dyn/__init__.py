"""Operators whose attributes are operands of run time, as functions that build calls. Made from the operator table."""

from __future__ import annotations

from ..rooms import room
from . import image, nn

__all__ = ["image", "nn"]
__getattr__, __dir__ = room("dyn")
