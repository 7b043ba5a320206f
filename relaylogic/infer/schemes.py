"""Polymorphic types: instances of them, with types put for their type parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ..logic.numbers import Arith
from ..logic.terms import Term
from ..types import ANY, FuncType, GlobalTypeVar, IncompleteType, TensorType, TupleType, Type, TypeCall, TypeVar
from ..types.substitution import Equation, substitute
from .kinds import GLANCE

__all__ = [
    "Equation",
    "has_any",
    "holes",
    "instance_of",
    "instantiate",
    "is_settled",
    "mentions",
    "parts_of",
    "replaced",
    "signature_of",
    "substitute",
    "told_at_once",
]

_CONSTANTS = frozenset({int, str})
_OF_TYPES = frozenset({TypeCall, FuncType, TupleType})
"""What types are made of types by."""


def instantiate(function: Any, values: Sequence[Any], equations: list[Any]) -> Any:
    """The function type with `values` for its type parameters; constraints are kept."""
    arg_types, ret_type, constraints = _parts_at(function, values, equations)
    return FuncType(arg_types, ret_type, (), constraints)


def holes(parameters: tuple[Any, ...]) -> list[Any]:
    """A fresh hole for each type parameter, of its kind."""
    return [IncompleteType(p.kind) for p in parameters]


def instance_of(function: Any, values: list[Any]) -> tuple[Any, list[Any]]:
    """A polymorphic function type at an instance, and what must hold there."""
    arg_types, ret_type, demands = signature_of(function, values)
    return FuncType(arg_types, ret_type), demands


def signature_of(function: Any, values: list[Any]) -> tuple[tuple[Any, ...], Any, list[Any]]:
    """The types of the parameters of a polymorphic function at an instance, that of its result, what must hold there.
    """
    equations: list[Any] = []
    arg_types, ret_type, constraints = _parts_at(function, values, equations)
    return arg_types, ret_type, [*constraints, *equations]


def told_at_once(function: Any, arg_types: Sequence[Any], walk: Callable[[Any], Any]) -> list[Any] | None:
    """The type parameters of a function as the types of its arguments tell them, if these are just what is wanted then,
    and nothing that becomes known can change that; None if it is not as simple as that.

    No extent is among what is told: another value may make it `?`, wherever it has come to.
    """
    parameters = function.type_params
    values: dict[Any, Any] = {}
    agenda: list[tuple[Any, Any]] = list(zip(reversed(function.arg_types), reversed(arg_types), strict=True))
    for _ in range(GLANCE):
        if not agenda:
            return [values[parameter] for parameter in parameters] if len(values) == len(parameters) else None
        wanted, known = agenda.pop()
        known = walk(known)
        kind = type(wanted)
        if kind is TypeVar and wanted in parameters:
            if values.get(wanted) is not known and (wanted in values or not is_settled(known)):
                return None
            values[wanted] = known
        elif wanted is known and (kind is TensorType or kind is GlobalTypeVar):
            continue
        elif kind is not type(known) or kind not in _OF_TYPES:
            return None
        else:
            for part, other in zip(wanted.args, known.args, strict=True):
                if type(part) is tuple and type(other) is tuple and len(part) == len(other):
                    agenda += zip(part, other, strict=True)
                elif isinstance(part, Type):
                    agenda.append((part, other))
                else:
                    return None
    return None


def is_settled(type_: Any) -> bool:
    """Whether a type is seen at a glance to be known, and to hold no extents, and no functions."""
    agenda = [type_]
    for _ in range(GLANCE):
        if not agenda:
            return True
        item = agenda.pop()
        kind = type(item)
        if kind is TensorType:
            if item.args[0] != () or type(item.args[1]) is not str:
                return False
        elif kind is TypeVar:
            if item.kind != "Type":
                return False
        elif kind is TypeCall or kind is TupleType:
            for part in item.args:
                if type(part) is tuple:
                    agenda += part
                else:
                    agenda.append(part)
        elif kind is not GlobalTypeVar:
            return False
    return False


def _parts_at(function: Any, values: Sequence[Any], equations: list[Any]) -> Any:
    """The types of the parameters, that of the result and the constraints, with `values` for the type parameters."""
    replacement = dict(zip(function.type_params, values, strict=True))
    return substitute((function.arg_types, function.ret_type, function.type_constraints), replacement, equations)


def mentions(term: Any, parameters: Collection[Any]) -> bool:
    """Whether one of the type parameters occurs in `term` where no function type binds it."""
    stack: list[tuple[Any, frozenset[Any]]] = [(term, frozenset(parameters))]
    seen: set[tuple[int, frozenset[Any]]] = set()
    while stack:
        item, sought = stack.pop()
        if type(item) is TypeVar:
            if item in sought:
                return True
        elif type(item) is tuple:
            stack.extend((part, sought) for part in item)
        elif isinstance(item, Term) and (id(item), sought) not in seen:
            seen.add((id(item), sought))
            if type(item) is FuncType and not sought.isdisjoint(item.type_params):
                sought = sought.difference(item.type_params)
            if sought:
                stack.extend((part, sought) for part in item.args)
    return False


def parts_of(terms: tuple[Any, ...]) -> dict[Any, None]:
    """The type parameters that occur in some terms, in order, and the arithmetic over them."""
    found: dict[Any, None] = {}
    seen: set[int] = set()
    stack: list[Any] = list(reversed(terms))
    while stack:
        item = stack.pop()
        if type(item) is TypeVar:
            found[item] = None
        elif type(item) is tuple:
            if not _CONSTANTS.issuperset(map(type, item)):
                stack.extend(reversed(item))
        elif isinstance(item, Term) and id(item) not in seen:
            seen.add(id(item))
            if type(item) is Arith:
                found[item] = None
            stack.extend(reversed(item.args))
    return found


def replaced(term: Any, names: Mapping[Any, Any]) -> Any:
    """`term` with other terms in the place of some of its parts."""
    out: list[Any] = []
    agenda: list[tuple[Any, bool]] = [(term, False)]
    while agenda:
        item, is_made = agenda.pop()
        below = item if type(item) is tuple else item.args if isinstance(item, Term) else ()
        if is_made:
            children = tuple(out[len(out) - len(below) :])
            del out[len(out) - len(below) :]
            out.append(children if type(item) is tuple else type(item).make(children))
        elif item in names or not below or type(item) is TypeVar:
            out.append(names.get(item, item))
        else:
            agenda.append((item, True))
            agenda.extend((part, False) for part in reversed(below))
    return out[0]


def has_any(term: Any) -> bool:
    """Whether `?` occurs in a term."""
    agenda: list[Any] = [(term,)]
    seen: set[int] = set()  # a term may hold another many times over
    while agenda:
        item = agenda.pop()
        for part in item if type(item) is tuple else item.args:
            if part is ANY:
                return True
            if type(part) in _CONSTANTS or id(part) in seen:
                continue
            if type(part) is tuple or isinstance(part, Term):
                seen.add(id(part))
                agenda.append(part)
    return False
