"""Real networks: the type of main and of every call equal the measured ones."""

from __future__ import annotations

import pytest

import relaylogic
from tests.conformance.programs import networks, same_type


@pytest.mark.parametrize("name", sorted(networks()))
def test_a_network_gets_the_measured_types(name):
    entry = networks()[name]
    result = relaylogic.infer(relaylogic.parse(entry["text"]), closed=True)
    assert result.verdict == "typed", [error.message for error in result.errors[:3]]
    assert same_type(entry["main"], str(result.functions["main"]))
    calls = [(c.callee, str(c.type)) for c in result.calls if c.function == "main"]
    assert [callee for callee, _ in calls] == [callee for callee, _ in entry["calls"]]
    wrong = [(c, ours, t) for (c, ours), (_, t) in zip(calls, entry["calls"], strict=True) if not same_type(t, ours)]
    assert not wrong
