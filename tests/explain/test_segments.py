"""Programs that are solved in segments come to what they come to in one piece; what is supposed tells the truth."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.explain.places.atoms import atoms_of, has
from relaylogic.explain.places.said import Said
from relaylogic.explain.why.alone import Alone
from relaylogic.explain.why.questions import Asked
from relaylogic.explain.why.work import Work
from relaylogic.infer.program import Inference
from relaylogic.ir import Call, Let, post_order
from relaylogic.logic.terms.terms import is_ground
from relaylogic.types import show_type
from tests.effort import examples

STEPS = (
    "nn.relu({0})",
    "nn.conv2d({0}, %w{2}, channels=8, kernel_size=[3, 3], padding=[1, 1])",
    "nn.conv2d({0}, %w{2}, channels=8, kernel_size=[1, 1], strides=[2, 2])",
    "nn.max_pool2d({0}, pool_size=[2, 2], strides=[2, 2])",
    "nn.upsampling({0}, scale_h=2f, scale_w=2f)",
    "add({0}, {1})",
    "add({0}, {0})",
    "nn.bias_add({0}, %b{2})",
    "nn.batch_norm({0}, %b{2}, %c{2}, %d{2}, %e{2}).0",
    "concatenate(({0}, {1}), axis=1)",
    "transpose({0}, axes=[0, 1, 3, 2])",
    "multiply(nn.relu({0}), nn.batch_norm({0}, %b{2}, %c{2}, %d{2}, %e{2}).0)",
    "add({0}, nn.conv2d(nn.relu({0}), %w{2}, channels=8, kernel_size=[1, 1]))",
)
ENOUGH = 10**9


@st.composite
def chains(draw):
    """A program along whose lines types pass, mostly of images, with 8 to 14 lines."""
    count = draw(st.integers(8, 14))
    names = ["%x"]
    out = []
    for i in range(count):
        step = draw(st.sampled_from(STEPS))
        other = draw(st.sampled_from(names[-3:]))
        stated = draw(st.sampled_from(("",) * 40 + (": Tensor[_, float32]",)))
        out.append(f"let %v{i}{stated} = {step.format(names[-1], other, i)};")
        names.append(f"%v{i}")
    batch = draw(st.sampled_from((1, 2)))
    weights = ", ".join(f"%{kind}{i}" for i in range(count) for kind in "wbcde")
    image = f"%x: Tensor[({batch}, 8, 16, 16), float32]"
    return f"def @main({image}, {weights}) {{ {' '.join(out)} {names[-1]} }}"


def asked(text, data):
    """The places of a program, one of its expressions with its type, and questions about that; None if refused."""
    inference = Inference(relaylogic.parse(text))
    if inference.failed():
        return None
    said = Said(inference, inference.what_if)
    (function,) = inference.module.functions.values()
    exprs = [node for node in post_order(function) if type(node) in (Call, Let)]
    expr = data.draw(st.sampled_from([function.body, function.body, *exprs]))
    alone = Alone.of(said, "main")
    return said, expr, inference.type_of(expr), Asked(alone, expr, Work((), ENOUGH))


def inferred(said, kept, expr):
    relaxation = said.relaxation(kept)
    return said.what_if(replace(relaxation, functions=frozenset(["main"]))).type_of(expr)


@settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(text=chains(), data=st.data())
def test_segments_come_to_what_an_inference_says(text, data):
    found = asked(text, data)
    if found is None:
        return
    said, expr, _, question = found
    kept = said.all
    for _ in range(4):
        type_ = question.type_with(kept)
        assert type_ is None or show_type(type_) == show_type(inferred(said, kept, expr))
        kept -= data.draw(st.sets(st.sampled_from(sorted(said.all)), max_size=3))


@settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(text=chains(), data=st.data())
def test_a_place_that_could_say_something_else_is_needed(text, data):
    found = asked(text, data)
    if found is None:
        return
    said, expr, known, question = found
    if question.type_with(said.all) is None:
        return
    for place in data.draw(st.lists(st.sampled_from(sorted(said.all)), min_size=3, max_size=6, unique=True)):
        kept = said.all - {place, *said.places.attributes([place])}
        for other in question.others(kept, place):
            if is_ground(other) and not has(known, other, atoms_of(known)):
                assert not has(known, inferred(said, kept, expr), atoms_of(known))
