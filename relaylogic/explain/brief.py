"""Types short enough to be shown beside an expression.

A nest of 10,000 tuples has 10,000 types, each longer than the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import IRModule
from ..logic.terms.terms import Term

__all__ = ["brief"]

LONGEST = 2_000


def brief(module: IRModule, type_of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`type_of`, with None for types of more than `LONGEST` parts, except for those of the module's functions."""
    functions = {id(function) for function in module.functions.values()}
    sizes: dict[Any, int] = {}

    def shown(expr: Any) -> Any:
        found = type_of(expr)
        return found if found is None or id(expr) in functions or _size(found, sizes) <= LONGEST else None

    return shown


def _size(term: Any, sizes: dict[Any, int]) -> int:
    """The number of parts of a term; `sizes` holds those of terms that were met."""
    agenda = [term]
    while agenda:
        item = agenda[-1]
        parts = [p for p in _parts(item) if _parts(p)]
        missing = [p for p in parts if p not in sizes]
        if missing:
            agenda.extend(missing)
            continue
        sizes[item] = len(_parts(item)) + sum(sizes[p] for p in parts)
        agenda.pop()
    return sizes[term]


def _parts(term: Any) -> tuple[Any, ...]:
    if type(term) is tuple:
        return term
    return term.args if isinstance(term, Term) else ()
