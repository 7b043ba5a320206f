"""Tokens: what the grammar's terminals are called, how they look, and what the lexer hands to the parser."""

from __future__ import annotations

import re

from ..types.dtypes import CUSTOM

__all__ = [
    "BARE_NAME",
    "KEYWORDS",
    "NAME",
    "PLAIN_NAME",
    "PUNCTUATION",
    "SIGILED",
    "TOKEN",
    "Token",
    "describe",
    "shown",
]


class Token:
    """A terminal `type` of the grammar, its text, and its offsets in the source."""

    __slots__ = ("end", "start", "type", "value")

    def __init__(self, type: str, value: str, start: int, end: int) -> None:
        self.type = type
        self.value = value
        self.start = start
        self.end = end


KEYWORDS = {
    "let": "LET",
    "fn": "FN",
    "def": "DEF",
    "if": "IF",
    "else": "ELSE",
    "type": "TYPE",
    "match": "MATCH",
    "extern": "EXTERN",
    "free_var": "FREE_VAR",
    "ref": "REF",
    "ref_read": "REF_READ",
    "ref_write": "REF_WRITE",
    "True": "BOOL",
    "False": "BOOL",
    "_": "HOLE",
}

PUNCTUATION = {
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ";": "SEMI",
    ":": "COLON",
    "=": "EQ",
    "?": "QUESTION",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "%": "PERCENT",
    "<": "LT",
    ">": "GT",
    "<=": "LE",
    ">=": "GE",
    "==": "EQEQ",
    "!=": "NE",
    "->": "ARROW",
    "=>": "FATARROW",
    "...": "ELLIPSIS",
}

# A slash belongs to a name, as in TVM, unless it starts a comment.
NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:/(?![*/])[A-Za-z0-9_]*)*"
_DOTTED = rf"{NAME}(?:\.{NAME})*"
# TVM reads plain names only; dots, `::`, an output number as in `%x:0`, and quotes are read in addition.
PLAIN_NAME = rf"{NAME}(?:(?:\.|::){NAME})*(?::[0-9]+)?"
_SPECIAL = "(?:inf|nan)f[0-9]*"
BARE_NAME = rf"(?!(?:{'|'.join(KEYWORDS)}|{_SPECIAL})(?:\.|\Z)){_DOTTED}"
"""What is read as a name without a sigil, from its beginning to the end of the text."""

SIGILED = rf'(?:{PLAIN_NAME}|"[^"\n]*")'
"""What is read as a name behind `%` or `@`."""

TOKEN = re.compile(
    rf"""[ \t\r\n\f\v]*(?:
    (?P<LOCAL>%{SIGILED})
  | (?P<GRAPH>%[0-9]+)
  | (?P<TENSOR_TYPE>Tensor\[\([0-9?,\ ]*\),\ (?:bool|[a-z]+[0-9]+)\])
  | (?P<COMMENT>//|/\*|\#)
  | (?P<PROJ>\.[ \t\r\n]*-?[0-9]+)
  | (?P<PUNCT>[()\[\]{{}},;]|->|=>|[=!<>]=|\.\.\.|[:=?+*/%<>-])
  | (?P<META>meta\[[^\]\n]*\]\[[^\]\n]*\])
  | (?P<SPECIAL>{_SPECIAL}(?![A-Za-z0-9_/]))
  | (?P<DTYPE>{CUSTOM})
  | (?P<IDENT>{_DOTTED})
  | (?P<NUMBER>0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?(?:[fiu][0-9]*)?)
  | (?P<GLOBAL>@{SIGILED})
  | (?P<STRING>"[^"]*")
    )""",
    re.VERBOSE,
)

_NAMES = {
    "LOCAL": "a local variable such as `%x`",
    "GRAPH": "a graph variable such as `%0`",
    "GLOBAL": "a global name such as `@main`",
    "IDENT": "a name",
    "DTYPE": "a dtype",
    "NUMBER": "a number",
    "STRING": "a string",
    "BOOL": "`True` or `False`",
    "META": "`meta[...][...]`",
    "TENSOR": "`Tensor`",
    "TENSOR_TYPE": "a type",
    "INTS": "a list",
    "HOLE": "`_`",
    "PROJ": "a projection such as `.0`",
    "LANGLE": "`<`",
    "RANGLE": "`>`",
    "FLOORDIV": "`//`",
    "WCOMMA": "`,`",
    "$END": "the end of the text",
    **{name: f"`{text}`" for text, name in PUNCTUATION.items()},
    **{name: f"`{text}`" for text, name in KEYWORDS.items() if name not in ("BOOL", "HOLE")},
    **{name: f"`{name.lower()}`" for name in ("DATA", "CASE", "IMPORT", "WHERE")},
}


def shown(text: str) -> str:
    """The text of a token for messages: the start of it, if it is very long."""
    return text if len(text) <= 60 else f"{text[:57]}..."


def describe(type: str) -> str:
    """A kind of token in words, for messages."""
    return _NAMES.get(type, type)
