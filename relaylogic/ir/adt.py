"""Algebraic data types in expressions: definitions, constructors, patterns and `match`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import no_list
from ..logic.terms.flat import Record
from .expr import Expr
from .nodes import Var
from .source import Span

__all__ = [
    "Clause",
    "Constructor",
    "Match",
    "Pattern",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "TypeData",
]


class Constructor(Expr):
    """A constructor of the data type whose handle is `belong_to`; `inputs` are the types of its fields.

    `input_spans` are the places of these in the text, if it was read from one.
    """

    __slots__ = ("belong_to", "input_spans", "inputs", "name_hint")

    def __init__(
        self,
        name_hint: str,
        inputs: Sequence[Any],
        belong_to: Any,
        span: Span | None = None,
        input_spans: tuple[Span, ...] = (),
    ) -> None:
        self.name_hint = name_hint
        try:
            self.inputs = tuple(inputs)
        except TypeError:
            raise no_list("the fields of a constructor", inputs) from None
        self.belong_to = belong_to
        self.span = span
        self.input_spans = input_spans


class TypeData(Record):
    """`type header[type_vars] { constructors }`; an external type has no constructors and `extern` set."""

    __slots__ = ("constructors", "extern", "header", "span", "type_vars")

    def __init__(
        self,
        header: Any,
        type_vars: Sequence[Any],
        constructors: Sequence[Constructor],
        extern: bool = False,
        span: Span | None = None,
    ) -> None:
        self.header = header
        try:
            self.type_vars = tuple(type_vars)
        except TypeError:
            raise no_list("the parameters of a data type", type_vars) from None
        try:
            self.constructors = tuple(constructors)
        except TypeError:
            raise no_list("the constructors of a data type", constructors) from None
        self.extern = extern
        self.span = span

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the parameters, in order."""
        return tuple([parameter.kind for parameter in self.type_vars])

    def __repr__(self) -> str:
        return f"TypeData({self.header})"


class Pattern(Record):
    """The base of all patterns."""

    __slots__ = ("span",)
    span: Span | None


class PatternWildcard(Pattern):
    """`_`: matches anything, binds nothing."""

    __slots__ = ()

    def __init__(self, span: Span | None = None) -> None:
        self.span = span


class PatternVar(Pattern):
    """`%x`: matches anything and binds it to `var`."""

    __slots__ = ("var",)

    def __init__(self, var: Var, span: Span | None = None) -> None:
        self.var = var
        self.span = span


class PatternConstructor(Pattern):
    """`C(p1, ..., pn)`; the number of patterns may differ from that of the fields, which inference
    refuses."""

    __slots__ = ("constructor", "patterns")

    def __init__(
        self, constructor: Constructor, patterns: Sequence[Pattern] | None = None, span: Span | None = None
    ) -> None:
        self.constructor = constructor
        try:
            self.patterns = () if patterns is None else tuple(patterns)
        except TypeError:
            raise no_list("the parts of a pattern", patterns) from None
        self.span = span


class PatternTuple(Pattern):
    """`(p1, ..., pn)`."""

    __slots__ = ("patterns",)

    def __init__(self, patterns: Sequence[Pattern] | None = None, span: Span | None = None) -> None:
        try:
            self.patterns = () if patterns is None else tuple(patterns)
        except TypeError:
            raise no_list("the parts of a pattern", patterns) from None
        self.span = span


class Clause(Record):
    """`lhs => rhs`: one arm of a match."""

    __slots__ = ("lhs", "rhs", "span")

    def __init__(self, lhs: Pattern, rhs: Expr, span: Span | None = None) -> None:
        self.lhs = lhs
        self.rhs = rhs
        self.span = span


class Match(Expr):
    """`match (data) { clauses }`, tried in order; `match?`, which may be partial, has `complete` unset."""

    __slots__ = ("clauses", "complete", "data")

    def __init__(self, data: Expr, clauses: Sequence[Clause], complete: bool = True, span: Span | None = None) -> None:
        self.data = data
        try:
            self.clauses = tuple(clauses)
        except TypeError:
            raise no_list("the arms of a match", clauses) from None
        self.complete = complete
        self.span = span
