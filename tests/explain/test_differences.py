"""How much two types differ: in how many parts, whether two of them are exchanged, whether one is of another form."""

from __future__ import annotations

import pytest

from relaylogic.explain.differences import are_exchanged, are_of_other_forms, denied, differences
from relaylogic.text import parse
from relaylogic.text.parser import parse_type


def parameters(text):
    """The types of the parameters of a function."""
    (function,) = parse(text).functions.values()
    return [parameter.type_annotation for parameter in function.params]


def test_a_type_parameter_is_one_part():
    one, other = parameters("def @f[A, B](%x: fn (A) -> B, %y: fn (A) -> A) { %x }")
    assert differences(one, other) == denied(one, other) == 1


@pytest.mark.parametrize(
    ("one", "other", "exchanged"),
    [
        ("Tensor[(2, 3), int8]", "Tensor[(3, 2), int8]", True),
        ("Tensor[(2, 3, 4), int8]", "Tensor[(4, 3, 2), int8]", True),
        ("(int8, Tensor[(2), int8])", "(Tensor[(2), int8], int8)", True),
        ("(int8, Tensor[(2, 3), int8])", "(int8, Tensor[(3, 2), int8])", True),
        ("Tensor[(2, 3), int8]", "Tensor[(3, 4), int8]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(3, 2), bool]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(2, 3), int8]", False),
        ("Tensor[(2, 3), int8]", "Tensor[(2), int8]", False),
        ("int8", "(int8, int8)", False),
    ],
)
def test_two_parts_are_exchanged(one, other, exchanged):
    assert are_exchanged(parse_type(one), parse_type(other)) == exchanged


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
