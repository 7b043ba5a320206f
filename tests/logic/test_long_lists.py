"""Lists too long to be made: what holds of them is unknown, and no memory is spent on it."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.logic import copies, fresh, fresh_list, lengtho
from relaylogic.logic.control import StepLimit
from relaylogic.logic.search import search


def test_lists_of_a_thousand_million_are_not_made():
    for make in (fresh_list, lambda count: copies(1, count)):
        with pytest.raises(StepLimit):
            make(10**9)
    items = fresh()
    assert search([("", lengtho(items, 10**9))], (items,), steps=1000).limit == "step limit"


@pytest.mark.parametrize(
    "call",
    [
        "expand_dims(%x, axis=0, num_newaxis=1000000000)",
        "split(%x, indices_or_sections=1000000000, axis=1)",
        "dyn.reshape(%x, %y, newshape=None)",
    ],
)
def test_calls_that_ask_for_them_are_unknown(call):
    text = f"def @main(%x: Tensor[(2, 2000000000), int8], %y: Tensor[(1000000000), int64]) {{ {call} }}"
    for closed in (False, True):
        result = relaylogic.infer(text, closed=closed)
        assert result.verdict == "unknown"
        assert [item.limit for item in result.residue] == ["step limit"]
