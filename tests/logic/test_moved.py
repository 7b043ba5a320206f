"""Lists whose elements are moved by an order that is not known yet, against brute force."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from relaylogic.logic import Budget, Search, State, eq, fresh, lall, membero, movedo
from relaylogic.logic.constraints.gradual import completed
from relaylogic.logic.control import UNLIMITED
from relaylogic.logic.search.search import Answer, answer_of, search
from relaylogic.logic.terms.variables import VARIABLES

ELEMENTS = st.lists(st.sampled_from([2, 3, None]), min_size=0, max_size=4)


def terms(items: list[int | None]) -> tuple[Any, ...]:
    return tuple(fresh() if item is None else item for item in items)


def every_answer(goal: Any, asked: tuple[Any, ...]) -> list[Answer]:
    """All answers: a search ends where the others cannot change what all agree on."""
    states = goal(State({}, None, Search(Budget(UNLIMITED))))
    return [answer_of(asked, done, "all", {}) for state in states for done in completed(state)]


def agreed(items: list[int | None], order: tuple[int, ...], result: list[int | None]) -> bool:
    known = [(items[at], result[i]) for i, at in enumerate(order)]
    return all(a is None or b is None or a == b for a, b in known)


@given(ELEMENTS, st.data())
def test_orders_are_those_by_which_the_one_list_becomes_the_other(items, data):
    count = len(items)
    result = data.draw(st.lists(st.sampled_from([2, 3, None]), min_size=count, max_size=count))
    given_ = data.draw(st.lists(st.sampled_from([None, None, *range(-count, count)]), min_size=count, max_size=count))
    expected = [
        order
        for order in permutations(range(count))
        if agreed(items, order, result)
        and all(wanted is None or at == wanted % count for at, wanted in zip(order, given_, strict=True))
    ]
    ours, moved, order = terms(items), terms(result), terms(given_)
    chosen = [membero(index, tuple(range(count))) for index in order if type(index) in VARIABLES]
    for goals in ((movedo(ours, order, moved), *chosen), (*chosen, movedo(ours, order, moved))):
        answers = every_answer(lall(*goals), (order, ours, moved))
        found = [tuple(index % count for index in answer.terms[0]) for answer in answers]
        assert sorted(found) == sorted(expected)
        for answer in answers:
            ordered, source, target = answer.terms
            assert all(target[i] is source[at] or target[i] == source[at] for i, at in enumerate(ordered))


def test_what_is_known_of_both_lists_says_what_the_order_is():
    order = (fresh(), fresh(), fresh())
    (answer,) = search([("all", movedo((2, 3, 4), order, (4, 2, fresh())))], order).answers
    assert answer.terms == (2, 0, 1)
    assert answer.residue == ()


def test_lists_that_become_known_later_are_moved_then():
    items, order, result = fresh(), fresh(), fresh()
    goal = lall(movedo(items, order, result), eq(order, (1, 0)), eq(items, (fresh(), 5)), eq(result, (fresh(), 7)))
    (answer,) = search([("all", goal)], (items, result)).answers
    assert answer.terms == ((7, 5), (5, 7))


def test_an_index_is_named_once():
    order = (0, fresh())
    assert not search([("all", lall(movedo((2, 2), order, (2, 2)), eq(order, (0, 0))))], order).answers
