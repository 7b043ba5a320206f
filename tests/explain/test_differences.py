"""How much two types differ: in how many parts, whether these are in another order, whether one is of another form."""

from __future__ import annotations

import random

import pytest

from relaylogic.explain.refusals.differences import are_of_other_forms, are_reordered, denied, differences
from relaylogic.logic.terms.variables import fresh
from relaylogic.text import parse
from relaylogic.text.parser import parse_type
from relaylogic.types import TensorType


def parameters(text):
    """The types of the parameters of a function."""
    (function,) = parse(text).functions.values()
    return [parameter.type_annotation for parameter in function.params]


def test_a_type_parameter_is_one_part():
    one, other = parameters("def @f[A, B](%x: fn (A) -> B, %y: fn (A) -> A) { %x }")
    assert differences(one, other) == denied(one, other) == 1


@pytest.mark.parametrize("seed", range(30))
def test_what_is_left_out_of_a_shape_is_all_that_differs(seed):
    """An axis that was missing at the front counted as one part, and each extent behind it as another."""
    draw = random.Random(seed)
    shape = tuple(draw.randint(1, 3) for _ in range(draw.randint(1, 6)))
    start, end = sorted((draw.randint(0, len(shape)), draw.randint(0, len(shape))))
    one, other = TensorType(shape, "int8"), TensorType(shape[:start] + shape[end:], "int8")
    assert differences(one, other) == differences(other, one) == end - start


@pytest.mark.parametrize(
    ("one", "other"),
    [("Tree", "Option[Tree]"), ("Option[Tree]", "List[Tree]"), ("Option[int8]", "List[Tensor[(2, 3), float32]]")],
)
def test_another_data_type_is_one_part(one, other):
    types = "type Tree { Leaf }\ntype Option[A] { Some(A), None }\ntype List[A] { Cons(A, List[A]), Nil }\n"
    left, right = parameters(f"{types}def @f(%x: {one}, %y: {other}) {{ %x }}")
    assert differences(left, right) == denied(left, right) == 1


@pytest.mark.parametrize(
    ("one", "other", "reordered"),
    [
        ("Tensor[(2, 3), int8]", "Tensor[(3, 2), int8]", True),
        ("Tensor[(2, 3, 4), int8]", "Tensor[(4, 3, 2), int8]", True),
        ("(int8, Tensor[(2), int8])", "(Tensor[(2), int8], int8)", True),
        ("(int8, Tensor[(2, 3), int8])", "(int8, Tensor[(3, 2), int8])", True),
        ("Tensor[(8, 3, 5, 5), int8]", "Tensor[(5, 5, 3, 8), int8]", True),
        ("Tensor[(2, 2, 3), int8]", "Tensor[(3, 3, 2), int8]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(3, 4), int8]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(3, 2), bool]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(2, 3), int8]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(2), int8]", False),
        ("Tensor[(?, 3, 4), int8]", "Tensor[(?, 4, 3), int8]", True),
        ("Tensor[(?, 3, 4), int8]", "Tensor[(3, ?, 4), int8]", False),
        ("int8", "(int8, int8)", False),
    ],
)
def test_parts_are_in_another_order(one, other, reordered):
    assert are_reordered(parse_type(one), parse_type(other)) == reordered


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("(int8, Tensor[(2), int8])", "(int8, (bool, bool))", True),
        ("(int8, Tensor[(2), int8])", "(int8, Tensor[(3, 4), bool])", False),
        ("(int8, Tensor[(2), int8])", "(int8, _)", False),
    ],
)
def test_somewhere_stands_a_type_of_another_form(one, other, expected):
    assert are_of_other_forms(parse_type(one), parse_type(other)) == expected


def test_what_is_open_in_another_rank_does_not_differ():
    one, (open_extent, open_extents) = TensorType((16, 2), "int8"), fresh(2)
    assert differences(one, TensorType((open_extent,), "int8")) == 1
    assert differences(one, TensorType((open_extent,), "int8"), strict=True) == 2
    assert differences(one, TensorType((open_extent, open_extents, 3), "int8")) == 1
