"""What is believed of functions that call themselves at other extents, until it is known what they demand.

`def @f<n: ShapeVar, m: ShapeVar>(%x: Tensor[(n), float32], %y: Tensor[(m), float32]) -> ...`, which crops two elements
of %x and then calls `@f(%y, %x)`, demands that n is 2 at least, hence that m is. What it demands is the least that
holds where its calls of itself demand it, too: at first nothing is believed, then what was found with that, until what
is found is what was believed. (Mycroft, "Polymorphic type schemes and recursive definitions", 1984.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...ir import Expr, Function
from ...types import FuncType, IncompleteType
from ..sites.schemes import substitute
from ..sites.store import Mismatch, Store

__all__ = ["Beliefs"]


class News(NamedTuple):
    """A function, known by a variable where it calls itself, that turned out to demand what was not believed of it."""

    variable: Expr
    function: Function
    owner: str
    scheme: Any


class Beliefs:
    """The types that functions with type parameters are believed to have where they call themselves, by identity."""

    def __init__(self, schemes: Mapping[int, Any]) -> None:
        self._schemes = schemes
        self._found: dict[int, Any] = {}
        self.news: list[News] = []

    @property
    def are_first(self) -> bool:
        """Whether nothing has been found to be believed, and nothing that was not."""
        return not (self._schemes or self.news)

    def of(self, function: Function, known: Any, store: Store) -> Any:
        """The type of a function, as far as it is known, with what is believed that it demands."""
        scheme = self._schemes.get(id(function))
        if scheme is None or type(known) is not FuncType:
            return known
        free = [p for p in scheme.type_params if p not in function.type_params]
        opened = substitute(
            FuncType(scheme.arg_types, scheme.ret_type, (), scheme.type_constraints),
            {p: IncompleteType(p.kind) for p in free},
            [],
        )
        try:
            store.unify((opened.arg_types, opened.ret_type), (known.arg_types, known.ret_type))
        except Mismatch:
            return known
        return FuncType(known.arg_types, known.ret_type, known.type_params, opened.type_constraints)

    def compare(self, variable: Expr, function: Function, owner: str, scheme: Any) -> None:
        """Take note of the type that a function was found to have."""
        if type(scheme) is not FuncType:
            return
        believed = self._schemes.get(id(function))
        demands = function.type_constraints if believed is None else believed.type_constraints
        self._found[id(function)] = scheme
        if set(map(str, demands)) != set(map(str, scheme.type_constraints)):
            self.news.append(News(variable, function, owner, scheme))

    def revised(self) -> Mapping[int, Any]:
        """What to believe next."""
        return {**self._schemes, **self._found}
