"""Constraints that say no more than others do: something is as they say if the same thing is in another constraint.

`Broadcast(t4, t1, t5)`, where nothing else speaks of t4 and t5, follows from `Broadcast(t2, t1, t3)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

from ...logic.terms.terms import Term
from ...types import TypeRelation, TypeVar
from ..sites.schemes import parts_of

__all__ = ["without_subsumed"]


def without_subsumed(constraints: Iterable[Any], types: tuple[Any, ...]) -> list[Any]:
    """The constraints, each once, without those that follow from another one whatever the types are."""
    kept = dict.fromkeys(constraints)
    alike: dict[str, list[Any]] = {}
    for constraint in kept:
        alike.setdefault(constraint.name, []).append(constraint)
    if len(alike) == len(kept):
        return list(kept)
    about = {constraint: _parameters((constraint,)) for constraint in kept}
    mentions = Counter(chain(_parameters(types), *about.values()))
    for constraint in reversed(list(kept)):
        own = {parameter for parameter in about[constraint] if mentions[parameter] == 1}
        others = (other for other in alike[constraint.name] if other is not constraint and other in kept)
        if own and any(_is_instance(other, constraint, own) for other in others):
            del kept[constraint]
            mentions.subtract(about[constraint])
    return list(kept)


def _parameters(terms: tuple[Any, ...]) -> set[Any]:
    """The type parameters in some terms."""
    return {part for part in parts_of(terms) if type(part) is TypeVar}


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
