"""Tokens: what the grammar's terminals are called, how they look, and what the lexer hands to the parser."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import overload

from ..once import once
from ..types.dtypes import CUSTOM

__all__ = [
    "BARE_NAME",
    "GRAPH_VARIABLES",
    "KEYWORDS",
    "NAME",
    "PAIRS",
    "PAIR_OR_TOKEN",
    "PLAIN_NAME",
    "PLAIN_VALUE",
    "PUNCTUATION",
    "SIGILED",
    "SOMETIMES",
    "Token",
    "Tokens",
    "binding_head",
    "describe",
    "shown",
    "single_token",
]


class Token:
    """A terminal `type` of the grammar, its offsets in the text of the source, and what stands there."""

    __slots__ = ("_text", "end", "start", "type")

    def __init__(self, type: str, text: str, start: int, end: int) -> None:
        self.type = type
        self._text = text
        self.start = start
        self.end = end

    @property
    def value(self) -> str:
        """What stands in the text; of most tokens nobody asks."""
        return self._text[self.start : self.end]


class _Reworded(Token):
    """A token that is taken for another text than stands there."""

    __slots__ = ("_value",)

    def __init__(self, type: str, text: str, start: int, end: int, value: str) -> None:
        super().__init__(type, text, start, end)
        self._value = value

    @property
    def value(self) -> str:
        """What it is taken for."""
        return self._value


class Tokens(Sequence[Token]):
    """The tokens of a text: each is made when it is asked for, anew each time.

    Of a long text they would take more room than the program; as three columns they take a tenth of that. The value
    of a token is what stands in the text between its offsets, unless `add` is given another one.
    """

    __slots__ = ("_ends", "_starts", "_text", "_values", "kinds")

    def __init__(self, text: str) -> None:
        self._text = text
        self.kinds: list[str] = []  # their types
        self._starts = array("I")
        self._ends = array("I")
        self._values: dict[int, str] = {}

    def add(self, kind: str, start: int, end: int, value: str | None = None) -> None:
        """Append a token."""
        if value is not None:
            self._values[len(self.kinds)] = value
        self.kinds.append(kind)
        self._starts.append(start)
        self._ends.append(end)

    @property
    def columns(self) -> tuple[list[str], array[int], array[int]]:
        """Types, starts and ends, for who adds many tokens that are as they stand in the text."""
        return self.kinds, self._starts, self._ends

    def chosen(self, order: Iterable[int]) -> Tokens:
        """The tokens of some indices, in that order."""
        made = Tokens(self._text)
        for index in order:
            made.add(self.kinds[index], self._starts[index], self._ends[index], self._values.get(index))
        return made

    def _made(self, index: int) -> Token:
        start, end = self._starts[index], self._ends[index]
        value = self._values.get(index)
        token = (self.kinds[index], self._text, start, end)
        return Token(*token) if value is None else _Reworded(*token, value)

    def __len__(self) -> int:
        return len(self.kinds)

    def __iter__(self) -> Iterator[Token]:
        if self._values:
            return map(self._made, range(len(self.kinds)))
        return map(Token, self.kinds, repeat(self._text), self._starts, self._ends)

    @overload
    def __getitem__(self, index: int) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...

    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        if isinstance(index, slice):
            return [self._made(i) for i in range(*index.indices(len(self.kinds)))]
        return self._made(range(len(self.kinds))[index])


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
_WORD = "[A-Za-z_][A-Za-z0-9_]*"
_SLASHES = "(?:/(?![*/])[A-Za-z0-9_]*)*"
NAME = _WORD + _SLASHES
# Most names are one word: that none of what may go on with it follows is seen at a glance.
_DOTTED = rf"{_WORD}(?:(?![./])|{_SLASHES}(?:\.{NAME})*)"
# TVM reads plain names only; dots, `::`, an output number as in `%x:0`, and quotes are read in addition.
PLAIN_NAME = rf"{_WORD}(?:(?![./:])|{_SLASHES}(?:(?:\.|::){NAME})*(?::[0-9]+)?)"
_SPECIAL = "(?:inf|nan)f[0-9]*"
BARE_NAME = rf"(?!(?:{'|'.join(KEYWORDS)}|{_SPECIAL})(?:\.|\Z)){_DOTTED}"
"""What is read as a name without a sigil, from its beginning to the end of the text."""

SIGILED = rf'(?:{PLAIN_NAME}|"[^"\n]*")'
"""What is read as a name behind `%` or `@`."""

_TENSOR_TYPE = r"Tensor\[\((?:(?:[0-9]+|\?)(?:,\ *(?:[0-9]+|\?))*,?)?\),\ (?:bool|[a-z]+[0-9]+)\]"
_SINGLE = rf"""
    (?P<LOCAL>%{SIGILED})
  | (?P<GRAPH>%[0-9]+)
  | (?P<TENSOR_TYPE>{_TENSOR_TYPE})
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
"""
@once
def single_token() -> re.Pattern[str]:
    """A token, behind any space: asked for where two do not belong together, which is rare."""
    return re.compile(rf"[ \t\r\n\f\v]*(?:{_SINGLE})", re.VERBOSE)


PLAIN_VALUE = r"""=(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?:[fiu][0-9]*)?
      | \[-?[0-9]{1,18}(?:,\ ?-?[0-9]{1,18}){0,9}\]
      | "[^"\n]{0,99}"
      | True | False)(?=[,)])"""
"""What most attributes are behind their names, up to the end."""

SOMETIMES = frozenset({"Tensor", "where", "case", "data", "import"})
"""Words that are a token of their own in some places only."""

PAIRS = {
    "COMMA_LOCAL": ("COMMA", 1, 1, "LOCAL"),
    "COMMA_GRAPH": ("COMMA", 1, 1, "GRAPH"),
    "COMMA_ATTR": ("COMMA", 1, 1, "ATTR"),
    "COMMA_TENSOR_TYPE": ("COMMA", 1, 1, "TENSOR_TYPE"),
    "COLON_TENSOR_TYPE": ("COLON", 1, 1, "TENSOR_TYPE"),
    "LPAR_LOCAL": ("LPAR", 1, 0, "LOCAL"),
    "LPAR_GRAPH": ("LPAR", 1, 0, "GRAPH"),
    "RPAR_SEMI": ("RPAR", 1, 0, "SEMI"),
    "LET_LOCAL": ("LET", 3, 1, "LOCAL"),
}
"""Two tokens that often stand so: the kind of the first one, how many characters it has and how many spaces follow, and
the kind of the second one."""
_NO_ATTRIBUTE = rf"(?!(?:{'|'.join([*KEYWORDS, *sorted(SOMETIMES)])}|{_SPECIAL})=)"
PAIR_OR_TOKEN = re.compile(
    rf"""[ \t\r\n\f\v]*(?:
    ,\ (?:(?P<COMMA_LOCAL>%{SIGILED}) | (?P<COMMA_GRAPH>%[0-9]+)
         | (?P<COMMA_ATTR>{_NO_ATTRIBUTE}{_WORD}{PLAIN_VALUE}) | (?P<COMMA_TENSOR_TYPE>{_TENSOR_TYPE}))
  | :\ (?P<COLON_TENSOR_TYPE>{_TENSOR_TYPE})
  | \((?:(?P<LPAR_LOCAL>%{SIGILED}) | (?P<LPAR_GRAPH>%[0-9]+))
  | \)(?P<RPAR_SEMI>;)
  | let\ (?P<LET_LOCAL>%{SIGILED})
  | {_SINGLE}
    )""",
    re.VERBOSE,
)
"""Two tokens of `PAIRS`, if there are, else one: what is matched at once takes half as long."""

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
    "ATTR": "a name",  # what it begins with
    "BINDING": "a graph variable such as `%0`",
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


GRAPH_VARIABLES = frozenset({"GRAPH", "BINDING"})
"""The kinds of tokens that are a graph variable, bound or used."""


def binding_head(tokens: Sequence[Token]) -> int:
    """How many tokens the head `%0 =` of a graph binding has, if the tokens begin with one; else 0."""
    kinds = [token.type for token in tokens[:2]]
    return 1 if kinds[:1] == ["BINDING"] else 2 if kinds == ["GRAPH", "EQ"] else 0


def shown(text: str) -> str:
    """The text of a token for messages: the start of it, if it is very long."""
    return text if len(text) <= 60 else f"{text[:57]}..."


def describe(type: str) -> str:
    """A kind of token in words, for messages."""
    return _NAMES.get(type, type)
