"""What the lengths of open lists demand of each other, against all small lengths."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from relaylogic.logic import appendo, fresh, lall, succeed, unroll
from relaylogic.logic.constraints.together import refuted_together
from relaylogic.logic.control import Search
from relaylogic.logic.states.state import State
from relaylogic.logic.terms.terms import cons
from tests.counted import at_most
from tests.effort import examples

LONGEST = 6
ENDS = 3
lists = st.tuples(st.integers(0, 2), st.integers(0, ENDS - 1))  # how much stands before which open end
appended = st.lists(st.tuples(lists, lists, lists), min_size=1, max_size=3)


@settings(max_examples=examples(150))
@given(appended)
def test_lengths_that_there_are_are_possible(lengths):
    ends = fresh(ENDS)
    goals = [appendo(*(cons(tuple(fresh() for _ in range(before)), ends[end]) for before, end in of)) for of in lengths]
    state = next(lall(*goals)(State({}, None, Search())), None)
    found = state is not None and not refuted_together(state, state.constraints())
    assert found or not any(
        all(a + of[i] + b + of[j] == c + of[k] for (a, i), (b, j), (c, k) in lengths)
        for of in product(range(LONGEST), repeat=ENDS)
    )


@settings(max_examples=examples(150))
@given(appended, st.lists(st.tuples(lists, lists), min_size=1, max_size=2))
def test_lists_that_are_within_others_are_no_longer(lengths, within):
    ends = fresh(ENDS)

    def made(of):
        before, end = of
        return cons(tuple(fresh() for _ in range(before)), ends[end])

    goals = [appendo(*map(made, of)) for of in lengths]
    goals += [unroll((made(longer),), anything, within=(made(shorter),)) for longer, shorter in within]
    state = next(lall(*goals)(State({}, None, Search())), None)
    found = state is not None and not refuted_together(state, state.constraints())
    assert found or not any(
        all(a + of[i] + b + of[j] == c + of[k] for (a, i), (b, j), (c, k) in lengths)
        and all(a + of[i] >= b + of[j] for (a, i), (b, j) in within)
        for of in product(range(LONGEST), repeat=ENDS)
    )


def anything(*_):
    return succeed


def test_a_list_that_is_within_another_is_not_longer_than_that():
    longer, more, shorter = fresh(3)
    goals = [unroll((longer,), anything, within=(shorter,)), appendo(cons((1,), more), longer, shorter)]
    assert not list(lall(*goals)(State({}, None, Search())))


def test_lengths_that_raise_each_other_are_refused_at_once():
    assert [str(answer) for answer in relaylogic.query("BroadcastShapes((2, 1), (3), s)")] == ["s = (2, 3)"]
    with at_most(50_000):  # tens of times as many where the bounds climb
        answers = relaylogic.query("BroadcastShapes([n | s], (n, m), s)")
        assert (list(answers), answers.status) == ([], "exhausted")


told = st.tuples(lists, st.integers(0, 2))  # how many elements has what: one of some numbers


@settings(max_examples=examples(150))
@given(st.lists(told, min_size=1, max_size=4), st.integers(1, 3))
def test_lists_that_end_alike_are_as_long_as_that_tells(lengths, most):
    goals = [f"len([{'0, ' * before}0 | {'suv'[end]}]) = {'nmk'[number]}" for (before, end), number in lengths]
    found = relaylogic.query(", ".join([*goals, f"n <= {most}"]), limit=1)
    assert bool(list(found)) == any(
        all(before + 1 + of[end] == numbers[number] for (before, end), number in lengths)
        for of in product(range(LONGEST), repeat=ENDS)
        for numbers in product(range(most + 1), *[range(2 * LONGEST)] * 2)
    )


def test_how_long_a_list_is_is_told_once():
    assert [str(answer) for answer in relaylogic.query("len(s) = n, len(s) = m")] == ["m = n, len(s) = n"]
    (answer,) = relaylogic.query("len(s) = n, len([k, i | s]) = m")
    assert str(answer) == "len(s) = n, n + 2 = m, m >= 2"
    assert not list(relaylogic.query("len(s) = n, len(u) = m, n < m, s = [k | u]"))
