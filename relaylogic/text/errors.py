"""The one error of this room."""

from __future__ import annotations

from ..errors import RelayLogicError, alike, did_you_mean

__all__ = ["ParseError", "nearest"]


class ParseError(RelayLogicError):
    """The text is no Relay program: malformed, or it names something that nothing defines.

    `span` is always given; `hints` say what was expected or would fit.
    """


def nearest(name: str, known: list[str], sigil: str = "") -> tuple[str, ...]:
    """Hints that name the known names closest to `name`."""
    return did_you_mean(alike(name, known), sigil)
