"""Operators without a prefix, as functions that build calls; they are in `relaylogic.relay` as well."""

from __future__ import annotations

from .rooms import room

__getattr__, __dir__ = room("")
