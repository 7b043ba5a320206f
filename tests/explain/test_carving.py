"""Why, in long programs: the places that are told force a type, and none of them can be left out."""

from dataclasses import replace
from pathlib import Path

import pytest

import relaylogic
from relaylogic.explain.atoms import part_of, path_of
from relaylogic.explain.conflicts import Said
from relaylogic.infer.program import Inference
from relaylogic.ir import post_order
from tests.conformance.programs import networks
from tests.explain.test_why import numbers_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LONG = 200
CHAIN = "".join(f"  let %y{i} = nn.relu(%y{i - 1});\n" for i in range(1, LONG))


def asked(text, expr, part=""):
    """What `why` tells of an expression, which `expr` finds in the last function, and the places, if they are known to
    force it; `lacking` are those that can be left out."""
    result = relaylogic.infer(text)
    inference = Inference(result.module)
    said = Said(inference, inference.what_if)
    said.bundle()
    expr = expr(list(result.module.functions.values())[-1])
    known = part_of(inference.type_of(expr), path_of(part))

    def forced(kept):
        found = said.what_if(replace(said.relaxation(said.saying(kept)), uncalled=True)).type_of(expr)
        return found is not None and part_of(found, path_of(part)) == known

    why = result.why(expr, part)
    places = numbers_of(why, said)
    assert places is not None and forced(places)
    lacking = [said.places.all[place] for place in places if forced(places - {place})]
    return why, [said.places.all[place] for place in sorted(places)], lacking


def in_the_middle(function):
    calls = [expr for expr in post_order(function) if type(expr).__name__ == "Call"]
    return calls[len(calls) // 2]


@pytest.mark.parametrize(
    ("name", "part", "most"),
    [("vgg16", "", 31), ("resnet18-typed", "", 49), ("mobilenet-typed", "", 64), ("vgg16_bn", "dtype", 44)],
)
def test_of_a_network_what_is_told_is_minimal(name, part, most):
    """In the time of an inference, though each place is a question of its own."""
    why, places, lacking = asked(networks()[name]["text"], in_the_middle, part)
    assert why.minimal and not lacking
    assert len(places) <= most


def test_what_weights_are_annotated_with_is_not_told_where_their_call_says_the_same():
    _, places, _ = asked(networks()["resnet18-typed"]["text"], in_the_middle)
    assert [place.node.name_hint for place in places if place.kind == "annotation"] == ["data"]


def test_of_two_ways_the_shorter_one_is_told():
    text = f"""def @main(%x: Tensor[(4, 8), float32]) {{
  let %y0 = tanh(%x);
{CHAIN}  add(nn.relu(%x), %y{LONG - 1})
}}"""
    why, places, lacking = asked(text, lambda function: function.body, "dtype")
    assert why.minimal and not lacking and len(places) < 6


def test_both_ways_are_told_where_one_could_stretch_the_other():
    """Each extent of 1 on one way leaves it to the other one what the sum has there."""
    text = f"""def @main(%x: Tensor[(1, 8), float32]) {{
  let %y0 = tanh(%x);
{CHAIN}  add(nn.relu(%x), %y{LONG - 1})
}}"""
    why, places, lacking = asked(text, lambda function: function.body)
    assert why.minimal and not lacking and len(places) == LONG + 3


def test_the_nearest_annotation_that_says_a_dtype_is_told():
    text = f"""def @main(%x: Tensor[(4, 8), float32], %b: Tensor[(8), float32]) {{
  let %y0 = tanh(%x);
{CHAIN}  nn.bias_add(%y{LONG - 1}, %b)
}}"""
    why, places, lacking = asked(text, lambda function: function.body, "dtype")
    assert why.minimal and not lacking and [place.kind for place in places] == ["call", "annotation"]


def test_few_of_a_hundred_places_say_the_channels_of_a_sum():
    """On one way they come from a convolution; of the other one it is enough that a call wants four axes there."""

    def the_sum(function):
        calls = (expr for expr in post_order(function) if type(expr).__name__ == "Call")
        return next(call for call in calls if call.op.name == "add" and call.span.line == 103)

    text = (EXAMPLES / "resnet50.relay").read_text(encoding="utf-8")
    why, places, lacking = asked(text, the_sum, "shape[1]")
    assert why.minimal and not lacking
    names = [getattr(place.node, "op", None) and place.node.op.name for place in places]
    assert names == ["nn.conv2d", "nn.conv2d", "nn.batch_norm", None, "add"]
