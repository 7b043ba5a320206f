"""Constructors, patterns and projections in programs: call sites of the relations of rules/adt.py."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import relaylogic
from relaylogic.errors import RelayLogicError
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.structure import InstanceSite, ProjectionSite, StructureSite
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.prelude import prelude_text
from relaylogic.rulebase import RuleBase, default_rules, load_rules, program_rules
from relaylogic.text import parse
from relaylogic.types import show_type
from tests.conformance.programs import lines
from tests.effort import some

TYPES = """
type List[A] { Cons(A, List[A]), Nil, }
type Tree[A] { Rose(A, List[Tree[A]]), }
type Two[A, B] { Pair(A, B), Swap(Two[B, A]), Poly(fn [C](A, C) -> (C, B)), }
type Even[A] { Stop, Step(A, Odd[A]), }
type Odd[A] { Odd(A, Even[A]), }
type Nested[A] { Flat(A), Deep(Nested[(A, A)]), }
type Numbers { Single(int32), Couple(int32, int32), }
"""


def inferred(text: str, types: str = TYPES):
    return relaylogic.infer(types + text)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("{ Cons(1, Cons(2, Nil())) }", "fn () -> List[int32]"),
        ("(%x, %y) { Cons(%x, Cons(%y, Nil())) }", "fn [t1](t1, t1) -> List[t1]"),
        ("(%x: bool) { Swap(Pair(%x, 1)) }", "fn (bool) -> Two[int32, bool]"),
        ("(%t) { match (%t) { Rose(%h, Cons(Rose(%k, _), _)) => (%h, %k), Rose(%h, Nil) => (%h, %h) } }", None),
        ("(%x: Odd[int8]) { match (%x) { Odd(%h, Stop) => %h, Odd(_, Step(%h, _)) => %h } }", "fn (Odd[int8]) -> int8"),
        ("(%n) { match (%n) { Flat(%x) => 1, Deep(Deep(%m)) => 2, Deep(Flat(%p)) => %p.0 } }", None),
        ("(%x: int32, %f: fn (int32, int32) -> Numbers) { (%f(%x, %x), Couple) }", None),
        ("{ Poly(fn (%a: int8, %c) { (%c, %a) }) }", "fn () -> Two[int8, int8]"),
        ("(%x: Tensor[(3), int8], %l: List[Tensor[(?), int8]]) { Cons(%x, %l) }", None),
        ("(%x: Tensor[(?), int8], %l: List[Tensor[(3), int8]]) { Cons(%x, %l) }", None),
        ("(%t: (int8, bool)) { (%t.1, %t.0) }", "fn ((int8, bool)) -> (bool, int8)"),
        ("(%t) { (%t.2, %t.0) }", "fn [t1, t2, t3](t1) -> (t2, t3) where Projection2(t1, t2), Projection0(t1, t3)"),
        ("(%c: bool) { if (%c) { Cons } else { fn (%h, %t) { Cons(%h, %t) } } }", None),
    ],
)
def test_what_is_typed(text, type_):
    result = inferred(f"def @main{text if text.startswith('(') else '() ' + text}")
    assert result.verdict == "typed", result.errors
    assert type_ is None or show_type(result.functions["main"]) == type_


def words(error):
    """What an error says, with the places that go with it: which of them is blamed is left to the ranking."""
    return "\n".join([error.message, *(label.message for label in error.related)])


def test_a_polymorphic_constructor_is_a_value():
    text = "def @map<a, b>(%f: fn (a) -> b, %l: List[a]) -> List[b] {"
    text += "match (%l) { Nil => Nil(), Cons(%h, %t) => Cons(%f(%h), @map(%f, %t)) } }"
    text += "def @main(%l: List[int8]) { let %c = Cons; (@map(Flat, %l), %c(1, Nil()), %c(True, Nil()), Pair) }"
    result = inferred(text)
    assert show_type(result.functions["main"]) == (
        "fn (List[int8]) -> (List[Nested[int8]], List[int32], List[bool], fn [A, B](A, B) -> Two[A, B])"
    )


@pytest.mark.parametrize(
    ("text", "relation", "clause", "place", "said"),
    [
        ("{ Cons(1, Cons(True, Nil())) }", "Cons", "signature", (2, 23), "field 2 of `Cons` has its declared type"),
        ("{ Couple(1, True) }", "Couple", "signature", (2, 25), "field 2 of `Couple` has its declared type"),
        ("{ Single(True) }", "Single", "signature", (2, 22), "bool, but int32 is wanted; field 1 of `Single`"),
        (
            "(%n: Numbers[]) { match (%n) { Cons(_, _) => 1 , _ => 2 } }",
            "ConsPattern",
            "signature",
            (2, 41),
            "the matched value has type Numbers[], but List[_] is wanted: Numbers is not List; `Cons` makes a `List`",
        ),
        ("(%t: (int8, bool)) { %t.2 }", "Projection2", "component", (2, 31), "which has 2 fields; the tuple has a"),
        ("(%t: Numbers[]) { %t.2 }", "Projection2", "component", (2, 28), "Numbers[], which is no tuple"),
    ],
)
def test_what_is_refused_names_relation_clause_and_premise(text, relation, clause, place, said):
    result = relaylogic.infer(f"{TYPES.replace(chr(10), ' ')}\ndef @main{text if text[0] == '(' else '() ' + text}")
    assert result.verdict == "refuted"
    found = [e for e in result.errors if (e.relation, e.clause) == (relation, clause) and said in words(e)]
    assert found, result.errors
    assert (found[-1].line, found[-1].col) == place or any(
        (label.span.line, label.span.column) == place and said in label.message for label in found[-1].related
    )
    assert f"[{relation}, clause {clause}]" in words(found[-1])


def test_two_calls_that_are_wrong_are_two_errors():
    result = inferred("def @main() { (Single(True), Couple(1f, 2)) }")
    assert [error.relation for error in result.errors] == ["Single", "Couple"]


def test_two_arguments_that_are_wrong_are_told_together():
    (error,) = inferred("def @main() { Couple(True, 1f) }").errors
    assert "argument 1 has type bool" in error.message and "argument 2 has type float32" in error.message


def test_fields_that_are_very_far():
    assert inferred("def @main(%t: (int8, bool)) { %t.999999 }").verdict == "refuted"
    far = inferred("def @main(%t) { %t.999999 }")
    assert (far.verdict, far.limit) == ("unknown", "field limit")
    assert inferred("def @main(%t) { %t.999 }").verdict == "typed"


def test_type_arguments():
    call = "def @main(%x) { let %l = Nil<{type}>(); Cons(%x, %l) }"
    assert show_type(inferred(call.replace("{type}", "int8")).functions["main"]) == "fn (int8) -> List[int8]"
    assert "2 are given" in inferred(call.replace("{type}", "int8, int8")).errors[0].message


def test_an_assumed_relation_of_a_constructor_is_known_in_the_body():
    result = inferred("def @f<a, l>(%x: a, %y: l) -> l where Cons(a, l, l) { Cons(%x, %y) }")
    assert result.verdict == "typed"
    wrong = inferred("def @f<a, l>(%x: a, %y: l) -> a where Cons(a, l, l) { Cons(%x, %y) }")
    assert wrong.verdict == "refuted"


def programs():
    """The prelude, and the programs of the conformance set that are about data types or tuples."""
    yield "prelude", prelude_text()
    for kind in ("programs", "doc_examples"):
        for entry in some(lines(kind)):
            if any(word in entry["text"] for word in ("type ", "prelude", "%0.", ").", "match")):
                yield entry["id"], entry["text"]


def test_each_call_of_a_program_satisfies_its_relation():
    """The types of constructors, patterns and projections are answers of the relations, asked on their own."""
    seen = Counter()
    for name, text in programs():
        try:
            inference = Inference(parse(text))
        except RelayLogicError:
            continue
        store, rules = inference.driver.store, inference.driver.rules
        for site in inference.driver.sites:
            if isinstance(site, StructureSite) and site.state == "done":
                terms = tuple(map(store.reify, site.arguments))
                if site.given is None or not site.given.constraints:
                    (answer,) = rules.solve_terms(site.relation, terms).answers
                    assert answer.terms == canonical(terms, {}) and not answer.residue, name
                    seen[type(site).__name__] += 1
    assert seen["ConstructorSite"] > 100 and seen["PatternSite"] > 100, seen


def test_calls_are_sites_of_their_relations():
    text = "def @main(%l: List[int8], %t) { match (%l) { Cons(%h, %s) => (%t.1, Cons(%h, %s)), Nil => (1, Nil()) } }"
    inference = Inference(parse(TYPES + text))
    sites = [site for site in inference.driver.sites if isinstance(site, StructureSite)]
    assert {s.relation_name for s in sites} == {"Cons", "ConsPattern", "NilPattern", "Projection1"}
    assert all(s.relation is inference.driver.rules.relation(s.relation_name) for s in sites)
    assert all(isinstance(s, ProjectionSite) == s.relation_name.startswith("Proj") for s in sites)
    assert all(isinstance(s, InstanceSite) or s.state == "absorbed" for s in sites)


def test_the_rule_base_stays_as_it_is():
    rules = default_rules()
    names = set(rules.relations)
    assert relaylogic.infer(TYPES + "def @main() { Cons(1, Nil()) }", rules=rules).verdict == "typed"
    assert set(rules.relations) == names
    assert program_rules(rules, parse(TYPES)).relation("Cons") is not None


def test_a_rule_base_that_says_nothing_of_data_types():
    assert relaylogic.infer(TYPES + "def @main() { Cons((1, 2), Nil()) }", rules=RuleBase()).verdict == "typed"


def test_equal_names_of_several_modules_are_told_apart_by_their_handles():
    text = 'import "prelude"\ntype List[A] { Cons(A, List[A], int32), Nil, }\n'
    text += "def @main(%l: List[int8]) { match (%l) { Cons(%h, _, %n) => Cons(%h, %l, %n), Nil => Nil() } }\n"
    text += "def @other(%l: List[int8]) { @hd(%l) }"
    result = relaylogic.infer(text)
    assert show_type(result.functions["main"]) == "fn (List[int8]) -> List[int8]"
    assert result.verdict == "refuted" and "is wanted" in words(result.errors[0])


def test_the_order_of_arguments_and_widening_does_not_matter():
    names = {"x": "Tensor[(3), int8]", "y": "Tensor[(?), int8]", "z": "Tensor[(4), int8]"}
    verdicts = set()
    for order in itertools.permutations(names):
        parameters = ", ".join(f"%{n}: {t}" for n, t in names.items())
        body = "Nil()"
        for name in order:
            body = f"Cons(%{name}, {body})"
        verdicts.add(inferred(f"def @main({parameters}) {{ {body} }}").verdict)
    assert len(verdicts) == 1


def test_heads_are_the_most_general_answers():
    """What the only clause says, as a fact or when it is run alone, is what a search finds."""
    rules = program_rules(load_rules(), parse(TYPES))
    relations = [rules.relation(f"Projection{index}") for index in range(6)]
    relations += [rules.relation(f"{c}{kind}") for c in ("Cons", "Rose", "Poly", "Deep") for kind in ("", "Pattern")]
    for relation in relations:
        head, found = rules.head(relation), rules.most_general(relation)
        assert head is not None and found.decided, relation
        known, general = (canonical(instantiate(terms, {}), {}) for terms in (head.terms, found.general))
        assert known == general, relation


def test_what_more_than_equations_decide_has_no_head():
    rules = load_rules()
    for name in ("Broadcast", "Flatten"):
        assert rules.head(rules.relation(name)) is None


def test_projections_are_those_of_the_maker_that_was_loaded_last(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from relaylogic.logic import eq, fresh\n"
        "from relaylogic.rulebase import Clause, Relation, makes_relations\n"
        "from relaylogic.types import TupleType\n"
        "@makes_relations\n"
        "def projection_relation(index):\n"
        "    made = Relation(f'Projection{index}', ('data', 'component'))\n"
        "    def always_alone(data, component):\n"
        "        return eq(data, TupleType((component,)))\n"
        "    made.add(Clause(made, always_alone))\n"
        "    return made\n"
    )
    assert str(load_rules().projection(1)[1].terms[0]) == "(_, _, ..._)"
    rules = load_rules(tmp_path, python=True)
    assert str(rules.projection(1)[1].terms[0]) == "(_,)"
