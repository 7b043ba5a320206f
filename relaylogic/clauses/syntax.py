"""From the text of clause notation to syntax trees.

A `Syntax` node has a kind (the alternative of the grammar), a value (its token's text), items and its place. Nesting is
limited to `MAX_DEPTH`, so that what walks a tree may be recursive.
"""

from __future__ import annotations

from typing import Any

from ..errors import RelayLogicError
from ..ir.source import Source, Span
from ..once import once

__all__ = ["MAX_DEPTH", "ClauseError", "Syntax", "parse_file", "parse_query"]

MAX_DEPTH = 150


class ClauseError(RelayLogicError):
    """A text in clause notation that cannot be read, or that does not fit the rule base."""


class Syntax:
    """A node of a syntax tree; `start` and `end` are offsets into `source`."""

    __slots__ = ("depth", "end", "items", "kind", "source", "start", "value")

    def __init__(self, kind: str, value: Any, items: tuple[Syntax, ...], source: Source, start: int, end: int) -> None:
        self.kind = kind
        self.value = value
        self.items = items
        self.source = source
        self.start = start
        self.end = end
        self.depth: int = 1 + max((item.depth for item in items), default=0)

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


def parse_file(text: str, file: str | None = None) -> list[Syntax]:
    """The statements of a file of clauses. Raises ClauseError."""
    return list(_parse(text, "file", file).items)


def parse_query(text: str, file: str | None = None) -> Syntax:
    """The goals of a query, as one disjunction of conjunctions. Raises ClauseError."""
    return _parse(text, "query", file or "<query>").items[0]


def _parser(start: str) -> Any:
    from lark import Lark

    from .grammar import GRAMMAR

    return Lark(GRAMMAR, start=start, parser="lalr", lexer="basic", maybe_placeholders=True, propagate_positions=True)


_PARSERS = {"file": once(lambda: _parser("file")), "query": once(lambda: _parser("query"))}


def _parse(text: str, start: str, file: str | None) -> Syntax:
    from lark import Tree
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput

    source = Source(text, file)
    try:
        tree = _PARSERS[start]().parse(text)
    except UnexpectedCharacters as problem:
        raise _bad_character(source, problem.pos_in_stream or 0) from None
    except UnexpectedInput as problem:
        raise _unexpected(source, problem) from None
    # Bottom-up, without recursion: the children of a node come before it.
    built: dict[int, Syntax | None] = {}
    for node in tree.iter_subtrees():
        items = []
        for child in node.children:
            if isinstance(child, Tree):
                known = built[id(child)]
                assert known is not None
                items.append(known)
            elif child is None:
                items.append(Syntax("none", None, (), source, 0, 0))
            else:
                items.append(Syntax("token", str(child), (), source, child.start_pos, child.end_pos))
        meta = node.meta
        made = _node(str(node.data), tuple(items), source, getattr(meta, "start_pos", 0), getattr(meta, "end_pos", 0))
        if made.depth > MAX_DEPTH:
            raise ClauseError(f"this is nested more than {MAX_DEPTH} deep", made.span)
        built[id(node)] = made
    result = built[id(tree)]
    assert result is not None
    return result


_LEAVES = frozenset({"number", "string", "name", "unknown"})
_LISTS = frozenset(
    {"tuple", "list", "open_list", "empty", "group", "function", "names", "kinds", "attributes", "arguments", "index"}
)
_SEQUENCES = frozenset({"conjunction", "disjunction"})


def _node(kind: str, items: tuple[Syntax, ...], source: Source, start: int, end: int) -> Syntax:
    """A node of the grammar without its punctuation."""
    value: Any = None
    if kind in _LEAVES:
        return Syntax(kind, items[0].value, (), source, start, end)
    if kind in _SEQUENCES and len(items) == 1:
        return items[0]
    if kind in _LISTS and kind not in ("names",):
        items = tuple(item for item in items if item.kind not in ("token", "none"))
        if (kind == "function" and items[0].kind == "conjunction") or (
            kind in ("list", "open_list") and items[0].kind == "conjunction"
        ):
            items = items[0].items + items[1:]
    elif kind == "call":
        value = items[0].value
        end_of_name = items[0].end
        items = items[2].items if items[2].kind == "arguments" else ()
        return Syntax(kind, (value, Span(source, start, end_of_name)), items, source, start, end)
    elif kind == "comparison" and len(items) > 3:
        # `1 <= n < m` says both.
        pairs = zip(items[:-2:2], items[1::2], items[2::2], strict=True)
        compared = tuple(Syntax(kind, sign.value, (a, b), source, a.start, b.end) for a, sign, b in pairs)
        return Syntax("conjunction", None, compared, source, start, end)
    elif kind in ("operation", "comparison"):
        value, items = items[1].value, (items[0], items[2])
    elif kind == "negative":
        items = items[1:]
    elif kind == "spread":
        value, items = items[1].value, ()
    elif kind == "slice":
        items = (items[0], items[2])
    elif kind in ("attribute", "kind"):
        value, items = items[0].value, items[1:]
    return Syntax(kind, value, items, source, start, end)


def _bad_character(source: Source, at: int) -> ClauseError:
    char = source.text[at]
    hints: tuple[str, ...] = ()
    if char == "/":
        hints = ("floor division is `//`; extents have no other division",)
    elif char == '"':
        hints = ("a string ends on the line where it starts",)
    elif char == "%":
        hints = ("a comment starts with `#`",)
    elif char in "'`":
        hints = ('strings are written in double quotes: "NCHW"',)
    elif char == ".":
        hints = ("a statement ends with `.` and white space",)
    return ClauseError(f"`{char}` does not belong to clause notation", Span(source, at, at + 1), hints)


def _unexpected(source: Source, problem: Any) -> ClauseError:
    from .grammar import NAMES_OF_TOKENS

    token = problem.token
    expected = getattr(problem, "accepts", None) or getattr(problem, "expected", None) or ()
    names = sorted({NAMES_OF_TOKENS.get(name, f"`{name.lower()}`") for name in expected})
    at = len(source.text.rstrip()) if token.type == "$END" else token.start_pos
    found = "the text ends here" if token.type == "$END" else f"`{token}` cannot stand here"
    end = at + 1 if token.type == "$END" else token.end_pos
    listed = ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else "".join(names)
    hints = (f"expected {listed}",) if names else ()
    if token.type == "PERCENT":
        hints = (*hints, "a comment starts with `#`")
    return ClauseError(found, Span(source, at, end), hints)
