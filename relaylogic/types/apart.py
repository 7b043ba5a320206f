"""Type parameters of one name, told apart where they would be taken for each other.

`fn [t](t) -> fn [t](t) -> (t, t)` cannot be read if the last `t` is that of the outer function: the inner one has
another name then. A name that is bound again where the first one does not occur stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from ..logic.terms.terms import Term
from .substitution import substitute
from .terms import FuncType, TypeVar

__all__ = ["told_apart"]


def told_apart(term: Any) -> Any:
    """The type with other names for the parameters within whose function another parameter of that name occurs."""
    parts = list(_parts(term))
    parameters = dict.fromkeys(part for part in parts if type(part) is TypeVar)
    names = {parameter.name_hint for parameter in parameters}
    if len(names) == len(parameters):
        return term
    renamed: dict[Any, Any] = {}
    for function in parts:
        if type(function) is not FuncType or not function.type_params:
            continue
        free = {parameter.name_hint for parameter in _free(function)}
        for parameter in function.type_params:
            if parameter.name_hint in free and parameter not in renamed:
                stem = parameter.name_hint.rstrip("0123456789") or "t"
                name = next(n for n in map(f"{stem}{{}}".format, count(1)) if n not in names)
                names.add(name)
                renamed[parameter] = TypeVar(name, parameter.kind)
    return substitute(term, renamed, [])


def _parts(term: Any) -> Iterator[Any]:
    """The terms within a term, each once."""
    seen: set[int] = set()
    stack: list[Any] = [term]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(item)
        elif isinstance(item, Term) and id(item) not in seen:
            seen.add(id(item))
            yield item
            stack.extend(() if type(item) is TypeVar else item.args)


def _free(function: FuncType) -> set[Any]:
    """The type parameters in a function type that are not bound in it."""
    found: set[Any] = set()
    seen: set[tuple[int, frozenset[Any]]] = set()
    stack: list[tuple[Any, frozenset[Any]]] = [(function, frozenset())]
    while stack:
        item, bound = stack.pop()
        if type(item) is TypeVar:
            if item not in bound:
                found.add(item)
        elif type(item) is tuple:
            stack.extend((part, bound) for part in item)
        elif isinstance(item, Term) and (id(item), bound) not in seen:
            seen.add((id(item), bound))
            if type(item) is FuncType:
                bound = bound.union(item.type_params)
            stack.extend((part, bound) for part in item.args)
    return found
