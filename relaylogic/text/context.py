"""What the builders share: the source, the names that are in scope, and how an error gets its place."""

from __future__ import annotations

from typing import Any, TypeVar

from ..errors import several
from ..ir import Constructor, Expr, GlobalVar, IRModule, Source, Span, Var
from .automaton import Reader
from .errors import ParseError, nearest
from .literals import parse_integer
from .metadata import constants
from .scopes import Names
from .tokens import Token, shown

__all__ = ["Context", "unquoted"]


Placed = TypeVar("Placed", bound=Expr)


def unquoted(token: Token) -> str:
    """The name that a LOCAL or GLOBAL token stands for."""
    name = token.value[1:]
    return name[1:-1] if name[0] == '"' else name


class Context(Reader):
    """State of one parse.

    The parser feeds tokens and sets `last` to the token that it consumed last, which is where every construct
    that is reduced ends. Names are resolved as the reductions come, which is in the order of the text.
    """

    def __init__(self, source: Source, metadata: tuple[int, str] | None = None) -> None:
        self.source = source
        self.metadata = metadata
        self.last = Token("", "", 0, 0)
        self.module = IRModule(source=source)
        if metadata:
            self.module.metadata = metadata[1]
        self.locals: Names[Var] = Names()
        self.types: Names[Any] = Names()
        self.plain_types: dict[str, Any] = {}  # types that are the same wherever they stand, by their texts
        self.tuples: dict[tuple[Any, ...], Any] = {}  # tuple types by their fields
        self.globals: dict[str, GlobalVar] = {}
        self.handles: dict[str, Any] = {}
        self.heads: dict[str, Token] = {}  # where the data types of this text are named
        self.kinds: dict[Any, tuple[str, ...]] = {}  # of the parameters of the data types that the text defines
        self.constructors: dict[str, Constructor] = {}
        # Graph bindings: the value, and the innermost level whose variables it needs, by index and serial.
        self.graph: dict[str, tuple[Expr, int, int]] = {}
        self.free: dict[str, Var] = {}
        self.bare_vars: set[Var] = set()
        self.in_definition = False
        self.is_alone = False  # whether an expression is read without its module, which may define any function
        self._constants: list[tuple[Any, Any]] | None = None

    def span(self, start: int) -> Span:
        """From `start` to the end of the token consumed last."""
        return Span(self.source, start, self.last.end)

    def placed(self, node: Placed, start: int) -> Placed:
        """A node that was read, with its place: from `start` to the end of the token consumed last."""
        node.place(self.source, start, self.last.end)
        return node

    def span_behind(self, token: Token) -> Span:
        """What stands between `token` and the end of the token consumed last."""
        return self.stripped(token.end, self.last.end)

    def stripped(self, start: int, end: int) -> Span:
        """What stands between two offsets, without the space in front of it."""
        text = self.source.text
        while start < end and text[start].isspace():
            start += 1
        return Span(self.source, start, end)

    def end_between(self, first: Token, last: Token) -> int:
        """Where what stands between two tokens ends: before space and comments."""
        text = self.source.text
        end = last.start
        while text[end - 1].isspace():
            end -= 1
        between = text[first.end : end]
        if "/" not in between and "#" not in between:
            return end
        from .lexer import tokenize  # comments are rare here

        tokens = tokenize(Source(between)).tokens
        return first.end + tokens[-1].end if tokens else end

    def token_span(self, token: Token) -> Span:
        """The place of one token."""
        return Span(self.source, token.start, token.end)

    def token_placed(self, node: Placed, token: Token) -> Placed:
        """A node that was read, with its place: that of one token."""
        node.place(self.source, token.start, token.end)
        return node

    def error(self, message: str, token: Token, *hints: str) -> ParseError:
        """An error at one token."""
        return ParseError(message, self.token_span(token), hints)

    def unknown(self, what: str, name: str, token: Token, known: list[str], *hints: str, sigil: str = "") -> ParseError:
        """An error for a name that nothing defines, with the nearest names that something does."""
        return self.error(f"unknown {what} `{sigil}{shown(name)}`", token, *nearest(name, known, sigil), *hints)

    def constant_data(self, index: int, token: Token) -> tuple[Any, Any]:
        """Type and value of a constant of the metadata section; (None, None) if the text has no such
        section."""
        if self.metadata is None:
            return None, None
        if self._constants is None:
            try:
                self._constants = constants(self.metadata[1])
            except ValueError as problem:
                start = min(self.metadata[0], len(self.source.text))
                raise ParseError(f"malformed metadata section: {problem}", Span(self.source, start, start)) from None
        if index >= len(self._constants):
            raise self.error(f"the metadata section has {several(len(self._constants), 'constant')} only", token)
        return self._constants[index]

    def integer(self, text: str, token: Token) -> int:
        """The value of an integer that `token` writes."""
        try:
            return parse_integer(text)
        except ValueError as problem:
            raise self.error(str(problem), token) from None
