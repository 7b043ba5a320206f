"""The calls of a result are made when they are asked for, and are as good as a list of them."""

from __future__ import annotations

import copy
import pickle

import pytest

import relaylogic
from relaylogic.infer.results.result import CallType

TEXT = """def @f(%x: Tensor[(2, 3), float32]) { add(nn.relu(%x), nn.relu(%x)) }
def @g() { 1f }
def @main(%x: Tensor[(2, 3), float32]) { @f(nn.batch_flatten(%x)) }"""


@pytest.fixture
def calls():
    return relaylogic.infer(relaylogic.parse(TEXT)).calls


def test_each_call_of_each_function_is_there_once_in_post_order(calls):
    assert [(c.function, c.callee, c.span.text) for c in calls] == [
        ("f", "nn.relu", "nn.relu(%x)"),
        ("f", "nn.relu", "nn.relu(%x)"),
        ("f", "add", "add(nn.relu(%x), nn.relu(%x))"),
        ("main", "nn.batch_flatten", "nn.batch_flatten(%x)"),
        ("main", "@f", "@f(nn.batch_flatten(%x))"),
    ]
    assert {str(c.type) for c in calls} == {"Tensor[(2, 3), float32]"}


def test_they_are_a_sequence_that_equals_a_list(calls):
    listed = list(calls)
    assert len(calls) == len(listed) == 5 and all(type(call) is CallType for call in calls)
    assert calls == listed and listed == calls and calls != listed[1:] and calls != 5
    for index in range(-5, 5):
        assert calls[index] == listed[index]
    assert calls[1:-1] == listed[1:-1] and calls[::-2] == listed[::-2]
    for index in (5, -6):
        with pytest.raises(IndexError):
            calls[index]
    assert pickle.loads(pickle.dumps(calls)) == listed == copy.copy(calls) and repr(calls) == repr(listed)
    assert listed[2] in calls and calls.index(listed[3]) == 3 and list(reversed(calls)) == listed[::-1]


def test_what_is_put_into_the_module_later_does_not_change_them(calls):
    module = relaylogic.parse(TEXT)
    found = relaylogic.infer(module)
    listed = list(found.calls)
    module["main"] = module["g"]
    assert found.calls == listed == list(pickle.loads(pickle.dumps(found)).calls)
