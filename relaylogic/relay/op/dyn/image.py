"""Operators of `image` whose attributes are operands of run time. Made from the operator table."""

from __future__ import annotations

from ..rooms import room

__getattr__, __dir__ = room("dyn.image")
