"""From reductions of the attribute rules to attribute values: what `Call.attrs` and `Function.attrs` hold."""

from __future__ import annotations

from typing import Any

from ..ir import Constant, Expr, Span
from ..ir.plain import MOST_NESTED
from ..logic.terms.variables import fresh
from ..types import ANY, normal_dtype
from .errors import ParseError
from .literals import parse_attribute, parse_number
from .pattern_builder import PatternBuilder
from .tokens import Token, shown
from .type_builder import parse_meta

__all__ = ["MOST_NESTED", "AttributeBuilder"]


def _depth(values: Any) -> int:
    return 1 + max((_depth(value) for value in values if type(value) is tuple), default=0)


class AttributeBuilder(PatternBuilder):
    """Attributes, and constants of the metadata section."""

    def attr(self, c: list[Any]) -> Any:
        return c[0].value, c[2]

    def plain_attr(self, c: list[Any]) -> Any:
        token: Token = c[0]
        try:
            return parse_attribute(token.value)
        except ValueError as problem:
            start = token.start + token.value.index("=") + 1
            raise ParseError(str(problem), Span(self.source, start, token.end)) from None

    def number_value(self, c: list[Any]) -> Any:
        try:
            return parse_number(c[0].value)[0]
        except ValueError as problem:
            raise self.error(str(problem), c[0]) from None

    def string_value(self, c: list[Any]) -> Any:
        return c[0].value[1:-1]

    def bool_value(self, c: list[Any]) -> Any:
        return c[0].value == "True"

    def hole_value(self, c: list[Any]) -> Any:
        return fresh()

    def any_value(self, c: list[Any]) -> Any:
        return ANY

    def ints_value(self, c: list[Any]) -> Any:
        try:
            return tuple(parse_number(item.strip())[0] for item in c[0].value[1:-1].split(","))
        except ValueError as problem:
            raise self.error(str(problem), c[0]) from None

    def name_value(self, c: list[Any]) -> Any:
        token: Token = c[0]
        if token.value in ("None", "nullptr"):
            return None
        try:
            normal_dtype(token.value)
        except ValueError:
            raise self.unknown(
                "value",
                token.value,
                token,
                ["True", "False", "None"],
                f'a string is written `"{shown(token.value)}"`',
            ) from None
        return token.value

    def meta_value(self, c: list[Any]) -> Any:
        reference = parse_meta(self, c[0])
        return self.meta_constant(c[0]) if reference.type_key == "relay.Constant" else reference

    def meta_constant(self, token: Token) -> Constant:
        reference = parse_meta(self, token)
        if reference.type_key != "relay.Constant":
            raise self.error(
                f"`{shown(token.value)}` is not an expression",
                token,
                "of the metadata section only `meta[relay.Constant][n]` is one",
            )
        tensor_type, value = self.constant_data(reference.index, token)
        return self.token_placed(Constant(value, tensor_type, reference), token)

    def empty_value(self, c: list[Any]) -> Any:
        return ()

    def list_value(self, c: list[Any]) -> Any:
        if _depth(c[1]) > MOST_NESTED:
            raise self.error(f"an attribute has no more than {MOST_NESTED} lists in each other", c[0])
        if any(isinstance(item, Expr) for item in c[1]):
            raise self.error("a list in an attribute holds no expressions", c[0])
        return tuple(c[1])

    def parenthesised_value(self, c: list[Any]) -> Any:
        return c[1][0] if len(c[1]) == 1 else self.list_value(c)

    def expr_value(self, c: list[Any]) -> Any:
        return c[0][0]
