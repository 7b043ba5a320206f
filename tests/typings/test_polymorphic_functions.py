"""Typings of programs that use a function at several types: no typing gives it one, and each use has one of its own."""

from itertools import product

import pytest

import relaylogic
from relaylogic.typings.program import count_typings, typings

SHAPES = ["()", "(1)", "(2)", "(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]
BOUNDS = {"ground": True, "max_rank": 2, "min_dim": 1, "max_dim": 2, "dtypes": ["int8"], "max_attr": 2}
HEAD = "def @main(%a: Tensor[(2, 1), int8], %b: Tensor[A, int8], %c: Tensor[B, int8], %k: Tensor[(2, 2), int8]) {"
FUNCTIONS = {
    "a function without annotations": (
        f"def @f(%x) {{ nn.relu(%x) }} {HEAD} (@f(%k), add(@f(%a), @f(%b)), add(%b, %c)) }}"
    ),
    "what it gives is another type": (
        f"def @f(%x) {{ transpose(%x) }} {HEAD} (@f(%k), add(@f(%a), %b), add(@f(%b), @f(%c))) }}"
    ),
    "two arguments": (
        f"def @f(%x, %y) {{ let %s = add(%x, %y); nn.relu(%s) }}{HEAD} (@f(%k, %k), @f(%a, %b), @f(@f(%b, %c), %c)) }}"
    ),
    "an annotation with a hole": (
        "def @f(%x: Tensor[(_, 2), _]) { sum(%x, axis=[1]) }"
        f"{HEAD} (@f(%k), @f(transpose(%a)), add(@f(%b), @f(%c))) }}"
    ),
    "a function that calls it": (
        "def @f(%x) { nn.relu(%x) } def @g(%y) { (@f(%y), @f(transpose(%y))) }"
        f"{HEAD} (@f(%k), add(@g(%a).1, %b), add(@g(%b).0, @g(%c).1)) }}"
    ),
    "one that calls itself": (
        "def @f(%x) { if (True) { %x } else { @f(nn.relu(%x)) } }"
        f"{HEAD} (@f(%k), add(@f(%a), @f(%b)), add(@f(%c), %b)) }}"
    ),
    "a let": f"{HEAD} let %f = fn (%x) {{ nn.relu(%x) }}; (%f(%k), add(%f(%a), %f(%b)), add(%f(%b), %f(%c))) }}",
    "a let that speaks of what is around it": (
        f"{HEAD} let %f = fn (%x) {{ add(%x, %b) }}; (%f(%k), %f(%a), %f(transpose(%c))) }}"
    ),
    "an attribute, which is one for all": (
        f"def @f(%x) {{ nn.softmax(%x, axis=_) }} {HEAD} (@f(%k), add(@f(%a), @f(%b)), add(@f(%b), %c)) }}"
    ),
}


OF_ONE_OR_SEVERAL = {
    "two uses": f"def @f(%x) {{ nn.relu(%x) }} {HEAD} (@f(%b), @f(%c)) }}",
    "two uses that depend on each other": f"def @f(%x) {{ nn.relu(%x) }} {HEAD} add(@f(%b), add(@f(%c), %k)) }}",
    "a use of a use": f"def @f(%x) {{ sum(%x, axis=[0]) }} {HEAD} (@f(%b), add(@f(%c), %b)) }}",
    "a let": f"{HEAD} let %f = fn (%x) {{ transpose(%x) }}; (add(%f(%b), %a), %f(%c)) }}",
}


@pytest.mark.parametrize("text", FUNCTIONS.values(), ids=FUNCTIONS)
def test_typings_are_those_that_inference_finds(text):
    """None were found: the function was taken to be of one type."""
    assert_all_are_found(text)


@pytest.mark.parametrize("text", OF_ONE_OR_SEVERAL.values(), ids=OF_ONE_OR_SEVERAL)
def test_with_a_type_for_each_use_typings_are_those_that_inference_finds(text):
    assert_all_are_found(text, polymorphic=True)


def assert_all_are_found(text, **how):
    found = typings(text.replace("[A", "[_").replace("[B", "[_"), project=names_in(text), **BOUNDS, **how)
    listed = [tuple(map(str, answer.bindings.values())) for answer in found]
    assert found.status == "exhausted" and len(listed) == len(set(listed))
    every = list(product(SHAPES, repeat=2))
    fitting = {pair for pair in every if is_typed(text.replace("[A", f"[{pair[0]}").replace("[B", f"[{pair[1]}"))}
    as_types = {tuple(str(relaylogic.text.parse_type(f"Tensor[{shape}, int8]")) for shape in pair) for pair in fitting}
    assert fitting and set(listed) == as_types


def is_typed(text):
    return relaylogic.infer(text).verdict != "refuted"


def names_in(text):
    return ["@main %b", "@main %c"] if "@f" in text else ["%b", "%c"]


def test_it_is_said_what_is_not_listed():
    text = FUNCTIONS["a function without annotations"].replace("[A", "[_").replace("[B", "[_")
    found = typings(text, **BOUNDS)
    assert found.names[:2] == ("@main %b", "@main %c") and "@f %x" not in found.names
    assert found.notes[0].startswith("@f is used at several types")
    assert count_typings(text, **BOUNDS) == len(list(found)) > 0
    assert next(typings(text, **BOUNDS)).annotated().splitlines()[1] == "def @f(%x /* ty=t1 */) {"


def test_what_stands_in_such_a_function_is_no_hole_to_speak_of():
    text = FUNCTIONS["a function without annotations"].replace("[A", "[_").replace("[B", "[_")
    with pytest.raises(relaylogic.RelayLogicError, match="%x"):
        typings(text, where="%x = Tensor[(2), int8]", **BOUNDS)


def test_a_function_that_may_be_of_one_type_is():
    text = "def @f(%x) { nn.relu(%x) } def @main(%a: Tensor[(_), int8], %b: Tensor[(2), int8]) { (@f(%a), @f(%b)) }"
    found = typings(text, **BOUNDS)
    assert "@f %x" in found.names
    assert [str(answer.bindings["@main %a"]) for answer in found] == ["Tensor[(2), int8]"]
    said = "@f is of one type in each typing; there may be more where it has one at each use: see --polymorphic"
    assert found.notes == [said]
    of_several = typings(text, polymorphic=True, **BOUNDS)
    assert [str(answer.bindings["@main %a"]) for answer in of_several] == ["Tensor[(1), int8]", "Tensor[(2), int8]"]
    assert count_typings(text, polymorphic=True, **BOUNDS) == 2
    with pytest.raises(relaylogic.RelayLogicError, match="%x"):
        typings(text, where="@f %x = Tensor[(2), int8]", polymorphic=True, **BOUNDS)


@pytest.mark.parametrize(
    ("body", "is_said"),
    [
        ("let %f = fn (%y) { nn.relu(%y) }; (%f(%x), %f(%x))", False),
        ("let %f = fn (%y) { nn.relu(%y) }; (%f(%x), %f(%w))", True),
        ("let %f = fn (%y) { nn.relu(%y) }; (%f(%w), %f)", True),
        ("let %f = fn (%y) { nn.relu(%y) }; %f(%w)", False),
    ],
)
def test_it_is_said_where_uses_of_a_function_may_be_of_several_types(body, is_said):
    """`(1), (2)` and `(2), (1)` were left out in silence."""
    found = typings(f"def @main(%x: Tensor[(2), int8], %w: Tensor[(_), int8]) {{ {body} }}", **BOUNDS)
    assert any("%f is of one type" in note for note in found.notes) == is_said


def test_none_within_what_is_asked_for_is_none_of_one_type():
    """A condition says what an annotation would say."""
    text = "def @f(%x) { nn.relu(%x) } def @main(%a: Tensor[(_), int8], %b: Tensor[(_), int8]) { (@f(%a), @f(%b)) }"
    one = list(typings(text, where="%a = Tensor[(2), int8]", **BOUNDS))
    assert [str(answer.bindings["@main %b"]) for answer in one] == ["Tensor[(2), int8]"]
    two = typings(text, where="%a = Tensor[(2), int8], %b = Tensor[(1), int8]", **BOUNDS)
    assert [str(answer.bindings["@main %b"]) for answer in two] == ["Tensor[(1), int8]"]
    assert "@f %x" not in two.names and len(two.notes) >= 1
    of_one = "%a = Tensor[(2), int8], %b = Tensor[(1), int8], %x = Tensor[(2), int8]"
    assert list(typings(text, where=of_one, **BOUNDS)) == []
    assert count_typings(text, where="%a = Tensor[(2), int8], %b = Tensor[(1), int8]", **BOUNDS) == 1


def test_a_program_that_is_refuted_has_none():
    text = "def @f(%x) { nn.relu(%x) } def @main(%a: Tensor[(2), int8], %b: Tensor[(3), int8]) { add(@f(%a), @f(%b)) }"
    assert list(typings(text, **BOUNDS)) == []
