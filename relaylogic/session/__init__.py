"""Programs that are being edited: after an edit, only what depends on it is read and inferred again."""

from __future__ import annotations

from .session import Session

__all__ = ["Session"]
