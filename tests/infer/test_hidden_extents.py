"""What must hold of an extent that no type shows is stated: a call that breaks it is refused as the body is."""

from __future__ import annotations

import pytest

from relaylogic.api import infer

BODIES = [
    ("let %p = nn.pad(%x, 0f, pad_width=[[-2, 0]]); sum(%p, axis=None)", 2),
    ("let %p = nn.pad(%x, 0f, pad_width=[[-1, -2]]); %x", 3),
    ("sum(sliding_window(%x, axis=0, window_shape=[3], strides=[1]), axis=[0])", 2),
    ("let %p = nn.pad(nn.pad(%x, 0f, pad_width=[[-2, 0]]), 0f, pad_width=[[0, -2]]); sum(%p)", 4),
]


@pytest.mark.parametrize(("body", "least"), BODIES)
@pytest.mark.parametrize("extent", range(6))
def test_a_call_is_typed_if_the_body_is(body: str, least: int, extent: int) -> None:
    inlined = infer(f"def @main(%x: Tensor[({extent}), float32]) {{ {body} }}")
    called = infer(
        f"def @f(%x: Tensor[(_), float32]) {{ {body} }}\n"
        f"def @main(%x: Tensor[({extent}), float32]) {{ @f(%x) }}"
    )
    assert inlined.verdict == called.verdict == ("typed" if extent >= least else "refuted")


def test_an_extent_that_a_type_shows_needs_no_condition() -> None:
    result = infer("def @f(%x: Tensor[(_), float32]) { nn.pad(%x, 0f, pad_width=[[-2, 0]]) }")
    assert str(result.functions["f"]) == "fn [t1: ShapeVar](Tensor[(t1), float32]) -> Tensor[(t1 - 2), float32]"
