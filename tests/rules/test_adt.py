"""Constructors and patterns as relations: in every direction, told apart by the identity of handles."""

from __future__ import annotations

import pickle

import pytest
from kanren import run, var

from relaylogic.ir import Constructor, IRModule, TypeData
from relaylogic.logic import fresh
from relaylogic.logic.terms.terms import variables_of
from relaylogic.rulebase import RuleBase, RuleError, default_rules, load_rules, program_rules
from relaylogic.text import parse
from relaylogic.types import (
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeVar,
    kind_of_hole,
    scalar_type,
    show_type,
)
from rules.adt import constructor_relation, pattern_relation, projection_relation

TYPES = """
type List[A] { Cons(A, List[A]), Nil, }
type Tree[A] { Rose(A, List[Tree[A]]), }
type Both[A, B] { Both(B, A, fn (A) -> B), Apply(fn [C](A, C) -> (C, B)), }
type Numbers { Single(int32), Pair(int32, int32), }
"""
MODULE = parse(TYPES)


def definition(name: str, module=MODULE):
    constructor = module.get_constructor(name)
    return module.get_type_data(constructor.belong_to), constructor


def solve(make, *given):
    """What is known of all arguments, as text; each is Relay text, or `_` for a type that is not known."""
    parameters = ", ".join(f"%x{index}: {text}" for index, text in enumerate(given))
    module = parse(f"{TYPES} def @f({parameters}) {{ 0 }}")
    terms = tuple(parameter.type_annotation for parameter in module["f"].params)
    solution = RuleBase().solve_terms(make(module), terms)
    assert solution.exhausted
    if not solution.answers:
        return None
    (answer,) = solution.answers
    assert answer.clause in ("signature", "component") and not answer.residue
    names: dict = {}
    return [show_type(term, lambda slot: names.setdefault(slot, "abcdef"[len(names)])) for term in answer.terms]


def relation_of(make, name: str):
    return lambda module: make(*definition(name, module))


@pytest.mark.parametrize(
    ("name", "given", "known"),
    [
        ("Cons", ["int32", "_", "_"], ["int32", "List[int32]", "List[int32]"]),
        ("Cons", ["_", "_", "List[int32]"], ["int32", "List[int32]", "List[int32]"]),
        ("Cons", ["_", "List[int32]", "_"], ["int32", "List[int32]", "List[int32]"]),
        ("Cons", ["_", "_", "_"], ["a", "List[a]", "List[a]"]),
        ("Cons", ["int32", "List[bool]", "_"], None),
        ("Cons", ["_", "_", "Numbers"], None),
        ("Nil", ["_"], ["List[a]"]),
        ("Nil", ["List[List[bool]]"], ["List[List[bool]]"]),
        ("Single", ["_", "_"], ["int32", "Numbers[]"]),
        ("Single", ["float32", "_"], None),
        ("Rose", ["int32", "_", "_"], ["int32", "List[Tree[int32]]", "Tree[int32]"]),
        ("Rose", ["_", "List[Tree[bool]]", "_"], ["bool", "List[Tree[bool]]", "Tree[bool]"]),
        (
            "Both",
            ["int32", "_", "_", "Both[bool, _]"],
            ["int32", "bool", "fn (bool) -> int32", "Both[bool, int32]"],
        ),
    ],
)
def test_constructor(name, given, known):
    assert solve(relation_of(constructor_relation, name), *given) == known


@pytest.mark.parametrize(
    ("name", "given", "known"),
    [
        ("Cons", ["List[int32]", "_", "_"], ["List[int32]", "int32", "List[int32]"]),
        ("Cons", ["_", "bool", "_"], ["List[bool]", "bool", "List[bool]"]),
        ("Cons", ["Tree[int32]", "_", "_"], None),
        ("Nil", ["_"], ["List[a]"]),
        ("Pair", ["_", "_", "_"], ["Numbers[]", "int32", "int32"]),
        (
            "Rose",
            ["Tree[(bool, bool)]", "_", "_"],
            ["Tree[(bool, bool)]", "(bool, bool)", "List[Tree[(bool, bool)]]"],
        ),
    ],
)
def test_pattern(name, given, known):
    assert solve(relation_of(pattern_relation, name), *given) == known


def test_a_quantified_field_keeps_its_own_parameters():
    known = solve(relation_of(constructor_relation, "Apply"), "_", "Both[int32, bool]")
    assert known == ["fn [C](int32, C) -> (C, bool)", "Both[int32, bool]"]


@pytest.mark.parametrize(
    ("index", "given", "known"),
    [
        (1, ["(int32, bool)", "_"], ["(int32, bool)", "bool"]),
        (0, ["(int32,)", "int32"], ["(int32,)", "int32"]),
        (1, ["_", "bool"], ["(b, bool, ...a)", "bool"]),
        (2, ["(int32, bool)", "_"], None),
        (0, ["int32", "_"], None),
    ],
)
def test_projection(index, given, known):
    assert solve(lambda _: projection_relation(index), *given) == known


def test_equal_definitions_are_two_types():
    rules = RuleBase()
    modules = parse(TYPES), parse(TYPES)
    first, second = (TypeCall(module.get_global_type_var("Numbers"), ()) for module in modules)
    relations = [constructor_relation(*definition("Single", module)) for module in modules]
    for relation, own, other in zip(relations, (first, second), (second, first), strict=True):
        (answer,) = rules.solve_terms(relation, (fresh(), fresh())).answers
        assert answer.terms[1] is own
        assert not rules.solve_terms(relation, (fresh(), other)).answers


def test_a_relation_names_and_places_itself():
    relation = constructor_relation(*definition("Cons"))
    assert repr(relation) == "Cons(field1, field2, result)"
    assert (relation.file, relation.line) == ("<text>", 2)
    assert [clause.name for clause in relation.clauses] == ["signature"]
    assert repr(pattern_relation(*definition("Rose"))) == "RosePattern(scrutinee, field1, field2)"


def test_a_deep_field():
    data, _ = definition("Single")
    field = a = TypeVar("A")
    for _ in range(5_000):
        field = FuncType((RefType(field),), a)
    deep = Constructor("Deep", (field,), data.header)
    relation = constructor_relation(TypeData(data.header, [a], [deep]), deep)
    (answer,) = RuleBase().solve_terms(relation, (fresh(), TypeCall(data.header, (scalar_type("int32"),)))).answers
    assert answer.terms[0].ground


def test_relations_of_a_program_run_under_kanren():
    rules = program_rules(default_rules(), MODULE)
    handle = MODULE.get_global_type_var("List")
    ints, x, y = TypeCall(handle, (scalar_type("int32"),)), var(), var()
    cons, pattern, second = (rules.relation(name) for name in ("Cons", "ConsPattern", "Projection1"))
    assert run(0, (x, y), cons(x, y, ints)) == ((scalar_type("int32"), ints),)
    assert run(0, x, pattern(x, scalar_type("int32"), y)) == (ints,)
    assert run(0, x, cons(ints, x, ints)) == ()
    assert run(0, y, second(TupleType((x, ints)), y)) == (ints,)


@pytest.mark.parametrize("name", ["Cons", "NilPattern", "Projection0", "Projection12"])
def test_relations_are_found_by_name(name):
    rules = program_rules(default_rules(), MODULE)
    assert rules.relation(name).name == name and name in rules.relations
    assert rules.relation(name) is rules.relation(name)
    assert name not in default_rules().relations


@pytest.mark.parametrize("name", ["Projection", "Projection01", "Projection9999999", "Cns", "rules.Cons"])
def test_other_names_are_none(name):
    with pytest.raises(RuleError, match="there is no relation"):
        program_rules(default_rules(), MODULE).relation(name)


def test_files_are_not_loaded_over_the_shared_rules(tmp_path):
    (tmp_path / "own.rel").write_text("Own(A, L) :- Cons(A, L, L).\n")
    shared = program_rules(default_rules(), MODULE)
    with pytest.raises(RuleError, match="are shared"):
        shared.load(tmp_path)
    rules = load_rules(tmp_path, program=MODULE)
    (answer,) = rules.solve_terms(rules.relation("Own"), (scalar_type("bool"), fresh())).answers
    assert show_type(answer.terms[1]) == "List[bool]"
    again = pickle.loads(pickle.dumps(rules))
    assert again.relation("Own").arity == 2 and again.relation("Cons").arity == 3


def kinded():
    """`Box[s: Shape, t: BaseType]` of a tensor, and `Vec[n: ShapeVar]` of a vector that is longer by one."""
    s, t, n = TypeVar("s", "Shape"), TypeVar("t", "BaseType"), TypeVar("n", "ShapeVar")
    module = IRModule()
    for name, parameters, fields in (
        ("Box", (s, t), [TensorType(s, t), TensorType((), t)]),
        ("Vec", (n,), [TensorType((n + 1,), "int8"), TensorType((n,), "int8")]),
    ):
        handle = GlobalTypeVar(name)
        module.add_type_def(handle, TypeData(handle, parameters, [Constructor(f"Make{name}", fields, handle)]))
    return module, program_rules(default_rules(), module)


def test_parameters_of_every_kind_are_instantiated():
    _, rules = kinded()
    box = rules.relation("MakeBox")
    given = (TensorType((2, 3), "bool"), fresh(), fresh())
    (answer,) = rules.solve_terms(box, given).answers
    assert answer.terms[1] == scalar_type("bool")
    assert answer.terms[2].type_args == ((2, 3), "bool")
    back = rules.solve_terms(rules.relation("MakeBoxPattern"), (answer.terms[2], fresh(), fresh())).answers
    assert back[0].terms[1] == given[0]
    assert not rules.solve_terms(box, (given[0], scalar_type("int8"), fresh())).answers
    head = rules.head(box)
    assert sorted(head.kinds.values()) == ["BaseType", "Shape"]
    assert {kind_of_hole(v) for v in variables_of(head.instance({}))} == {"BaseType", "Shape"}


def test_extents_that_are_arithmetic_over_parameters():
    module, rules = kinded()
    vec = rules.relation("MakeVec")
    (answer,) = rules.solve_terms(vec, (TensorType((4,), "int8"), fresh(), fresh())).answers
    assert answer.terms[1:] == (TensorType((3,), "int8"), TypeCall(module.get_global_type_var("Vec"), (3,)))
    assert not rules.solve_terms(vec, (TensorType((0,), "int8"), fresh(), fresh())).answers
    assert not rules.solve_terms(vec, (TensorType((4,), "int8"), TensorType((4,), "int8"), fresh())).answers
    assert rules.head(vec) is None
    constructor = module.get_constructor("MakeVec")
    assert show_type(rules.constructor_type(constructor)) == "fn [t1, t2, t3](t1, t2) -> t3 where MakeVec(t1, t2, t3)"
