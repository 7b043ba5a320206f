"""What a syntax error says: what stands there, what could, and which slip of the pen explains it."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ..errors import enumerated
from ..ir.source import Source, Span
from .errors import ParseError
from .tokens import Token, describe, shown

__all__ = ["syntax_error"]

_EXPRESSION = frozenset({"LOCAL", "GRAPH", "GLOBAL", "IDENT", "NUMBER", "BOOL", "LPAR", "FN", "IF", "REF_READ"})
_STATEMENT = _EXPRESSION | {
    "DTYPE",
    "META",
    "REF",
    "REF_WRITE",
    "LET",
    "BINDING",
    "MATCH",
    "PMATCH",
    "LBRACE",
    "FREE_VAR",
    "MINUS",
}
_TYPE = frozenset({"TENSOR", "TENSOR_TYPE", "FN", "REF", "IDENT", "DTYPE", "HOLE", "LPAR", "META"})
_OPERATORS = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "LT", "GT", "LE", "GE", "EQEQ", "NE"})
_CONTINUATIONS = _OPERATORS | {"LPAR", "PROJ", "LANGLE"}
_ARITHMETIC = frozenset({"PLUS", "MINUS", "STAR", "FLOORDIV", "PERCENT"})
_DEFINITIONS = frozenset({"DEF", "TYPE", "DATA", "EXTERN", "IMPORT"})
_CLOSER = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "LANGLE": "RANGLE"}
_MOST_LISTED = 5


def syntax_error(source: Source, tokens: Sequence[Token], index: int, expected: Set[str]) -> ParseError:
    """The error for `tokens[index]` (the end of the text, if there is none) where one of `expected` could
    stand."""
    found = tokens[index].type if index < len(tokens) else "$END"
    if index < len(tokens):
        span = Span(source, tokens[index].start, tokens[index].end)
        standing = f"`{shown(tokens[index].value)}`"
    else:
        end = tokens[-1].end if tokens else 0
        span = Span(source, end, end)
        standing = "the end of the text"
    message = f"unexpected {standing}"
    if expected:
        message = f"expected {_listed(expected)}, found {standing}"
    return ParseError(message, span, tuple(_hints(source, tokens, index, found, expected)))


def _listed(expected: Set[str]) -> str:
    rest = set(expected)
    words: list[str] = []
    if rest >= _DEFINITIONS:
        words.append("a definition")
        rest -= _DEFINITIONS
    if rest >= _EXPRESSION:
        words.append("an expression")
        rest -= _STATEMENT
    if len(_TYPE & rest) >= 6:
        words.append("a type")
        rest -= _TYPE
    if rest >= _OPERATORS:
        rest -= _CONTINUATIONS
        if not rest and not words:
            words.append("an operator")
    if rest >= _ARITHMETIC:
        rest -= _ARITHMETIC
    listed = sorted({describe(name) for name in rest})
    words += listed[:_MOST_LISTED]
    return enumerated(words) if words else ""


def _hints(source: Source, tokens: Sequence[Token], index: int, found: str, expected: Set[str]) -> list[str]:
    hints = []
    previous = tokens[index - 1] if 0 < index <= len(tokens) else None
    text = shown(tokens[index].value) if index < len(tokens) else ""
    opener = _innermost_opener(tokens, index)
    if found == "COLON" and "ARROW" in expected:
        hints.append("a function's result type is written after `->`")
    if found == "IDENT" and "GLOBAL" in expected and previous is not None and previous.type == "DEF":
        hints.append(f"a function's name starts with `@`: `@{text}`")
    elif found == "IDENT" and "LOCAL" in expected and "IDENT" not in expected:
        hints.append(f"a local variable's name starts with `%`: `%{text}`")
    if found == "PERCENT" and "LOCAL" in expected:
        hints.append("a local variable's name follows the `%` at once")
    if found == "PROJ" and not text[1:].strip().startswith("-") and "NUMBER" in expected:
        hints.append(f"a fraction starts with a digit: `0{text}`")
    if previous is not None and previous.type == "NUMBER" and found == "IDENT" and previous.end == tokens[index].start:
        hints.append("a number may end in `f`, `i` or `u` and a width, as in `1f` or `2i64`")
    if opener is not None and _CLOSER[opener.type] in expected and _unclosed(tokens, opener.type):
        line, column = source.position(opener.start)
        hints.append(f"the `{opener.value}` at {line}:{column} is not closed")
    elif found in _CLOSER.values() and (opener is None or _CLOSER[opener.type] != found):
        hints.append(f"no `{ {'RPAR': '(', 'RSQB': '[', 'RBRACE': '{', 'RANGLE': '<'}[found] }` is open here")
    return hints


def _unclosed(tokens: Sequence[Token], opening: str) -> bool:
    """Whether the text has more opening than closing brackets of this kind."""
    return sum((t.type == opening) - (t.type == _CLOSER[opening]) for t in tokens) > 0


def _innermost_opener(tokens: Sequence[Token], index: int) -> Token | None:
    """The bracket that is open before `tokens[index]`."""
    opened: list[Token] = []
    for token in tokens[:index]:
        if token.type in _CLOSER:
            opened.append(token)
        elif opened and _CLOSER[opened[-1].type] == token.type:
            opened.pop()
    return opened[-1] if opened else None
