"""What must hold of an extent that no type shows is stated: a call that breaks it is refused as the body is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from tests.effort import examples

BODIES = [
    ("let %p = nn.pad(%x, 0f, pad_width=[[-2, 0]]); sum(%p, axis=None)", 2),
    ("let %p = nn.pad(%x, 0f, pad_width=[[-1, -2]]); %x", 3),
    ("sum(sliding_window(%x, axis=0, window_shape=[3], strides=[1]), axis=[0])", 2),
    ("let %p = nn.pad(nn.pad(%x, 0f, pad_width=[[-2, 0]]), 0f, pad_width=[[0, -2]]); sum(%p)", 4),
]
LITERAL = "fn <n: ShapeVar>(%y: Tensor[(n), float32])"
FORMS = {
    "a hole": "def @f(%x: Tensor[(_), float32]) {{ {} }}",
    "a declared extent": "def @f<n: ShapeVar>(%x: Tensor[(n), float32]) {{ {} }}",
    "a function that passes its extent on": (
        "def @g<n: ShapeVar>(%x: Tensor[(n), float32]) {{ {} }}\n"
        "def @f<m: ShapeVar>(%x: Tensor[(m), float32]) {{ let %unused = @g(%x); %x }}"
    ),
    "a function that says for which extent": (
        "def @g<n: ShapeVar>(%x: Tensor[(n), float32]) {{ {} }}\n"
        "def @f<m: ShapeVar>(%x: Tensor[(m), float32]) {{ @g<m>(%x) }}"
    ),
    "a let-bound function": (
        f"def @f<m: ShapeVar>(%y: Tensor[(m), float32]) "
        f"{{{{ let %g = {LITERAL} {{{{ let %x = %y; {{}} }}}}; %g(%y) }}}}"
    ),
    "a let-bound function without types": (
        "def @f<m: ShapeVar>(%y: Tensor[(m), float32]) {{ let %g = fn (%x) {{ {} }}; %g(%y) }}"
    ),
    "a function in a tuple": (
        f"def @f<m: ShapeVar>(%y: Tensor[(m), float32]) "
        f"{{{{ let %g = ({LITERAL} {{{{ let %x = %y; {{}} }}}}, 1); %g.0(%y) }}}}"
    ),
}


def is_called(function: str, extent: int) -> str:
    """The verdict of a call of `@f` with a vector of an extent."""
    return infer(f"{function}\ndef @main(%x: Tensor[({extent}), float32]) {{ @f(%x) }}").verdict


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("body", "least"), BODIES)
def test_a_call_is_typed_if_the_body_is(form: str, body: str, least: int) -> None:
    for extent in range(6):
        inlined = infer(f"def @main(%x: Tensor[({extent}), float32]) {{ {body} }}").verdict
        assert inlined == is_called(FORMS[form].format(body), extent) == ("typed" if extent >= least else "refuted")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Vectors that are made longer and shorter, of which some are shown."""
    lines, made = [], ["%x"]
    for i in range(draw(st.integers(1, 4))):
        value = draw(st.sampled_from(made))
        before, after = draw(st.integers(-3, 2)), draw(st.integers(-3, 2))
        more = [f"nn.pad({value}, 0f, pad_width=[[{before}, {after}]])", f"concatenate(({value}, %x))"]
        lines.append(f"let %v{i} = {draw(st.sampled_from(more))};")
        made.append(f"%v{i}")
    last = draw(st.sampled_from(["sum({})", "{}", "nn.relu({})"])).format(draw(st.sampled_from(made)))
    return f"{' '.join(lines)} {last}"


@settings(max_examples=examples(40))
@given(bodies(), st.sampled_from(["a hole", "a declared extent", "a function that passes its extent on"]))
def test_a_call_is_typed_exactly_if_its_body_is(body: str, form: str) -> None:
    function = FORMS[form].format(body)
    assert infer(function).verdict == "typed"
    for extent in range(8):
        inlined = infer(f"def @main(%x: Tensor[({extent}), float32]) {{ {body} }}").verdict
        assert inlined == is_called(function, extent), (function, extent)


def test_an_extent_that_a_type_shows_needs_no_condition() -> None:
    body = "nn.pad(%x, 0f, pad_width=[[-2, 0]])"
    hole = infer(f"def @f(%x: Tensor[(_), float32]) {{ {body} }}")
    assert str(hole.functions["f"]) == "fn [t1: ShapeVar](Tensor[(t1), float32]) -> Tensor[(t1 - 2), float32]"
    declared = infer(f"def @f<n: ShapeVar>(%x: Tensor[(n), float32]) {{ {body} }}")
    assert str(declared.functions["f"]) == "fn [n: ShapeVar](Tensor[(n), float32]) -> Tensor[(n - 2), float32]"


def test_a_declared_extent_states_what_a_hole_states() -> None:
    result = infer("def @f<n: ShapeVar>(%x: Tensor[(n), float32]) { sum(nn.pad(%x, 0f, pad_width=[[-2, 0]])) }")
    said = "Pad(Tensor[(n), float32], float32, Tensor[(n - 2), float32], pad_width=[[-2, 0]])"
    assert str(result.functions["f"]) == f"fn [n: ShapeVar](Tensor[(n), float32]) -> float32 where {said}"


def test_an_extent_that_only_an_annotation_says_is_a_natural() -> None:
    body = "let %g = fn (%y: Tensor[(n - 2), int8]) { 1 }; %x"
    result = infer(f"def @f<n: ShapeVar>(%x: Tensor[(n), float32]) {{ {body} }}")
    assert str(result.functions["f"]).endswith("where Identity(n - 2, n - 2)")


def test_a_condition_of_a_function_within_is_not_one_of_the_function_around_it() -> None:
    within = "sum(nn.pad(concatenate((%x, %y)), 0f, pad_width=[[-5, 0]]))"
    for inner in ("fn <m: ShapeVar>(%y: Tensor[(m), float32])", "fn (%y: Tensor[(_), float32])"):
        text = f"def @f<n: ShapeVar>(%x: Tensor[(n), float32]) {{ let %g = {inner} {{ {within} }}; %x }}"
        assert str(infer(text).functions["f"]) == "fn [n: ShapeVar](Tensor[(n), float32]) -> Tensor[(n), float32]"


WANTED = "def @use(%g: fn<m: ShapeVar>(Tensor[(m), float32], Tensor[(m - {}), float32]) -> float32) {{ 1 }}\n"
CROPS = "def @crops(%x: Tensor[(_), float32], %y: _) { sum(nn.pad(%x, 0f, pad_width=[[-2, 0]])) }\n"


@pytest.mark.parametrize(("less", "verdict"), [(1, "refuted"), (2, "typed"), (3, "typed")])
def test_a_function_that_crops_serves_where_so_much_is_there(less: int, verdict: str) -> None:
    assert infer(WANTED.format(less) + CROPS + "def @main() { @use(@crops) }").verdict == verdict


@pytest.mark.parametrize(
    "literal",
    [
        "fn <m: ShapeVar>(%y: Tensor[(m), float32]) { sum(nn.pad(%y, 0f, pad_width=[[-5, 0]])) }",
        "fn <m: ShapeVar>(%y: Tensor[(m), float32]) { sum(sliding_window(%y, axis=0, window_shape=[3], strides=[1])) }",
    ],
)
def test_a_function_literal_that_demands_more_than_is_wanted_is_refused(literal: str) -> None:
    wanted = "fn <m: ShapeVar>(Tensor[(m), float32]) -> float32"
    assert infer(f"def @f() {{ let %g: {wanted} = {literal}; 1 }}").verdict == "refuted"
    assert infer(f"def @use(%g: {wanted}) {{ 1 }}\ndef @f() {{ @use({literal}) }}").verdict == "refuted"
