"""Where the statements of a text begin and end.

The definitions of a text, and the parameters and statements of a definition, stand one after the other; what is changed
inside of one leaves the tokens of all others as they are. An `Outline` says where they stand. A definition has none
if what its statements mean depends on more than the names that those before them bind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..text.context import unquoted
from ..text.expr_builder import graph_number
from ..text.tokens import DEPTH, Token, binding_head

__all__ = ["Outline", "Part", "Parts", "definitions", "ends_plainly", "kind_of", "outline", "parts_of"]

_DECLARED = {"DEF": {"GLOBAL"}, "TYPE": {"IDENT"}, "DATA": {"IDENT"}, "EXTERN": {"TYPE"}, "IMPORT": {"STRING"}}
"""How what stands beside other definitions begins: a token, and what follows it."""

Parts = tuple[list[list[Token]], list[Token]]
"""The tokens of some statements, each to its `;`, and those behind the last `;`."""


class Part(NamedTuple):
    """A parameter, a statement or the value of a body (a "tail"): its kind, what it binds, its tokens."""

    kind: str
    name: str
    tokens: list[Token]


class Outline(NamedTuple):
    """The parts of a definition; `opens` and `closes` are the offsets behind the `{` of its body and before its `}`."""

    params: list[Part]
    statements: list[Part]
    opens: int
    closes: int


def definitions(tokens: Sequence[Token]) -> tuple[list[list[Token]], bool]:
    """The tokens of each definition of a function, and whether there is nothing else and they are whole.

    Where brackets do not match, those that are left open end before what is declared next, and those that nothing opens
    belong to the definition before them.
    """
    found: list[list[Token]] = []
    begun, depth, others = -1, 0, False
    for index, token in enumerate(tokens):
        kind = token.type
        if kind in _DECLARED and tokens[index + 1 : index + 2] and tokens[index + 1].type in _DECLARED[kind]:
            if begun >= 0:
                others = True
                found.append(list(tokens[begun:index]))
            begun, depth = index if kind == "DEF" else -1, 0
        others = others or begun < 0
        step = DEPTH.get(kind)
        if step:
            depth += step
            if begun >= 0 and not depth and kind == "RBRACE":
                found.append(list(tokens[begun : index + 1]))
                begun = -1
            elif depth < 0:
                depth, others = 0, True
                if found and begun < 0:
                    found[-1].append(token)
    if begun >= 0:
        found.append(list(tokens[begun:]))
    return found, not others and begun < 0


def ends_plainly(piece: str, tokens: Sequence[Token]) -> bool:
    """Whether no comment behind the last token of a piece goes on behind the piece."""
    rest = piece[tokens[-1].end if tokens else 0 :]
    return not rest.rpartition("\n")[2].strip()


def parts_of(tokens: Sequence[Token]) -> Parts | None:
    """The statements in some tokens of a body; None if one of them means something for others but by what it binds."""
    statements: list[list[Token]] = []
    begun = depth = 0
    for index, token in enumerate(tokens):
        kind = token.type
        step = DEPTH.get(kind)
        if step:
            depth += step
            if depth < 0:
                return None
        elif kind == "SEMI":
            if not depth:
                statements.append(list(tokens[begun : index + 1]))
                begun = index + 1
        elif kind in ("EQ", "BINDING"):
            if depth and (kind == "BINDING" or tokens[index - 1].type == "GRAPH"):
                return None  # a graph binding inside of an expression may be seen outside
        elif kind == "FREE_VAR" or (kind == "IDENT" and token.value == "Constant"):
            return None
    return None if depth else (statements, list(tokens[begun:]))


def kind_of(tokens: list[Token]) -> Part:
    """A statement with what it binds."""
    first = tokens[0].type
    if first == "LET" and tokens[1].type == "LOCAL":
        return Part("let", unquoted(tokens[1]), tokens)
    if binding_head(tokens):
        return Part("graph", graph_number(tokens[0]), tokens)
    return Part("expr", "", tokens)


def outline(tokens: list[Token]) -> Outline | None:
    """The parts of a definition, if it has one; `tokens` are all of its."""
    if tokens[2].type != "LPAR":
        return None  # it has type parameters
    params, index = _params(tokens)
    while index < len(tokens) and tokens[index].type != "LBRACE":
        if tokens[index].type == "WHERE":
            return None
        index += 1
    parts = parts_of(tokens[index + 1 : -1])
    if params is None or parts is None or not parts[1]:
        return None
    statements = [*map(kind_of, parts[0]), Part("tail", "", parts[1])]
    bound = [part.name for part in statements if part.kind == "let"] + [part.name for part in params]
    numbers = [part.name for part in statements if part.kind == "graph"]
    if len(set(bound)) < len(bound) or len(set(numbers)) < len(numbers):
        return None
    return Outline(params, statements, tokens[index].end, tokens[-1].start)


def _params(tokens: list[Token]) -> tuple[list[Part] | None, int]:
    """The parameters of a definition, None if there are attributes among them; the place behind them."""
    params: list[Part] | None = []
    begun, depth, index = 3, 1, 3
    while depth and index < len(tokens):
        kind = tokens[index].type
        depth += DEPTH.get(kind, 0)
        if not depth or (depth == 1 and kind == "COMMA"):
            part = tokens[begun:index]
            if part and (part[0].type != "LOCAL" or (len(part) > 1 and part[1].type != "COLON")):
                params = None
            elif part and params is not None:
                params.append(Part("param", unquoted(part[0]), part))
            begun = index + 1
        index += 1
    return params, index
