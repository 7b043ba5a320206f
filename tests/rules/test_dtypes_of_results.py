"""The dtype of a result is that of an input, whatever else is known of a call: what is said so of operators holds."""

from __future__ import annotations

import pytest

from relaylogic import infer
from relaylogic.ir import Call, Op, post_order
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.rulebase.specialised.dtypes import program_of_dtypes
from relaylogic.rulebase.specialised.python import compiled
from relaylogic.types import TensorType
from tests.conformance.programs import networks
from tests.effort import some

RULES = load_rules()


def places(name: str) -> tuple[int, ...]:
    """The numbers of the inputs of an operator that the dtype of the result is from."""
    found: tuple[int, ...] = compiled(program_of_dtypes(RULES, RULES.operators[name]))([])
    return found


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("nn.relu", (0,)),
        ("add", (0, 1)),
        ("nn.bias_add", (0, 1)),
        ("where", (1, 2)),
        ("gather_nd", (0,)),
        ("cast", ()),
        ("cast_like", (1,)),
        ("less", ()),
        ("shape_of", ()),
        ("nn.dense", ()),  # where `out_dtype` says another one
        ("einsum", ()),
    ],
)
def test_some_inputs_have_the_dtype_of_the_result(name: str, inputs: tuple[int, ...]) -> None:
    assert places(name) == inputs


def test_the_calls_of_networks_have_these_dtypes() -> None:
    known = {name: places(name) for name in RULES.operators}
    count = 0
    for text in some([entry["text"] for entry in networks().values() if len(entry["text"]) < 4_000], 3):
        result = infer(text)
        for call in (node for function in result.module.functions.values() for node in post_order(function)):
            if type(call) is Call and type(call.op) is Op and type(result.type_of(call)) is TensorType:
                for place in known[call.op.name]:
                    given = result.type_of(call.args[place])
                    if type(given) is TensorType:
                        count += 1
                        assert given.dtype == result.type_of(call).dtype, call.op.name
    assert count > 100


def test_other_rules_say_it_of_nothing() -> None:
    rules = RuleBase()
    rules.load("rules", python=True)
    assert rules.dtype_from(rules.operators["nn.relu"]) == ()
