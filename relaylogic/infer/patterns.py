"""Patterns of a match: the types they give their variables, and whether together they cover every value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir import Constructor, IRModule, Match, PatternConstructor, PatternTuple, PatternVar
from ..types import FuncType, IncompleteType, TupleType, TypeCall
from .coverage import CoverageLimit, uncovered, unreachable
from .places import end_of
from .sites import Site, holes, instance_of

if TYPE_CHECKING:
    from .generate import Generator

__all__ = ["check_coverage", "constructor_type", "type_pattern"]


def constructor_type(constructor: Constructor, module: IRModule) -> Any:
    """A constructor as a polymorphic function, or None if its data type is not defined in the module."""
    data = module.get_type_data(constructor.belong_to)
    if data is None:
        return None
    result = TypeCall(constructor.belong_to, data.type_vars)
    return FuncType(constructor.inputs, result, data.type_vars)


def type_pattern(generator: Generator, pattern: Any, scrutinee: Any) -> None:
    """Give the variables of a pattern the types that the scrutinee's type says."""
    stack = [(pattern, scrutinee)]
    while stack:
        item, matched = stack.pop()
        if isinstance(item, PatternVar):
            generator.types[id(item.var)] = matched
            if item.var.type_annotation is not None:
                annotation = generator.annotation(item.var.type_annotation, item.var, item.var.type_span)
                generator.equal(matched, annotation, f"`%{item.var.name_hint}`", item.var)
        elif isinstance(item, PatternTuple):
            fields = tuple(IncompleteType() for _ in item.patterns)
            if id(item) not in generator.silent:
                generator.equal(matched, TupleType(fields), "the matched value", item)
            stack.extend(zip(item.patterns, fields, strict=True))
        elif isinstance(item, PatternConstructor):
            stack.extend(_fields(generator, item, matched))


def _fields(generator: Generator, item: PatternConstructor, matched: Any) -> list[tuple[Any, Any]]:
    """The patterns inside a constructor pattern with the types of the fields that they match."""
    if id(item) in generator.silent:
        return [(pattern, IncompleteType()) for pattern in item.patterns]
    scheme = constructor_type(item.constructor, generator.module)
    if scheme is None:
        generator.refuse(item, f"the type of the constructor `{item.constructor.name_hint}` is not defined")
        fields: tuple[Any, ...] = ()
    else:
        instance, _ = instance_of(scheme, holes(scheme.type_params))
        generator.equal(matched, instance.ret_type, "the matched value", item)
        fields = instance.arg_types
    if len(fields) != len(item.patterns) and scheme is not None:
        name, count, given = item.constructor.name_hint, len(fields), len(item.patterns)
        generator.refuse(item, f"`{name}` has {count} field{'s' * (count != 1)}, but the pattern has {given}")
    open_fields = (*fields, *(IncompleteType() for _ in range(len(item.patterns) - len(fields))))
    return list(zip(item.patterns, open_fields, strict=False))


def check_coverage(generator: Generator, expr: Match) -> None:
    """Refuse a complete match that misses a value, and warn of arms that never run."""
    try:
        witness = uncovered(expr, generator.module) if expr.complete else None
        dead = unreachable(expr, generator.module)
    except CoverageLimit as limit:
        generator.driver.give_up(Site(expr, generator.owner), limit.message)
        return
    if witness is not None:
        message = f"the match is not exhaustive: it misses {witness}; `match?` may be partial"
        generator.refuse(expr, message, end_of(expr.span))
    for clause in dead:
        generator.warnings.append((clause.span, "this arm can never run: the ones before it match everything it does"))
