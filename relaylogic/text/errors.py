"""The one error of this room."""

from __future__ import annotations

from ..errors import RelayLogicError

__all__ = ["ParseError", "nearest"]


class ParseError(RelayLogicError):
    """The text is no Relay program: malformed, or it names something that nothing defines.

    `span` is always given; `hints` say what was expected or would fit.
    """


def nearest(name: str, known: list[str], sigil: str = "") -> tuple[str, ...]:
    """Hints that name the known names closest to `name`."""
    from difflib import get_close_matches  # for errors only

    found = get_close_matches(name[:200], known[:5000], n=2, cutoff=0.6)
    return (f"did you mean {' or '.join(f'`{sigil}{f}`' for f in found)}?",) if found else ()
