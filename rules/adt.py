"""Algebraic data types: signatures of constructors and of patterns, as relations made from a definition.

`type List[A] { Cons(A, List[A]), Nil }` says of `Cons` that its fields are an A and a List[A] and that it
makes a List[A], for any A. The relation says just this, whichever of the types are known: a call of the
constructor asks it from the fields to the result, a pattern from the scrutinee to the fields.
"""

from __future__ import annotations

from typing import Any

from relaylogic.ir import Constructor, TypeData
from relaylogic.logic import Slot, Term, cons, eq, fresh, fresh_list, lall, stating
from relaylogic.logic.goals import Goal
from relaylogic.logic.numbers import is_number
from relaylogic.logic.terms import instantiate
from relaylogic.rulebase import Relation
from relaylogic.types import TupleType, TypeCall, TypeVar


def constructor_relation(data: TypeData, constructor: Constructor) -> Relation:
    """`Cons(field1, field2, result)`: the constructor makes a `result` of these fields."""
    doc = f"`{constructor.name_hint}` makes a `{data.header}` of its fields."
    made = _relation(constructor.name_hint, (*_fields(constructor), "result"), doc, constructor)
    declared = _declared(data, constructor)

    @made.clause
    def signature(*types: Any) -> Goal:
        return _signature(constructor, declared, types[:-1], types[-1])

    return made


def pattern_relation(data: TypeData, constructor: Constructor) -> Relation:
    """`ConsPattern(scrutinee, field1, field2)`: the pattern takes a `scrutinee` apart into these fields."""
    doc = f"A pattern `{constructor.name_hint}` takes a `{data.header}` apart into the constructor's fields."
    made = _relation(
        f"{constructor.name_hint}Pattern", ("scrutinee", *_fields(constructor)), doc, constructor
    )
    declared = _declared(data, constructor)

    @made.clause
    def signature(*types: Any) -> Goal:
        return _signature(constructor, declared, types[1:], types[0])

    return made


def projection_relation(index: int) -> Relation:
    """`Projection1(data, component)`: `data` is a tuple that has `component` at `index`, counted from 0."""
    made = Relation(
        f"Projection{index}", ("data", "component"), f"A tuple has the component at index {index}."
    )

    @made.clause
    def component(data: Any, component: Any) -> Goal:
        return eq(data, TupleType(cons((*fresh_list(index), component), fresh())))

    return made


def _signature(
    constructor: Constructor, declared: tuple[Any, ...], fields: tuple[Any, ...], result: Any
) -> Goal:
    name = constructor.name_hint
    made, *needed = instantiate(declared, {})
    return lall(
        stating(f"`{name}` makes a `{constructor.belong_to}`", eq(result, made)),
        *(
            stating(f"field {index} of `{name}` has its declared type", eq(field, type_))
            for index, (field, type_) in enumerate(zip(fields, needed, strict=True), 1)
        ),
    )


def _declared(data: TypeData, constructor: Constructor) -> tuple[Any, ...]:
    """The types of the result and of the fields, with a slot for each parameter of the definition."""
    slots = {parameter: Slot(index) for index, parameter in enumerate(data.type_vars)}
    built: dict[Any, Any] = {}
    declared = (TypeCall(data.header, data.type_vars), *constructor.inputs)
    agenda: list[Any] = [declared]
    while agenda:
        term = agenda[-1]
        parts = term if type(term) is tuple else term.args if isinstance(term, Term) else ()
        if type(term) is TypeVar or is_number(term) or not parts:
            built[term] = slots.get(term, term)
        elif not all(part in built for part in parts):
            agenda.extend(part for part in parts if part not in built)
            continue
        elif term not in built:
            new = tuple(built[part] for part in parts)
            built[term] = new if type(term) is tuple else type(term).make(new)
        agenda.pop()
    return built[declared]  # type: ignore[no-any-return]


def _fields(constructor: Constructor) -> tuple[str, ...]:
    return tuple(f"field{index}" for index in range(1, len(constructor.inputs) + 1))


def _relation(name: str, parameters: tuple[str, ...], doc: str, constructor: Constructor) -> Relation:
    """A relation that is found where the constructor is defined."""
    span = constructor.span
    return Relation(name, parameters, doc, *((span.file, span.line) if span else ()))
