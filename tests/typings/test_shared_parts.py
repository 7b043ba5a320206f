"""Holes whose types share their parts: these are looked at, and put together, once for all holes."""

from __future__ import annotations

import relaylogic
from tests.counted import at_most

DOUBLED = 400


def test_an_answer_of_many_types_within_each_other_is_put_together_once():
    """Each took as long as all that is in it."""
    lets = "".join(f"let %x{i + 1} = (%x{i}, %x{i}); " for i in range(DOUBLED))
    found = relaylogic.typings(f"def @main(%x0) {{ {lets} %x{DOUBLED} }}", max_rank=1, max_dim=2, dtypes=["int8"])
    answer = next(iter(found))
    with at_most(25_000):
        assert len(answer.bindings) == DOUBLED + 2
    last, before = (answer.bindings[f"%x{i}"] for i in (DOUBLED, DOUBLED - 1))
    assert last.fields == (before, before)


def test_each_of_many_types_outside_of_the_bounds_is_told():
    """What an outer type shares with an inner one that lies outside does so too."""
    text = "def @main(%z: Tensor[(9), int8], %x) { let %a = (%x, %z); let %b = (%a, %x); %b }"
    found = relaylogic.typings(text, max_rank=2, max_dim=5, dtypes=["int8"])
    assert list(found) == []
    assert {line.split()[0] for line in found.notes} == {"%a", "%b", "@main"}
