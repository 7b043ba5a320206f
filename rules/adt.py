"""Algebraic data types and tuples: constructors, patterns and projections, as relations made from a definition.

`type List[A] { Cons(A, List[A]), Nil }` says of `Cons` that its fields are an A and a List[A] and that it
makes a List[A], for any A. The relation says just this, whichever of the types are known: a call of the
constructor asks it from the fields to the result, a pattern from the scrutinee to the fields. Inference
runs these relations, and the rule base of a program (relaylogic.rulebase.program) knows them by name.
"""

from __future__ import annotations

from typing import Any

from relaylogic.ir import Constructor, TypeData
from relaylogic.logic import cons, eq, equals, fresh, fresh_list, lall, stating
from relaylogic.logic.states.goals import Goal
from relaylogic.logic.states.unknown import may_be_unknown
from relaylogic.logic.terms.numbers import UNKNOWN
from relaylogic.logic.terms.terms import slot
from relaylogic.rulebase import Clause, Relation, makes_relations
from relaylogic.types import TupleType, TypeCall
from relaylogic.types.substitution import substitute


@makes_relations
def constructor_relation(data: TypeData, constructor: Constructor) -> Relation:
    """`Cons(field1, field2, result)`: the constructor makes a `result` of these fields."""
    doc = f"`{constructor.name_hint}` makes a `{data.header}` of its fields."
    made = _relation(constructor.name_hint, (*_fields(constructor), "result"), doc, constructor)

    def signature(*types: Any) -> Goal:
        return _signature(data, constructor, types[:-1], types[-1])

    _state(made, signature, data, (*constructor.inputs, _made(data)))
    return made


@makes_relations
def pattern_relation(data: TypeData, constructor: Constructor) -> Relation:
    """`ConsPattern(scrutinee, field1, field2)`: the pattern takes a `scrutinee` apart into these fields."""
    doc = f"A pattern `{constructor.name_hint}` takes a `{data.header}` apart into the constructor's fields."
    made = _relation(f"{constructor.name_hint}Pattern", ("scrutinee", *_fields(constructor)), doc, constructor)

    def signature(*types: Any) -> Goal:
        return _signature(data, constructor, types[1:], types[0])

    _state(made, signature, data, (_made(data), *constructor.inputs))
    return made


@makes_relations
def projection_relation(index: int) -> Relation:
    """`Projection1(data, component)`: `data` is a tuple that has `component` at `index`, counted from 0."""
    made = Relation(
        f"Projection{index}",
        ("data", "component"),
        f"A tuple has the component at index {index}.",
        __file__,
        projection_relation.__code__.co_firstlineno,
    )

    def component(data: Any, component: Any) -> Goal:
        return stating(
            f"the tuple has a component at index {index}",
            eq(data, TupleType(cons((*fresh_list(index), component), fresh()))),
        )

    clause = Clause(made, component)
    fields = tuple(map(slot, range(index + 1)))
    clause.fact = (TupleType(cons(fields, slot(index + 1))), fields[index])
    clause.mentions = ()
    made.add(clause)
    made.kinds = ("type", "type")
    return made


def _signature(data: TypeData, constructor: Constructor, fields: tuple[Any, ...], result: Any) -> Goal:
    name = constructor.name_hint
    values = {parameter: fresh() for parameter in data.type_vars}

    def is_declared(text: str, term: Any, declared: Any) -> Goal:
        equations: list[Any] = []  # extents of a field may be arithmetic over those that the data type takes
        goal = eq(term, substitute(declared, values, equations))
        return stating(text, goal, *(equals(e.hole, e.expression) for e in equations))

    return lall(
        is_declared(f"`{name}` makes a `{data.header}`", result, _made(data)),
        *(
            is_declared(f"field {index} of `{name}` has its declared type", field, declared)
            for index, (field, declared) in enumerate(zip(fields, constructor.inputs, strict=True), 1)
        ),
    )


def _made(data: TypeData) -> Any:
    """The type of what the constructors of a data type make."""
    return TypeCall(data.header, data.type_vars)


def _fields(constructor: Constructor) -> tuple[str, ...]:
    return tuple(f"field{index}" for index in range(1, len(constructor.inputs) + 1))


def _relation(name: str, parameters: tuple[str, ...], doc: str, constructor: Constructor) -> Relation:
    """A relation that is found where the constructor is defined."""
    span = constructor.span
    return Relation(name, parameters, doc, *((span.file, span.line) if span else ()))


def _state(made: Relation, signature: Any, data: TypeData, types: tuple[Any, ...]) -> None:
    """Add the only clause of a relation, written as a fact: `Cons(A, List[A], List[A]).`"""
    equations: list[Any] = []  # with some, it holds of not all that is like that
    open_types = substitute(types, {parameter: slot(i) for i, parameter in enumerate(data.type_vars)}, equations)
    clause = Clause(made, signature)
    clause.written = types
    clause.fact = None if equations else open_types
    clause.file, clause.line = made.file, made.line
    clause.mentions = (UNKNOWN,) if may_be_unknown(open_types) else ()
    made.add(clause)
    made.kinds = ("type",) * made.arity
