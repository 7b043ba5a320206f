"""The dialect of quantised operators."""

from __future__ import annotations

from . import op

__all__ = ["op"]
