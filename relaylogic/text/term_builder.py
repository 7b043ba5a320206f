"""From reductions of the term rules to dimensions and type arguments.

A term may be a type, a shape, a dimension or a dtype; what it is shows only from what it is made of, or where
it stands. Its value is a type, a tuple (a shape), a dimension, or `HOLE`.
"""

from __future__ import annotations

import re
from typing import Any

from ..ir import Expr, MetaRef, Span
from ..logic import cons
from ..logic.terms.numbers import FOLDS, Arith
from ..logic.terms.terms import Cons, is_ground
from ..logic.terms.variables import VARIABLES
from ..types import (
    ANY,
    IncompleteType,
    TupleType,
    TypeRelation,
    TypeVar,
    dim_add,
    dim_floordiv,
    dim_max,
    dim_min,
    dim_mod,
    dim_mul,
    dim_sub,
)
from ..types import Type as RelayType
from .errors import ParseError
from .tokens import Token
from .type_builder import HOLE, TypeBuilder

__all__ = ["TermBuilder"]

_OPERATIONS = {"+": dim_add, "-": dim_sub, "*": dim_mul, "//": dim_floordiv, "%": dim_mod}
_FUNCTIONS = {"min": dim_min, "max": dim_max, "floordiv": dim_floordiv, "floormod": dim_mod}


class TermBuilder(TypeBuilder):
    """Shapes, dimensions, type arguments, and the arguments of relations."""

    def empty_shape(self, c: list[Any]) -> Any:
        return ()

    def shape(self, c: list[Any]) -> Any:
        return tuple(self.dimension(term, c[0]) for term in c[1])

    def open_shape(self, c: list[Any]) -> Any:
        prefix = tuple(self.dimension(term, c[0]) for term in c[1]) if type(c[1]) is list else ()
        end = c[-2]
        return cons(prefix, self._shape_parameter(end) if end.type == "IDENT" else IncompleteType("Shape"))

    def shape_name(self, c: list[Any]) -> Any:
        return self._shape_parameter(c[0])

    def _shape_parameter(self, token: Any) -> Any:
        found = self.types.find(token.value)
        if found is None:
            hint = f"a shape parameter is declared as `[{token.value}: Shape]`"
            raise self.unknown("shape", token.value, token, self.types.visible(), hint)
        return found

    def shape_hole(self, c: list[Any]) -> Any:
        return IncompleteType("Shape")

    # ---- terms: dimensions, shapes, types

    def dimension(self, term: Any, opening: Token) -> Any:
        """`term` as a dimension of the shape that starts at `opening`."""
        while type(term) is tuple and len(term) == 1:
            term = term[0]
        if term is HOLE:
            return IncompleteType("ShapeVar")
        if type(term) is tuple or (isinstance(term, RelayType) and type(term) is not TypeVar):
            shown = "a list" if type(term) is tuple else f"`{term}`"
            raise ParseError(f"{shown} is not a dimension", self.span(opening.start))
        return term

    def dim_number(self, c: list[Any]) -> Any:
        return self.integer(c[0].value, c[0])

    def dim_any(self, c: list[Any]) -> Any:
        return ANY

    def term_hole(self, c: list[Any]) -> Any:
        return HOLE

    def term_name(self, c: list[Any]) -> Any:
        found = self.types.find(c[0].value)
        if found is not None:
            return found
        try:
            return self.named_type(c[0])
        except ParseError as problem:
            hint = f"a shape variable is declared as a type parameter, `[{c[0].value}: ShapeVar]`"
            raise ParseError(problem.message, problem.span, (*problem.hints, hint)) from None

    def operand_of(self, term: Any, token: Token) -> Any:
        while type(term) is tuple and len(term) == 1:
            term = term[0]
        if term is HOLE or type(term) in VARIABLES or type(term) is tuple:
            raise self.error("only numbers and shape variables can be computed with", token)
        if isinstance(term, RelayType) and type(term) is not TypeVar:
            raise self.error(f"`{term}` is not a dimension", token)
        return term

    def dim_operation(self, c: list[Any]) -> Any:
        left, sign, right = c
        return self.compute(_OPERATIONS[sign.value], left, right, sign)

    def dim_negation(self, c: list[Any]) -> Any:
        return self.compute(dim_mul, -1, c[1], c[0])

    def dim_function(self, c: list[Any]) -> Any:
        if c[0].value not in _FUNCTIONS:
            raise self.unknown("function of dimensions", c[0].value, c[0], list(_FUNCTIONS))
        return self.compute(_FUNCTIONS[c[0].value], c[2], c[4], c[0])

    def dim_fold(self, c: list[Any]) -> Any:
        if c[0].value not in FOLDS:
            raise self.unknown("function of a shape", c[0].value, c[0], list(FOLDS))
        shape = tuple([self.dimension(t, c[1]) for t in c[2]]) if type(c[2]) is tuple else c[2]
        if type(shape) not in (tuple, Cons) and not (type(shape) is TypeVar and shape.kind == "Shape"):
            raise self.error(f"`{c[0].value}` takes a shape", c[0])
        if not is_ground(shape):
            raise self.error("only numbers and shape variables can be computed with", c[0])
        return Arith.assemble((c[0].value, (shape,)))

    def compute(self, operation: Any, left: Any, right: Any, token: Token) -> Any:
        a, b = self.operand_of(left, token), self.operand_of(right, token)
        if operation in (dim_floordiv, dim_mod) and b == 0:
            raise self.error("division by zero", token)
        return operation(a, b)

    def empty_term(self, c: list[Any]) -> Any:
        return TupleType(())

    def term_list(self, c: list[Any]) -> Any:
        terms = c[1]
        if any(_is_dimension(t) for t in terms):
            return tuple(self.dimension(t, c[0]) for t in terms)
        return TupleType(tuple(self.type_argument(t) for t in terms))

    def type_argument(self, term: Any) -> Any:
        """A term as `ir.coerce_type_argument` takes it."""
        return IncompleteType() if term is HOLE else term

    # ---- constraints

    def bare_relation(self, c: list[Any]) -> Any:
        return c[0].value

    def relation(self, c: list[Any]) -> Any:
        attrs = None
        if len(c) > 4:
            attrs = tuple(self.plain(c[4], "a constraint", self.span_behind(c[3]), (Expr, MetaRef)))
        return TypeRelation(c[0].value, tuple(self.type_argument(t) for t in c[2]), attrs=attrs)

    def by_name(self, attrs: list[tuple[str, Any]], start: int, end: int) -> dict[str, Any]:
        """The attributes that stand between two offsets by their names. Raises ParseError for one that is given twice.
        """
        found = dict(attrs)
        if len(found) < len(attrs):
            names = [name for name, _ in attrs]
            again = next(name for place, name in enumerate(names) if name in names[:place])
            text = self.source.text
            words = re.compile(rf"(?<![\w.]){re.escape(again)}(?![\w.])").finditer(text, start, end)
            places = [word.start() for word in words]
            at = [place for place in places if text[place + len(again) : end].lstrip().startswith("=")] or places
            raise ParseError(f"attribute `{again}` is given twice", Span(self.source, at[-1], at[-1] + len(again)))
        return found

    def plain(self, attrs: list[tuple[str, Any]], whose: str, span: Span, no: tuple[type, ...] = (Expr,)) -> Any:
        """Attributes that hold nothing of these kinds, which only attributes of calls may hold. Raises ParseError."""
        for name, value in self.by_name(attrs, span.start, span.end).items():
            stack = [value]
            while stack:
                item = stack.pop()
                if isinstance(item, no):
                    kind = "an entry of the metadata" if isinstance(item, MetaRef) else "an expression"
                    raise ParseError(f"the attribute `{name}` of {whose} cannot be {kind}", span)
                stack.extend(item if type(item) is tuple else ())
        return attrs


def _is_dimension(term: Any) -> bool:
    if type(term) is tuple or term is HOLE or type(term) in VARIABLES:
        return False
    return not isinstance(term, RelayType) or (type(term) is TypeVar and term.kind == "ShapeVar")
