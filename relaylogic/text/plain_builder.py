"""From tokens that stand for several (`patterns.FUSED`) to what these mean together.

Nothing is said here of what is wrong: a text with such tokens that is refused is read again without them.
"""

from __future__ import annotations

import re
from typing import Any

from ..ir import Call, Expr, Let, Pattern, PatternVar, Span, TupleGetItem, Var
from .errors import ParseError
from .literals import parse_attribute
from .statement_builder import StatementBuilder
from .tokens import Token

__all__ = ["PlainBuilder"]

_FIELD = re.compile(r"Tensor[^\]]*\]|\w+")
_ATTRIBUTE = re.compile(r'\w+=(?:"[^"]*"|\[[^\]]*\]|[^,]*)')


class PlainBuilder(StatementBuilder):
    """Parameters and statements as most networks have them."""

    def plain_param(self, c: list[Any]) -> Var:
        variable = self.plain_variable(c[0], c[0].value, c[0].start)
        self.locals.bind(variable.name_hint, variable)
        return variable

    def plain_pattern(self, c: list[Any]) -> Pattern:
        variable = self.plain_variable(c[0], c[0].value, c[0].start)
        self.pending.append(variable)
        return PatternVar(variable, self.token_span(c[0]))

    def plain_let_head(self, c: list[Any]) -> tuple[Var, int]:
        token: Token = c[0]
        return self.enter_plain(token, token.value[:-2]), token.start

    def plain_stmt(self, c: list[Any]) -> Let | None:
        token: Token = c[0]
        head, _, text = token.value[:-1].partition(" = ")
        start = token.start + len(head) + 3
        if head[0] == "%":
            outer = self.begin_graph()
            self.bind_graph(token.start, head[1:].lstrip("0"), outer, self.plain_expr(text, start))
            return None
        variable = self.enter_plain(token, head)
        value = self.plain_expr(text, start)
        return self.placed(Let(variable, value, value), token.start)

    # ---- what is bound

    def enter_plain(self, token: Token, head: str) -> Var:
        """The variable that the head of a `let` binds, with which the token begins, and which is bound from here on."""
        variable = self.plain_variable(token, head[4:], token.start + 4)
        self.locals.enter_let(variable.name_hint, variable)
        return variable

    def plain_variable(self, token: Token, text: str, start: int) -> Var:
        """The variable of `%x` or `%x: T`, which stands at `start` in a token."""
        name, _, annotation = text.partition(": ")
        variable = Var(name[1:])
        variable.place(self.source, start, start + len(name))
        if annotation:
            variable.type_annotation = self.plain_type(token, annotation)
            variable.type_span = Span(self.source, start + len(name) + 2, start + len(text))
        return variable

    def plain_type(self, token: Token, text: str) -> Any:
        """The tensor type, scalar type, or tuple of such types, that a text in a token writes."""
        known = self.plain_types.get(text)
        if known is not None:
            return known
        if text[0] == "T":
            return self.tensor(text, token)
        if text[0] != "(":
            made, fields = self.scalar(text), []
        else:
            fields = _FIELD.findall(text)
            made = self.tuple_type([[self.plain_type(token, field) for field in fields]])
        if all(field in self.plain_types for field in fields):
            self.plain_types[text] = made
        return made

    # ---- what it is bound to

    def plain_expr(self, text: str, start: int) -> Expr:
        """What `nn.dense(%0, %w, units=128)` or `%0.1` stands for at `start`."""
        node = self.plain_projection(text, start) if text[0] == "%" else self.plain_call(text, start)
        node.place(self.source, start, start + len(text))
        return node

    def plain_projection(self, text: str, start: int) -> Expr:
        variable, _, index = text.partition(".")
        return TupleGetItem(self.used(variable, start), int(index))

    def plain_call(self, text: str, start: int) -> Expr:
        name, _, listed = text[:-1].partition("(")
        callee = self.bare_name(name, start)
        attrs = None
        first = listed.find("=")
        if first >= 0:
            behind = listed.rfind(", ", 0, first)
            try:
                given = list(map(parse_attribute, _ATTRIBUTE.findall(listed, behind + 2)))
            except ValueError as problem:
                raise ParseError(str(problem), Span(self.source, start, start + len(text))) from None
            attrs = self.by_name(given, start, start + len(text))
            listed = listed[:behind]
            self.check_attrs(callee, attrs)
        args = []
        start += len(name) + 1
        for variable in listed.split(", "):
            args.append(self.used(variable, start))
            start += len(variable) + 2
        made = Call(callee, args)
        made.given = attrs  # which are plain
        return made

    def used(self, text: str, start: int) -> Expr:
        """What the variable `%x` or `%0` stands for at `start`."""
        name = text[1:]
        is_graph = name[0].isdigit()
        node = self.graph_var(name.lstrip("0")) if is_graph else self.locals.use(name)
        if node is not None:
            return node
        token = Token("", self.source.text, start, start + len(text))
        return (self.graph_use([token]) if is_graph else self.local([token]))[0]  # type: ignore[no-any-return]
