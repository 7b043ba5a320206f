"""The type parameters of what is inferred have the kinds of the places where they stand: a type that is told of a
function may be written."""

from __future__ import annotations

from itertools import product

import pytest

import relaylogic
from tests.effort import some

BODIES = [
    "strided_slice(%a, begin=[0], end=[2], strides=[1])",
    "nn.batch_flatten(%a)",
    "reshape(%a, newshape=[-1])",
    "reshape(%a, newshape=[0, -1])",
    "concatenate((%a, %a), axis=0)",
    "nn.max_pool1d(%a, pool_size=[2], strides=[2])",
    "repeat(%a, repeats=2, axis=0)",
    "split(%a, indices_or_sections=2, axis=0)",
    "expand_dims(%a, axis=0)",
]
GIVEN = ["%x", "add(%x, %y)", "add(add(%x, %y), %y)", "transpose(%x)", "expand_dims(%x, axis=0)"]
CALLED = {
    "at once": "def @main(%x, %y) {{ let %a = {given}; {body} }}",
    "by a function": "def @k(%a) {{ {body} }} def @main(%x, %y) {{ @k({given}) }}",
    "by a local function": "def @main(%x, %y) {{ let %k = fn (%a) {{ {body} }}; %k({given}) }}",
    "by what a function gives": "def @k(%u) {{ fn (%a) {{ {body} }} }} def @main(%x, %y) {{ @k(1)({given}) }}",
    "by what a local function gives": (
        "def @main(%x, %y) {{ let %k = fn (%u) {{ fn (%a) {{ {body} }} }}; %k(1)({given}) }}"
    ),
}


@pytest.mark.parametrize("called", CALLED)
def test_a_type_that_is_inferred_may_be_written(called: str) -> None:
    shapes = ("", ": Tensor[(2, 4), float32]")
    for body, given, shape in some(product(BODIES, GIVEN, shapes), 5):
        text = CALLED[called].format(body=body, given=given).replace("@main(%x,", f"@main(%x{shape},")
        for type_ in relaylogic.infer(text).functions.values():
            written = relaylogic.infer(f"def @main(%f: {type_}) {{ %f }}")
            assert written.verdict == "typed", (text, [error.message for error in written.errors])


def test_an_extent_of_which_another_one_is_calculated_had_the_kind_of_a_type() -> None:
    result = relaylogic.infer(
        "def @k(%u) { fn (%a) { strided_slice(%a, begin=[0], end=[2], strides=[1]) } }"
        " def @main(%x: Tensor[(2, 4), float32], %y) { @k(1)(add(%y, %x)) }"
    )
    assert str(result.functions["main"]).startswith("fn [t1: Shape, t2: Shape, t3: ShapeVar](")
