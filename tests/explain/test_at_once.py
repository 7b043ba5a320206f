"""What is known of calls that were told at once is what a record of the inference says of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain import again
from relaylogic.explain.places.atoms import atoms_of, has
from relaylogic.explain.places.derivations import Derivations
from relaylogic.explain.places.places import Places
from relaylogic.explain.places.said import Said
from relaylogic.explain.why import sources as sources_of
from relaylogic.explain.why.at_once import AtOnce, NotAtOnce
from relaylogic.explain.why.sources import FEW, sources
from relaylogic.explain.why.work import Work
from relaylogic.infer.program import Inference
from relaylogic.infer.results.recording import Recording
from relaylogic.infer.sites.callsite import solve_site
from tests.effort import examples
from tests.explain.test_segments import chains
from tests.explain.test_why import expressions, programs
from tests.explain.test_worlds import annotated

ENOUGH = 10**9
WRITTEN = Path(__file__).parents[1] / "programs" / "written"

CALLS = (
    "nn.relu({0})",
    "nn.dense({0}, {2})",
    "nn.dense({2}, {0}, units=2)",
    "add({0}, {1})",
    "add({2}, {0})",
    "transpose({2})",
    "nn.bias_add({0}, {2})",
    "concatenate(({0}, {2}), axis=1)",
    "({0}, {2}).1",
    "({2}, {0}).1",
)


@st.composite
def sharing(draw):
    """A program of open parameters that several calls tell something of, or each other."""
    names, lines = ["%x"], []
    for i in range(draw(st.integers(2, 6))):
        chosen = draw(st.sampled_from(names)), draw(st.sampled_from(names)), draw(st.sampled_from(("%v", "%w", "%u")))
        lines.append(f"let %y{i} = {draw(st.sampled_from(CALLS)).format(*chosen)};")
        names.append(f"%y{i}")
    typed = draw(st.sampled_from(("", "", ": Tensor[(2, 2), float32]", ": Tensor[(_, 2), float32]")))
    return f"def @main(%x: Tensor[(2, 2), float32], %v{typed}, %w, %u) {{ {' '.join(lines)} {names[-1]} }}"


NO_MOST = sys.maxsize, frozenset()


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(sharing(), sharing(), chains(), annotated(), programs()), data=st.data())
def test_where_types_come_from_is_told_as_by_a_record(text, data):
    module = relaylogic.parse(text)
    inference, recording = Inference(module), Recording()
    recorded = Inference(module, recording=recording)
    if inference.failed():
        return
    places = Places(module)
    exprs = [expr for expr in expressions(module) if inference.type_of(expr) is not None]
    for expr in data.draw(st.lists(st.sampled_from(exprs), min_size=1, max_size=4)):
        every = sorted(atoms_of(inference.type_of(expr)), key=str)
        for atoms in (frozenset(every), frozenset([data.draw(st.sampled_from(every))])) if every else ():
            ours, theirs = Work((), ENOUGH), Work((), ENOUGH)
            try:
                found = sources(expr, atoms, AtOnce(inference, places), ours, *NO_MOST)
            except NotAtOnce:
                continue
            by_record = sources(expr, atoms, Derivations(recorded, recording, places), theirs, *NO_MOST)
            assert found.places == by_record.places
            assert ours.left == theirs.left


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(text=st.one_of(sharing(), chains(), annotated()), data=st.data())
def test_where_calls_were_told_at_once_what_a_type_comes_from_forces_it(text, data):
    """So it need not be asked, which takes as long as finding it."""
    module = relaylogic.parse(text)
    inference = Inference(module)
    if inference.failed():
        return
    said = Said(inference, inference.what_if)
    exprs = [expr for expr in expressions(module) if inference.type_of(expr) is not None]
    for expr in data.draw(st.lists(st.sampled_from(exprs), min_size=1, max_size=4)):
        known = inference.type_of(expr)
        every = sorted(atoms_of(known), key=str)
        atoms = frozenset(data.draw(st.lists(st.sampled_from(every), min_size=1))) if every else frozenset()
        left = data.draw(st.sampled_from((1, 60, ENOUGH)))
        try:
            found = sources(expr, atoms, AtOnce(inference, said.places), Work((), left), *NO_MOST)
        except NotAtOnce:
            continue
        if found.are_enough:
            made = said.inferred(found.places).type_of(expr)
            assert made is not None and has(known, made, atoms), (sorted(found.places), atoms, made)


@pytest.mark.parametrize("file", sorted(WRITTEN.glob("*.relay")), ids=lambda file: file.stem)
def test_so_it_is_told_of_programs_with_functions_data_types_and_matches(file):
    """What is matched has no sites, and patterns no attempts: of a variable in a pattern, nothing was followed."""
    module = relaylogic.parse(file.read_text(encoding="utf-8"))
    inference, recording = Inference(module, matching=True), Recording()
    recorded = Inference(module, recording=recording)
    places, told = Places(module), 0
    for expr in expressions(module):
        atoms = atoms_of(inference.type_of(expr))
        try:
            found = sources(expr, atoms, AtOnce(inference, places), Work((), ENOUGH), *NO_MOST)
        except NotAtOnce:
            continue
        told += 1
        by_record = sources(expr, atoms, Derivations(recorded, recording, places), Work((), ENOUGH), *NO_MOST)
        assert found.places == by_record.places
    assert told > len(expressions(module)) / 2


NETWORK = """def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32], %b) {{
  let %a = nn.conv2d(%x, %w, padding=[1, 1], channels=4, kernel_size=[3, 3]);
  {}
  nn.relu(nn.bias_add(%a14, %b))
}}""".format("".join(f"let %a{i} = nn.relu(%a{i - 1 if i else ''}); " for i in range(15)))


@pytest.mark.parametrize("part", ["dtype", "shape[1]"])
def test_a_network_of_known_types_is_not_inferred_again_to_say_why(part, monkeypatch):
    result = relaylogic.infer(NETWORK)

    def recorded(*_):
        raise AssertionError("it was inferred again")

    monkeypatch.setattr(again.Recorded, "_recorded", recorded)
    assert len(result.why(result.module["main"].body, part).places) > 1


def test_a_call_of_an_operator_whose_type_is_written_is_explained():
    result = relaylogic.infer(
        "add: fn<t1: Type, t2: Type, t3: Type>(t1, t2) -> t3 where Broadcast\n"
        "def @main(%a: Tensor[(2, 3), float32], %b: Tensor[(3), float32]) { add(%a, %b) }"
    )
    found = result.why(result.module["main"].body)
    assert [label.message.partition(" ")[0] for label in found.places] == ["`%a`", "`%b`", "the"]
    assert found.minimal


@pytest.mark.parametrize("atoms", [{("rank",)}, {("shape", 1)}, {("rank",), ("shape", 0), ("shape", 1)}])
def test_a_relation_that_no_attribute_tells_the_rank_is_asked_once_what_its_result_comes_from(monkeypatch, atoms):
    """It was asked first what it says of one input alone, of which no rank follows; that took the longest."""
    others = ", ".join(f"%p{i}: Tensor[(2), int8]" for i in range(FEW))
    module = relaylogic.parse(
        f"def @main(%x: Tensor[(4, 32), float32], %y: Tensor[(3, 4, 1), float32], {others}) {{ add(%x, %y) }}"
    )
    asked = []

    def counted(*question, **options):
        asked.append(question)
        return solve_site(*question, **options)

    monkeypatch.setattr(sources_of, "solve_site", counted)
    inference = Inference(module)
    body = module["main"].body
    found = sources(body, frozenset(atoms), AtOnce(inference, Places(module)), Work((), ENOUGH), *NO_MOST)
    assert found.are_enough
    assert len(asked) == 1
