"""Whether `?`, the number or term that is never known, occurs in a term."""

from __future__ import annotations

from typing import Any

from ..terms.arith import UNKNOWN
from ..terms.terms import Slot, Symbol, Term
from ..terms.variables import VARIABLES
from .suspended import Word

__all__ = ["CONSTANTS", "has_unknown", "may_be_unknown"]

CONSTANTS = VARIABLES | {int, str, bool, float, type(None), Slot}
"""The classes of what is no `?`, and has no parts."""


def has_unknown(term: Any) -> bool:
    """Whether `?` occurs in a term."""
    agenda: list[Any] = [(term,)]
    seen: set[int] = set()  # a term may hold another many times over
    while agenda:
        for part in agenda.pop():
            if part is UNKNOWN:
                return True
            kind = type(part)
            if kind in CONSTANTS:
                continue
            if kind is tuple:
                if not CONSTANTS.issuperset(map(type, part)):  # as most shapes are
                    agenda.append(part)
            elif isinstance(part, Term) and id(part) not in seen:
                seen.add(id(part))
                agenda.append(part.args)
    return False


def may_be_unknown(term: Any) -> bool:
    """Whether `?` or a symbol occurs in a term."""
    agenda: list[Any] = [(term,)]
    seen: set[int] = set()
    for parts in agenda:
        if CONSTANTS.issuperset(map(type, parts)):  # as in most shapes
            continue
        for item in parts:
            kind = type(item)
            if kind in CONSTANTS:
                continue
            if kind is tuple:
                agenda.append(item)
            elif isinstance(item, Term):
                if item is UNKNOWN or isinstance(item, Symbol):
                    return True
                if kind is not Word and id(item) not in seen:
                    seen.add(id(item))
                    agenda.append(item.args)
            elif hasattr(item, "items") and hasattr(item, "replace"):
                agenda.append(tuple([value for _, value in item.items()]))
    return False
