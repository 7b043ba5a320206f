"""Where the attributes of calls stand, whatever stands in them and around them."""

from __future__ import annotations

from pathlib import Path

import pytest

import relaylogic
from relaylogic.ir import Call, post_order
from relaylogic.text import attribute_spans
from relaylogic.text.attribute_spans import AttributeSpans

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

MIXED = {"channels": "=4", "padding": "=[1, 1]", "groups": " =1"}


def written(text):
    """The attributes of each call of `@main`, in post-order, as they stand in the text."""
    spans, module = AttributeSpans(), relaylogic.parse(text)
    calls = [node for node in post_order(module["main"]) if type(node) is Call]
    return [{name: span.text for name, span in spans.of(call).items()} for call in calls]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("nn.dense(%x, %x, units=4)", [{"units": "units=4"}]),
        ("nn.dense(%x, %x, units = 4 ,)", [{"units": "units = 4"}]),
        ("nn.conv2d(%x, %x, channels=4, padding=[1, 1], groups =1)", [{n: f"{n}{v}" for n, v in MIXED.items()}]),
        (
            'nn.dense(%x, %x, units=/* = 5, */ 4 out_dtype="a, b=(")',
            [{"units": "units=/* = 5, */ 4", "out_dtype": 'out_dtype="a, b=("'}],
        ),
        ("transpose(transpose(%x, axes=[0, 1]), axes=[1, 0])", [{"axes": "axes=[0, 1]"}, {"axes": "axes=[1, 0]"}]),
        ("nn.pad(%x, pad_width=[[0, 0], [1, 1]])", [{"pad_width": "pad_width=[[0, 0], [1, 1]]"}]),
        ("nn.relu(%x)", [{}]),
        ('%x + zeros(shape=[2, 2], dtype="float32")', [{"shape": "shape=[2, 2]", "dtype": 'dtype="float32"'}, {}]),
        ("(fn (%y) { sum(%y, axis=[1]) })(%x)", [{"axis": "axis=[1]"}, {}]),
        ("sum(%x, axis=_)", [{"axis": "axis=_"}]),
    ],
)
def test_each_attribute_has_its_place(body, found):
    text = f"def @main(%x: Tensor[(2, 2), float32]) {{\n  {body}\n}}"
    assert written(text) == found


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.relay")), ids=lambda path: path.stem)
def test_a_call_is_read_by_itself_as_in_its_text(path, monkeypatch):
    module = relaylogic.parse(path.read_text(encoding="utf-8"))
    calls = [n for f in module.functions.values() for n in post_order(f) if type(n) is Call and n.given]
    alone = [AttributeSpans().of(call) for call in calls]
    monkeypatch.setattr(attribute_spans, "_SHORT", -1)
    together = AttributeSpans()
    assert alone == [together.of(call) for call in calls]
    assert all(len(places) == len(call.given) for places, call in zip(alone, calls, strict=True))


def test_a_call_of_no_text_has_no_places():
    from relaylogic import relay

    x = relay.var("x", shape=(2, 2))
    assert AttributeSpans().of(relay.nn.dense(x, x, units=2)) == {}
