"""What is known of a remainder bounds what is divided, and what is divided by."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.logic import Budget, Search, State, equals, floordiv, fresh, lall, leo, mod, plus
from relaylogic.logic.circuits.branching import counted, solve_goal
from relaylogic.logic.search.profiles import asked_about
from relaylogic.logic.terms.numbers import difference
from relaylogic.logic.terms.terms import walk
from relaylogic.rulebase import load_rules
from relaylogic.types.universe import Universe
from relaylogic.typings.query import query
from tests.effort import examples

HIGHEST = 40
SMALL = st.integers(0, HIGHEST)
RULES = load_rules()


@settings(max_examples=examples(600))
@given(st.integers(1, 9), st.tuples(SMALL, SMALL), st.tuples(st.integers(0, 9), st.integers(0, 9)))
def test_the_ends_of_what_is_divided_leave_what_is_demanded(divisor, ends, left):
    """By a known number: the bounds are those of the numbers that are left by brute force."""
    n, k = fresh(2)
    (low, high), (least, most) = sorted(ends), sorted(left)
    found = [x for x in range(low, high + 1) if least <= x % divisor <= most]
    stated = (leo(low, n), leo(n, high), leo(least, k), leo(k, most), equals(mod(n, divisor), k))
    states = list(lall(*stated)(State({}, None, Search(Budget(10_000), gradual=False))))
    if not found:
        assert not states
        return
    (state,) = states
    end = walk(n, state.bindings)
    assert ((end, end) if type(end) is int else state.store.bounds[end]) == (min(found), max(found))


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("n % 4 = 0, n >= 12, n <= 15", ["n = 12"]),
        ("n // 4 = 3, n % 4 = 2", ["n = 14"]),
        ("n % m = 0, m = 4, 11 < n, n < 16", ["n = 12, m = 4"]),
        ("(n + 1) % 4 = 0, n <= 3", ["n = 3"]),
        ("n % 3 = 1, n % 5 = 3, n % 7 = 2, n < 105", ["n = 58"]),
        ("n % 4 = 1, n % 6 = 2", []),
        ("n % m = 3", ["n % m = 3, n >= 3, m >= 4"]),
        ("n % m = 3, m < 4", []),
        ("n % m = 3, n < 3", []),
        ("(n - m) % 4 = 2, n <= 2", ["(n - m) % 4 = 2, n <= 2"]),
    ],
)
def test_remainders_are_solved(asked, answers):
    found = query(asked)
    assert (list(map(str, found)), found.status) == (answers, "exhausted")


@settings(max_examples=examples(150))
@given(
    st.lists(
        st.tuples(st.sampled_from(["n", "m", "n + m", "n * m"]), st.sampled_from(["2", "3", "5", "m"]), SMALL),
        min_size=1,
        max_size=3,
    )
)
def test_listed_are_those_that_leave_these_remainders(parts):
    """Of several divisions: whatever numbers up to 12 leave the remainders, they are listed, once, and no others."""
    parts = [(left, right, value % 5) for left, right, value in parts]
    found = query(", ".join(f"({a}) % {b} = {r}" for a, b, r in parts) + ", n <= 12, m <= 12", ground=True, limit=None)
    listed = [(answer.bindings["n"], answer.bindings["m"]) for answer in found]

    def holds(n, m):
        known = {"n": n, "m": m}
        return all((b != "m" or m) and eval(a, known) % eval(b, known) == r for a, b, r in parts)

    assert found.status == "exhausted" and len(listed) == len(set(listed))
    assert set(listed) == {(n, m) for n, m in product(range(13), repeat=2) if holds(n, m)}


@settings(max_examples=examples(200))
@given(st.sampled_from([floordiv, mod]), st.integers(-6, 6), st.integers(-3, 3))
def test_what_is_not_asked_for_may_divide_whatever_its_sign(divide, dividend, shift):
    """The n of which there is a k: whether there is one was left over where a divisor may be negative."""
    n, k = fresh(2)
    goal = lall(leo(n, 4), leo(k, 4), equals(divide(plus(k, dividend), difference(k, n)), difference(k, shift)))
    found = counted(solve_goal(goal, {n: "number"}, Universe(ground=True), asked_about(goal, RULES)))
    by = {floordiv: lambda a, b: a // b, mod: lambda a, b: a % b}[divide]
    numbers = range(5)
    assert found == sum(any(b != a and by(b + dividend, b - a) == b - shift for b in numbers) for a in numbers)
