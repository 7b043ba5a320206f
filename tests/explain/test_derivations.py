"""Derivations: a graph from every type down to the annotations, constants and attributes that it rests on."""

from __future__ import annotations

import json

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.ir import Call, post_order
from relaylogic.rulebase import load_rules
from relaylogic.text import ParseError
from relaylogic.types import show_type
from tests.conformance.programs import lines, networks
from tests.counted import at_most
from tests.effort import some

WEIGHT = "def @main(%x: Tensor[(2, 3), float32], %w) { nn.dense(%x, %w, units=4) }"


def programs():
    for kind in ("programs", "doc_examples"):
        for entry in some(lines(kind), 16):
            try:
                yield entry["id"], relaylogic.parse(entry["text"])
            except ParseError:
                continue


def named(table, name):
    """The last node of a name."""
    return [node for node in table.nodes if node.name == name][-1]


def test_every_expression_of_a_typed_program_has_its_node():
    for name, module in programs():
        result = relaylogic.infer(module)
        table = result.derivations()
        assert [node.id for node in table.nodes] == list(range(len(table.nodes)))
        assert all(rest < node.id for node in table.nodes for rest in node.rests), name
        if result.verdict == "typed":
            for function in module.functions.values():
                for expr in post_order(function):
                    node = table.of(expr)
                    assert (node is None) == (result.type_of(expr) is None), name
                    assert node is None or node.type == show_type(result.type_of(expr)), name


def test_every_call_of_a_relation_rests_on_its_clause_and_arguments():
    result = relaylogic.infer(networks()["resnet50"]["text"])
    table = result.derivations()
    for call in result.calls:
        assert call.type is not None
    for node in (n for n in table.nodes if n.kind == "call"):
        assert node.relation
        assert node.clause
        assert node.span is not None
        assert any(premise.startswith("result: ") for premise in node.premises)
    for function in result.module.functions.values():
        for expr in post_order(function):
            if type(expr) is Call:
                rests = table.of(expr).rests
                assert all(table.of(a).id in rests for a in expr.args if table.of(a).kind != "use")


def test_a_weight_has_its_type_from_its_use():
    table = relaylogic.infer(WEIGHT).derivations()
    weight = named(table, "%w")
    assert (weight.kind, weight.relation, weight.clause) == ("use", "Dense", "rows_times_units")
    assert "units = 4" in weight.premises
    assert [table.nodes[i].name for i in weight.rests] == ["%x"]
    assert table.nodes[weight.rests[0]].kind == "annotation"


def test_what_is_known_only_later_is_no_premise():
    text = "def @main(%a, %b: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] { let %c = subtract(%a, %b); %c }"
    table = relaylogic.infer(text).derivations()
    for node in table.nodes:
        below, agenda = set(), list(node.rests)
        while agenda:
            below.add(agenda.pop())
            agenda += [r for i in list(below) for r in table.nodes[i].rests if r not in below]
        assert node.id not in below


def test_the_values_of_premises_stand_in_them():
    node = named(relaylogic.infer("def @main(%x: Tensor[(4, 1), int8]) { add(%x, %x) }").derivations(), "add")
    assert "  BroadcastShapes((4, 1), (4, 1), (4, 1))  [same_rank]" in [p[2:] for p in node.premises]


def test_nodes_are_plain_data():
    table = relaylogic.infer(WEIGHT).derivations()
    assert json.loads(json.dumps(table.to_dict())) == table.to_dict()
    assert table.of(object()) is None


@pytest.mark.parametrize("limit", [{"steps": 30}, {"time": 0.001}])
def test_what_a_limit_left_has_derivations_too(limit):
    module = relaylogic.parse(networks()["resnet34"]["text"])
    with relaylogic.limits(**limit):
        result = relaylogic.infer(module)
    table = result.derivations()
    assert all(rest < node.id for node in table.nodes for rest in node.rests)


def test_all_of_a_network_takes_no_more_work_than_a_few_inferences():
    result = relaylogic.infer(networks()["resnet50"]["text"])
    result.derivations()
    with at_most(400_000):
        assert len(result.derivations().nodes) > 400


def test_premises_have_their_values():
    (node,) = [n for n in relaylogic.infer(WEIGHT).derivations().nodes if n.kind == "call"]
    said = [premise.strip() for premise in node.premises]
    assert "the weight is a matrix: Tensor[(4, 3), float32]" in said
    # A premise that only compares what is known is one too.
    assert "the inner dimensions agree: 3" in said
    assert "the weight has `units` columns: 4" in said


def test_premises_of_own_clauses_have_their_values():
    rules = load_rules()
    load_clauses(
        rules,
        """relation Halved(a, b).
        half: Halved(Tensor[(n), d], Tensor[(m), d]) :- "there is something to halve": n >= 2, "it is half": 2 * m = n.
        operator halve(a): Halved.""",
    )
    result = relaylogic.infer("def @main(%x: Tensor[(8), int8]) { halve(%x) }", rules=rules)
    (node,) = [n for n in result.derivations().nodes if n.kind == "call"]
    assert [premise.strip() for premise in node.premises[-2:]] == [
        "there is something to halve: 8 >= 2",
        "it is half: 8 = 8",
    ]


def test_a_result_of_open_rank_is_derived_though_an_attribute_is_open():
    """What the result ends in is a type parameter at last, of which no rank was told: its derivation broke."""
    result = relaylogic.infer("def @main(%x: Tensor[(?, _), int8]) { reshape(%x, newshape=[5, _]) }")
    assert result.verdict == "incomplete"
    derivation = result.derivations().of(result.module["main"].body)
    assert "newshape = [5, _]" in derivation.premises
