"""The order of goals does not matter, also where numbers turn out to be `?` after they were compared.

Random small conjunctions of comparisons, equations, tests for `?` and numbers that are `?`, in every order: the answers
are the same, with what is left to say. That they are right is checked against the reference engine.
"""

from __future__ import annotations

from itertools import permutations

import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_against_reference import engine_goal, engine_value, reference_value
from unification import var

from relaylogic.logic import eq, lall
from relaylogic.logic.search.search import search
from relaylogic.logic.terms.terms import Slot
from tests.effort import examples

NAMES = ("n", "m", "k")
N, M, K = (("var", name) for name in NAMES)
FAR = 1_000
"""No bound of what is found here is greater, unless bounds crept until they were left alone."""

variables = st.sampled_from([N, M, K])
numbers = st.one_of(variables, variables, st.integers(0, 3))
expressions = st.recursive(
    numbers,
    lambda inner: st.tuples(st.sampled_from(["+", "+", "*", "*", "-", "//", "%", "min", "max"]), inner, inner),
    max_leaves=4,
)


def word(*words):
    return st.sampled_from(words)


goals = st.one_of(
    st.tuples(word("<=", "<"), expressions, expressions),
    st.tuples(word("="), expressions, expressions),
    st.tuples(word("="), expressions, st.just("?")),
    st.tuples(word("!=", "differ"), numbers, numbers),
    st.tuples(word("known", "unknown"), variables),
    st.tuples(word("agree"), numbers, numbers),
    st.tuples(word("widest", "sharpest"), numbers, numbers, numbers),
    st.tuples(word("eq"), variables, st.one_of(st.just("?"), numbers)),
    st.tuples(word("eq"), variables, st.just("?")),
)


def solve(conjunction, **values):
    """What the engine finds for the numbers, some of which are known from the start."""
    env = {name: var() for name in NAMES}
    pinned = [eq(env[name], engine_value(value)) for name, value in values.items()]
    goal = lall(*pinned, *(engine_goal(part, env) for part in conjunction))
    return search([("", goal)], tuple(env.values()), steps=50_000)


def said(solution):
    """The answers, each with what is left to say."""
    return {(answer.terms, frozenset(answer.residue)) for answer in solution.answers}


def crept(solution):
    """Whether bounds were left alone on their way to nowhere."""
    sides = [side for answer in solution.answers for c in answer.residue for side in c.args[1:] if type(side) is int]
    return any(side > FAR for side in sides)


@settings(max_examples=examples(250))
@given(st.lists(goals, min_size=2, max_size=4))
def test_every_order_gives_the_same_answers(conjunction):
    found = [solve(order) for order in permutations(conjunction)]
    assume(not any(map(crept, found)))
    assert all(solution.exhausted for solution in found)
    assert all(said(solution) == said(found[0]) for solution in found)


@pytest.mark.parametrize(
    "conjunction",
    [
        [("!=", N, M), ("<=", N, M), ("<", N, N)],
        [("!=", N, M), ("<", N, M), ("<", M, N)],
        [("!=", N, M), ("<=", N, M), ("<", M, N), ("!=", M, N)],
        [("=", N, N), ("<=", N, ("*", N, ("+", N, N))), ("<", N, ("//", N, M))],
    ],
)
def test_bounds_that_creep_are_refuted_whatever_runs_last(conjunction):
    """What ran when they were given up was the disequality, about which no sum says anything; or what was done already,
    and was woken still."""
    for order in permutations(conjunction):
        assert not solve(order).answers, order


@pytest.mark.parametrize(
    "conjunction",
    [
        [("<", 8, K), ("=", ("min", K, N), ("//", 8, M))],
        [("<", 8, K), ("=", ("min", ("max", 2, K), N), ("//", 8, N))],
    ],
)
def test_what_an_equation_has_narrowed_itself_makes_it_shorter(conjunction):
    """It had narrowed the numbers of a minimum so far that one of them is left, and did not look again."""
    forth, back = (said(solve(order)) for order in permutations(conjunction))
    assert forth == back
    assert all("min" not in str(constraint) for _, residue in forth for constraint in residue)


@settings(max_examples=examples(400))
@given(st.lists(goals, min_size=1, max_size=3), st.tuples(*[st.sampled_from([0, 1, 2, 3, "?"])] * 3), st.randoms())
def test_numbers_may_become_known_at_any_time(conjunction, values, random):
    """The conjunction holds of the values wherever among its goals these become known."""
    pins = [("eq", ("var", name), value) for name, value in zip(NAMES, values)]
    shuffled = random.sample([*conjunction, *pins], len(conjunction) + len(pins))
    holds = all(reference.holds(goal, dict(zip(NAMES, values))) for goal in conjunction)
    assert bool(solve(shuffled).answers) == holds, shuffled


def test_what_is_divided_by_zero_compares_with_nothing_whenever_it_is_known_to_be():
    """It was at most `?` where that was known first."""
    conjunction = [("<=", ("var", "n"), ("//", ("var", "m"), ("var", "m"))), ("eq", ("var", "n"), "?")]
    for order in permutations([*conjunction, ("eq", ("var", "m"), 0)]):
        assert not solve(order).answers, order
    for order in permutations([*conjunction, ("eq", ("var", "m"), 2)]):
        assert solve(order).answers, order


@settings(max_examples=examples(300))
@given(st.lists(goals, min_size=2, max_size=3))
def test_what_is_unknown_follows_and_what_is_open_is_an_integer(conjunction):
    """An answer's numbers that are `?` are so in all that holds; its open numbers stand for integers that it allows."""
    found = solve(conjunction)
    assume(not crept(found))
    universe = (0, 1, 2, 3)
    for answer in found.answers:
        choices = [universe if type(term) is Slot else (reference_value(term),) for term in answer.terms]
        for values in [(n, m, k) for n in choices[0] for m in choices[1] for k in choices[2]]:
            holds = all(reference.holds(goal, dict(zip(NAMES, values))) for goal in conjunction)
            kept = solve(conjunction, **dict(zip(NAMES, values))).answers
            assert bool(kept) == holds, (conjunction, values)
    # Without `?`, nothing is missed.
    if not found.answers:
        for values in [(n, m, k) for n in universe for m in universe for k in universe]:
            assert not all(reference.holds(goal, dict(zip(NAMES, values))) for goal in conjunction), (
                conjunction,
                values,
            )


@pytest.mark.parametrize(
    ("conjunction", "values"),
    [
        ([("<=", N, 0), ("eq", N, "?")], {"n": "?"}),
        ([("<=", N, 0), ("<=", 1, N), ("eq", N, "?")], {"n": "?"}),
        ([("<=", ("+", N, M), 0), ("eq", N, "?"), ("eq", M, 7)], {"n": "?", "m": 7}),
        ([("=", N, ("+", N, 1)), ("eq", N, "?")], {"n": "?"}),
        ([("=", ("-", ("+", N, M), M), K), ("eq", M, "?"), ("eq", N, 2)], {"n": 2, "m": "?", "k": "?"}),
        ([("!=", N, 0), ("<=", N, 1), ("!=", N, 1), ("eq", N, "?")], {"n": "?"}),
        ([("=", ("+", N, N), "?")], {"n": "?"}),
        ([("<=", M, N), ("<=", N, 0)], {"n": 0, "m": 0}),
    ],
)
def test_what_is_said_for_integers_is_said_at_the_end(conjunction, values):
    for order in permutations(conjunction):
        (answer,) = solve(order).answers
        known = dict(zip(NAMES, map(reference_value, answer.terms)))
        assert {name: known[name] for name in values} == values


def test_nothing_times_a_number_that_turns_out_to_be_unknown_is_unknown():
    for order in permutations([("=", ("*", N, 0), 0), ("eq", N, "?")]):
        assert not solve(order).answers
