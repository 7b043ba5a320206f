"""From reductions of the type rules to types. Every method takes the values of an alternative's symbols."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..errors import alike
from ..ir import Span, coerce_type_argument
from ..ir.nodes import MetaRef
from ..types import (
    ANY,
    KINDS,
    STORAGE,
    FuncType,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
    normal_dtype,
    scalar_type,
)
from .context import Context
from .errors import ParseError
from .names import is_scalar
from .tokens import Token, shown

__all__ = ["HOLE", "TypeBuilder", "bare_relations", "parse_meta"]

HOLE = object()
"""A `_` of which it is not known yet whether it stands for a type or a dimension."""

_META = re.compile(r"meta\[(.*)\]\[\s*([0-9]{1,9})\s*\]\Z", re.DOTALL)


def parse_meta(context: Context, token: Token) -> MetaRef:
    """The reference that a META token writes."""
    match = _META.match(token.value)
    if match is None:
        raise context.error("expected `meta[type key][index]`", token)
    return MetaRef(match.group(1).strip(), int(match.group(2)))


def bare_relations(relations: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The constraints of a function; `where Broadcast` without arguments is about these, in this order."""
    return tuple(TypeRelation(r, arguments) if type(r) is str else r for r in relations)


class TypeBuilder(Context):
    """Types and dtypes."""

    def scalar(self, name: str) -> Any:
        try:
            return scalar_type(normal_dtype(name))
        except ValueError:
            return None

    def type_name(self, c: list[Any]) -> Any:
        return self.named_type(c[0])

    def named_type(self, token: Token) -> Any:
        name = token.value
        if is_scalar(name):
            return self.scalar(name)
        found = self.types.find(name)
        if found is not None:
            return found
        handle = self.handle(name)
        if handle is not None:
            return TypeCall(handle, ())
        scalar = self.scalar(name)
        if scalar is not None:
            return scalar
        raise self.unknown_type(token)

    def handle(self, name: str) -> Any:
        own = self.handles.get(name)
        if own is None:
            own = self.module.find_global_type_var(name)
        return STORAGE if own is None and name == STORAGE.name_hint else own

    def unknown_type(self, token: Token) -> ParseError:
        """The error for a name that is no type; where its data type is named, if that seems to be misspelt there."""
        for head in alike(token.value, self.heads, 1):
            if self._count(head) == 1 < self._count(token.value):
                message = f"nothing is of the type `{head}`, but `{shown(token.value)}` is used, which is no type"
                return self.error(message, self.heads[head], f"did you mean `{shown(token.value)}`?")
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

    def _count(self, name: str) -> int:
        """How often a name stands in the text."""
        return len(re.findall(rf"(?<![\w.%@]){re.escape(name)}(?!\w)", self.source.text))

    def type_call(self, c: list[Any]) -> Any:
        name: Token = c[0]
        found = self.types.find(name.value)
        function = self.handle(name.value) if found is None else found
        if function is None:
            if name.value == "Tensor":
                raise self.error("a tensor type is written `Tensor[(2, 3), float32]`", name)
            raise self.unknown_type(name)
        given = c[2] if type(c[2]) is list else []
        if not given and isinstance(function, TypeVar):
            return function
        kinds = self.parameter_kinds(function)
        arguments = [self.argument(term, kinds[i] if i < len(kinds) else "Type") for i, term in enumerate(given)]
        return TypeCall(function, tuple(arguments))

    def argument(self, term: Any, kind: str) -> Any:
        """What a data type is applied to, where it takes something of that kind.

        What cannot be of that kind stays as it was written: kinds are checked when types are inferred.
        """
        if term is HOLE:
            return IncompleteType(kind)
        try:
            return coerce_type_argument(term, kind)
        except ValueError:
            return term

    def parameter_kinds(self, function: Any) -> Sequence[str]:
        """The kinds of what a data type takes, which may be defined further down; () if nothing defines it."""
        own = self.kinds.get(function)
        if own is not None:
            return own
        data = self.module.get_type_data(function)
        return () if data is None else data.kinds

    def tuple_type(self, c: list[Any]) -> Any:
        fields = tuple(c[0])
        known = self.tuples.get(fields)
        if known is None:
            known = self.tuples[fields] = TupleType(fields)
        return known

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
        return self.function_of(type_params, arguments, result, constraints)

    def maker_type(self, c: list[Any]) -> Any:
        """The type of a function that gives a function: a `where` at its end would be that one's."""
        _, type_params, arguments, _, constraints, _, result = c
        return self.function_of(type_params, arguments, result, constraints)

    def function_of(self, type_params: Any, arguments: Any, result: Any, constraints: Any) -> Any:
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
        return self.tensor(c[0].value, c[0])

    def tensor(self, text: str, token: Token) -> Any:
        """The type that `Tensor[(2, 3), float32]` writes, which is `token` or a part of it."""
        known = self.plain_types.get(text)
        if known is not None:
            return known
        shape_text, _, dtype = text[8:-1].rpartition("), ")
        try:
            element, is_named = normal_dtype(dtype), False
        except ValueError:
            element, is_named = self.dtype_named(dtype, token), True
        extents = [extent.strip() for extent in shape_text.split(",")]
        if not extents[-1]:
            extents.pop()  # `()` and `(3,)`
        made = TensorType(tuple(ANY if extent == "?" else self.integer(extent, token) for extent in extents), element)
        if not is_named:
            self.plain_types[text] = made
        return made

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
        return found

    def dtype_hole(self, c: list[Any]) -> Any:
        return IncompleteType("BaseType")

    def annotation(self, token: Token, span_end: int | None = None) -> Span:
        """The place of the type behind a colon or arrow, which ends with the token consumed last, or before."""
        return self.stripped(token.end, self.last.end if span_end is None else span_end)
