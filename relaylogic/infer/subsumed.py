"""Constraints that say no more than others do: something is as they say if the same thing is in another constraint.

`Broadcast(t4, t1, t5)`, where nothing else speaks of t4 and t5, follows from `Broadcast(t2, t1, t3)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..logic.terms import Term
from ..types import TypeRelation, TypeVar
from .schemes import parts_of

__all__ = ["without_subsumed"]


def without_subsumed(constraints: Iterable[Any], types: tuple[Any, ...]) -> list[Any]:
    """The constraints, each once, without those that follow from another one whatever the types are."""
    kept = list(dict.fromkeys(constraints))
    named = [constraint.name for constraint in kept]
    for constraint in reversed(kept.copy()) if len(set(named)) < len(named) else ():
        others = [other for other in kept if other is not constraint]
        mentioned = parts_of((*types, *others))
        own = {p for p in parts_of((constraint,)) if type(p) is TypeVar and p not in mentioned}
        if own and any(_is_instance(other, constraint, own) for other in others):
            kept = others
    return kept


def _is_instance(constraint: TypeRelation, pattern: TypeRelation, own: set[Any]) -> bool:
    """Whether a constraint is another one with something put in for the type parameters that are its own."""
    meant: dict[Any, Any] = {}
    stack: list[tuple[Any, Any]] = [(constraint.args, pattern.args)]
    while stack:
        a, b = stack.pop()
        if b is a:
            continue
        if type(b) is TypeVar and b in own:
            if meant.setdefault(b, a) != a:
                return False
        elif type(a) is not type(b):
            return False
        elif type(a) is tuple:
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif isinstance(a, Term) and type(a) is not TypeVar:
            stack.append((a.args, b.args))
        elif a != b:
            return False
    return True
