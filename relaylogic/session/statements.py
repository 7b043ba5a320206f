"""The statements and parameters of a straight function, and how one is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..ir import Call, If, Let, Match, RefCreate, RefRead, RefWrite, Tuple, TupleGetItem, Var
from ..text.builder import Builder
from ..text.context import unquoted
from ..text.expr_builder import graph_number
from ..text.lexer import tokenize_piece
from ..text.parser import feed
from ..text.tokens import GRAPH_VARIABLES, Token
from .outline import Part, ends_plainly, kind_of, parts_of

__all__ = [
    "OPAQUE",
    "Param",
    "Read",
    "Refused",
    "Statement",
    "Unlike",
    "live_ones",
    "numbers_in",
    "read_let",
    "read_parts",
]

OPAQUE = frozenset({Call, If, Let, Match, RefCreate, RefRead, RefWrite, Tuple, TupleGetItem})
"""What is used by its type alone. Of an operator, a constructor or a function literal, users look at more."""


class Unlike(Exception):
    """An edit after which a function is not the same statements with other types."""


class Refused(Exception):
    """A statement whose types do not fit."""


class Param:
    """A parameter, from `start` to `end` in the text of its function, with the annotation that it has now."""

    __slots__ = ("annotation", "end", "name", "start", "users", "var")

    def __init__(self, name: str, var: Var, start: int, end: int) -> None:
        self.name = name
        self.var = var
        self.annotation = var.type_annotation
        self.start = start
        self.end = end
        self.users: set[Statement] = set()


class Statement:
    """A statement from `start` (behind the one before) to `end` in the text of its function.

    `node` is its value, `own` are the nodes and variables of it and of no other statement. `parts` are its calls, and
    between them the statements that stand for graph variables in it, as they are evaluated. `binder` is the variable of
    a `let` with the annotation that it has now. `shift` leads from the places of its nodes to the function's text.
    """

    __slots__ = (
        "anchor",
        "binder",
        "end",
        "kind",
        "name",
        "needs",
        "node",
        "own",
        "params",
        "parts",
        "shift",
        "start",
        "users",
    )

    def __init__(self, kind: str, name: str, start: int, end: int, node: Any, shift: int) -> None:
        self.kind = kind
        self.name = name
        self.start = start
        self.end = end
        self.node = node
        self.shift = shift
        self.anchor: Any = node if kind == "graph" else None
        self.binder: Var | None = None
        self.own: list[Any] = []
        self.parts: list[Any] = []
        self.needs: set[Statement] = set()
        self.params: set[Param] = set()
        self.users: set[Statement] = set()

    def used_by(self) -> Iterator[set[Statement]]:
        """The users of all that this statement uses."""
        for used in self.needs:
            yield used.users
        for param in self.params:
            yield param.users


class Read:
    """What a statement is after an edit, before that is the statement."""

    def __init__(self, statement: Statement, node: Any, binder: Var | None) -> None:
        self.statement = statement
        self.node = node
        self.binder = binder
        self.own: list[Any] = []
        self.parts: list[Any] = []
        self.needs: set[Statement] = set()
        self.params: set[Param] = set()


def live_ones(order: list[Statement], now: Mapping[Statement, Read]) -> set[Statement]:
    """The statements that are part of the function: a graph binding that nothing uses is not."""
    live: set[Statement] = set()
    for statement in reversed(order):
        if statement.kind != "graph" or statement in live:
            live.add(statement)
            live.update(now.get(statement, statement).needs)
    return live


def read_parts(piece: str, is_first: bool, is_last: bool) -> list[Part]:
    """The parts of a piece of a body. Raises Unlike, ParseError."""
    tokens = tokenize_piece(piece, "LBRACE" if is_first else "SEMI", "{")
    found = None if tokens is None else parts_of(tokens)
    if tokens is None or not ends_plainly(piece, tokens):
        raise Unlike
    if found is None or bool(found[1]) is not is_last or any(len(statement) < 2 for statement in found[0]):
        raise Unlike
    parts = [kind_of(statement) for statement in found[0]]
    names = [(part.kind, part.name) for part in parts if part.kind != "expr"]
    if len(set(names)) < len(names):
        raise Unlike
    return [*parts, Part("tail", "", found[1])] if is_last else parts


def numbers_in(part: Part) -> Iterator[tuple[str, bool]]:
    """The graph variables in a statement, and of each whether it may be bound there to what uses no variable."""
    is_closed = part.kind == "graph" and all(token.type != "LOCAL" for token in part.tokens)
    for index, token in enumerate(part.tokens):
        if token.type in GRAPH_VARIABLES:
            yield graph_number(token), is_closed and not index


def read_let(tokens: list[Token], builder: Builder) -> tuple[Var, list[Token]]:
    """The variable of a `let`, and the tokens of its value. Raises Unlike, ParseError."""
    depth, at = 0, 2
    while tokens[at].type != "EQ" or depth:
        depth += tokens[at].type in ("LPAR", "LSQB")
        depth -= tokens[at].type in ("RPAR", "RSQB")
        at += 1
        if at == len(tokens):
            raise Unlike
    if at > 2 and tokens[2].type != "COLON":
        raise Unlike
    annotation = feed("whole_type", tokens[3:at], builder) if at > 2 else None
    span = builder.token_span(tokens[1])
    return Var(unquoted(tokens[1]), annotation, span, span), tokens[at + 1 : -1]
