"""One function of a program that is edited: where it stands, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..infer.components import mentioned
from ..infer.generate import declared_type
from ..infer.results.result import CallType
from ..ir import Call, Function, GlobalVar, Source, Span, post_order, structural_equal
from ..ir.short import callee_name
from ..text.context import unquoted
from ..text.expr_builder import graph_number
from ..text.tokens import GRAPH_VARIABLES, Token
from .outline import Outline, outline
from .straight import Straight

__all__ = ["Unit", "alike"]

_MANY = 8
"""A function of fewer statements is inferred as a whole."""


class Unit:
    """A function of the program: its text from `start` to `end`, and what is known of it.

    `function` was read where its text began at `base` of `source`. `numbers` are the graph variables that it mentions,
    `closed` those of them that might mean something outside of it. `seen` are the types of the functions it mentions as
    they were when it was inferred; `names` are all global names in its text, `mentions` those in its expression.
    """

    def __init__(self, variable: GlobalVar, function: Function, base: int) -> None:
        self.variable = variable
        self.function = function
        self.base = self.start = self.end = base
        self.outline: Outline | None = None
        self.graph_values: Mapping[int, Any] = {}
        self.numbers: set[str] = set()
        self.closed: set[str] = set()
        self.names: set[str] = set()
        self.mentions = list(mentioned(function))
        self.declared = declared_type(function)
        self.type: Any = None
        self.is_refuted = False
        self.is_new = True
        self.is_stale = False  # whether the text has been edited since `function` was read
        self.seen: dict[GlobalVar, Any] = {}
        self.type_of: Callable[[Any], Any] = lambda expr: None
        self.straight: Straight | None = None

    def written(self, tokens: list[Token], graph_values: Mapping[int, Any]) -> Unit:
        """The same with what its tokens tell."""
        self.base = self.start = tokens[0].start
        self.end = tokens[-1].end
        self.outline = outline(tokens)
        if self.outline is not None and len(self.outline.statements) < _MANY:
            self.outline = None
        self.graph_values = graph_values
        self.names = {unquoted(token) for token in tokens if token.type == "GLOBAL"}
        self.numbers = {graph_number(token) for token in tokens if token.type in GRAPH_VARIABLES}
        return self

    def follow(self, before: Iterable[Unit]) -> None:
        """Stand for another unit: a type that says the same stays the same, and nobody is inferred again for it."""
        for unit in before:
            self.type = unit.type
            if self.declared is not None and unit.declared is not None and alike(unit.declared, self.declared):
                self.declared = unit.declared

    def calls(self, source: Source | None) -> Iterator[CallType]:
        """The calls of the function as inference lists them."""
        if self.straight is not None and source is not None:
            yield from self.straight.calls(source, self.start)
            return
        name, shift = self.variable.name_hint, self.start - self.base
        for node in post_order(self.function):
            if type(node) is Call:
                span = node.span
                if span is not None and source is not None:
                    span = Span(source, span.start + shift, span.end + shift)
                yield CallType(name, callee_name(node), self.type_of(node), span)


def alike(one: Any, other: Any) -> bool:
    """Whether two types say the same, in the same words."""
    return one is other or (structural_equal(one, other) and str(one) == str(other))
