"""Results of operators' calls are kept by what is written: what is told of one call is told of no other one."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.infer.program import Inference
from relaylogic.infer.results.recording import Recording
from relaylogic.ir import IRModule, post_order
from relaylogic.logic import eq
from relaylogic.rulebase import Relation, RuleBase, load_rules, parse_attributes
from relaylogic.rulebase.operators import Operator
from relaylogic.types import TensorType, show_type
from tests.conformance.programs import networks
from tests.effort import some

PLUS = "Plus(Tensor[(n), t], Tensor[(m), t]) :- m = n + attrs.k."
FLOATS = "def @main(%x: Tensor[(2), float32]) {{ {} }}"


def type_of(rules: RuleBase, body: str) -> str:
    """The type of a body over two floats, or the verdict."""
    result = relaylogic.infer(FLOATS.format(body), rules=rules)
    return show_type(result.functions["main"].ret_type) if result.verdict == "typed" else result.verdict


def test_what_two_operators_of_a_relation_leave_out_is_not_the_same() -> None:
    rules = load_rules()
    load_clauses(rules, f"{PLUS} operator a(x; k: int = 1) : Plus. operator b(x; k: int = 2) : Plus.")
    for _ in range(3):
        assert type_of(rules, "a(%x)") == "Tensor[(3), float32]"
        assert type_of(rules, "b(%x)") == "Tensor[(4), float32]"
        assert type_of(rules, "b(%x, k=1)") == "Tensor[(3), float32]"


def test_an_operator_that_is_declared_again_has_the_attributes_of_its_new_declaration() -> None:
    rules = load_rules()
    load_clauses(rules, f"{PLUS} operator a(x; k: int = 1) : Plus.")
    assert type_of(rules, "a(%x)") == "Tensor[(3), float32]"
    rules.operators["a"] = Operator("a", ("x",), rules.relation("Plus"), parse_attributes("k: int = 5"))
    assert type_of(rules, "a(%x)") == "Tensor[(7), float32]"


def test_attributes_that_python_takes_for_equal_are_not_the_same() -> None:
    rules = load_rules()
    load_clauses(rules, "Said(A, A) :- attrs.v = True. operator a(x; v: object = 0) : Said.")
    for _ in range(2):
        assert type_of(rules, "a(%x, v=1)") == "refuted"
        assert type_of(rules, "a(%x, v=True)") == "Tensor[(2), float32]"
        assert type_of(rules, "a(%x, v=1f)") == "refuted"


def test_a_relation_that_has_only_the_name_of_another_one_is_asked_itself() -> None:
    rules = load_rules()
    assert type_of(rules, "nn.relu(%x)") == "Tensor[(2), float32]"
    relation = Relation(rules.operator("nn.relu").relation.name, ("data", "out"))

    @relation.clause
    def of_one(data, out):  # type: ignore[no-untyped-def]
        return eq(out, TensorType((1,), "int8"))

    rules.operators["a"] = Operator("a", ("data",), relation, {})
    for _ in range(3):
        assert type_of(rules, "a(%x)") == "Tensor[(1), int8]"
        assert type_of(rules, "nn.relu(%x)") == "Tensor[(2), float32]"


def test_what_is_loaded_for_a_program_changes_no_result_of_others() -> None:
    rules = load_rules()
    above = load_rules(program=IRModule())
    load_clauses(above, f"{PLUS} operator a(x; k: int = 1) : Plus.")
    assert type_of(above, "a(%x)") == "Tensor[(3), float32]"
    assert type_of(above, "nn.relu(%x)") == type_of(rules, "nn.relu(%x)") == "Tensor[(2), float32]"


@pytest.mark.parametrize("name", some(sorted(n for n, e in networks().items() if len(e["text"]) < 12_000), 12))
def test_types_are_those_of_an_inference_all_of_whose_calls_are_sites(name: str) -> None:
    module = relaylogic.parse(networks()[name]["text"])
    rules = load_rules()
    first, second = Inference(module, rules), Inference(module, rules)
    sites = Inference(module, rules, recording=Recording())
    for function in module.functions.values():
        for node in post_order(function):
            expected = sites.type_of(node)
            assert first.type_of(node) is expected and second.type_of(node) is expected, name
