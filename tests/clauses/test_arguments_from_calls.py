"""What arguments stand for whose own clauses leave it open: what they are called with, and what operators relate."""

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.clauses.syntax import ClauseError
from relaylogic.rulebase import RuleBase, load_rules
from relaylogic.typings.query import query

CALLS = "Op(Tensor[s, t], Tensor[s, u]) :- %s. operator op(data; to: dtype = float32) : Op. "
PAIRS = ["A = Tensor[s, int8], B = Tensor[s, int16]", "A = Tensor[s, int16], B = Tensor[s, int32]"]


def _rules(text: str) -> RuleBase:
    rules = load_rules()
    load_clauses(rules, text)
    return rules


@pytest.mark.parametrize(
    "clauses",
    [
        CALLS % "Next(t, u)" + "Next(int8, int16). Next(int16, int32).",
        CALLS % "Next(t, u)" + "Next(t, u) :- t = int8, u = int16 ; t = int16, u = int32.",
        CALLS % "Via(t, u)" + "Via(t, u) :- Next(t, u). Next(int8, int16). Next(int16, int32).",
        CALLS % "map(Next, [t], [u])" + "Next(int8, int16). Next(int16, int32). Known(t) :- is_integer(t), Next(t, u).",
        CALLS % "member((t, u), [(int8, int16), (int16, int32)])",
        CALLS % "member([t, u], [[int8, int16], [int16, int32]])",
        "Next(int8, int16). Next(int16, int32). " + CALLS % "Next(t, u)",
    ],
)
def test_a_table_of_dtypes_was_one_of_types_of_scalars_and_answers_were_lost(clauses):
    assert sorted(str(a) for a in query("op(A) = B", rules=_rules(clauses))) == sorted(PAIRS)


@pytest.mark.parametrize(
    "goals",
    [
        "Width(attrs.to, n)",
        "d = attrs.to, Width(d, n)",
        "d = attrs.to, (d = int8, n = 1 ; d = float32, n = 4)",
        "Of(n, attrs)",
    ],
)
def test_a_table_of_an_attribute_that_is_a_dtype(goals):
    clauses = (
        f"Op(Tensor[s, t], Tensor[[n | s], t]) :- {goals}. operator op(data; to: dtype = float32) : Op. "
        "Width(int8, 1). Width(float32, 4). relation Of(n, attrs). Of(n) :- d = attrs.to, Width(d, n)."
    )
    rules = _rules(clauses)
    assert [str(a) for a in query("op(bool) = A", rules=rules)] == ["A = Tensor[(4), bool]"]
    assert [str(a) for a in query("op(bool, to=t) = Tensor[(1), bool]", rules=rules)] == ["t = int8"]


def test_types_in_a_table_are_types_of_scalars():
    rules = _rules("Op(A, B) :- member((A, B), [(int8, int16), (int16, int32)]). operator op(data) : Op.")
    assert [str(a) for a in query("op(A) = int32", rules=rules)] == ["A = int16"]


def test_what_is_called_with_types_and_with_dtypes_is_of_neither():
    rules = _rules("Op(Tensor[s, t], A) :- Same(t, u), Same(A, Tensor[s, u]). Same(A, A). operator op(data) : Op.")
    assert [str(a) for a in query("op(A) = Tensor[(2), int8]", rules=rules)] == ["A = Tensor[(2), int8]"]


def test_a_table_of_scalars_takes_no_dtype():
    rules = _rules("Width(int8, 1). Width(float32, 4).")
    with pytest.raises(ClauseError, match="`t` stands for a type and for a dtype"):
        query("A = Tensor[(2), t], Width(t, n)", rules=rules)


@pytest.mark.parametrize("goal", ["(t, u) = (int8, int16)", "(t, u) = (u, t)"])
def test_a_tuple_of_dtypes_is_no_type(goal):
    with pytest.raises(ClauseError, match="`t` stands for a type and for a dtype"):
        load_clauses(load_rules(), CALLS % goal)


def test_fields_in_parentheses_were_taken_for_extents():
    """What an operator relates are types, so that these lists are of types, and those that hold pairs anyway."""
    rules = _rules("""
        Zip((...f,), ((...g,), (...h,))) :- Pairs(f, g, h).
        Pairs([], [], []).
        Pairs([(A, B) | f], [A | g], [B | h]) :- Pairs(f, g, h).
        operator zip(rows) : Zip.
    """)
    assert [str(a) for a in query("zip(A) = ((int8,), (int16,))", rules=rules)] == ["A = ((int8, int16),)"]
    assert [str(a) for a in query("zip(((int8, int16),)) = A", rules=rules)] == ["A = ((int8,), (int16,))"]
