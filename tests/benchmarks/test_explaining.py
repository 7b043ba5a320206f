"""What `python -m tests.benchmarks.explaining` measures, on a small network; it says what was found of all."""

from __future__ import annotations

import os

import pytest

from tests.conformance.programs import lines, mutated, networks

if not hasattr(os, "fork"):
    pytest.skip("children are forked, which this system does not do", allow_module_level=True)

from tests.benchmarks import explaining
from tests.benchmarks.explaining import COMMANDS, PARTS, commands, conflicts, told, whys


def test_a_network_is_measured(tmp_path, monkeypatch):
    """What the process of the tests has is not copied for each child: that would take longer than all the rest."""
    monkeypatch.setattr(explaining, "own_memory", lambda: True)
    text = networks()["mlp"]["text"]
    answers = list(whys(text))
    assert len(answers) == len(PARTS)
    for first, again in answers:
        assert first[0] == again[0] > 0
        assert min(*first[1:], *again[1:]) > 0
    assert len(list(commands(text, tmp_path))) == COMMANDS
    line = told("why", [(1, 0.5, 0.001), (1, 1.5, 0.003)])
    assert line == "why: 2 questions, in inferences: median 1.00, worst 1.50, within one 1; the longest 0.003 s"


def test_a_refuted_network_is_measured():
    text = next(mutated(e) for e in lines("mutants") if e["verdict"] == "refuted" and e["network"] == "mlp")
    found = conflicts(text)
    assert found is not None and found[1] > 0 and found[2] > 0
    assert conflicts(networks()["mlp"]["text"]) is None
