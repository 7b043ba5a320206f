"""Variables that are given for attributes, beside other terms of a query or a clause."""

from __future__ import annotations

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import load_rules
from relaylogic.typings.query import query

SLICED = "strided_slice(Tensor[(5), int8], begin=[0], end=[n], strides=[1]) = Tensor[(4), int8]"
CAST = "cast(Tensor[(2), int8], dtype=D) = Y"
SPLIT = "split(Tensor[(6), int8], indices_or_sections=I) = (A, B)"
DENSE = "nn.dense(Tensor[(2, 2), int8], Tensor[(2, 2), int8], units=n) = _"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (f"{CAST}, D = float32", ["D = float32, Y = Tensor[(2), float32]"]),
        (f"D = float32, {CAST}", ["D = float32, Y = Tensor[(2), float32]"]),
        (f"{CAST}, D = E, E = bool", ["D = bool, Y = Tensor[(2), bool], E = bool"]),
        (f"{CAST}, (D = bool ; D = int16)", ["D = bool, Y = Tensor[(2), bool]", "D = int16, Y = Tensor[(2), int16]"]),
        (SLICED, ["n = 4", "n = -1"]),
        (f"{SLICED}, n = -1", ["n = -1"]),
        (f"{SLICED}, n != -1", ["n = 4"]),
        (f"{SLICED}, n != 4", ["n = -1"]),
        # That it may be a number does not say that it is one.
        (f"{DENSE}, n != 2", ["n = none"]),
        (f"{DENSE}, (n = 2 ; true), n != 2", ["n = none"]),
        (f"n != 2, (n = 3 ; n = none), {DENSE}", ["n = none"]),
        (f"{DENSE}, (n = m ; n = 5), n != 2", ["n = none, m = none"]),
        # What is calculated with, or is an extent, is a natural.
        (f"n >= 0, {SLICED}", ["n = 4"]),
        (f"{SLICED}, n < 4", []),
        (f"{SLICED}, m = n + 1", ["n = 4, m = 5"]),
        (f"{SLICED}, A = Tensor[(n), int8]", ["n = 4, A = Tensor[(4), int8]"]),
        (f"{SLICED}, shape(A) = (n, 2)", ["n = 4, A = Tensor[(4, 2), t]"]),
        (f"{SPLIT}, I != 2", ["I = [n], A = Tensor[(n), int8], B = Tensor[(m), int8]"]),
        (f"{SPLIT}, I = [n], A = Tensor[(2), int8]", ["I = [2], A = Tensor[(2), int8]"]),
        ("split(Tensor[(6), int8], indices_or_sections=[p]) = (Tensor[(2), t], B)", ["p = 2, t = int8, B = Tensor"]),
    ],
)
def test_the_answers(text: str, answers: list[str]) -> None:
    found = [str(answer) for answer in query(text)]
    assert len(found) == len(answers)
    assert all(answer.startswith(expected) for answer, expected in zip(found, answers, strict=True)), found


PADDED = """
    same: Padded(Tensor[(n), t], Tensor[(m), t]) :- attrs.mode = "same", m = n + 2 * attrs.width.
    mirrored: Padded(Tensor[(n), t], Tensor[(m), t]) :- attrs.mode = "mirror", attrs.width < n, m = n + 2 * attrs.width.
    operator padded(data; width: int = 1; mode: str[same|"mirror"] = "same") : Padded.
"""


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("padded(Tensor[(3), int8], mode=x) = A", ["same", "mirror"]),
        ("padded(Tensor[(3), int8], width=w, mode=x) = Tensor[(9), int8]", ["same"]),
        ("padded(A, mode=x) = Tensor[(3), int8]", ["same"]),
        ("padded(A, mode=x) = Tensor[(4), int8]", ["same", "mirror"]),
    ],
)
def test_a_text_that_is_open_ranges_over_what_is_declared(text: str, answers: list[str]) -> None:
    rules = load_rules()
    load_clauses(rules, PADDED)
    assert sorted(a.bindings["x"] for a in query(text, rules=rules)) == sorted(answers)


def test_a_default_is_what_the_attribute_accepts_of_it() -> None:
    """1 was no truth where it was a default, and one where it was given."""
    rules = load_rules()
    load_clauses(rules, "Kept(A, A) :- attrs.keep = true. operator kept(data; keep: bool = 1) : Kept.")
    assert [str(a) for a in query("kept(A) = int8", rules=rules)] == ["A = int8"]
    assert [str(a) for a in query("kept(A, keep=1) = int8", rules=rules)] == ["A = int8"]


def test_of_a_dtype_that_it_is_not_the_others_are_listed() -> None:
    found = [answer.bindings["D"] for answer in query(f"{CAST}, D != float32")]
    assert "float64" in found and "float32" not in found and len(found) == len(list(query(CAST))) - 1


@pytest.mark.parametrize("kind", ["int", "integer", "dim"])
@pytest.mark.parametrize("goal", ["n = s[attrs.i]", "s[attrs.i] = n", "i = attrs.i, n = s[i]"])
def test_an_index_that_is_asked_for(kind: str, goal: str) -> None:
    rules = load_rules()
    load_clauses(rules, f"R(Tensor[s, t], Tensor[(n), t]) :- {goal}. operator my.r(a; i: {kind} = 0) : R.")
    found = [str(answer) for answer in query("my.r(Tensor[(2, 3), int8], i=I) = B", rules=rules)]
    assert found == ["I = 0, B = Tensor[(2), int8]", "I = 1, B = Tensor[(3), int8]"]


def test_a_float_beside_an_attribute() -> None:
    rules = load_rules()
    load_clauses(rules, "R(A, A) :- attrs.f = 0.5. operator my.r(a; f: float = 0.0) : R.")
    assert [len(list(query(f"my.r(int8, f={f}) = B", rules=rules))) for f in ("0.5", "0.25")] == [1, 0]


@pytest.mark.parametrize(
    ("call", "result"),
    [("sum(A, axis=P)", "Tensor[(1), int8]"), ("reshape(A, newshape=P)", "Tensor[(2), int8]")],
)
@pytest.mark.parametrize("literal", ["[0]", "[-1]", "[2]", "[]", "[0, 1]", "(-1, 0)"])
def test_a_list_that_is_equal_to_an_attribute_is_no_shape(call, result, literal):
    """It may hold what no extent of the universe is, and be longer than a shape: wherever the equation stands, the
    answers are those of the attribute itself."""
    bounds = {"ground": True, "max_rank": 2, "min_dim": 1, "max_dim": 2, "dtypes": ["int8"], "max_attr": 2}
    written = call.replace("P", f"[{literal[1:-1]}]")
    expected = [answer.texts["A"] for answer in query(f"{written} = {result}", **bounds)]
    for equation in (f"P = {literal}", f"{literal} = P", f"P = Q, Q = {literal}"):
        for text in (f"{call} = {result}, {equation}", f"{equation}, {call} = {result}"):
            answers = list(query(text, **bounds))
            assert [answer.texts["A"] for answer in answers] == expected, text
            assert {answer.texts["P"] for answer in answers} <= {f"[{literal[1:-1]}]"}, text


def test_what_stands_in_two_lists_has_the_values_of_an_attribute_in_any_order():
    goals = ["P = [a]", "expand_dims(A, axis=a) = Tensor[(n, m), int8]"]
    bounds = {"ground": True, "max_rank": 2, "min_dim": 1, "max_dim": 1, "dtypes": ["int8"], "max_attr": 2}
    for order in (goals, goals[::-1]):
        assert [answer.bindings["a"] for answer in query(", ".join(order), **bounds)] == [0, 1]


@pytest.mark.parametrize("bracketed", ["[]", "[y]", "[y, z]", "[y, 0]", "[y | s]", "[0, y | s]"])
@pytest.mark.parametrize(
    "call",
    ["transpose(Tensor[(2, 1), int8], axes=x)", "reshape(Tensor[(2), int8], newshape=x)", "squeeze(A, axis=x)"],
)
def test_a_list_that_an_attribute_is_may_stand_in_parentheses_or_brackets(call: str, bracketed: str) -> None:
    """What an attribute is equal to is no tuple of types, whatever its elements are."""
    inner = bracketed[1:-1].replace(" | ", ", ...")
    parenthesised = f"({inner},)" if inner == "y" else f"({inner})"
    bounds = {"ground": True, "max_rank": 2, "min_dim": 1, "max_dim": 2, "dtypes": ["int8"], "max_attr": 2}
    asked = [f"{call} = Tensor[(2, 1), int8], x {sign} " for sign in ("=", "!=")]
    if "s" in inner or "y" in inner:
        asked = asked[:1]  # the others would have endlessly many answers
    for text in asked:
        found, expected = (
            sorted(str(answer.texts) for answer in query(f"{text}{literal}", **bounds))
            for literal in (parenthesised, bracketed)
        )
        assert found == expected, text


def test_lists_of_an_attribute_within_parentheses() -> None:
    (answer,) = query("nn.pad(Tensor[(2, 3), int8], B, pad_width=x) = C, x = ((0, 1), (y, z)), y = 1, z = 2")
    assert answer.texts["C"] == "Tensor[(3, 6), int8]"


def test_an_attribute_in_parentheses_was_taken_for_a_tuple_of_types() -> None:
    for literal in ("(y, z)", "[y, z]"):
        answers = [*map(str, query(f"transpose(Tensor[(2, 3), int8], axes=x) = C, x = {literal}, y = 1"))]
        assert answers == ["x = [1, 0], C = Tensor[(3, 2), int8], y = 1, z = 0"]
