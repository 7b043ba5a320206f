"""Tokens: what the grammar's terminals are called, how they look, and what the lexer hands to the parser."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import overload

__all__ = [
    "BARE_NAME",
    "DEPTH",
    "DOTTED",
    "GRAPH_VARIABLES",
    "KEYWORDS",
    "NAME",
    "PLAIN_NAME",
    "PUNCTUATION",
    "SIGILED",
    "SOMETIMES",
    "SPECIAL",
    "WORD",
    "Token",
    "Tokens",
    "binding_head",
    "describe",
    "shown",
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

SOMETIMES = frozenset({"Tensor", "where", "case", "data", "import"})
"""Words that are a token of their own in some places only."""

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
WORD = "[A-Za-z_][A-Za-z0-9_]*"
_SLASHES = "(?:/(?![*/])[A-Za-z0-9_]*)*"
NAME = WORD + _SLASHES
# Most names are one word: that none of what may go on with it follows is seen at a glance.
DOTTED = rf"{WORD}(?:(?![./])|{_SLASHES}(?:\.{NAME})*)"
# TVM reads plain names only; dots, `::`, an output number as in `%x:0`, and quotes are read in addition.
PLAIN_NAME = rf"{WORD}(?:(?![./:])|{_SLASHES}(?:(?:\.|::){NAME})*(?::[0-9]+)?)"
SPECIAL = "(?:inf|nan)f[0-9]*"
BARE_NAME = rf"(?!(?:{'|'.join(KEYWORDS)}|{SPECIAL})(?:\.|\Z)){DOTTED}"
"""What is read as a name without a sigil, from its beginning to the end of the text."""

SIGILED = rf'(?:{PLAIN_NAME}|"[^"\n]*")'
"""What is read as a name behind `%` or `@`."""

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


DEPTH = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}
"""How much deeper what follows a token is nested in brackets than what stands before it."""

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
