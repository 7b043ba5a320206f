"""Texts as a page may show them: whatever a program says, it is text, and not too much of it."""

from __future__ import annotations

from typing import Any

from ..types import show_type

__all__ = ["LONGEST", "LeftOut", "clean", "cut", "shown_type"]

LONGEST = 10_000
"""So many characters of one text are shown: of a type, a message."""


def clean(text: str) -> str:
    """A text without what could not be seen, or would turn the letters around it: control and format characters."""
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n")
    return "".join(c if c in "\n\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in plain)


class LeftOut:
    """What the page leaves out, in sentences, each once."""

    def __init__(self) -> None:
        self._sentences: dict[str, None] = {}

    def say(self, sentence: str) -> None:
        """Note that something is left out."""
        self._sentences[sentence] = None

    def __iter__(self) -> Any:
        return iter(self._sentences)


def cut(text: str, left_out: LeftOut, longest: int = LONGEST) -> str:
    """A text as the page shows it, which is said to be cut if it is too long."""
    if len(text) <= longest:
        return clean(text)
    left_out.say(f"Texts of more than {longest:,} characters are cut.")
    return f"{clean(text[:longest])} \N{HORIZONTAL ELLIPSIS} ({len(text):,} characters)"


def shown_type(term: Any, left_out: LeftOut) -> str:
    """A type as text."""
    return cut(show_type(term), left_out)
