"""Hypotheses about all faults of a program: the search finds the likeliest, and does not follow the others for long."""

from __future__ import annotations

import random

import pytest

import relaylogic
from relaylogic.explain.blame import hypotheses
from relaylogic.explain.blame.diagnosis import Diagnosis
from relaylogic.explain.blame.faults import drop_echoes
from relaylogic.explain.blame.hypotheses import Hypothesis, is_echo, likeliest
from relaylogic.explain.blame.ranking import DOUBTS
from tests.effort import some
from tests.explain.test_mends import layers, said_by

CELLS = 6
LESS = 1e-9
"""Sums of logarithms are compared to within this."""


def beginnings(said):
    """Hypotheses that begin with each member of the first conflict that may be tried."""
    first = Diagnosis(said)
    members = [c for n, c in enumerate(first.ranked) if n == 0 or c.mend is not None or first.is_all(c)]
    is_enough = first.is_all(first.best)
    return [Hypothesis(said, first.blaming(c), DOUBTS, is_enough) for c in members[: hypotheses.BEGINNINGS]]


@pytest.mark.parametrize("seed", some(range(40), 10))
def test_echoes_are_dropped_in_one_pass_as_by_looking_at_all_after_each(seed):
    _, text = layers(random.Random(seed), 2 + seed % 2)
    said = said_by(text)
    if said.whole.verdict() != "refuted":
        return
    for hypothesis in beginnings(said):
        while not hypothesis.is_ended:
            hypothesis.go_on()
        left = [*hypothesis.found]
        while heard := [d for d in left if is_echo(said, left, d)]:
            left.remove(heard[0])
        drop_echoes(said, hypothesis.found)
        assert hypothesis.found == left


@pytest.mark.parametrize("seed", some(range(40), 10))
def test_the_search_finds_what_following_all_hypotheses_to_their_ends_finds(seed):
    _, text = layers(random.Random(seed), 1 + seed % 3)
    said = said_by(text)
    if said.whole.verdict() != "refuted":
        return
    ended = beginnings(said)
    bounds = []
    for hypothesis in ended:
        passed = [hypothesis.bound]
        while not hypothesis.is_ended:
            hypothesis.go_on()
            passed.append(hypothesis.bound)
        hypothesis.end()
        bounds.append(min(passed))
    assert all(h.value <= bound + LESS for h, bound in zip(ended, bounds, strict=True))
    best = max(h.value for h in ended)
    found = [d.best.place.index for d in likeliest(said, DOUBTS)]
    places = {tuple(d.best.place.index for d in h.found): h.value for h in ended}
    assert places[tuple(found)] >= best - LESS or found == [d.best.place.index for d in ended[0].found]


def recurrent(last, weights):
    """A chain of cells; one of them is given its `weights` as they are said, and in the `last` gates are split."""
    lines = ["def @main(%h: Tensor[(4, 8), float32], %u: Tensor[(24, 8), float32]) {"]
    state = "%h"
    for i in range(CELLS):
        given = weights if i == 2 else "{}, %u"
        sections = last if i == CELLS - 1 else "indices_or_sections=3, axis=1"
        lines += [
            f"  let %g{i} = split(nn.dense({given.format(state)}, units=24), {sections});",
            f"  let %s{i} = sigmoid(%g{i}.0) * tanh(%g{i}.1) + {state};",
        ]
        state = f"%s{i}"
    return "\n".join([*lines, f"  {state}", "}"])


def test_one_hypothesis_after_the_other_was_followed_for_twenty_faults(monkeypatch):
    """In a recurrent cell exchanged weights refuse call after call; another member of the conflict explains all: the
    cell, or the first state, of which all that is needed is known."""
    made = []
    monkeypatch.setattr(Diagnosis, "__init__", counted(Diagnosis.__init__, made))
    first, last = relaylogic.infer(recurrent("axis=1", "%u, {}"), closed=True).errors
    assert (first.line, last.line) in ((6, 2 * CELLS), (1, 2 * CELLS))
    assert len(made) <= 12


def counted(init, made):
    def __init__(self, *given):
        made.append(self)
        init(self, *given)

    return __init__


def test_a_call_that_lacks_an_attribute_was_taken_for_its_argument():
    """What like calls have is meant; so what comes after the call is right."""
    (found,) = relaylogic.infer(recurrent("axis=1", "{}, %u"), closed=True).errors
    assert found.line == 2 * CELLS
    assert "indices_or_sections" in found.message


def test_a_rank_that_is_wrong_was_no_more_mended_where_another_fault_is():
    """The extents were exchanged in all ways before one of them was left out."""
    text = """def @main(%x: Tensor[(1, 3, 4, 5, 6, 2), float32], %w: Tensor[(7, 3, 1, 1, 1), float32],
           %b: Tensor[(8), float32]) {
  %0 = nn.relu(%x);
  %1 = nn.conv3d(%0, %w, channels=7, kernel_size=[1, 1, 1]);
  nn.bias_add(%1, %b)
}"""
    errors = relaylogic.infer(text, closed=True).errors
    assert [e.line for e in errors] == [1, 2]
    assert any("consistent with Tensor[(1, 3, 4, 5, 6), float32] here" in hint for hint in errors[0].hints)


def test_a_demand_that_is_refused_for_two_reasons_hid_one_of_them():
    """An exchange mends the conflict, though the same call is refused still: its data has an axis too much."""
    text = """def @main(%x: Tensor[(1, 3, 8, 8, 2), float32], %w, %gamma, %beta, %mean, %var, %g, %b, %m, %v) {
  %0 = nn.conv2d(%x, %w, channels=4, kernel_size=[3, 3]);
  %1 = nn.batch_norm(%gamma, %0, %beta, %mean, %var);
  %2 = nn.relu(%1.0);
  %3 = nn.batch_norm(%2, %g, %b, %m, %v);
  %3.0
}"""
    errors = relaylogic.infer(text, closed=True).errors
    assert [e.line for e in errors] == [1, 3]
    assert any("arguments 1 and 2 exchanged" in hint for hint in errors[1].hints)
