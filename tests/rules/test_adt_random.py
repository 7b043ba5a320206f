"""Random data types, random calls: constructors, patterns and projections against brute force.

Brute force tries all types for the parameters that occur in what is given, and compares what a definition then says.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.ir import Constructor, IRModule, TypeData
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import default_rules, program_rules
from relaylogic.types import (
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeVar,
    scalar_type,
    show_type,
)
from tests.effort import examples

PARAMETERS = tuple(TypeVar(name) for name in "ABC")
HANDLES = tuple(GlobalTypeVar(name) for name in ("D", "E"))
LEAVES = (scalar_type("int8"), scalar_type("bool"), TensorType((2,), "int8"))
MOST = 300


@cache
def types(leaves, parameters: int):
    """Types over leaves, among them data types with as many parameters. Made once: it takes as long as many draws."""

    def above(inner):
        return st.one_of(
            st.lists(inner, max_size=2).map(lambda fields: TupleType(tuple(fields))),
            st.tuples(inner, inner).map(lambda pair: FuncType((pair[0],), pair[1])),
            inner.map(RefType),
            st.tuples(st.sampled_from(HANDLES), st.tuples(*[inner] * parameters)).map(lambda c: TypeCall(*c)),
        )

    return st.recursive(st.sampled_from(leaves), above, max_leaves=4)


@st.composite
def definitions(draw):
    """A data type with one constructor, and the module that defines it with one of the same form beside it."""
    parameters = PARAMETERS[: draw(st.integers(0, 3))]
    fields = draw(st.lists(types((*LEAVES, *parameters), len(parameters)), max_size=3))
    module = IRModule()
    for handle, name in zip(HANDLES, ("Make", "Other"), strict=True):
        constructor = Constructor(name, fields, handle)
        module.add_type_def(handle, TypeData(handle, parameters, [constructor]))
    return module, parameters, tuple(fields)


def put(term, values):
    """`term` with types for parameters, by plain recursion."""
    if type(term) is TypeVar:
        return values.get(term, term)
    if type(term) is tuple:
        return tuple(put(part, values) for part in term)
    if isinstance(term, (TupleType, FuncType, RefType, TypeCall)):
        return type(term).make(tuple(put(part, values) for part in term.args))
    return term


def parts(term, found):
    """All types inside a type."""
    if type(term) is tuple:
        for part in term:
            parts(part, found)
    elif isinstance(term, (TensorType, TupleType, FuncType, RefType, TypeCall)):
        found[term] = None
        if not isinstance(term, TensorType):
            for part in term.args:
                parts(part, found)


@cache
def witnesses(arguments):
    found = {}
    parts(arguments, found)
    return tuple(dict.fromkeys((*found, *LEAVES[:1])))


def holds(module, parameters, fields, arguments):
    """Whether some types for the parameters make the constructor's signature `arguments`, the result last."""
    signature = (*fields, TypeCall(HANDLES[0], parameters))
    choices = product(witnesses(arguments), repeat=len(parameters))
    return any(put(signature, dict(zip(parameters, chosen, strict=True))) == arguments for chosen in choices)


@st.composite
def calls(draw):
    """A definition, and ground arguments: an instance of the signature, perhaps with one argument changed."""
    module, parameters, fields = draw(definitions())
    ground = types(LEAVES, len(parameters))
    values = {p: draw(ground) for p in parameters}
    arguments = list(put((*fields, TypeCall(HANDLES[0], parameters)), values))
    if draw(st.booleans()):
        arguments[draw(st.integers(0, len(arguments) - 1))] = draw(ground)
    return module, parameters, fields, tuple(arguments)


def relation_of(module, maker):
    rules = program_rules(default_rules(), module)
    return rules, getattr(rules, maker)(module.get_constructor("Make"))


@settings(max_examples=examples(MOST))
@given(calls(), st.data())
def test_relations_agree_with_brute_force(call, data):
    module, parameters, fields, arguments = call
    expected = holds(module, parameters, fields, arguments)
    for maker in ("constructor", "pattern"):
        rules, relation = relation_of(module, maker)
        ordered = arguments if maker == "constructor" else (arguments[-1], *arguments[:-1])
        assert bool(rules.solve_terms(relation, ordered).answers) == expected
        # With some of them unknown: there is an answer if there is one for some types, and these are instances of it.
        hidden = data.draw(st.sets(st.integers(0, len(ordered) - 1)))
        asked = tuple(fresh() if i in hidden else term for i, term in enumerate(ordered))
        solution = rules.solve_terms(relation, asked)
        assert solution.exhausted and len(solution.answers) < 2
        if expected:
            (answer,) = solution.answers
            assert matches(answer.terms, ordered, {})
        elif not hidden:
            assert not solution.answers


def matches(pattern, term, values):
    """Whether a term with slots has `term` as an instance."""
    if type(pattern).__name__ == "Slot":
        return values.setdefault(pattern, term) == term
    if type(pattern) is not type(term):
        return False
    inner, below = (pattern, term) if type(pattern) is tuple else (pattern.args, term.args)
    if type(pattern) in (TensorType, GlobalTypeVar, TypeVar):
        return pattern == term
    return len(inner) == len(below) and all(matches(a, b, values) for a, b in zip(inner, below, strict=True))


@settings(max_examples=examples(MOST))
@given(calls())
def test_inference_agrees_with_brute_force(call):
    """A program that makes a value of the given fields where one of the given type is wanted."""
    module, parameters, fields, arguments = call
    *given_types, result = arguments
    text = ", ".join(f"%x{i}: {show_type(type_)}" for i, type_ in enumerate(given_types))
    made = ", ".join(f"%x{i}" for i in range(len(given_types)))
    definition = ", ".join(map(str, parameters))
    inside = ", ".join(map(show_type, fields))
    kinds, holds_fields = f"[{definition}]" if definition else "", f"({inside})" if inside else ""
    heads = f"type D{kinds} {{ Make{holds_fields} }}\ntype E{kinds} {{ Other{holds_fields} }}\n"
    program = f"{heads}def @main({text}) -> {show_type(result)} {{ Make({made}) }}"
    expected = holds(module, parameters, fields, arguments)
    assert (relaylogic.infer(program).verdict == "typed") == expected, program
    names = ", ".join(f"%y{i}" for i in range(len(given_types)))
    values = f"({names},)" if len(given_types) == 1 else f"({names})"
    wanted = show_type(TupleType(tuple(given_types)))
    apart = f"{heads}def @main(%m: {show_type(result)}) -> {wanted} {{ match (%m) {{ Make({names}) => {values} }} }}"
    if not given_types:
        apart = apart.replace("Make()", "Make")
    assert (relaylogic.infer(apart).verdict == "typed") == expected, apart


@settings(max_examples=examples(100))
@given(st.lists(types(LEAVES, 0), max_size=4), st.integers(0, 5), types(LEAVES, 0))
def test_projections_agree_with_brute_force(fields, index, other):
    rules = program_rules(default_rules(), IRModule())
    relation = rules.relation(f"Projection{index}")
    data = TupleType(tuple(fields))
    right = index < len(fields)
    (component,) = fields[index : index + 1] or (other,)
    assert bool(rules.solve_terms(relation, (data, component)).answers) == right
    assert bool(rules.solve_terms(relation, (data, other)).answers) == (right and component == other)
    found = rules.solve_terms(relation, (data, fresh())).answers
    assert [answer.terms for answer in found] == ([(data, component)] if right else [])
    text = f"type D {{ X }} type E {{ Y }} def @main(%t: {show_type(data)}) {{ %t.{index} }}"
    result = relaylogic.infer(text)
    assert result.verdict == ("typed" if right else "refuted")
    assert not right or show_type(result.functions["main"]) == show_type(FuncType((data,), component))


@pytest.mark.parametrize("maker", ["constructor", "pattern"])
def test_what_a_relation_says_is_its_most_general_answer(maker):
    module = relaylogic.parse("type T[A, B] { Make(B, (A, T[B, A]), fn [C](C, A) -> B), None, }")
    rules, relation = relation_of(module, maker)
    head = rules.head(relation)
    assert head is not None and not head.is_open and len(head.parameters) == 2
    (answer,) = rules.solve_terms(relation, tuple(fresh() for _ in relation.parameters)).answers
    known = canonical(head.instance({}), {})
    assert known == canonical(instantiate(head.terms, {}), {}) == canonical(instantiate(answer.terms, {}), {})


@settings(max_examples=examples(MOST))
@given(definitions())
def test_what_is_said_as_a_fact_is_what_a_search_finds(definition):
    module, _, _ = definition
    for maker in ("constructor", "pattern"):
        rules, relation = relation_of(module, maker)
        (clause,) = relation.clauses
        found = rules.most_general(relation)
        assert clause.fact is not None and found.decided
        assert canonical(instantiate(clause.fact, {}), {}) == canonical(instantiate(found.general, {}), {})


def test_arithmetic_over_extents_is_no_fact():
    module = relaylogic.parse("type T[n: ShapeVar] { Make(Tensor[(n), int8], Tensor[(n + 1), int8]) }")
    rules, relation = relation_of(module, "constructor")
    assert relation.clauses[0].fact is None
    pair = (TensorType((3,), "int8"), TensorType((4,), "int8"))
    assert [len(rules.solve_terms(relation, (*some, fresh())).answers) for some in (pair, pair[::-1])] == [1, 0]
