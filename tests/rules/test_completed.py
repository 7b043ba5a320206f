"""Attributes of calls: completed the short way as the long way, and told apart by their keys."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest

from relaylogic.rulebase import AttributeProblem, Attrs, default_rules
from relaylogic.rulebase.attribute_keys import packed
from relaylogic.rulebase.given_attributes import known_and_open
from relaylogic.types import ANY
from tests.effort import some
from tests.together import together

VALUES: tuple[Any, ...] = (
    *(0, 1, -1, 2**70, True, False, 0.0, -0.0, 1.0, float("nan"), None, "", "int8", "float", "NCHW", "same", ANY),
    *((), (1,), (True,), (1, 2), (1.0,), ((1, 2), (0, 0)), (None, 1), (ANY, 2), ("a",), [1, 2], {"int64": 3}),
)


def completed(operator, given) -> Any:
    try:
        return operator.attrs(given)
    except AttributeProblem as problem:
        return problem.attribute, str(problem)


def at_length(operator, given) -> Any:
    try:
        known, unknown = known_and_open(operator.attributes, given)
    except AttributeProblem as problem:
        return problem.attribute, str(problem)
    assert not unknown
    return known


def test_attributes_are_completed_the_short_way_as_the_long_way():
    for operator in default_rules().operators.values():
        required = {name: (1, 1) for name, a in operator.attributes.items() if not a.may_be_omitted}
        for name, value in some(itertools.product([*operator.attributes, "unheard"], VALUES), 3):
            for given in ({name: value}, {**required, name: value}):
                found, expected = completed(operator, given), at_length(operator, given)
                assert found == expected and repr(found) == repr(expected), (operator, given)


@together("one, other", itertools.combinations(VALUES[:-2], 2))
def test_what_is_not_the_same_has_another_key(one, other):
    assert Attrs({"a": one}) != Attrs({"a": other})
    assert Attrs({"a": (0, one)}) != Attrs({"a": (0, other)})
    assert Attrs({"a": one, "b": other}) != Attrs({"a": other, "b": one})


@pytest.mark.parametrize("value", VALUES[:-2])
def test_what_is_the_same_has_one_key(value):
    again = (*value,) if type(value) is tuple else "".join(list(value)) if type(value) is str else value
    one, other = Attrs({"a": value, "b": 1}), Attrs({"a": again, "b": 1})
    assert one == other and hash(one) == hash(other)
    assert one != Attrs({"b": 1, "a": value})


def test_only_plain_data_is_packed():
    assert packed({}) == packed({}) is not None
    assert packed({"a": numpy.int64(1)}) is None and packed({"a": (numpy.float32(1),)}) is None
    assert packed({"a": ANY}) is None and packed({"a": ((1,),)}) is None
