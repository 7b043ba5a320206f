"""Constructors that may be meant: one that is missing around a value, or another one of the same data type; patterns
of which two fields may be exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...infer.checks.coverage import CoverageLimit, takes_each_once
from ...infer.sites.repairs import exchanges
from ...infer.sites.schemes import substitute
from ...infer.sites.store import Mismatch, Store
from ...ir import Clause, Constructor, IRModule, Match, PatternConstructor, PatternTuple
from ...logic.terms.variables import VARIABLES, fresh
from ...types import TupleType, TypeCall

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ..places.places import Places

__all__ = ["around_it", "other_fields", "other_patterns", "siblings"]


def around_it(own: Any, needed: Any, inference: Inference) -> Iterator[tuple[str, Any]]:
    """The constructors that can be put around a value of type `own`, in words, with the type that this has then.

    That is all known, and what is `needed`. What else a constructor takes is left open. In the words, `{}` stands for
    the value.
    """
    if own is None or type(own) in VARIABLES:
        return
    for definition in inference.module.type_definitions.values():
        for constructor in definition.constructors:
            for field in range(len(constructor.inputs)):
                made = _made(constructor, {field: own}, needed, inference)
                if made is not None:
                    yield f"`{constructor.name_hint}` around {{}}{_and_more(len(constructor.inputs) - 1)}", made


def _and_more(fields: int) -> str:
    """That a constructor takes more fields than one that is told, in words."""
    return f", with {'another field' if fields == 1 else f'{fields} other fields'}" if fields else ""


def siblings(constructor: Constructor, inputs: tuple[Any, ...], needed: Any, inference: Inference) -> Iterator[Any]:
    """The other constructors of the same data type that take some inputs, with the type of what they make of them."""
    definition = inference.module.type_definitions.get(constructor.belong_to)
    for other in () if definition is None else definition.constructors:
        if other is not constructor and len(other.inputs) == len(inputs):
            made = _made(other, dict(enumerate(inputs)), needed, inference)
            if made is not None:
                yield other.name_hint, made


def other_patterns(places: Places, pattern: Any, inference: Inference) -> Iterator[tuple[str, Any]]:
    """The other constructors that an arm may be meant to take, in words, each with the fields that it has as a tuple.

    The match misses nothing with it that it does not miss already.
    """
    if type(pattern) is not PatternConstructor:
        return
    for match in places.matches:
        if not any(arm.lhs is pattern for arm in match.clauses):
            continue
        known = inference.type_of(match.data)
        definition = inference.module.type_definitions.get(known.func) if type(known) is TypeCall else None
        if definition is None or len(definition.type_vars) != len(known.type_args):
            continue
        instance = dict(zip(definition.type_vars, known.type_args, strict=True))
        for other in definition.constructors:
            if other is pattern.constructor or len(other.inputs) != len(pattern.patterns):
                continue
            fields = [substitute(field, instance, []) for field in other.inputs]
            if _misses_no_more(match, pattern, other, inference.module):
                words = f"`{other.name_hint}` in place of `{pattern.constructor.name_hint}` in this pattern"
                yield words, TupleType(tuple(fields))


def other_fields(places: Places, pattern: Any, inference: Inference) -> Iterator[tuple[tuple[int, int], Any]]:
    """Which two fields of a pattern may be exchanged, and those that it has then as a tuple."""
    known = _fields_of(places, pattern, inference)
    for pair, fields in exchanges(known):
        if fields != known:
            yield pair, TupleType(fields)


def _fields_of(places: Places, pattern: Any, inference: Inference) -> tuple[Any, ...]:
    """The types that the parts of a pattern stand for; none if they are not known."""
    stack = [(arm.lhs, inference.type_of(match.data)) for match in places.matches for arm in match.clauses]
    while stack:
        item, known = stack.pop()
        fields: tuple[Any, ...] = ()
        if type(item) is PatternTuple and type(known) is TupleType and type(known.fields) is tuple:
            fields = known.fields
        elif type(item) is PatternConstructor and type(known) is TypeCall and known.func == item.constructor.belong_to:
            parameters = inference.module.type_definitions[known.func].type_vars
            if len(parameters) == len(known.type_args):
                instance = dict(zip(parameters, known.type_args, strict=True))
                fields = tuple(substitute(field, instance, []) for field in item.constructor.inputs)
        if item is pattern:
            return fields if len(fields) == len(item.patterns) else ()
        stack.extend(zip(getattr(item, "patterns", ()), fields))
    return ()


def _misses_no_more(match: Match, pattern: PatternConstructor, other: Constructor, module: IRModule) -> bool:
    """Whether a match is as exhaustive with another constructor in an arm, and takes no value twice."""
    meant = PatternConstructor(other, pattern.patterns)
    clauses = [Clause(meant, arm.rhs) if arm.lhs is pattern else arm for arm in match.clauses]
    changed = Match(match.data, clauses, match.complete)
    try:
        return takes_each_once(changed, module)
    except CoverageLimit:
        return False


def _made(constructor: Constructor, given: Mapping[int, Any], needed: Any, inference: Inference) -> Any:
    """The type of what a constructor makes of some fields; None if it does not take them, or that is not known."""
    parameters = inference.module.type_definitions[constructor.belong_to].type_vars
    instance = {parameter: fresh() for parameter in parameters}
    made = TypeCall(constructor.belong_to, tuple(instance.values()))
    store = Store()
    try:
        for field, own in given.items():
            store.unify(substitute(constructor.inputs[field], instance, []), own)
        store.unify(made, needed)
    except Mismatch:
        return None
    known = store.reify(made)
    return known if getattr(known, "ground", False) else None
