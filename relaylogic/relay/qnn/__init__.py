"""The dialect of quantised operators."""

from __future__ import annotations

from typing import Any

from ..absent import absent
from . import op

__all__ = ["op"]


def __getattr__(name: str) -> Any:
    raise absent("relay.qnn", name)
