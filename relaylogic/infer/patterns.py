"""Patterns of a match: the types they give their variables, and whether together they cover every value."""

from __future__ import annotations

from typing import Any

from ..errors import several
from ..host.governor import spend
from ..ir import Match, PatternConstructor, PatternTuple, PatternVar
from ..types import IncompleteType, TupleType
from .checks.coverage import CoverageLimit, contradictory, has_an_arm_for_each, uncovered, unreachable
from .sites.places import end_of
from .sites.site import Site
from .sites.structure import taken_apart
from .visitor import Visitor

__all__ = ["check_coverage", "type_pattern"]


def type_pattern(visitor: Visitor, pattern: Any, scrutinee: Any) -> None:
    """Give the variables of a pattern the types that the scrutinee's type says."""
    stack = [(pattern, scrutinee)]
    while stack:
        item, matched = stack.pop()
        if isinstance(item, PatternVar):
            visitor.types[id(item.var)] = matched
            if item.var.type_annotation is not None:
                annotation = visitor.annotation(item.var.type_annotation, item.var)
                visitor.equal(matched, annotation, f"`%{item.var.name_hint}`", item.var)
        elif isinstance(item, PatternTuple):
            supposed = visitor.holes.get(id(item))
            fields = tuple(IncompleteType() for _ in item.patterns) if supposed is None else supposed.fields
            if id(item) not in visitor.silent and supposed is None:
                visitor.equal(matched, TupleType(fields), "the matched value", item)
            stack.extend(zip(item.patterns, fields, strict=True))
        elif isinstance(item, PatternConstructor):
            stack.extend(_fields(visitor, item, matched))


def _fields(visitor: Visitor, item: PatternConstructor, matched: Any) -> list[tuple[Any, Any]]:
    """The patterns inside a constructor pattern with the types of the fields that they match.

    A what-if question may say what these are, as the fields of a tuple: those of another constructor.
    """
    supposed = visitor.holes.get(id(item))
    if supposed is not None:
        return list(zip(item.patterns, supposed.fields, strict=True))
    if id(item) in visitor.silent:
        return [(pattern, IncompleteType()) for pattern in item.patterns]
    driver = visitor.driver
    matching = driver.matching
    known = None if matching is None else matching.fields(item.constructor, matched, driver.store)
    if known is not None and len(known) == len(item.patterns):
        spend()
        return list(zip(item.patterns, known, strict=True))
    relation = driver.rules.pattern(item.constructor)
    if relation is None:
        visitor.refuse(item, f"the type of the constructor `{item.constructor.name_hint}` is not defined")
        fields: tuple[Any, ...] = ()
    else:
        fields = taken_apart(driver, relation, matched, item, visitor.owner)
    if len(fields) != len(item.patterns) and relation is not None:
        name, count, given = item.constructor.name_hint, len(fields), len(item.patterns)
        visitor.refuse(item, f"`{name}` has {several(count, 'field')}, but the pattern has {given}")
    if len(fields) < len(item.patterns):
        fields = (*fields, *(IncompleteType() for _ in range(len(item.patterns) - len(fields))))
    return list(zip(item.patterns, fields, strict=False))


def check_coverage(visitor: Visitor, expr: Match) -> None:
    """Refuse a complete match that misses a value, and warn of arms that never run.

    What is missed because a pattern is wrong is no fault of its own: the right one may take it.
    """
    if has_an_arm_for_each(expr, visitor.module):
        return
    try:
        witness = uncovered(expr, visitor.module) if expr.complete else None
        if witness is not None:
            witness = uncovered(expr, visitor.module, wild=contradictory(expr))
        dead = unreachable(expr, visitor.module)
    except CoverageLimit as limit:
        visitor.driver.give_up(Site(expr, visitor.owner), limit.message)
        return
    if witness is not None:
        message = f"the match is not exhaustive: it misses {witness}; `match?` may be partial"
        visitor.refuse(expr, message, end_of(expr.span))
    for clause in dead:
        visitor.warnings.append((clause.span, "this arm can never run: the ones before it match everything it does"))
