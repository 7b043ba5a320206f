"""Where the attributes of calls stand in a text.

The nodes of a program do not say; whoever asks (an error has been found) has the text read once more, token by token:
that of the call, or if that is long, as where calls stand in calls, all of it, once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from ..ir import Call, Source, Span
from .errors import ParseError
from .lexer import tokenize, tokenize_piece
from .tokens import Token

__all__ = ["AttributeSpans"]

_SHORT = 500
"""So many characters of a call are read by themselves."""
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE", "RANGLE"})
_OPENING = frozenset({"LPAR", "LSQB", "LBRACE", "LANGLE"})


class AttributeSpans:
    """The places of the attributes of calls, for any calls that were read from texts."""

    def __init__(self) -> None:
        self._tokens: dict[int, tuple[Source, Sequence[Token]]] = {}
        self._found: dict[int, tuple[Call, dict[str, Span]]] = {}

    def of(self, call: Call) -> dict[str, Span]:
        """The places of `name=value`, by name; {} for a call that was read from no text."""
        known = self._found.get(id(call))
        if known is None:
            known = self._found[id(call)] = call, self._read_of(call)
        return known[1]

    def _read_of(self, call: Call) -> dict[str, Span]:
        """`of`: attributes are the last things in a call, so they are looked for from its closing bracket on."""
        span = call.span
        found: dict[str, Span] = {}
        if span is None or not call.given:
            return found
        tokens, base = self._around(span)
        closing = bisect_left(tokens, span.end - base, key=attrgetter("end"))
        depth, behind = 0, closing
        for i in range(min(closing, len(tokens) - 1), -1, -1):
            token = tokens[i]
            if token.start < span.start - base or len(found) == len(call.given):
                break
            if token.type in _CLOSING:
                depth += 1
            elif token.type in _OPENING:
                depth -= 1
                if depth == 0:
                    break
            elif depth == 1 and token.type == "COMMA":
                behind = i
            elif depth == 1 and token.type == "ATTR":
                name = token.value.partition("=")[0]
                if name in call.given:
                    found[name] = Span(span.source, base + token.start, base + token.end)
                behind = i
            elif depth == 1 and token.type == "EQ" and i > 0 and tokens[i - 1].value in call.given:
                place = Span(span.source, base + tokens[i - 1].start, base + tokens[behind - 1].end)
                found[tokens[i - 1].value] = place
                behind = i - 1
        return found

    def _around(self, span: Span) -> tuple[Sequence[Token], int]:
        """Tokens of a text that has a call at `span`, and the offset at which they begin to count."""
        if span.end - span.start <= _SHORT and id(span.source) not in self._tokens:
            try:
                piece = tokenize_piece(span.text, "LPAR", "(")
            except ParseError:
                piece = None
            if piece is not None:
                return piece, span.start
        return self._read(span.source), 0

    def _read(self, source: Source) -> Sequence[Token]:
        if id(source) not in self._tokens:
            tokens: Sequence[Token]
            try:
                tokens = tokenize(source).tokens
            except ParseError:  # what was read from no Relay text has a source, too
                tokens = []
            self._tokens[id(source)] = source, tokens
        return self._tokens[id(source)][1]
