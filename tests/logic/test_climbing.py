"""Linear constraints that no numbers satisfy are refuted, also where their bounds would climb for ever."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.logic import Budget, Search, State, equals, fresh, lall, lto, maximum, plus, times
from tests.effort import examples

N, M = fresh(2)
NAMES = ("n", "m", "k")
HIGHEST = 12


@pytest.mark.parametrize(
    "query",
    [
        "n * 3 = max(n, 2)",
        "prod((n, 3)) = max(n, 2)",
        "2 * n = m + 1, 2 * m = n + 1, n >= 2",
        "n = 2 * m, m = 2 * k, k >= max(n, 1)",
        "max(n, 3) * 2 <= min(n, m), m <= n + 1000000000000000000000",
    ],
)
def test_bounds_that_climb_come_to_an_end(query):
    answers = relaylogic.query(query)
    assert (list(answers), answers.status) == ([], "exhausted")


@pytest.mark.parametrize("left, right", [(plus(N, 4), maximum(N, 2)), (plus(N, N), plus(M, M, 1))])
def test_bounds_that_one_constraint_moves_a_little_each_time_are_let_go(left, right):
    """Rounds are paid for; ten thousand of them take 2,500 steps, and 9,000 for being so many."""
    search = Search(Budget(10_000), gradual=False)
    assert len(list(equals(left, right)(State({}, None, search)))) <= 1
    assert search.budget.left > 9_900


def test_doubling_is_refuted_within_a_hundred_rounds():
    """`m = n + 1, n = 2 * m`: the solutions of so short equations have a few digits."""
    search = Search(Budget(10_000), gradual=False)
    assert not list(lall(equals(M, plus(N, 1)), equals(N, times(2, M)))(State({}, None, search)))
    assert search.budget.left > 9_960


@pytest.mark.parametrize(
    "query",
    [
        f"m = n + 1, n >= {10**60}",
        f"n >= {10**60}, m = n + 1",
        f"k = m, m = 2 * n + 1, n >= {10**90}, n <= {10**91}",
        f"max(n, {10**60}) <= m, m <= 2 * n, k = n - 1",
        f"n = {10**30} * k, k >= {10**30}, m = n // 2",
    ],
)
def test_bounds_that_start_high_have_not_climbed(query):
    """A comparison that is done is forgotten, and the bound that it leaves is no sign of a contradiction."""
    answers = relaylogic.query(query)
    assert (len(list(answers)), answers.status) == (1, "exhausted")


def test_bounds_that_creep_on_pay_for_each_round():
    """A circle that is too long to be looked at as one goes on for ten thousand rounds, which take as long as thousands
    of steps elsewhere; `n < m, m < n` is looked at as one after a hundred."""
    circle = fresh(70)
    for numbers, least, most in ((circle, 8_000, 12_000), (circle[:2], 20, 40)):
        search = Search(Budget(100_000), gradual=False)
        found = list(lall(*map(lto, numbers, (*numbers[1:], numbers[0])))(State({}, None, search)))
        assert least < 100_000 - search.budget.left < most and bool(found) is (len(numbers) > 2)


numbers = st.integers(0, 4)
atoms = st.sampled_from(NAMES) | numbers.map(str)
terms = st.one_of(
    atoms,
    st.tuples(numbers, atoms).map("{0[0]} * {0[1]}".format),
    st.tuples(atoms, atoms).map("({0[0]} + {0[1]})".format),
    st.tuples(st.sampled_from(["min", "max"]), atoms, atoms).map("{0[0]}({0[1]}, {0[2]})".format),
    st.tuples(atoms, st.integers(2, 4)).map("({0[0]} // {0[1]})".format),
)
comparisons = st.tuples(terms, st.sampled_from(["=", "<=", "<"]), terms).map(" ".join)


@settings(max_examples=examples(120))
@given(st.lists(comparisons, min_size=1, max_size=4))
def test_what_is_refuted_has_no_solution(conjunction):
    answers = relaylogic.query(", ".join(conjunction), limit=3)
    if list(answers) or answers.status != "exhausted":
        return
    test = " and ".join(conjunction).replace(" = ", " == ")
    for values in product(range(HIGHEST), repeat=len(NAMES)):
        scope = dict(zip(NAMES, values, strict=True), min=min, max=max)
        assert not eval(test, {"__builtins__": {}}, scope), (conjunction, values)


tall = st.integers(0, 4) | st.integers(0, 10**20) | st.integers(10**60, 10**61) | st.integers(10**150, 10**151)
small_terms = terms.filter(lambda term: not term.isdecimal())


@settings(max_examples=examples(400))
@given(st.tuples(tall, tall, tall), st.lists(st.tuples(small_terms, small_terms, st.booleans()), min_size=1), st.data())
def test_what_has_a_solution_is_not_refuted(values, pairs, data):
    """Comparisons of all lengths that hold of some numbers, in any order: these numbers are consistent with them."""
    scope = dict(zip(NAMES, values, strict=True), min=min, max=max)
    goals = []
    for left, right, equal in pairs:
        gap = eval(f"({left}) - ({right})", {"__builtins__": {}}, scope)
        left, right, gap = (left, right, gap) if gap >= 0 else (right, left, -gap)
        goals.append(f"{left} = {right} + {gap}" if equal else f"{right} <= {left}")
    goals += [f"{name} {data.draw(st.sampled_from(['>=', '<=']))} {scope[name]}" for name in NAMES]
    conjunction = ", ".join(data.draw(st.permutations(goals)))
    answers = relaylogic.query(conjunction, limit=3)
    assert list(answers) or answers.status != "exhausted", (conjunction, values)
