"""Calls that an assumption answers: what a `where` says holds in the body, whatever rules say of type parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...logic.terms.terms import variables_of
from ...rulebase import Relation
from .given import Given
from .store import Mismatch, Store

__all__ = ["by_assumption", "may_be", "open_by_assumption"]


def by_assumption(
    relation: Relation, arguments: tuple[Any, ...], attrs: Any, given: Given, store: Store
) -> list[Any] | None:
    """Give a call the result that an assumption with its inputs says; what it waits for, if it may become such a one.

    None if no assumption is about this call, now or later. Raises Mismatch if its result is another.
    """
    assumptions = list(given.about(relation.name, attrs))
    terms = tuple([given.normal(store.reify(a)) for a in arguments])
    assumed = given.assumed(relation.name, attrs, terms)
    if assumed is not None:
        store.unify(assumed[-1], terms[-1])
        return []
    may_become = bool(variables_of(terms[:-1])) and any(may_be(store, terms, a) for a in assumptions)
    return variables_of(terms) if may_become else None


def open_by_assumption(
    relation: Relation, arguments: tuple[Any, ...], given: Given, store: Store, is_possible: Callable[[], bool]
) -> list[Any] | None:
    """As `by_assumption`, of a call that leaves attributes open: they are those of an assumption if there is one, and
    what rules say of the call is not possible."""
    assert relation.asked is not None
    terms = tuple([given.normal(store.reify(a)) for a in arguments])
    fitting = [assumed for assumed in given.about_open(relation.asked) if may_be(store, terms, assumed)]
    if not fitting:
        return None
    if len(fitting) == 1 and not (variables_of(terms[:-1]) and is_possible()):
        store.unify(fitting[0], terms)
        return []
    return variables_of(terms)


def may_be(store: Store, terms: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether the terms can be made one. The store stays as it is."""
    with store.tentatively():
        try:
            store.unify(terms, others)
        except Mismatch:
            return False
        return True
