"""From reductions of the module rules to a module.

Before the parse, `declare` makes a name of every definition in the text, so that functions and types can be
used before they are defined. During it, one method is called for each reduction; its name is the
alternative's name in the grammar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..host.governor import paced
from ..ir import Constructor, Expr, Function, GlobalVar, IRModule, Source, Span, TypeData, Var
from ..ir.imports import KNOWN_MODULES, load_module
from ..types import GlobalTypeVar, TypeCall, show_type
from .context import unquoted
from .errors import ParseError, nearest
from .lexer import Lexed
from .plain_builder import PlainBuilder
from .tokens import Token, shown

__all__ = ["Builder"]


class _Fields(NamedTuple):
    """The types of the fields of a constructor, and where each of them stands."""

    types: tuple[Any, ...]
    spans: tuple[Span, ...]


_NO_FIELDS = _Fields((), ())


def _declared_kinds(tokens: Sequence[Token], start: int) -> tuple[str, ...]:
    """The kinds of the type parameters that are listed at `start`, if any are; as far as the list is one."""
    kinds: list[str] = []
    if start < len(tokens) and tokens[start].type in ("LSQB", "LANGLE"):
        at = start + 1
        while at < len(tokens) and tokens[at].type == "IDENT":
            colon = at + 2 < len(tokens) and tokens[at + 1].type == "COLON"
            kinds.append(tokens[at + 2].value if colon else "Type")
            at += 3 if colon else 1
            if at >= len(tokens) or tokens[at].type != "COMMA":
                break
            at += 1
    return tuple(kinds)


class Builder(PlainBuilder):
    """The value of the start symbol `module` is `self.module`, once `finish` has been called."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.bare_expressions: list[tuple[Expr, list[Var], int, int]] = []

    def elsewhere(self, source: Source, module: IRModule) -> Builder:
        """A builder for another text, a part of the same program: it knows the same names, and fills `module`."""
        other = Builder(source, self.metadata)
        other.module = module
        other.globals, other.handles, other.kinds = self.globals, self.handles, self.kinds
        other.constructors, other._constants = self.constructors, self._constants
        return other

    # ---- names, before the parse

    def declare(self, lexed: Lexed, known: IRModule | None = None) -> None:
        """Import modules and make the names of functions and types; functions that `known` defines, too, keep theirs.
        Raises ParseError for one defined twice."""
        first: dict[tuple[str, str], Token] = {}
        tokens = lexed.tokens
        kinds = tokens.kinds
        for index in paced(lexed.declaring):
            if index + 1 == len(kinds):
                break
            kind, following = kinds[index], kinds[index + 1]
            if (kind, following) in (("DEF", "GLOBAL"), ("GLOBAL", "COLON")):
                token = tokens[index + (kind == "DEF")]
                self.once(first, "function", token, "@")
                name = unquoted(token)
                again = None if known is None else known.find_global_var(name)
                self.globals[name] = again or GlobalVar(name, self.token_span(token))
            elif kind in ("TYPE", "DATA") and following == "IDENT":
                token = tokens[index + 1]
                self.once(first, "type", token, "")
                handle = self.handles[token.value] = GlobalTypeVar(token.value)
                self.heads[token.value] = token
                self.kinds[handle] = _declared_kinds(tokens, index + 2)
            elif kind == "IMPORT":
                self.import_module(tokens[index + 1])

    def once(self, first: dict[tuple[str, str], Token], what: str, token: Token, sigil: str) -> None:
        name = unquoted(token) if sigil else token.value
        known = first.setdefault((what, name), token)
        if known is not token:
            line, column = self.source.position(known.start)
            raise self.error(
                f"the {what} `{sigil}{name}` is defined twice",
                token,
                f"it is first defined at {line}:{column}",
            )

    def import_module(self, token: Token) -> None:
        name = token.value[1:-1]
        try:
            self.module.imports[name] = load_module(name)
        except KeyError:
            known = list(KNOWN_MODULES)
            hints = nearest(name, known) or (f"the modules are {', '.join(known)}",)
            raise self.error(f'there is no module "{shown(name)}"', token, *hints) from None

    # ---- items

    def done(self, c: list[Any]) -> None:
        return None

    def def_head(self, c: list[Any]) -> Any:
        self.in_definition = True
        self.locals.enter()
        self.types.enter()
        return self.globals[unquoted(c[1])], c[0].start

    def definition(self, c: list[Any]) -> None:
        variable, start = c[0]
        self.module.add(variable, self.make_function(start, c))
        self.in_definition = False

    def declaration(self, c: list[Any]) -> None:
        name: str = c[0].value
        if name in self.module.declarations:
            raise self.error(f"`{name}` is declared twice", c[0])
        self.module.declarations[f"@{unquoted(c[0])}" if name[0] == "@" else name] = c[2]

    def bare(self, c: list[Any]) -> None:
        node, start = c[0]
        if self.bare_expressions and "\n" not in self.source.text[self.bare_expressions[-1][3] : start]:
            place = Span(self.source, start, self.last.end)
            raise ParseError("an expression must start on a line of its own", place)
        self.bare_expressions.append((node, list(self.free.values()), start, self.last.end))
        self.free = {}
        self.graph = {}

    # ---- data types

    def type_head(self, c: list[Any]) -> Any:
        self.types.enter()
        return self.handles[c[1].value], c[0].start

    def type_definition(self, c: list[Any]) -> None:
        self.define(c[0], c[1], c[3])

    def empty_type_definition(self, c: list[Any]) -> None:
        self.define(c[0], c[1], [])

    def extern_type(self, c: list[Any]) -> None:
        self.define(c[1], c[2], [], extern=True)

    def define(self, head: Any, type_vars: Any, constructors: Any, extern: bool = False) -> None:
        handle, start = head
        self.types.leave()
        made = []
        for token, fields, result, colon in constructors:
            if token.value in self.constructors:
                other = self.constructors[token.value].span
                place = f"{other.line}:{other.column}" if other else "another place"
                raise self.error(
                    f"the constructor `{token.value}` is defined twice",
                    token,
                    f"it is first defined at {place}",
                )
            if result is not None and result not in (
                TypeCall(handle, ()),
                TypeCall(handle, tuple(type_vars)),
            ):
                raise self.error(f"`{token.value}` must make a `{handle}`, not a `{show_type(result)}`", colon)
            constructor = Constructor(token.value, fields.types, handle, self.token_span(token), fields.spans)
            self.constructors[token.value] = constructor
            made.append(constructor)
        self.module.add_type_def(handle, TypeData(handle, type_vars, made, extern, self.span(start)))

    def bare_constructor(self, c: list[Any]) -> Any:
        return c[0], _NO_FIELDS, None, None

    def constructor(self, c: list[Any]) -> Any:
        return c[0], c[1], None, None

    def signed_constructor(self, c: list[Any]) -> Any:
        return c[0], c[2], c[4], c[3]

    def no_fields(self, c: list[Any]) -> _Fields:
        return _NO_FIELDS

    def first_field(self, c: list[Any]) -> list[tuple[Any, int, int]]:
        return [(c[0], -1, self.last.end)]  # it begins behind the bracket

    def next_field(self, c: list[Any]) -> list[tuple[Any, int, int]]:
        c[0].append((c[2], c[1].end, self.last.end))
        return c[0]  # type: ignore[no-any-return]

    def fields(self, c: list[Any]) -> _Fields:
        (first, _, end), *others = c[1]
        listed = [(first, c[0].end, end), *others]
        return _Fields(tuple(type_ for type_, _, _ in listed), tuple(self.stripped(*place) for _, *place in listed))

    # ---- after the parse

    def finish(self) -> IRModule:
        """The module, in which each bare expression has become the body of a function of its free variables.

        A single one is `@main`, if nothing else is; otherwise they are `@expr_1`, `@expr_2`, ...
        """
        single = len(self.bare_expressions) == 1 and "main" not in self.globals
        for index, (node, variables, start, end) in enumerate(self.bare_expressions, 1):
            name = "main" if single else self.unused(f"expr_{index}")
            if not (single and isinstance(node, Function) and not variables):
                node = Function(variables, node, None, None, None, Span(self.source, start, end))
            self.module.add(GlobalVar(name, node.span), node)
        return self.module

    def unused(self, name: str) -> str:
        while name in self.globals:
            name += "_"
        return name
