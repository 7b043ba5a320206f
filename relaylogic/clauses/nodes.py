"""Syntax trees of clause notation, and the error that points into them."""

from __future__ import annotations

from typing import Any

from ..errors import RelayLogicError
from ..ir.source import Source, Span

__all__ = ["MAX_DEPTH", "ClauseError", "Syntax", "Token"]

MAX_DEPTH = 150


class ClauseError(RelayLogicError):
    """A text in clause notation that cannot be read, or that does not fit the rule base."""


class Syntax:
    """A node of a syntax tree; `start` and `end` are offsets into `source`.

    A node has a kind (the alternative of the grammar), a value (its token's text) and items. Nesting is limited to
    `MAX_DEPTH`, so that what walks a tree may be recursive; a node that is nested deeper raises ClauseError.
    """

    __slots__ = ("depth", "end", "items", "kind", "source", "start", "value")

    def __init__(self, kind: str, value: Any, items: tuple[Syntax, ...], source: Source, start: int, end: int) -> None:
        self.kind = kind
        self.value = value
        self.items = items
        self.source = source
        self.start = start
        self.end = end
        depth = 1
        for item in items:
            depth = max(depth, item.depth + 1)
        self.depth: int = depth
        if depth > MAX_DEPTH:
            raise ClauseError(f"this is nested more than {MAX_DEPTH} deep", self.span)

    @property
    def span(self) -> Span:
        """Where the node stands."""
        return Span(self.source, self.start, self.end)

    @property
    def text(self) -> str:
        """The text of the node."""
        return self.source.text[self.start : self.end]

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join([repr(self.value), *map(repr, self.items)])})"


class Token(Syntax):
    """A word of the text; `type` is its terminal in the grammar. Where it is a term of its own, its kind says which."""

    __slots__ = ("type",)

    def __init__(self, type: str, value: str, source: Source, start: int, end: int) -> None:
        self.type = type
        self.kind = "token"
        self.value = value
        self.items = ()
        self.source = source
        self.start = start
        self.end = end
        self.depth = 1
