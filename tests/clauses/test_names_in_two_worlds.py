"""`sum`, `prod`, `min`, `max` are words of arithmetic and operators: what they are given says which is meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.nodes import ClauseError
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query
from tests.effort import examples

RULES = load_rules()


def found(text, rules=RULES):
    return [str(answer) for answer in query(text, rules=rules)]


shapes = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@settings(max_examples=examples(60))
@given(st.sampled_from(["sum", "prod", "min", "max"]), shapes, st.data())
def test_operators_win_where_types_or_attributes_are_given(name, shape, data):
    axis = data.draw(st.integers(0, len(shape) - 1))
    type_ = f"Tensor[[{', '.join(map(str, shape))}], int8]"
    left = tuple(n for i, n in enumerate(shape) if i != axis)
    result = f"Tensor[({', '.join(map(str, left))}), int8]" if left else "int8"
    assert found(f"{name}({type_}, axis=[{axis}]) = T") == [f"T = {result}"]
    assert found(f"T = {name}({type_}, axis=[{axis}])") == [f"T = {result}"]
    assert found(f"A = {type_}, {name}(A, axis=[{axis}]) = T, Identity(T, U)")[0].endswith(f"U = {result}")
    # Without attributes it is a type that says so: of the argument, wherever that is learned, or of the result.
    assert found(f"{name}({type_}) = T") == ["T = int8"]
    assert found(f"{name}(A) = T, Identity(A, {type_})")[0].endswith("T = int8")
    assert found(f"{name}(A) = T, A = {type_}")[0].endswith("T = int8")
    assert found(f"nn.relu({name}({type_})) = T") == ["T = int8"]


@settings(max_examples=examples(60))
@given(shapes, st.integers(0, 9), st.integers(0, 9))
def test_arithmetic_is_what_it_was(shape, n, m):
    listed = f"[{', '.join(map(str, shape))}]"
    product = 1
    for extent in shape:
        product *= extent
    assert found(f"sum({listed}) = k") == [f"k = {sum(shape)}"]
    assert found(f"prod(s) = k, Tensor[s, int8] = Tensor[{listed}, int8]")[0].endswith(f"k = {product}")
    assert found(f"k = max({n}, {m}) + min({n}, {m})") == [f"k = {n + m}"]


def test_rules_may_apply_operators_of_these_names():
    rules = load_rules()
    load_clauses(rules, "Mean(A, T) :- sum(A, axis=[0]) = T.\nSize(A, n) :- A = Tensor[s, _], n = prod(s).")
    assert found("Mean(Tensor[(2, 3), int8], T)", rules) == ["T = Tensor[(3), int8]"]
    assert found("Size(Tensor[(2, 3), int8], n)", rules) == ["n = 6"]


@pytest.mark.parametrize(
    ("text", "said", "help_"),
    [
        ("sum(A, B) = n", "`sum` takes 1 argument, not 2", "arithmetic is meant here, `sum(shape)`; the operator"),
        ("max(n) = 3", "`max` takes 2 arguments, not 1", "max(data, axis=...) = result"),
        ("sum(A, axis=[0]) + 1 = n", "`sum` is the operator here", "arithmetic is written `sum(shape)`"),
        ("min(A, axis=[0]) < 3", "`min` is the operator here", "arithmetic is written `min(n, m)`"),
        ("max(Tensor[(2), int8], B) = T", "`max` takes 1 argument (data), not 2", "arithmetic is written `max(n, m)`"),
        ("prod(s, axs=[0]) = T", "axs", ""),
    ],
)
def test_messages_say_which_was_meant(text, said, help_):
    with pytest.raises(ClauseError) as refused:
        query(text, rules=RULES)
    assert said in str(refused.value) and help_ in str(refused.value)


def test_shapes_and_elements_of_types():
    assert found("shape(Tensor[(2, 3), int8]) = s, elements(Tensor[s, bool]) = n") == ["s = (2, 3), n = 6"]
    assert found("Identity(A, Tensor[(2, 3), int8]), A[1] = n, A[:1] = s")[0].endswith("n = 3, s = (2,)")
    assert found("shape(A) = (2,), elements(A) = 3") == []


def test_deep_nesting_is_told_apart_in_little_time():
    depth = 120
    numbers = query("max(" * depth + "n" + ", 2)" * depth + " = 3", rules=RULES, limit=1)
    types = query("max(" * 70 + "A" + ", axis=[0])" * 70 + " = T", rules=RULES, limit=1)
    assert str(next(numbers)) == "n = 3"
    assert str(next(types)).startswith("A = Tensor[(n, m, k, ")
