"""From reductions of the type rules to types. Every method takes the values of an alternative's symbols."""

from __future__ import annotations

import re
from typing import Any

from unification import Var as LogicVariable

from ..ir import Span, Var
from ..ir.expr import MetaRef
from ..logic import cons
from ..types import (
    ANY,
    KINDS,
    FuncType,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
    dim_add,
    dim_floordiv,
    dim_max,
    dim_min,
    dim_mod,
    dim_mul,
    dim_sub,
    normal_dtype,
    scalar_type,
)
from ..types import Type as RelayType
from .context import Context
from .errors import ParseError
from .literals import parse_integer
from .tokens import Token

__all__ = ["TypeBuilder", "bare_relations", "parse_meta"]

HOLE = object()
"""A `_` of which it is not known yet whether it stands for a type or a dimension."""

_META = re.compile(r"meta\[(.*)\]\[\s*([0-9]{1,9})\s*\]\Z", re.DOTALL)
_DTYPE_PREFIXES = ("int", "float", "uint", "bool")
_OPERATIONS = {"+": dim_add, "-": dim_sub, "*": dim_mul, "//": dim_floordiv, "%": dim_mod}
_FUNCTIONS = {"min": dim_min, "max": dim_max, "floordiv": dim_floordiv, "floormod": dim_mod}


def parse_meta(context: Context, token: Token) -> MetaRef:
    """The reference that a META token writes."""
    match = _META.match(token.value)
    if match is None:
        raise context.error("expected `meta[type key][index]`", token)
    return MetaRef(match.group(1).strip(), int(match.group(2)))


def bare_relations(relations: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """`where Broadcast` without arguments holds of the function's parameters and its result, in this
    order."""
    return tuple(TypeRelation(r, arguments) if type(r) is str else r for r in relations)


class TypeBuilder(Context):
    """Types, shapes, dimensions, dtypes, and what may be any of them."""

    def scalar(self, name: str) -> Any:
        try:
            return scalar_type(normal_dtype(name))
        except ValueError:
            return None

    def type_name(self, c: list[Any]) -> Any:
        return self.named_type(c[0])

    def named_type(self, token: Token) -> Any:
        name = token.value
        if name.startswith(_DTYPE_PREFIXES):
            scalar = self.scalar(name)
            if scalar is not None:
                return scalar
        found = self.types.find(name)
        if found is not None:
            return found[1]
        handle = self.handle(name)
        if handle is not None:
            return TypeCall(handle, ())
        scalar = self.scalar(name)
        if scalar is not None:
            return scalar
        raise self.unknown_type(token)

    def handle(self, name: str) -> Any:
        own = self.handles.get(name)
        return self.module.get_global_type_var(name) if own is None else own

    def unknown_type(self, token: Token) -> ParseError:
        known = [
            *self.types.visible(),
            *self.handles,
            "Tensor",
            "bool",
            "int32",
            "int64",
            "float32",
            "float64",
        ]
        for module in self.module.imports.values():
            known += [handle.name_hint for handle in module.type_definitions]
        return self.unknown("type", token.value, token, known)

    def type_call(self, c: list[Any]) -> Any:
        name: Token = c[0]
        found = self.types.find(name.value)
        function = self.handle(name.value) if found is None else found[1]
        if function is None:
            if name.value == "Tensor":
                raise self.error("a tensor type is written `Tensor[(2, 3), float32]`", name)
            raise self.unknown_type(name)
        arguments = tuple(c[2]) if type(c[2]) is list else ()
        if not arguments and isinstance(function, TypeVar):
            return function
        return TypeCall(function, arguments)

    def tuple_type(self, c: list[Any]) -> Any:
        return TupleType(tuple(c[0]))

    def hole(self, c: list[Any]) -> Any:
        return IncompleteType()

    def ref_type(self, c: list[Any]) -> Any:
        return RefType(c[2])

    def meta_type(self, c: list[Any]) -> Any:
        if parse_meta(self, c[0]).type_key != "IncompleteType":
            raise self.error("expected a type; of the metadata only `meta[IncompleteType]` is one", c[0])
        return IncompleteType()

    def function_type(self, c: list[Any]) -> Any:
        _, type_params, arguments, _, result, constraints = c
        self.types.leave()
        self.locals.leave()
        relations = bare_relations(constraints, (*arguments, result))
        return FuncType(tuple(arguments), result, tuple(type_params), relations)

    def type_param(self, c: list[Any]) -> Any:
        kind = c[2].value if len(c) > 1 else "Type"
        if kind not in KINDS:
            raise self.unknown("kind", kind, c[2], list(KINDS), f"the kinds are {', '.join(KINDS)}")
        variable = TypeVar(c[0].value, kind)
        self.types.bind(c[0].value, variable)
        return variable

    # ---- tensors

    def tensor_text(self, c: list[Any]) -> Any:
        shape_text, _, dtype = c[0].value[8:-1].rpartition("), ")
        try:
            element = normal_dtype(dtype)
        except ValueError:
            element = self.dtype_named(dtype, c[0])
        dims: list[Any] = []
        for piece in shape_text.split(","):
            dim = piece.strip()
            if dim:
                dims.append(ANY if dim == "?" else self.integer(dim, c[0]))
            elif piece is not shape_text and not dims or shape_text.count(",") > len(dims):
                raise self.error("expected a dimension between commas", c[0])
        return TensorType(tuple(dims), element)

    def tensor_type(self, c: list[Any]) -> Any:
        return TensorType(c[2], c[4])

    def void(self, c: list[Any]) -> Any:
        return ""

    def dtype(self, c: list[Any]) -> Any:
        try:
            return normal_dtype(c[0].value)
        except ValueError:
            return self.dtype_named(c[0].value, c[0])

    def dtype_named(self, name: str, token: Token) -> Any:
        found = self.types.find(name)
        if found is None:
            known = [
                "bool",
                "int8",
                "int16",
                "int32",
                "int64",
                "uint8",
                "float16",
                "float32",
                "float64",
                "bfloat16",
            ]
            raise self.unknown("dtype", name, token, [*known, *self.types.visible()])
        return found[1]

    def dtype_hole(self, c: list[Any]) -> Any:
        return IncompleteType("BaseType")

    def empty_shape(self, c: list[Any]) -> Any:
        return ()

    def shape(self, c: list[Any]) -> Any:
        return tuple(self.dimension(term, c[0]) for term in c[1])

    def open_shape(self, c: list[Any]) -> Any:
        prefix = tuple(self.dimension(term, c[0]) for term in c[1]) if type(c[1]) is list else ()
        return cons(prefix, IncompleteType("Shape"))

    def shape_name(self, c: list[Any]) -> Any:
        found = self.types.find(c[0].value)
        if found is None:
            hint = f"a shape parameter is declared as `[{c[0].value}: Shape]`"
            raise self.unknown("shape", c[0].value, c[0], self.types.visible(), hint)
        return found[1]

    def shape_hole(self, c: list[Any]) -> Any:
        return IncompleteType("Shape")

    def integer(self, text: str, token: Token) -> int:
        try:
            return parse_integer(text)
        except ValueError as problem:
            raise self.error(str(problem), token) from None

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
            return found[1]
        try:
            return self.named_type(c[0])
        except ParseError as problem:
            hint = f"a shape variable is declared as a type parameter, `[{c[0].value}: ShapeVar]`"
            raise ParseError(problem.message, problem.span, (*problem.hints, hint)) from None

    def operand_of(self, term: Any, token: Token) -> Any:
        while type(term) is tuple and len(term) == 1:
            term = term[0]
        if term is HOLE or type(term) is LogicVariable or type(term) is tuple:
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
            attrs = tuple((name, value) for name, value in c[4])
        return TypeRelation(c[0].value, tuple(self.type_argument(t) for t in c[2]), attrs)

    def annotation(self, token: Token, span_end: int | None = None) -> Span:
        """The place of the type behind a colon or arrow."""
        span = self.span_behind(token)
        return span if span_end is None else Span(self.source, span.start, span_end)

    def annotated(self, variable: Var) -> Any:
        """The annotation of a variable, made a hole if there is none."""
        if variable.type_annotation is None:
            variable.type_annotation = IncompleteType()
        return variable.type_annotation


def _is_dimension(term: Any) -> bool:
    if type(term) is tuple or term is HOLE or type(term) is LogicVariable:
        return False
    return not isinstance(term, RelayType) or (type(term) is TypeVar and term.kind == "ShapeVar")
