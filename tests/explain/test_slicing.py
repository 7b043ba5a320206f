"""What a refusal seems to rest on mostly contradicts itself, so that no more of the program is looked at."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

import relaylogic
from relaylogic.explain.conflicts.slicing import Resting
from tests.effort import examples
from tests.explain.test_crossings import networks, said_of


def is_enough(text):
    """Whether the places that the first refusal of a program seems to rest on contradict each other."""
    said = said_of(text)
    return bool(said.refused(Resting(said.refused(said.all)[0], said.whole, said.places).whole))


@settings(max_examples=examples(200))
@given(networks())
def test_where_types_come_from_below_what_is_found_is_enough(text):
    assume(text.count(":") == text.partition("->")[0].count("%p") and relaylogic.infer(text).verdict == "refuted")
    assert is_enough(text)


@pytest.mark.parametrize(
    "text",
    [
        # A parameter of which nothing is known is generalised, but was open when the call was refused.
        "def @main(%x: Tensor[(1, 4, 14, 14), float32], %w) {"
        " nn.conv2d(%w, nn.relu(%x), channels=8, kernel_size=[1, 1]) }",
        # The result of the sum is known in part, from its user.
        "def @main(%a, %b: Tensor[(8, 3, 1, 1), float32], %c, %x: Tensor[(5, 5), float32]) {"
        " %0 = add(%a, %b); %1 = nn.conv2d(%c, %0, channels=8, kernel_size=[1, 1]); (%1, nn.dense(%a, %x)) }",
        # What `%a` is, the annotation of a sum of it tells.
        "def @main(%a, %b, %c: Tensor[(5, 7), float32]) {"
        " let %z: Tensor[(_, 3), float32] = add(%a, %b); let %u = nn.dense(%a, %c); %z }",
        # So does the result type, through a tuple.
        "def @main(%a, %b) -> (Tensor[(2, 3), float32], Tensor[(3), float32]) {"
        " let %s = (nn.relu(%a), %b); let %u = nn.dense(%a, nn.relu(reshape(%b, newshape=[3, 1]))); %s }",
        "def @main(%a, %c: bool) -> Tensor[(2, 3), float32] {"
        " let %u = transpose(%a, axes=[0, 1, 2]); if (%c) { nn.relu(%a) } else { %a } }",
    ],
)
def test_what_users_tell_is_followed(text):
    assert relaylogic.infer(text, closed=True).verdict == "refuted"
    assert is_enough(text)


LAYER = "nn.conv2d({}, %w{}, padding=[{}], channels=8, kernel_size=[3, 3])"


def block(layers, wrong, later_first=False):
    """Layers one above the other, of which one does not keep the extents, and all together, as in dense networks."""
    names = ["%x", *(f"%y{i}" for i in range(layers))]
    lines = [f"let {names[i + 1]} = {LAYER.format(names[i], i, '0' if i == wrong else '1')};" for i in range(layers)]
    joined = ", ".join(reversed(names) if later_first else names)
    weights = ", ".join(f"%w{i}: Tensor[(8, 8, 3, 3), float32]" for i in range(layers))
    return (
        f"def @main(%x: Tensor[(1, 8, 20, 20), float32], {weights}) {{\n"
        + "\n".join(lines)
        + f"\nconcatenate(({joined}), axis=1)\n}}\n"
    )


@pytest.mark.parametrize("later_first", [False, True])
@pytest.mark.parametrize("wrong", [0, 5, 10])
def test_of_a_tuple_two_fields_are_enough_that_rest_on_each_other(wrong, later_first):
    """Each field was followed, and below each of them everything."""
    text = block(12, wrong, later_first)
    said = said_of(text)
    (site,) = said.refused(said.all)
    found = Resting(site, said.whole, said.places).whole
    layers = {place.span.line - 2 for place in map(said.places.all.__getitem__, found) if place.kind == "call"}
    assert layers == {*range(wrong + 1), 12}
    assert is_enough(text)
    conflict = next(iter(relaylogic.infer(text).conflicts()))
    assert {label.span.line - 2 for label in conflict.places} <= {wrong, 12, -1, wrong - 1}


@pytest.mark.parametrize("wrong", [0, 5, 10])
def test_what_both_of_two_values_are_made_of_need_not_be_known(wrong):
    """Whatever the layer below gives, one that loses extents does not give it: what is below was looked at, too."""
    said = said_of(block(12, wrong))
    (site,) = said.refused(said.all)
    apart = Resting(site, said.whole, said.places).apart
    kinds = [(place.kind, place.span.line - 2) for place in map(said.places.all.__getitem__, sorted(apart))]
    assert [line for kind, line in kinds if kind == "call"] == [wrong, 12]
    assert said.refused(apart)


def test_a_value_that_is_refused_alone_has_nothing_beside_it():
    said = said_of("def @main(%x: Tensor[(2, 3), float32]) { nn.batch_flatten(nn.global_avg_pool2d(nn.relu(%x))) }")
    assert Resting(said.refused(said.all)[0], said.whole, said.places).apart == set()
