"""Functions in a body whose type nobody outside comes to know: it is enough that there is one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from tests.effort import examples

HOLDERS = ["(FUNCTION, 1)", "ref(FUNCTION)", "Box(FUNCTION)", "if (%c) { FUNCTION } else { FUNCTION }"]
BODIES = ["add(%y, %y)", "add(%y, %x)", "nn.batch_flatten(%y)", "(%y, nn.relu(%y))", "%y.0", "@half(%y)", "%y(%x)"]
BOX = """type Box[a] { Box(a), }
def @half<n: ShapeVar>(%x: Tensor[(2 * n), int8]) -> Tensor[(2 * n), int8] { %x }
"""


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("body", BODIES)
def test_a_closure_that_can_have_a_type_leaves_nothing_open(holder, body):
    held = holder.replace("FUNCTION", f"fn (%y) {{ {body} }}")
    for head in ("@f(%x: Tensor[(3), int8], %c: bool)", "@f<n: ShapeVar>(%x: Tensor[(n), int8], %c: bool)"):
        result = infer(f"{BOX}def {head} -> bool {{ let %r = {held}; %c }}")
        assert (result.verdict, result.residue) == ("typed", [])


def test_a_type_parameter_is_not_chosen():
    """There is a type of %y if n is 6."""
    body = "(reshape(%y, newshape=[6]), reshape(nn.relu(%y), newshape=[n]))"
    shape = "<n: ShapeVar>(%x: Tensor[(n), int8]) -> Tensor[(n), int8]"
    text = "def @f{} {{ let %r = (fn (%y) {{ ({}, concatenate((%x, ones(shape=[2], dtype=int8)))) }}, 1); %x }}"
    assert infer(text.format(shape, body.replace("[n]", "[6]"))).verdict == "typed"
    assert infer(text.format(shape, body.replace("[n]", "[7]"))).verdict == "refuted"
    same = "(reshape(%y, newshape=[6]), reshape_like(nn.relu(%y), %x))"
    assert infer(text.format(shape, same)).verdict in ("incomplete", "unknown")


def test_an_attribute_that_nobody_knows_stays_open():
    text = "def @f(%x: Tensor[(3, 4), int8]) -> bool { let %r = (fn (%y) { add(%y, transpose(%x, axes=_)) }, 1); True }"
    assert infer(text).verdict == "incomplete"


VALUES = ["%y", "%x", "nn.relu(%y)", "add(%y, %x)", "concatenate((%y, %x))", "reshape(%y, newshape=[6])"]
VALUES += ["nn.batch_flatten(%y)", "transpose(%y, axes=[1, 0])", "squeeze(%y, axis=[0])", "add(%y, ones(shape=[2, 1]))"]
SHAPES = [s for rank in range(4) for s in product((1, 2, 3, 6), repeat=rank)]


@settings(max_examples=examples(60, of=6))
@given(st.lists(st.sampled_from(VALUES), min_size=1, max_size=3), st.sampled_from(["(2)", "(2, 3)", "(1)"]))
def test_a_closure_is_typed_exactly_if_some_argument_fits(values, shape):
    body = f"({', '.join(values)},)".replace("[2, 1])", "[2, 1], dtype=int8)")
    head = f"def @f(%x: Tensor[{shape}, int8]"
    verdict = infer(f"{head}) -> bool {{ let %r = (fn (%y) {{ {body} }}, 1); True }}").verdict
    inputs = (", ".join(map(str, s)) for s in SHAPES)
    instances = (infer(f"{head}, %y: Tensor[({extents}), int8]) {{ {body} }}").verdict for extents in inputs)
    assert verdict == ("typed" if "typed" in instances else "refuted")


AROUND = ("(1)", "(2)", "(1, 2)", "(3, 1)")


@pytest.mark.parametrize(
    "uses",
    [
        "%g(%g(%x))",
        "(%g(%x), %g(%y))",
        "add(%g(%x), %g(expand_dims(%x, axis=0)))",
        "(fn (%f) { (%f(%x), %f(%x)) })(%g)",
        "(%g(%x), %p)",
    ],
)
@pytest.mark.parametrize("body", ["add(%q, %p)", "add(%p, add(%q, %q))", "where(cast(%p, dtype=bool), %q, %q)"])
def test_a_function_that_takes_up_what_is_open_around_it_has_a_type_of_its_own_at_each_use(body, uses):
    head = "%x: Tensor[(1, 2), int8], %y: Tensor[(3, 1), int8]"
    text = f"def @main(%p: Tensor[SHAPE, int8], {head}) {{ let %g = fn (%q) {{ {body} }}; {uses} }}"
    opened = infer(text.replace("SHAPE", "_"))
    scheme = opened.functions["main"]
    for shape in AROUND:
        direct = infer(text.replace("SHAPE", shape))
        called = infer(
            f"@main: {scheme}\ndef @caller(%p: Tensor[{shape}, int8], {head}) {{ @main(%p, %x, %y) }}",
        )
        assert (opened.verdict, called.verdict) == ("typed", direct.verdict), (shape, str(scheme))
        if direct.verdict == "typed":
            assert str(called.functions["caller"].ret_type) == str(direct.functions["main"].ret_type), shape


@pytest.mark.parametrize(("used", "verdict"), [("%p", "typed"), ("add(%p, 1f)", "refuted"), ("%p.0", "refuted")])
def test_what_a_function_demands_of_what_is_around_it_holds_though_nobody_calls_it(used, verdict):
    text = f"def @main(%p) {{ let %g = fn (%q) {{ add(%q, add(%p, ones(shape=[2], dtype=int8))) }}; {used} }}"
    assert infer(text).verdict == verdict


LAYERS = [
    ("nn.dense(%q, %w)", "(2, 4)", "(3, 2, 4)", ["(5, 4)", "(1, 4)", "(4, 5)", "(4)"]),
    ("nn.matmul(nn.relu(%q), %w)", "(2, 4)", "(3, 2, 4)", ["(4, 5)", "(4, 4)", "(5, 4)"]),
    (
        "nn.conv2d(%q, %w)",
        "(1, 3, 8, 8)",
        "(2, 3, 4, 9)",
        ["(5, 3, 3, 3)", "(1, 3, 5, 1)", "(1, 3, 1, 9)", "(3, 1, 1, 1)"],
    ),
    (
        "nn.conv1d(nn.max_pool1d(nn.conv1d(%q, %w), pool_size=[2]), %w)",
        "(1, 3, 8)",
        "(2, 3, 9)",
        ["(3, 3, 1)", "(3, 3, 4)", "(3, 3, 5)", "(2, 3, 1)"],
    ),
    ("concatenate((%q, %w), axis=0)", "(2, 4)", "(3, 4)", ["(1, 4)", "(4, 1)", "(2, 4)"]),
    ("reshape(concatenate((%q, %w), axis=0), newshape=[-1, 2])", "(2, 3)", "(4, 3)", ["(2, 3)", "(1, 3)", "(3, 3)"]),
]


@pytest.mark.parametrize(("body", "first", "second", "weights"), LAYERS)
def test_a_layer_whose_weight_is_open_around_it_may_be_used_at_several_shapes(body, first, second, weights):
    # Numbers were solved for such a function as a whole, which had one type then: the second use was refused.
    head = f"def @main(%w: WEIGHT, %a: Tensor[{first}, int8], %b: Tensor[{second}, int8])"
    shared = f"{head} {{ let %g = fn (%q) {{ {body} }}; (%g(%a), %g(%b)) }}"
    opened = infer(shared.replace("WEIGHT", "_"))
    assert opened.verdict == "typed"
    scheme = opened.functions["main"]
    assert len(scheme.type_params) == len(
        infer(written_twice(head, body).replace("WEIGHT", "_")).functions["main"].type_params
    )
    for weight in weights:
        known = f"Tensor[{weight}, int8]"
        direct = infer(written_twice(head, body).replace("WEIGHT", known))
        again = infer(shared.replace("WEIGHT", known))
        arguments = f"%w: {known}, %a: Tensor[{first}, int8], %b: Tensor[{second}, int8]"
        called = infer(f"@main: {scheme}\ndef @caller({arguments}) {{ @main(%w, %a, %b) }}")
        assert direct.verdict == again.verdict == called.verdict, weight
        if direct.verdict == "typed":
            result = direct.functions["main"].ret_type
            assert again.functions["main"].ret_type is called.functions["caller"].ret_type is result


def written_twice(head, body):
    """A program that has the body of a function in the place of its two calls."""
    return f"{head} {{ ({body.replace('%q', '%a')}, {body.replace('%q', '%b')}) }}"


@pytest.mark.parametrize(
    "body",
    ["nn.dense(%x, %y)", "nn.matmul(%x, %y)", "nn.bias_add(%y, %x)", "nn.prelu(%y, %x)"],
)
def test_a_demand_that_holds_of_whatever_a_local_function_is_given_is_not_stated(body):
    """It was stated of `_`, for which there is no type parameter, although the call holds of any."""
    scheme = infer(f"def @f(%x: Tensor[(_), float32]) {{ let %g = fn (%y) {{ {body} }}; %g }}").functions["f"]
    assert scheme.type_constraints == ()
    assert scheme.ret_type.type_constraints and "_" not in str(scheme)
