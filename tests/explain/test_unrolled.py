"""Faults in unrolled recurrent networks: what is changed at one place only to be refused at the next is no mend."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.explain.blame import hypotheses
from relaylogic.explain.blame.behind import going_on
from relaylogic.explain.blame.diagnosis import Diagnosis
from relaylogic.explain.blame.faults import diagnosed
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference

STEPS = 3

CELL = """  let %t{i} = squeeze(%s.{i}, axis=[0]);
  let %a{i} = split(nn.dense(%t{i}, %w, units=24), indices_or_sections=3, axis=1);
  let %b{i} = split(nn.dense(%h{i}, %u, units=24), indices_or_sections=3, axis=1);
  let %r{i} = sigmoid(%a{i}.0 + %b{i}.0);
  let %z{i} = sigmoid(%a{i}.1 + %b{i}.1);
  let %n{i} = tanh(%a{i}.2 + %r{i} * %b{i}.2);
  let %h{j} = (1f - %z{i}) * %n{i} + %z{i} * %h{i};
"""

RANK = (f"({STEPS}, 4, 8)", f"({STEPS}, 4, 8, 2)")
INPUT = ("nn.dense(%t2, %w,", "nn.dense(%w, %t2,")
STATE = ("nn.dense(%h2, %u,", "nn.dense(%u, %h2,")


def unrolled(*faults):
    """Gated recurrent units over a sequence, with some of the text replaced."""
    cells = "".join(CELL.format(i=i, j=i + 1) for i in range(STEPS))
    text = f"""def @main(
  %h0: Tensor[(4, 8), float32],
  %xs: Tensor[({STEPS}, 4, 8), float32],
  %w: Tensor[(24, 8), float32],
  %u: Tensor[(24, 8), float32]
) -> Tensor[(4, 8), float32] {{
  let %s = split(%xs, indices_or_sections={STEPS}, axis=0);
{cells}  %h{STEPS}
}}"""
    for right, wrong in faults:
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    return text


@pytest.mark.parametrize("fault", [INPUT, STATE])
def test_two_faults_of_an_unrolled_network_are_both_found(fault):
    """Mends of the first that had it refused one step further made each step an error of its own."""
    text = unrolled(RANK, fault)
    errors = relaylogic.infer(text, closed=True).errors
    lines = [text[: text.index(wrong)].count("\n") + 1 for _, wrong in (RANK, fault)]
    assert [error.line for error in errors] == lines


def test_two_faults_of_an_unrolled_network_take_few_questions():
    asked = []
    inference = Inference(relaylogic.parse(unrolled(RANK, STATE)), None, True)

    def what_if(relaxation):
        asked.append(relaxation)
        return inference.what_if(relaxation)

    assert len(diagnosed(Said(inference, what_if, going_on(inference)))) == 2
    assert len(asked) < 600


@pytest.mark.parametrize("faults", [[RANK], [INPUT], [RANK, INPUT]])
def test_what_is_meant_at_a_place_is_consistent_with_the_rest_of_its_conflict(faults):
    inference = Inference(relaylogic.parse(unrolled(*faults)), None, True)
    said = Said(inference, inference.what_if, going_on(inference))
    diagnosis = Diagnosis(said)
    members = diagnosis.conflict.union(said.places.attributes(diagnosis.conflict))
    for candidate in diagnosis.ranked:
        if candidate.mend is not None:
            mended = candidate.mend.made(said, candidate.place.index)
            assert not mended.refused(mended.all & members)


def test_where_looking_at_hypotheses_takes_too_long_the_likeliest_goes_on_alone(monkeypatch):
    """So many diagnoses were the limit once, whatever each of them took."""
    whole = relaylogic.infer(unrolled(RANK, STATE), closed=True).errors
    monkeypatch.setattr(hypotheses, "MOST_LOOKED_AT", 0)
    inference = Inference(relaylogic.parse(unrolled(RANK, STATE)), None, True)
    said = Said(inference, inference.what_if, going_on(inference))
    found = hypotheses.likeliest(said, hypotheses.Doubts())
    assert said.cost > 0
    assert found[0].best.place.span.line == whole[0].line
