"""The recorded steps of an inference: they are all that happens, and recording changes nothing."""

from __future__ import annotations

import json
import pickle
import re
from contextlib import suppress
from functools import cache
from itertools import pairwise

import pytest

import relaylogic
from relaylogic.infer.program import Inference
from relaylogic.infer.results.recording import Recording
from relaylogic.infer.results.steps import Step, steps_of
from relaylogic.infer.sites.driver import Driver
from relaylogic.infer.sites.relation_site import RelationSite
from relaylogic.infer.sites.store import Store
from relaylogic.ir import Call
from relaylogic.logic.terms.rebuilding import reify_term
from relaylogic.text import ParseError
from relaylogic.types import show_type
from tests.conformance.programs import lines, networks
from tests.effort import examples, some

SHARE = 5
"""Of the measured programs, every fifth is replayed as text, too."""

REFUTED = "def @main(%x: Tensor[(2, 3), float32], %w) { let %y = nn.dense(%x, %w, units=4); add(%y, %x) }"
WEIGHT = "def @main(%x: Tensor[(2, 3), float32], %w) { nn.dense(%x, %w, units=4) }"
BACKWARDS = "def @main(%a, %b) -> Tensor[(2, 3), float32] { let %c = add(%a, %b); let %d = nn.relu(%c); %d }"


def recorded(module):
    """A recording of an inference, and the inference."""
    recording = Recording()
    return recording, Inference(module, None, recording=recording)


@cache
def programs():
    """The measured programs that can be read, with their names."""
    found = []
    for kind in ("programs", "doc_examples"):
        for entry in some(lines(kind), 8):
            with suppress(ParseError):
                found.append((f"{kind} {entry['id']}", relaylogic.parse(entry["text"])))
    return found


def test_the_changes_of_all_attempts_are_the_bindings_at_the_end():
    for name, module in [*programs(), *((n, relaylogic.parse(e["text"])) for n, e in some(networks().items(), 3))]:
        recording, inference = recorded(module)
        known = {}
        for attempt in recording.attempts:
            for variable, old, new in attempt.changed():
                assert known.get(variable) is old or reify_term(variable, known) == reify_term(old, known), name
                if new is None:
                    del known[variable]
                else:
                    known[variable] = new
        reify = inference.driver.store.reify
        assert all(reify_term(t, known) == reify(t) for t in inference.generator.types.values()), name


def test_a_recorded_inference_is_the_same_inference():
    for name, module in programs():
        plain, (_, other) = Inference(module), recorded(module)
        assert type(plain.driver) is Driver
        assert type(plain.driver.store) is Store
        assert plain.verdict() == other.verdict(), name
        types = [show_type(plain.type_of(f)) for f in plain.module.functions.values()]
        assert types == [show_type(other.type_of(f)) for f in other.module.functions.values()], name


def test_a_call_of_which_all_is_known_is_a_site_only_if_it_is_recorded():
    module = relaylogic.parse("def @main(%x: Tensor[(2, 3), float32], %w) { nn.dense(tanh(%x), %w, units=4) }")
    recording, inference = recorded(module)
    attempted = [a.site.callee for a in recording.attempts if isinstance(a.site, RelationSite)]
    assert attempted == ["tanh", "nn.dense"]
    tried = []

    class Noting(Driver):
        def add(self, site):
            tried.append(site)
            super().add(site)

    class Plain:
        driver = Noting

    plain = Inference(module, recording=Plain())
    assert [site.callee for site in tried] == ["nn.dense"]
    assert show_type(plain.globals[next(iter(module.functions))]) == show_type(
        inference.globals[next(iter(module.functions))]
    )


def replayed(text, conclusions):
    """A type with the variables replaced by what was concluded, until nothing changes."""
    known = dict(conclusions)
    while True:
        further = re.sub(r"\b_\d+\b", lambda found: known.get(found[0], found[0]), text)
        further = re.sub(r"(, )?\.\.\.\(\)", "", further)  # what an open shape goes on with
        further = re.sub(r"\.\.\.\(((?:[^()]|\([^()]*\))+)\)", r"\1", further)
        if further == text:
            return text
        text = further


def test_the_conclusions_as_texts_give_the_types_of_calls():
    compared = 0
    for name, module in programs()[::SHARE]:
        recording, inference = recorded(module)
        steps = list(steps_of(recording))
        known = {c.variable: c.after for step in steps for c in step.concluded}
        for attempt, step in zip(recording.attempts, steps, strict=True):
            site = attempt.site
            if isinstance(site, RelationSite) and type(site.expr) is Call and attempt.tried == 1:
                found = replayed(step.knew[-1], known)
                found = re.sub(
                    r"Tensor\[\(\), (\w+)\]", r"\1", re.sub(r"\b_\d+\b", "_", found)
                )  # scalars, put together
                assert found == show_type(inference.driver.store.reify(site.arguments[-1])), name
                compared += 1
    assert compared > examples(500, 3)


def test_steps_say_what_was_known_and_what_was_concluded():
    step = relaylogic.infer(WEIGHT).trace[0]
    assert (step.number, step.site, step.attempt, step.function) == (1, 1, 1, "main")
    assert (step.callee, step.relation, step.clause, step.outcome) == ("nn.dense", "Dense", "rows_times_units", "done")
    assert step.knew == ("Tensor[(2, 3), float32]", "_1", "_2")
    assert {(c.variable, c.before, c.after) for c in step.concluded} == {
        ("_1", "_1", "Tensor[(4, 3), float32]"),
        ("_2", "_2", "Tensor[(2, 4), float32]"),
    }
    assert (step.alternatives, step.exhausted) == (1, True)


def test_a_default_that_others_may_speak_of_is_the_last_step():
    program = "def @main(%x: Tensor[(2, 3), float32], %w) { (nn.dense(%x, %w, units=4), %w) }"
    step, *_, last = relaylogic.infer(program).trace
    assert (step.outcome, last.site, last.outcome) == ("waiting", step.site, "done")
    assert ("_1", "Tensor[(4, 3), _3]") in {(c.variable, c.after) for c in step.concluded}
    assert [(c.variable, c.after) for c in last.concluded] == [("_3", "float32")]


def test_a_step_says_whom_it_woke():
    trace = relaylogic.infer(BACKWARDS).trace
    waited = {step.site for step in trace if step.outcome == "waiting"}
    assert waited
    for site in waited:
        again = [step for step in trace if step.site == site]
        assert [step.attempt for step in again] == list(range(1, len(again) + 1))
        for earlier, later in pairwise(again):
            assert any(site in step.woke for step in trace[earlier.number - 1 : later.number - 1])


def test_what_is_widened_was_something_before():
    text = "def @main(%x: Tensor[(3), int8], %y: Tensor[(?), int8], %c: bool) { if (%c) { %x } else { %y } }"
    changes = [c for step in relaylogic.infer(text).trace for c in step.concluded]
    assert any(c.before == "Tensor[(3), int8]" and c.after == "Tensor[(?), int8]" for c in changes)


def test_a_refuted_program_has_the_step_that_refuses():
    result = relaylogic.infer(REFUTED)
    refused = [step for step in result.trace if step.outcome == "refused"]
    assert [step.callee for step in refused] == ["add"]
    assert refused[0].alternatives == 0
    assert refused[0].exhausted


def test_generalising_is_a_step():
    trace = relaylogic.infer("def @main(%x) { nn.relu(%x) }").trace
    (step,) = [step for step in trace if step.outcome == "generalised"]
    assert (step.site, step.function) == (0, "main")
    assert [c.after for c in step.concluded][-1] == "t1"


def test_a_limit_leaves_the_steps_until_then():
    text = networks()["resnet18"]["text"] if "resnet18" in networks() else next(iter(networks().values()))["text"]
    module = relaylogic.parse(text)
    whole = relaylogic.infer(module).trace
    with relaylogic.limits(steps=20):
        result = relaylogic.infer(module)
    assert result.verdict == "unknown"
    assert 0 < len(result.trace) < len(whole)
    assert [s.knew for s in result.trace[:-1]] == [s.knew for s in whole[: len(result.trace) - 1]]


def test_an_incomplete_program_has_a_trace():
    result = relaylogic.infer("def @main(%x) { nn.relu(%x) }", closed=True)
    assert result.verdict == "incomplete"
    assert result.trace


def test_nothing_is_recorded_before_somebody_asks(monkeypatch):
    made = []
    monkeypatch.setattr(Recording, "driver", lambda self, *a, **n: made.append(self) or Driver(*a, **n))
    result = relaylogic.infer(WEIGHT)
    assert not made
    _ = result.trace
    assert len(made) == 1
    _ = result.trace
    assert len(made) == 1


def test_a_trace_goes_with_a_pickled_result():
    for text in (WEIGHT, REFUTED, BACKWARDS):
        result = relaylogic.infer(text)
        other = pickle.loads(pickle.dumps(result))
        assert [step.to_dict() for step in other.trace] == [step.to_dict() for step in result.trace]
        assert pickle.loads(pickle.dumps(result.trace)) == result.trace


def test_a_step_is_plain_data():
    for text in (WEIGHT, REFUTED, BACKWARDS):
        for step in relaylogic.infer(text).trace:
            assert isinstance(step, Step)
            assert json.loads(json.dumps(step.to_dict())) == step.to_dict()
    with pytest.raises(AttributeError):
        step.number = 3


def test_the_trace_of_one_call():
    result = relaylogic.infer_call("nn.dense", ["Tensor[(2, 3), float32]", "_"], {"units": 4})
    assert result.trace[0].clause == "rows_times_units"
