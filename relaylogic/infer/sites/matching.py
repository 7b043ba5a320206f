"""Calls of which all types are known, and fit as they are: what they give is matched, not unified.

So it is with most calls of constructors and of functions with type parameters, and with most patterns. Their results
are known without a variable and without a site. There are two reasons to have these: a `?` that meets a number later
widens what stands in variables, and where something is refused, it is asked what the program is without some sites. So
nothing is matched any more when a `?` meets a number, or something is refused. If something was matched before, the
program is inferred from the beginning (`Inexact`).
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

from ...ir import Constructor, IRModule
from ...logic.terms.terms import Term, is_ground, open_in
from ...logic.terms.variables import VARIABLES
from ...types import ANY, FuncType, IncompleteType, RefType, TupleType, TypeCall, TypeVar
from ...types.glance import glance
from ..checks.kinds import is_well_kinded, parameter_problems
from .schemes import substitute
from .store import Store

__all__ = ["Inexact", "Matching"]

_COMPOUND = frozenset({FuncType, RefType, TupleType, TypeCall})


class Inexact(Exception):
    """Something was matched in a program that must be inferred without that."""


class Matching:
    """The calls of a program that are matched: `known` remembers them by their types, which programs repeat."""

    def __init__(self, module: IRModule, known: MutableMapping[Any, Any]) -> None:
        self._module = module
        self._signatures: dict[Constructor, Any] = {}
        self._found = known
        self._closed: dict[Any, Any] = {}  # types with what is known of their variables put in
        self._exact: set[Any] = set()  # types without `?`
        self._is_on = True
        self.is_used = False

    def end(self) -> None:
        """Match nothing from now on. Raises Inexact if something was."""
        if self.is_used:
            raise Inexact
        self._is_on = False

    def signature(self, constructor: Constructor) -> Any:
        """The type of a constructor, if nothing is wrong with it, and it is as simple as most are; else None."""
        try:
            return self._signatures[constructor]
        except KeyError:
            found = self._signatures[constructor] = _signature(constructor, self._module)
            return found

    def made(self, constructor: Constructor, arg_types: tuple[Any, ...], store: Store) -> Any:
        """The type of what a constructor makes; None if it is to be found out by unification.

        Of one without fields nothing is to be unified, whatever the type parameters stand for.
        """
        signature = self.signature(constructor)
        if signature is None:
            return None
        if not arg_types:
            return substitute(signature.ret_type, {p: IncompleteType() for p in signature.type_params}, [])
        return self.result(signature, arg_types, store)

    def result(self, function: Any, arg_types: tuple[Any, ...], store: Store) -> Any:
        """The result of a call of a function of this type; None if it is to be found out by unification."""
        return self._told(_result, function, arg_types, store) if function.ground else None

    def fields(self, constructor: Constructor, scrutinee: Any, store: Store) -> tuple[Any, ...] | None:
        """The types of the fields of a constructor's pattern; None if they are to be found out by unification."""
        signature = self.signature(constructor)
        if signature is None:
            return None
        return self._told(_fields, signature, (scrutinee,), store)  # type: ignore[no-any-return]

    def _told(
        self, find: Callable[[Any, tuple[Any, ...]], Any], function: Any, types: tuple[Any, ...], store: Store
    ) -> Any:
        """What is found of a function type and others; None if it is to be found out otherwise."""
        known = self._known(types, store)
        if known is None:
            return None
        key = (find, function, known)
        try:
            found = self._found[key]
        except KeyError:
            found = self._found[key] = find(function, known) if self._are_exact(known) else None
        self.is_used = self.is_used or found is not None
        return found

    def _known(self, types: tuple[Any, ...], store: Store) -> tuple[Any, ...] | None:
        """Types of which all is known; None if it is not, or something is taken for granted of them."""
        given = store.given
        if not self._is_on or given is None or given.constraints or given.equal:
            return None
        known = []
        for type_ in types:
            if type(type_) in VARIABLES:
                type_ = store.walk(type_)
            if not isinstance(type_, Term):
                return None
            if not type_.ground:
                closed = self._closed.get(type_)
                if closed is None:
                    if not all(is_ground(store.walk(variable)) for variable in open_in(type_)):
                        return None  # what they hold in their turn may be as large as the program
                    closed = self._closed[type_] = store.reify(type_)
                type_ = closed
            known.append(type_)
        return tuple(known)

    def _are_exact(self, types: tuple[Any, ...]) -> bool:
        """Whether no `?` occurs in some types. They are made of each other: each part is looked at once."""
        met: list[Any] = []
        agenda: list[Any] = [types]
        exact = self._exact
        while agenda:
            item = agenda.pop()
            if item is ANY:
                exact.difference_update(met)
                return False
            if type(item) is tuple:
                agenda += item
            elif isinstance(item, Term) and item not in exact:
                exact.add(item)
                met.append(item)
                agenda += item.args
        return True


def _signature(constructor: Constructor, module: IRModule) -> Any:
    data = module.get_type_data(constructor.belong_to)
    if data is None or parameter_problems(data.type_vars) or any(kind != "Type" for kind in data.kinds):
        return None
    for field in constructor.inputs:
        seen = glance(field) if is_well_kinded(field, module) else None
        if seen is None or seen.holes or not set(data.type_vars).issuperset(seen.parameters):
            return None
    return FuncType(tuple(constructor.inputs), TypeCall(data.header, tuple(data.type_vars)), data.type_vars)


def _result(function: Any, arg_types: tuple[Any, ...]) -> Any:
    """The result of a function of a known type, if it takes exactly these types; else None."""
    parameters = function.type_params
    if function.type_constraints or any(parameter.kind != "Type" for parameter in parameters):
        return None
    values: dict[Any, Any] = {}
    agenda: list[tuple[Any, Any]] = [(function.arg_types, arg_types)]
    met: set[tuple[Any, Any]] = set()  # a type may hold another many times over
    while agenda:
        pair = pattern, found = agenda.pop()
        kind = type(pattern)
        if kind is TypeVar and pattern in parameters:
            if values.setdefault(pattern, found) is not found:
                return None
        elif kind is not type(found):
            return None
        elif kind is tuple:
            if len(pattern) != len(found):
                return None
            agenda += zip(pattern, found, strict=True)
        elif kind not in _COMPOUND:
            if pattern is not found:
                return None
        elif pair not in met:
            met.add(pair)
            if kind is FuncType and not (_is_plain(pattern) and _is_plain(found)):
                return None
            agenda += zip(pattern.args, found.args, strict=True)
    return substitute(function.ret_type, values, []) if len(values) == len(parameters) else None


def _is_plain(function: Any) -> bool:
    return not (function.type_params or function.type_constraints)


def _fields(signature: Any, matched: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The fields of a value of a known type that was made by a constructor; None if that makes no such values."""
    (scrutinee,) = matched
    if type(scrutinee) is not TypeCall:
        return None
    made, given = signature.ret_type, scrutinee.type_args
    if made.func is not scrutinee.func or type(given) is not tuple or len(made.type_args) != len(given):
        return None
    values = dict(zip(made.type_args, given, strict=True))
    return substitute(signature.arg_types, values, [])  # type: ignore[no-any-return]
