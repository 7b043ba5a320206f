"""From the text of clause notation to tokens, in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..ir.source import Source, Span
from ..text.literals import MOST_DIGITS
from ..types.dtypes import CUSTOM
from .nodes import ClauseError, Token

__all__ = ["KEYWORDS", "TERMINALS", "described", "tokenize"]

_SIGNS = {
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ";": "SEMICOLON",
    ":": "COLON",
    "|": "BAR",
    "=": "EQUAL",
    "<": "LESSTHAN",
    ">": "MORETHAN",
    "!=": "COMPARISON",
    "<=": "COMPARISON",
    ">=": "COMPARISON",
    "==": "COMPARISON",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "//": "SLASH",
    "%": "PERCENT",
    "?": "QUESTION",
    "?-": "ASK",
    "->": "ARROW",
    "...": "ELLIPSIS",
}
KEYWORDS = {word: word.upper() for word in ("extend", "operator", "relation", "fn", "where")}
"""The words of statements that are no names."""
_OTHERS = {"IF": "`:-`", "DATA": "`data`", "DOT": "`.`", "NAME": "a name", "NUMBER": "a number", "STRING": "a string"}
_NAMES = {
    **{kind: f"`{word}`" for word, kind in {**_SIGNS, **KEYWORDS}.items()},
    **_OTHERS,
    "COMPARISON": "a comparison",
    "$END": "the end",
}
TERMINALS = list(dict.fromkeys((*_SIGNS.values(), *KEYWORDS.values(), *_OTHERS)))
"""The types of tokens, as the grammar names them."""

# `:-` is an arrow behind white space or a bracket, unless a number follows: `s[:-1]`.
# `data` begins a declaration in front of a name and a bracket; anywhere else it is a name.
_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<DATA>data(?=\s+[A-Za-z_]\w*\s*[<\[{{]))
  | (?P<NAME>{CUSTOM}|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
  | (?P<NUMBER>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w|\.\d))
  | (?P<IF>(?<=[\s)]):-(?!\d))
  | (?P<SIGN>\.\.\.|//|->|\?-|[!<>=]=|[()\[\]{{}},;:|=<>+*%?-])
  | (?P<STRING>"(?:[^"\\\n]|\\.)*")
  | (?P<DOT>\.(?=\s|\Z|\#))
  | (?P<COMMENT>\#[^\n]*)
    )""",
    re.VERBOSE,
)


def described(kind: str) -> str:
    """A type of tokens in words, for messages."""
    return _NAMES[kind]


# `%x`, `@main`, `@f %x`, `%x at 3:7`: a binding of a program, where a term may begin.
_BINDING = re.compile(
    r"""\s*(?P<NAME>
    (?:@\w+(?:\.\w+)*(?:[ \t]+%\w+(?:\.\w+)*)? | %\w+(?:\.\w+)*)
    (?:[ \t]+at[ \t]+(?:\d+:\d+|\#\d+))?
    )""",
    re.VERBOSE,
)
_OPERANDS = frozenset({"NAME", "NUMBER", "STRING", "RPAR", "RSQB", "QUESTION"})
"""What `%` stands behind as an operator."""


def tokenize(source: Source, keywords: Mapping[str, str], bindings: bool = False) -> Iterator[Token]:
    """The tokens of a source, where `keywords` are no names and, with `bindings`, `%x` and `@main` are.

    Raises ClauseError for what is none, and for a number of more than `MOST_DIGITS` digits, as Relay text does.
    """
    text, match = source.text, _TOKEN.match
    at = 0
    before = ""
    brackets: list[str] | None = None  # those that are open in a declaration of a data type
    while True:
        here = _BINDING.match(text, at) if bindings and before not in _OPERANDS else None
        here = here or match(text, at)
        if here is None:
            rest = text[at:].lstrip()
            if rest:
                raise _no_token(source, len(text) - len(rest))
            return
        kind = here.lastgroup
        assert kind is not None
        start, at = here.span(kind)
        if kind == "COMMENT":
            continue
        word = text[start:at]
        if kind == "NAME":
            kind = keywords.get(word, kind)
        elif kind == "SIGN":
            kind = _SIGNS[word]
        elif kind == "NUMBER" and len(word) > MOST_DIGITS:
            message = f"a number of {len(word)} digits is too long; it may have {MOST_DIGITS}"
            raise ClauseError(message, Span(source, start, at))
        if kind == "DATA":
            brackets = []
        elif brackets is not None:
            kind = _in_data(kind, brackets)
            brackets = None if kind == "RBRACE" else brackets
        before = kind
        yield Token(kind, word, source, start, at)


_CLOSED_BY = {"RSQB": "LSQB", "MORETHAN": "LESSTHAN", "RPAR": "LPAR"}


def _in_data(kind: str, brackets: list[str]) -> str:
    """What a token is in a declaration of a data type, where `List<a>` is `List[a]`; `brackets` are open there."""
    if kind in _CLOSED_BY.values():
        brackets.append(kind)
        return "LSQB" if kind == "LESSTHAN" else kind
    if kind in _CLOSED_BY and brackets and brackets[-1] == _CLOSED_BY[kind]:
        brackets.pop()
        return "RSQB" if kind == "MORETHAN" else kind
    return "MORETHAN" if kind == "RSQB" else kind  # `List<a]`


_DIGITS = re.compile(r"\d[\w.]*(?:(?<=[eE])[+-]\w*)?")


def _no_token(source: Source, at: int) -> ClauseError:
    char = source.text[at]
    digits = _DIGITS.match(source.text, at)
    if digits is not None:
        hint = "numbers of clause notation have no suffix: 0.5, 1e-05"
        return ClauseError(f"`{digits[0]}` is no number", Span(source, at, digits.end()), (hint,))
    hints: tuple[str, ...] = ()
    if char == "/":
        hints = ("floor division is `//`; extents have no other division",)
    elif char == '"':
        hints = ("a string ends on the line where it starts",)
    elif char in "'`":
        hints = ('strings are written in double quotes: "NCHW"',)
    elif char == ".":
        hints = ("a statement ends with `.` and white space",)
    return ClauseError(f"`{char}` does not belong to clause notation", Span(source, at, at + 1), hints)
