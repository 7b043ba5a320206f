"""Visitors and mutators of types, to be subclassed: names and methods are those of `tvm.relay`.

As in `expr_functor`, the methods of the parts of a type are called before its own, so that no type is too deep.
"""

from __future__ import annotations

from typing import Any

from ..ir import Constructor, TypeData
from ..logic.terms.variables import VARIABLES
from ..types import (
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
)

__all__ = ["TypeFunctor", "TypeMutator", "TypeVisitor"]

_METHODS: dict[type, str] = {
    FuncType: "visit_func_type",
    GlobalTypeVar: "visit_global_type_var",
    RefType: "visit_ref_type",
    TensorType: "visit_tensor_type",
    TupleType: "visit_tuple_type",
    TypeCall: "visit_type_call",
    TypeRelation: "visit_type_relation",
    TypeData: "visit_type_data",
    TypeVar: "visit_type_var",
    **dict.fromkeys(VARIABLES, "visit_incomplete_type"),
}


class TypeFunctor:
    """Dispatch by the form of a type, with the results of all parts remembered."""

    def __init__(self) -> None:
        self.memo: dict[Any, Any] = {}

    def visit(self, typ: Any) -> Any:
        """What the method of `typ` returns; its parts, unless they were visited already, come first."""
        agenda: list[tuple[Any, bool]] = [(typ, False)]
        while agenda:
            item, ready = agenda.pop()
            if item in self.memo:
                continue
            if ready:
                self.memo[item] = getattr(self, _METHODS[type(item)], self._missing)(item)
            else:
                agenda.append((item, True))
                agenda.extend((part, False) for part in reversed(type_parts(item)))
        return self.memo[typ]

    def _missing(self, typ: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no method `{_METHODS[type(typ)]}`")


def type_parts(typ: Any) -> list[Any]:
    """The types that a type consists of, binders first."""
    kind = type(typ)
    if kind is TupleType:
        return _types(typ.fields)
    if kind is FuncType:
        return [*typ.type_params, *_types(typ.arg_types), typ.ret_type, *typ.type_constraints]
    if kind is TypeCall:
        return [typ.func, *(a for a in _types(typ.type_args) if type(a) in _METHODS)]
    if kind is RefType:
        return [typ.value]
    if kind is TypeData:
        return [typ.header, *typ.type_vars, *(field for c in typ.constructors for field in c.inputs)]
    return [a for a in typ.arguments if type(a) in _METHODS] if kind is TypeRelation else []


def _types(items: Any) -> list[Any]:
    return list(items if type(items) is tuple else getattr(items, "prefix", ()))


class TypeVisitor(TypeFunctor):
    """Visits every type once, parts first. Override the methods of interest."""

    def _nothing(self, typ: Any) -> None:
        """Does nothing."""

    visit_func_type = visit_global_type_var = visit_incomplete_type = visit_ref_type = visit_tensor_type = _nothing
    visit_tuple_type = visit_type_call = visit_type_data = visit_type_relation = visit_type_var = _nothing


class TypeMutator(TypeFunctor):
    """Builds a type anew from what the methods of its parts return."""

    def _itself(self, typ: Any) -> Any:
        """The leaf itself."""
        return typ

    visit_global_type_var = visit_incomplete_type = visit_tensor_type = visit_type_var = _itself

    def visit_tuple_type(self, tt: Any) -> Any:
        """The tuple type of new fields."""
        return TupleType(self._all(tt.fields))

    def visit_func_type(self, ft: Any) -> Any:
        """The function type of new parts."""
        return FuncType(
            self._all(ft.arg_types), self.visit(ft.ret_type), self._all(ft.type_params), self._all(ft.type_constraints)
        )

    def visit_type_call(self, tc: Any) -> Any:
        """The type call of new arguments."""
        return TypeCall(self.visit(tc.func), self._all(tc.type_args))

    def visit_ref_type(self, rt: Any) -> Any:
        """The reference type of a new content."""
        return RefType(self.visit(rt.value))

    def visit_type_data(self, td: TypeData) -> Any:
        """The definition with new types of fields."""
        header = self.visit(td.header)
        constructors = [Constructor(c.name_hint, self._all(c.inputs), header, c.span) for c in td.constructors]
        return TypeData(header, self._all(td.type_vars), constructors, td.extern, td.span)

    def visit_type_relation(self, tr: Any) -> Any:
        """The relation on new types."""
        arguments = [self.visit(a) if type(a) in _METHODS else a for a in tr.arguments]
        return TypeRelation(tr.name, arguments, attrs=tr.attrs)

    def _all(self, items: Any) -> Any:
        if type(items) is not tuple:
            return items
        return tuple(self.visit(i) if type(i) in _METHODS else i for i in items)  # a shape has no types as parts
