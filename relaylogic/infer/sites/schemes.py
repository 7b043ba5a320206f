"""Polymorphic types: instances of them, with types put for their type parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...logic.terms.numbers import Arith
from ...logic.terms.terms import PLAIN, Term
from ...types import FuncType, IncompleteType, TypeVar
from ...types.substitution import Equation, substitute

__all__ = [
    "Equation",
    "bound_in",
    "holes",
    "instance_of",
    "instantiate",
    "mentions",
    "parts_of",
    "replaced",
    "signature_of",
    "substitute",
]

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
            if not PLAIN.issuperset(map(type, item)):
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


def bound_in(terms: tuple[Any, ...]) -> set[Any]:
    """The type parameters that function types inside some terms bind."""
    found: set[Any] = set()
    stack: list[Any] = list(terms)
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(item)
        elif isinstance(item, Term) and type(item) is not TypeVar and id(item) not in seen:
            seen.add(id(item))
            if type(item) is FuncType:
                found.update(item.type_params)
            stack.extend(item.args)
    return found
