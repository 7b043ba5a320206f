"""Polymorphic types: instances of them, with types put for their type parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..logic.numbers import Arith
from ..logic.terms import Term
from ..logic.variables import VARIABLES
from ..types import ANY, FuncType, GlobalTypeVar, IncompleteType, TensorType, TupleType, Type, TypeCall, TypeVar
from ..types.substitution import Equation, substitute
from .kinds import GLANCE

if TYPE_CHECKING:
    from .store import Store

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
_TYPES = frozenset({"Type"})
_PLAIN = ((), ())
"""The type parameters and the constraints of a function type that has none."""


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


def told_at_once(function: Any, arg_types: Sequence[Any], store: Store) -> list[Any] | None:
    """The type parameters of a function as the types of its arguments tell them, if these are just what is wanted then;
    None if it is not as simple as that.

    What has no extents stands for a parameter itself. Anything else may be made `?` where the parameter stands and only
    there: that is a variable, that of the argument if it is one. What stands within tensor types is not told.
    """
    parameters, walk = function.type_params, store.walk
    if not _TYPES.issuperset([parameter.kind for parameter in parameters]):
        return None
    values: dict[Any, Any] = {}
    # What is wanted, what is there, and whether a value comes from there: into functions, they go the other way.
    agenda: list[tuple[Any, Any, bool]] = []
    _side_by_side(function.arg_types, tuple(arg_types), True, agenda)
    for _ in range(GLANCE):
        if not agenda:
            return _variables(parameters, values, store) if len(values) == len(parameters) else None
        wanted, part, covariant = agenda.pop()
        known = walk(part)
        kind = type(wanted)
        if kind is TypeVar and wanted in parameters:
            if wanted in values:
                if known is not walk(values[wanted]):
                    return None
            elif type(part) in VARIABLES or (isinstance(part, Type) and (covariant or not has_any(part))):
                values[wanted] = part
            else:
                return None
        elif wanted is known and (kind is TensorType or kind is TypeVar):
            continue
        elif kind is FuncType and type(known) is FuncType:
            if wanted.args[2:] != _PLAIN or known.args[2:] != _PLAIN:
                return None
            agenda.append((wanted.ret_type, known.ret_type, covariant))
            if not _side_by_side(wanted.arg_types, known.arg_types, not covariant, agenda):
                return None
        else:
            lists = _applied(wanted, known)
            if lists is None or not _side_by_side(*lists, covariant, agenda):
                return None
    return None


def _applied(wanted: Any, known: Any) -> tuple[Any, Any] | None:
    """What a data type, or a tuple type, is made of on both sides; None if they are no such types, or not the same."""
    if type(wanted) is TypeCall and type(known) is TypeCall and wanted.func is known.func:
        return wanted.type_args, known.type_args
    if type(wanted) is TupleType and type(known) is TupleType:
        return wanted.fields, known.fields
    return None


def _side_by_side(wanted: Any, known: Any, covariant: bool, agenda: list[tuple[Any, Any, bool]]) -> bool:
    """Put the types of two lists on the agenda, the first ones on top; whether they are two lists of one length."""
    if type(wanted) is not tuple or type(known) is not tuple or len(wanted) != len(known):
        return False
    pairs = [(w, k, covariant) for w, k in zip(wanted, known, strict=True)]
    pairs.reverse()
    agenda += pairs
    return True


def _variables(parameters: Sequence[Any], values: Mapping[Any, Any], store: Store) -> list[Any]:
    """What stands for type parameters: themselves types without extents and variables, new variables for the others."""
    told: list[Any] = []
    for parameter in parameters:
        part = values[parameter]
        if type(part) not in VARIABLES and not is_settled(part):
            (variable,) = holes((parameter,))
            store.bind(variable, part)
            part = variable
        told.append(part)
    return told


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
