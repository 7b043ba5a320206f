"""What nobody asks for must merely exist: whichever way there is, it is found in whichever order ways are written."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.logic.control import StepLimit
from relaylogic.rulebase import RuleBase, default_rules, load_rules
from relaylogic.types import is_float, is_integer
from relaylogic.types.universe import DTYPES
from relaylogic.typings.query import count_query
from tests.counted import at_most
from tests.effort import examples, some

BODIES = [
    "is_float(t)",
    "is_integer(t)",
    "is_float(t), is_integer(t)",
    "is_float(t), is_integer(u)",
    "A = Tensor[s, t], is_float(t)",
    "A = Tensor[s, t], is_float(u)",
    "A = Tensor[(n), t], n * m * k = j + 1, is_float(u), is_integer(u)",
    "Broadcast(A, B, C)",
    "A = Tensor[(n), int8], is_unusual(t)",
    "n = n",
]
UNIVERSE = {"max_rank": 1, "max_dim": 2, "dtypes": ("int8", "float32"), "ground": True}


def said(clauses: list[str]) -> tuple[list[str], list[str], str]:
    """What a relation of these clauses answers, and what one answers that only says whether that has an answer."""
    rules = RuleBase()
    rules.relations.update(default_rules().relations)
    load_clauses(rules, "\n".join([*clauses, "is_unusual(t) :- is_float(t).", "Some(A) :- Mine(B)."]))
    asked = sorted(map(str, relaylogic.query("Mine(A)", rules=rules, **UNIVERSE)))
    found = relaylogic.query("Some(A)", rules=rules)
    return asked, sorted(map(str, found)), found.status


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from(BODIES), min_size=2, max_size=3, unique=True))
def test_the_order_of_ways_does_not_matter(bodies: list[str]) -> None:
    outcomes = [said([f"Mine(A) :- {body}." for body in ordered]) for ordered in permutations(bodies)]
    assert all(outcome == outcomes[0] for outcome in outcomes), outcomes


@pytest.mark.parametrize("text", ["is_float(t)", "is_integer(t)", "is_float(t), is_integer(u), is_integer(u)"])
def test_some_dtype_is_of_that_kind(text: str) -> None:
    assert said([f"Mine(A) :- {text}."])[1:] == (["true"], "exhausted")


def test_what_no_dtype_is_does_not_hold() -> None:
    assert not any(is_float(dtype) and is_integer(dtype) for dtype in DTYPES)
    assert said(["Mine(A) :- is_float(t), is_integer(t)."])[1] == []


CUBES = "n * n * n + m * m * m = k * k * k, n >= 1, m >= 1"
"""No numbers satisfy this (Fermat), which is not found out."""


def test_what_may_exist_is_stated() -> None:
    (condition,) = said([f"Mine(A) :- {CUBES}."])[1]
    assert " * " in condition


def test_a_way_without_conditions_is_found_behind_one_with_some() -> None:
    open_way = f"Mine(A) :- {CUBES}."
    for clauses in ([open_way, "Mine(A)."], ["Mine(A).", open_way]):
        assert said(clauses)[1] == ["true"]


def test_looking_on_for_a_way_without_conditions_ends() -> None:
    """The first way has a condition; that there is no other is never found out."""
    (condition,) = said([f"Mine(A) :- {CUBES}.", "Mine(A) :- Mine((A, A))."])[1]
    assert " * " in condition


@pytest.mark.parametrize("bound", ["max_rank", "max_arity", "max_dim", "tuples", "functions", "nesting"])
def test_bounds_beyond_all_machines(bound: str) -> None:
    """The values that they allow were all made before the first was tried."""
    bounds = {"max_rank": 1, "max_dim": 2, "dtypes": ("int8",), bound: 10**400}
    found = relaylogic.query("A = (B, C)", limit=2, ground=True, **bounds)
    assert len(list(found)) == 2 and found.status == "answer limit"


def test_so_many_extents_as_no_machine_lists_are_counted() -> None:
    assert count_query("A = Tensor[(n), int8]", max_dim=10**30, ground=True) == 10**30


def test_long_lists_pay_for_their_length() -> None:
    with at_most(1_000_000), pytest.raises(StepLimit):
        count_query("A = A", max_rank=10**30, max_dim=2, dtypes=["int8"], ground=True, steps=3_000)


@pytest.mark.parametrize(
    ("premises", "answers"),
    [
        ("s[:-1] = s", []),
        ("append([n, n | s], s, s)", []),
        ("append(s, [n | s], s)", []),
        ("append(s, u, s), member(1, u)", []),
        ("append(s, s, [n, 1 | s])", ["true"]),
        ("append(s, s, [n, 1 | s]), s[:-1] = s", []),
        ("append(s, s, [n, 1 | s]), prod(s) != n", []),
    ],
)
def test_lists_that_are_no_longer_are_not_looked_for(premises: str, answers: list[str]) -> None:
    """Lengths of lists that nobody asks for were counted up until the steps were used up."""
    rules = load_rules()
    load_clauses(rules, f"Some(k) :- {premises}, k = 1.")
    for text, bounds in (("Some(1)", {}), ("Some(1)", UNIVERSE)):
        found = relaylogic.query(text, rules=rules, **bounds)
        assert (list(map(str, found)), found.status) == (answers, "exhausted")


def test_lists_that_are_multiplied_within_a_number_are_looked_for() -> None:
    """The answers were `n = 0, 2 * prod(m) = 0` and `n = 2, 2 * prod(m) = 2`."""
    rules = load_rules()
    load_clauses(rules, "Twice(n) :- append([2], u, s), prod(s) = n.")
    found = relaylogic.query("Twice(n), n <= 3", rules=rules, **UNIVERSE)
    assert (list(map(str, found)), found.status) == (["n = 0", "n = 2"], "exhausted")


SIDES = ["m", "n", "2", "m * n", "m + n", "m * n + n", "m * m", "n * n + 1", "m * n * n", "max(m, n)", "m // 2"]
SIDES += ["m * k", "n * k + 1", "m * n - k"]


@pytest.mark.parametrize("word", ["<=", "<", "=", "!="])
def test_a_number_that_nobody_sees_is_chosen_for_all_of_a_comparison(word: str) -> None:
    """`m * n + n <= m` was left out as what holds of a great m: there is none unless n is 0."""
    rules = load_rules()
    for number, (left, right) in enumerate(some(list(product(SIDES, SIDES)), 6)):
        load_clauses(rules, f"Some{number}(n) :- {left} {word} {right}.")
        answers = [str(answer) for answer in relaylogic.query(f"Some{number}(n), n <= 9", rules=rules)]
        holds_for = eval(f"lambda n, m, k: {left} {'==' if word == '=' else word} {right}")
        for n in range(5):
            holds = any(holds_for(n, m, k) for m in range(40) for k in range(20))
            found = [list(relaylogic.query(f"{answer}, n = {n}")) for answer in answers]
            assert any(found) == holds, (left, word, right, n, answers)


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("m * n <= m", "true"),
        ("m * n <= m * m + 3", "true"),
        ("m <= 3, m * n <= m", "true"),
        ("n <= m * k", "true"),
        ("n <= m * (k + 1)", "true"),
        ("n - m <= 2", "true"),
        ("m - n <= 2", "true"),
        ("m * n + 1 <= m", "m * n < m, m >= 1"),
        ("m * n <= m, m >= 1", "m * n <= m, m >= 1"),
        ("n <= m * k, m <= 3", "true"),
        ("n <= m * k, m <= 3, k <= 3", "n <= m * k, n <= 9, m <= 3, k <= 3"),
    ],
)
def test_a_condition_that_a_number_can_be_chosen_for_is_left_out(condition: str, left: str) -> None:
    """Where that stood on both sides, or was multiplied by what is 1 at least, the condition stayed."""
    rules = load_rules()
    load_clauses(rules, f"Some(n) :- {condition}.")
    assert list(map(str, relaylogic.query("Some(n)", rules=rules))) == [left]
