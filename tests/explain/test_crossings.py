"""Places that two typings tell to be needed are needed, by asking; and long networks with forks take few questions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.conflicts.minimal import Conflicts
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference
from tests.effort import examples

BLOCKS = 12
SHAPES = ("(1, 2)", "(2, 2)", "(2, 1)", "(2, 4)", "(2)", "(1, 1)")
CALLS = (
    "nn.relu({0})",
    "add({0}, {1})",
    "multiply({0}, {1})",
    "transpose({0})",
    "nn.dense({0}, {1}, units=2)",
    "nn.batch_flatten({0})",
    "({0}, {1}).0",
    "split({0}, indices_or_sections=2, axis=0).1",
    "concatenate(({0}, {1}), axis=1)",
)


def said_of(text):
    inference = Inference(relaylogic.parse(text), None, True)
    return Said(inference, inference.what_if)


@st.composite
def networks(draw):
    """A function of tensors with forks, some of them annotated, whose result is annotated."""
    names = [f"%p{i}" for i in range(draw(st.integers(1, 3)))]
    types = (f": Tensor[{shape}, float32]" for shape in SHAPES)
    annotations = st.sampled_from(("", *types))
    parameters = ", ".join(f"{name}{draw(annotations)}" for name in names)
    lines = []
    for number in range(draw(st.integers(2, 6))):
        call = draw(st.sampled_from(CALLS)).format(*(draw(st.sampled_from(names[-3:])) for _ in range(2)))
        is_let = draw(st.booleans())
        names.append(f"%v{number}" if is_let else f"%{number}")
        lines.append(f"{'let ' if is_let else ''}{names[-1]} = {call};")
    result = draw(st.sampled_from(SHAPES))
    return f"def @main({parameters}) -> Tensor[{result}, float32] {{ {' '.join(lines)} {names[-1]} }}"


@settings(max_examples=examples(300))
@given(networks(), st.data())
def test_what_is_told_to_be_needed_is(text, data):
    said = said_of(text)
    if said.whole.verdict() != "refuted":
        return
    wholes = sorted(said.all - said.attributes)
    without = [place for place in wholes if not said.refused(said.all - {place})]
    if not without:
        return
    below = said.inferred(said.all - {data.draw(st.sampled_from(without))})
    told = said.crossings.needed(said.all, wholes, (said.whole,), below, {})
    assert told <= set(without)


@settings(max_examples=examples(100, 14))
@given(networks())
def test_the_first_conflict_of_a_network_with_forks_is_minimal(text):
    said = said_of(text)
    for conflict in [*Conflicts(said).each_conflict()][:1]:
        assert said.refused(conflict)
        assert not any(said.refused(conflict - {place}) for place in conflict)


def forks(batch):
    """A network of blocks around which what they are given is passed on."""
    convolution = "nn.conv2d({}, {}, padding=[1, 1], channels=4, kernel_size=[3, 3])"
    lines = [f"%0 = {convolution.format('%x', '%w')};"]
    for first in range(1, 3 * BLOCKS, 3):
        lines.append(f"%{first} = {convolution.format(f'%{first - 1}', f'%w{first}')};")
        lines.append(f"%{first + 1} = nn.relu(%{first});")
        lines.append(f"%{first + 2} = add(%{first + 1}, %{first - 1});")
    weights = ", ".join(["%w", *(f"%w{first}" for first in range(1, 3 * BLOCKS, 3))])
    body = "\n  ".join([*lines, f"%{3 * BLOCKS}"])
    tensor = "Tensor[({}, 4, 8, 8), float32]"
    return f"def @main(%x: {tensor.format(1)}, {weights}) -> {tensor.format(batch)} {{\n  {body}\n}}"


def test_past_forks_one_question_tells_of_the_whole_way():
    # One row may be broadcast: there are two rows behind an `add` only if both ways around its block give them.
    said = said_of(forks(2))
    conflict = next(Conflicts(said).each_conflict())
    assert len(conflict - said.attributes) == 3 * BLOCKS + 3  # the calls, both annotations
    assert said.questions < 15
    assert not any(said.refused(conflict - {place}) for place in conflict - said.attributes)


def test_what_conflicts_in_a_declaration_lies_in_no_function():
    """It was looked up among the functions when there were several holes in it, and was as many places as those."""
    found = relaylogic.infer("type Box { Wrap(fn (_) -> _), Empty }\ndef @main(%x: float32) { %x }")
    assert [error.message for error in found.errors] == ["the fields of `Wrap` need complete types, without `_`"]
    assert [len(conflict.places) for conflict in found.conflicts()] == [1]
    assert len(list(found.corrections())) == 1
