"""An attribute that a function leaves open is one value for all its calls; what these are given may differ.

So a program is refuted only if no values of its open attributes give it types, and typed only if some do.
"""


import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic import infer
from tests.effort import examples

AXES = ["None", "[]", "[0]", "[0, 1]", "[1, 0]", "[0, 1, 2]", "[0, 2, 1]", "[1, 0, 2]", "[1, 2, 0]", "[2, 0, 1]"]
AXES += ["[2, 1, 0]"]
NUMBERS = [str(n) for n in range(-4, 4)]
UNITS = ["None", "1", "2", "3"]
BODIES = {
    "transpose(%x, axes=_)": AXES,
    "nn.relu(transpose(nn.relu(%x), axes=_))": AXES,
    "cast(%x, dtype=_)": ["int8", "float32", "bool"],
    "nn.softmax(%x, axis=_)": NUMBERS,
    "expand_dims(%x, axis=_)": NUMBERS,
    "concatenate((%x, %x), axis=_)": NUMBERS,
    "sum(%x, axis=[_])": NUMBERS,
    "sum(%x, axis=[0], keepdims=_)": ["False", "True"],
    "squeeze(%x, axis=[_])": NUMBERS,
    "reshape(%x, newshape=[_, 2])": ["-1", "0", "1", "2", "3", "6"],
    "repeat(%x, repeats=_, axis=0)": ["0", "1", "2", "3"],
    "nn.dense(%x, ones(shape=[2, 3], dtype=int8), units=_)": UNITS,
    "add(%x, ones(shape=[_], dtype=int8))": ["0", "1", "2", "3"],
    "add(%x, transpose(ones(shape=[1, 2], dtype=int8), axes=_))": ["None", "[0, 1]", "[1, 0]"],
}
SHAPES = ["()", "(2)", "(3)", "(1, 2)", "(2, 3)", "(3, 2)", "(2, 2, 3)", "(2, 1, 2)"]
MAIN = "def @main({inputs}) -> {results} {{ {calls} }}"
PROGRAMS = {
    "def @f(%x) {{ {body} }} " + MAIN: "@f(",
    "def @f(%x) {{ {body} }} def @g(%y) {{ @f(nn.relu(%y)) }} " + MAIN: "@g(",
    "def @f(%x) {{ {body} }} def @g(%h, %y) {{ %h(nn.relu(%y)) }} " + MAIN: "@g(@f, ",
    "def @f() {{ fn (%x) {{ {body} }} }} " + MAIN: "@f()(",
    "def @f(%x) {{ if (True) {{ {body} }} else {{ @f(nn.relu(%x)) }} }} " + MAIN: "@f(",
    "def @main({inputs}) -> {results} {{ let %f = fn (%x) {{ {body} }}; {calls} }}": "%f(",
    "def @main({inputs}) -> {results} {{ let %f = fn (%x) {{ let %g = fn (%y) {{ %x }}; {body} }}; {calls} }}": "%f(",
}


def of_shape(shape):
    return f"Tensor[{shape}, int8]"


@st.composite
def programs(draw):
    """A program, and the one with each of the values of its attribute."""
    body = draw(st.sampled_from(list(BODIES)))
    given_types = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3))
    results = [draw(st.one_of(st.just("_"), st.sampled_from(SHAPES).map(of_shape))) for _ in given_types]
    form, callee = draw(st.sampled_from(list(PROGRAMS.items())))
    text = form.format(
        body=body,
        inputs=", ".join(f"%a{i}: {of_shape(shape)}" for i, shape in enumerate(given_types)),
        results=f"({', '.join(results)},)",
        calls=f"({', '.join(f'{callee}%a{i})' for i in range(len(given_types)))},)",
    )
    return text, [text.replace("=_", f"={value}").replace("[_", f"[{value}") for value in BODIES[body]]


@settings(max_examples=examples(150, of=10), deadline=None)
@given(programs())
def test_a_program_is_refuted_exactly_if_no_attribute_fits(program):
    """Of products of numbers it may not be found out that they are none."""
    text, closed = program
    result = infer(text)
    fitting = [found for found in map(infer, closed) if found.verdict == "typed"]
    assert not (result.verdict == "refuted" and fitting)
    assert fitting or result.verdict == "refuted" or ("reshape" in text and result.verdict == "incomplete")
    known = str(result.functions["main"])
    if result.verdict == "typed" and "_" not in known:  # a number that is any is one in the type
        assert {str(found.functions["main"]) for found in fitting} == {known}


HEAD = "def @main(%a: Tensor[(2, 3), float32], %b: Tensor[(4, 5, 6), float32])"
BOTH = "(@f(%a), @f(%b))"


def test_the_type_of_a_function_speaks_of_the_attribute_that_it_leaves_open():
    """Its arguments were taken to be of one type for all calls."""
    result = infer(f"def @f(%x) {{ cast(%x, dtype=_) }} {HEAD} {{ {BOTH} }}")
    assert result.verdict == "incomplete"
    assert str(result.functions["f"]) == "fn [t1, t2](t1) -> t2 where Cast(t1, t2, dtype=_)"
    told = infer(f"def @f(%x) {{ cast(%x, dtype=_) }} {HEAD} -> (Tensor[_, int8], _) {{ {BOTH} }}")
    assert told.verdict == "typed"
    assert str(told.functions["f"]) == 'fn [t1, t2](t1) -> t2 where Cast(t1, t2, dtype="int8")'
    assert str(told.functions["main"].ret_type) == "(Tensor[(2, 3), int8], Tensor[(4, 5, 6), int8])"


def test_calls_agree_on_an_attribute_that_is_one_for_all():
    """Of two ranks, only the order is one that reverses."""
    result = infer(f"def @f(%x) {{ transpose(%x, axes=_) }} {HEAD} {{ {BOTH} }}")
    assert result.verdict == "typed"
    assert str(result.functions["f"]) == "fn [t1, t2](t1) -> t2 where Transpose(t1, t2, axes=None)"
    same = f"def @f(%x) {{ transpose(%x, axes=_) }} {HEAD} -> (Tensor[(2, 3), _], _) {{ {BOTH} }}"
    assert infer(same).verdict == "refuted"


@pytest.mark.parametrize("body", ["@f(%y)", "(@f(%y), @f(nn.relu(%y))).1", "{ let %g = fn (%z) { @f(%z) }; %g(%y) }"])
def test_a_function_that_calls_it_speaks_of_the_attribute_too(body):
    functions = f"def @f(%x) {{ cast(%x, dtype=_) }} def @g(%y) {{ {body} }}"
    assert infer(functions).verdict == "incomplete"
    result = infer(f"{functions} {HEAD} -> (Tensor[_, int8], _) {{ (@g(%a), @g(%b)) }}")
    assert (result.verdict, str(result.functions["main"].ret_type)) == (
        "typed",
        "(Tensor[(2, 3), int8], Tensor[(4, 5, 6), int8])",
    )
    others = "(Tensor[_, int8], Tensor[_, bool])"
    assert infer(f"{functions} {HEAD} -> {others} {{ (@g(%a), @g(%b)) }}").verdict == "refuted"


def test_what_depends_on_the_attribute_alone_is_one_for_all_calls():
    """What a function is given may differ; the shape of the zeros that it adds may not."""
    body = "add(%x, zeros(shape=[_], dtype=float32))"
    head = "def @main(%a: Tensor[(2, 1), float32], %b: Tensor[(3, 1, 1), float32])"
    text = f"def @f(%x) {{ {body} }} {head} -> (_, _) {{ {BOTH} }}"
    assert infer(text.replace("(_, _)", "(Tensor[(2, 7), float32], _)")).verdict == "typed"
    two = "(Tensor[(2, 7), float32], Tensor[(3, 1, 8), float32])"
    assert infer(text.replace("(_, _)", two)).verdict == "refuted"


def test_an_axis_of_shapes_of_several_ranks_may_be_counted_from_the_end():
    body = "concatenate((%x, %x), axis=_)"
    text = f"def @f(%x) {{ {body} }} {HEAD} -> (Tensor[(2, 6), float32], Tensor[RESULT, float32]) {{ {BOTH} }}"
    assert infer(text.replace("RESULT", "(4, 5, 12)")).functions["f"].type_constraints[0].attrs == (("axis", -1),)
    assert infer(text.replace("RESULT", "(4, 10, 6)")).functions["f"].type_constraints[0].attrs == (("axis", 1),)
    assert infer(text.replace("RESULT", "(8, 5, 6)")).verdict == "refuted"


def test_a_function_that_nobody_calls_must_have_some_attribute():
    text = "def @f(%x: Tensor[(2, 3), int8]) -> Tensor[(2, 4), int8] { transpose(%x, axes=_) }"
    assert infer(text).verdict == "refuted"
    text = "def @f(%x) { transpose(%x, axes=_) } def @main(%a: Tensor[(2), int8]) { nn.relu(%a) }"
    assert infer(text).verdict == "incomplete"


def test_conflicts_and_corrections_of_calls_that_disagree():
    types = "(Tensor[(2, 3), int8], Tensor[(4, 5, 6), bool])"
    result = infer(f"def @f(%x) {{ cast(%x, dtype=_) }} {HEAD} -> {types} {{ {BOTH} }}")
    assert result.verdict == "refuted"
    conflicts = [set(map(str, found.places)) for found in result.conflicts()]
    corrections = [set(map(str, found.places)) for found in result.corrections()]
    assert conflicts and corrections
    assert all(conflict & correction for conflict in conflicts for correction in corrections)


def test_an_attribute_that_is_left_open_may_be_the_one_that_is_assumed():
    """A call that leaves attributes open was never taken for the one that a `where` speaks of: it was refused."""
    head = 'def @f[a, b](%x: a) -> b where Cast(a, b, dtype="int8")'
    calls = "def @main(%x: Tensor[(2), int8], %y: Tensor[(3), bool]) { (@f(%x), @f(%y)) }"
    assert infer(f"{head} {{ cast(%x, dtype=_) }} {calls}").verdict == "typed"
    assert infer(f"{head} {{ cast(cast(%x, dtype=_), dtype=_) }} {calls}").verdict == "refuted"
    both = f'{head}, Cast(a, b, dtype="bool") {{ cast(%x, dtype=_) }}'
    assert infer(both).verdict == "incomplete"
