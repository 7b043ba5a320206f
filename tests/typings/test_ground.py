"""Ground means ground: what is listed has no variables, or the status says that it stands for more; counts agree."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from relaylogic import query, typings
from relaylogic.errors import RelayLogicError
from relaylogic.logic.control import StepLimit
from relaylogic.logic.terms.terms import is_ground
from relaylogic.rulebase import Operator, default_rules
from relaylogic.typings.program import count_typings
from relaylogic.typings.query import count_query
from tests.effort import some

GROUND: dict[str, Any] = {"ground": True, "max_rank": 2, "max_dim": 2, "dtypes": ["float32"]}
MOST = 400
TYPES = ["Tensor[(1), float32]", "Tensor[(1, 1), float32]", "Tensor[(2, 1), float32]", "Tensor[(1, 1, 1, 1), float32]"]


def counted(text: str, **bounds: Any) -> int | None:
    """How many typings there are; None if that is not found out."""
    try:
        return count_typings(text, **bounds)
    except StepLimit:
        return None


def check(text: str, **bounds: Any) -> None:
    """Check that nothing is silently open, and that what is listed and what is counted are as many."""
    found = typings(text, limit=MOST, **bounds)
    listed = list(found)
    is_closed = all(is_ground(tuple(one.bindings.values())) and not one.residue for one in listed)
    assert is_closed or found.status.startswith("unknown"), (text, found.status, listed)
    number = counted(text, **bounds)
    if found.status == "exhausted":
        assert number in (None, len(listed)), (text, number, listed)
    elif found.status != "answer limit":
        assert number is None or is_closed, (text, number, listed)


def programs(operator: Operator) -> list[str]:
    """Calls of an operator of small tensors, with one of its attributes left open in each."""
    count = max(1, len(operator.inputs))
    params = ", ".join(f"%x{i}: {{0}}" for i in range(count))
    given = ", ".join(f"%x{i}" for i in range(count))
    written = f"({given},)" if operator.variadic else given
    return [
        f"def @main({params.format(type_)}) {{ {operator.name}({written}, {name}=_) }}"
        for name in operator.attributes
        for type_ in TYPES
    ]


OPEN = sorted(name for name, operator in default_rules().operators.items() if operator.attributes)


@pytest.mark.parametrize("name", OPEN)
def test_nothing_is_silently_open_where_an_attribute_is(name: str) -> None:
    for text in some(programs(default_rules().operators[name]), 4):
        try:
            check(text, **GROUND, max_attr=1, max_attr_length=1, steps=20_000)
        except RelayLogicError:
            continue  # another attribute must be given


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x: Tensor[(1, 1), float32]) { nn.dilate(%x, strides=[_, _]) }",
        "def @main(%x: Tensor[(1, 1), float32]) { nn.dilate(%x, strides=_) }",
        "def @main(%x: Tensor[(1, 2), float32], %w) { nn.dense(%x, %w, units=_, out_dtype=_) }",
        "def @main(%x: Tensor[(2, 2), float32]) { nn.leaky_relu(%x, alpha=_) }",
        "def @main(%x) { nn.leaky_relu(%x, alpha=_) }",
        "def @main(%x: Tensor[(2, 2), float32]) { clip(%x, a_min=_, a_max=1f) }",
        "def @main(%x, %y) { (%x, %y) }",
        "def @main(%x: Tensor[(2, 2), float32]) { sum(%x, axis=_, keepdims=_) }",
    ],
)
@pytest.mark.parametrize("bounds", [GROUND, {**GROUND, "max_attr": 2, "max_attr_length": 2}])
def test_an_attribute_that_nobody_looks_at_is_listed_or_said_to_be_open(text: str, bounds: dict[str, Any]) -> None:
    check(text, **bounds)


def test_what_is_taken_for_an_attribute_that_nothing_bounds_is_said() -> None:
    found = typings("def @main(%x: Tensor[(1), float32]) { nn.dilate(%x, strides=[_]) }", ground=True)
    assert [str(one) for one in found] == [f"nn.dilate.strides = [{n}]" for n in range(9)]
    assert found.notes == ["attributes were given numbers up to 8: --max-attr says otherwise"]


@pytest.mark.parametrize("text", ["append(s, u, v)", "s = (n, m), n < 3", "x = y", "n * m = 6", "n + m = 3, x = y"])
def test_a_query_for_what_is_ground_leaves_nothing_silently_open(text: str) -> None:
    found = query(text, ground=True, limit=20)
    listed = list(found)
    is_closed = all(is_ground(tuple(one.bindings.values())) and not one.residue for one in listed)
    assert is_closed or found.status.startswith("unknown") or found.status == "answer limit", (found.status, listed)
    try:
        number = count_query(text, ground=True)
    except StepLimit:
        return
    assert found.status == "answer limit" or (is_closed and number == len(listed)), (number, listed)


@pytest.mark.parametrize(
    "goals",
    [
        ["len(P) = n", "nn.batch_flatten(Tensor[s, int8]) = B", "n <= 4"],
        ["argmax(A, axis=P) = B", "argmax(Tensor[(n), t], axis=P) = Tensor[(1, 2), int8]"],
        ["a != b", "squeeze(Tensor[(2), int8], axis=[0]) = A"],
    ],
)
def test_what_stays_open_is_nothing_where_there_is_no_answer(goals):
    """One part has no values that could be listed, another has none at all: whichever is looked at first."""
    bounds = {"ground": True, "max_rank": 1, "min_dim": 1, "max_dim": 2, "dtypes": ["int8"], "max_attr": 2}
    for order in permutations(goals):
        found = query(", ".join(order), **bounds)
        assert not list(found) and found.status == "exhausted", order
        assert count_query(", ".join(order), **bounds) == 0, order
