"""Parts of a call have one dtype, whatever else is known of it: what is said so of operators holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from relaylogic import infer
from relaylogic.explain.places.atoms import MISSING, alike_in, dtype_at
from relaylogic.ir import Call, Op, post_order, without_type_key
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.rulebase.specialised.compiled import EVERY
from relaylogic.rulebase.specialised.dtypes import alike
from tests.conformance.programs import networks
from tests.effort import examples, some

RULES = load_rules()


def inputs(name: str, usual: bool = False) -> list[str]:
    """The inputs of an operator that have the dtype of the result, or of its first field: `1`, or `0.2/3`, which is the
    third field of three, or `0.*/64`, each field of up to 64."""
    groups = alike(RULES, RULES.operators[name], usual)
    return [
        f"{place}.{'*' if field == EVERY else field[0]}/{count}" if field else f"{place}"
        for given, taken in groups
        if given[0] in ((), (0,))
        for place, field, count in taken
    ]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("nn.relu", "0"),
        ("add", "0 1"),
        ("nn.bias_add", "0 1"),
        ("where", "1 2"),
        ("gather_nd", "0"),
        ("cast", ""),
        ("cast_like", "1"),
        ("less", ""),
        ("shape_of", ""),
        ("nn.dense", ""),  # where `out_dtype` says another one
        ("einsum", ""),
        ("nn.batch_norm", "0 1 2 3 4"),
    ],
)
def test_some_inputs_have_the_dtype_of_the_result(name: str, found: str) -> None:
    assert inputs(name) == found.split()


@pytest.mark.parametrize(
    ("name", "found"), [("nn.dense", "0"), ("nn.conv2d", "0"), ("cast", ""), ("nn.max_pool2d", "0")]
)
def test_more_have_it_where_dtypes_and_layouts_are_left_out(name: str, found: str) -> None:
    assert inputs(name, usual=True) == found.split()


@pytest.mark.parametrize(
    ("name", "found"), [("concatenate", "0.*/64"), ("stack", "0.*/64"), ("adv_index", "0.0/2 0.0/3 0.0/4")]
)
def test_fields_of_tuples_have_it(name: str, found: str) -> None:
    assert inputs(name) == found.split()


def test_all_fields_of_a_result_are_in_one_group() -> None:
    ((given, _),) = alike(RULES, RULES.operators["nn.batch_norm"], False)
    assert given == ((0,), (1,), (2,))


def groups_of(call: Call, usual: bool) -> Iterator[list[tuple[int, tuple[int, ...], int]]]:
    """The parts of a call of an operator that have one dtype; the result is the input -1."""
    assert type(call.op) is Op
    for given, taken in RULES.alike(RULES.operators[call.op.name], usual):
        yield [*((-1, field, 0) for field in given), *taken]


def test_the_calls_of_networks_have_these_dtypes() -> None:
    count = 0
    for text in some([entry["text"] for entry in networks().values() if len(entry["text"]) < 4_000], 3):
        result = infer(text)
        for call in (node for function in result.module.functions.values() for node in post_order(function)):
            if type(call) is not Call or type(call.op) is not Op or result.type_of(call) is None:
                continue
            operator = RULES.operators[call.op.name]
            types = [*map(result.type_of, call.args), result.type_of(call)]
            usual = operator.has_usual_words(operator.attrs(without_type_key(call.given)))
            for group in groups_of(call, usual):
                spots = [(types[one[0]], field) for one in group for field in alike_in(types[one[0]], one)]
                found = {dtype_at(known, field) for known, field in spots} - {MISSING}
                count += len(found)
                assert len(found) <= 1, call.op.name
    assert count > examples(100, 3)


def test_more_is_said_of_usual_words_than_of_any() -> None:
    for operator in RULES.operators.values():
        if operator.words:
            usual = [set(taken) for _, taken in alike_kept(operator.name, True)]
            for _, taken in alike_kept(operator.name, False):
                assert any(set(taken) <= more for more in usual), operator.name


def alike_kept(name: str, usual: bool) -> tuple:
    """What is said of an operator since the package was installed."""
    return RULES.alike(RULES.operators[name], usual)


def test_other_rules_say_it_of_nothing() -> None:
    rules = RuleBase()
    rules.load("rules", python=True)
    assert rules.alike(rules.operators["nn.relu"], False) == ()
