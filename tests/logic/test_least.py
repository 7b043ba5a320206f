"""What open lists tell of each other's lengths before any of them is known."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unification import Var

import relaylogic
from relaylogic.logic import (
    at_leasto,
    cons,
    eq,
    fresh,
    fresh_list,
    geo,
    lall,
    lengtho,
    ntho,
    replaceo,
    reverseo,
    same_lengtho,
    succeed,
    unroll,
)
from relaylogic.logic.search.search import search
from relaylogic.logic.states.least import LISTED
from relaylogic.logic.terms.terms import Cons
from tests.effort import examples

LONGEST = 5


def begun_with(run, *lists):
    """How many first elements of each list are known; None if there is no answer."""
    found = search([("", run)], lists, steps=1000)
    assert found.exhausted
    if not found.answers:
        return None
    (answer,) = found.answers
    return tuple(map(first_elements, answer.terms))


def first_elements(items):
    return len(items.prefix) if type(items) is Cons else len(items) if type(items) is tuple else 0


def anything(*_):
    return succeed


def begun_list(number):
    return cons(fresh_list(number), fresh())


@pytest.mark.parametrize("number", [-1, 0, 1, 3])
def test_at_least_so_many(number):
    x, y = Var(), Var()
    assert begun_with(lall(eq(x, begun_list(1)), at_leasto(x, number)), x) == (max(1, number),)
    assert begun_with(at_leasto((1, 2), number)) == (None if number > 2 else ())
    assert begun_with(lall(eq(x, begun_list(1)), at_leasto(x, y), eq(y, number)), x) == (max(1, number),)


def test_a_number_that_is_not_known():
    x, n = Var(), Var()
    assert begun_with(lall(eq(x, begun_list(1)), at_leasto(x, n), geo(n, 2), geo(n, 4)), x) == (4,)
    assert begun_with(lall(at_leasto((1, 2), n), geo(n, 3))) is None


@pytest.mark.parametrize("far", [LISTED + 1, 10**9])
def test_what_is_longer_than_any_list_is_not_listed(far):
    x = Var()
    assert begun_with(lall(eq(x, begun_list(1)), at_leasto(x, far)), x) == (1,)
    assert begun_with(at_leasto((1, 2), far)) is None
    ((answer,), status) = (list(found := relaylogic.query(f"len(s) = n, n >= {far}")), found.status)
    assert (str(answer), status) == (f"len(s) = n, n >= {far}", "exhausted")


@pytest.mark.parametrize(
    ("relate", "expected"),
    [
        (same_lengtho, (3, 3)),
        (lambda x, y: reverseo(y, x), (3, 3)),
        (lambda x, y: replaceo(x, -4, 7, y), (4, 4)),
        (lambda x, y: replaceo(y, 4, 7, x), (5, 5)),
        (lambda x, y: unroll((x, y), anything), (3, 3)),
        (lambda x, y: unroll((x, y), anything, longer=(0, 2)), (3, 5)),
        (lambda x, y: unroll((x, y), anything, longer=(0, 7)), (3, 10)),
        (lambda x, y: unroll((y, x), anything, longer=(1, 0)), (3, 4)),
        (lambda x, y: unroll((x, y), anything, longer=(4, 0)), (4, 0)),
        (lambda x, y: unroll((y,), anything, within=(x,)), (3, 3)),
        (lambda x, y: lall(ntho(x, -4, 1), eq(y, ())), (4, 0)),
    ],
)
def test_one_list_tells_of_the_others(relate, expected):
    x, y = Var(), Var()
    begun = eq(x, begun_list(3))
    assert begun_with(lall(relate(x, y), begun), x, y) == expected
    assert begun_with(lall(begun, relate(x, y)), x, y) == expected


def test_what_follows_of_what_follows():
    x, y, z = Var(), Var(), Var()
    related = (same_lengtho(x, y), unroll((y, z), anything, longer=(0, 1)), lengtho(z, n := Var()), geo(n, 3))
    assert begun_with(lall(*related), x, y, z) == begun_with(lall(*related[::-1]), x, y, z) == (2, 2, 3)


def test_lists_that_end_alike_and_differ_before_that_have_other_lengths():
    end = Var()
    longer = cons(fresh_list(1), end)
    assert begun_with(same_lengtho(end, longer)) is None
    assert begun_with(unroll((end, longer), anything)) is None
    assert begun_with(unroll((end, longer), anything, longer=(0, 1))) == ()
    assert begun_with(unroll((end,), anything, within=(longer,))) is None
    assert begun_with(unroll((longer,), anything, within=(end,))) == ()


def test_lists_that_lengthen_each_other_come_to_an_end():
    x, y = Var(), Var()
    assert begun_with(lall(same_lengtho(x, y), same_lengtho(y, cons(fresh_list(1), x)))) in (None, ())
    found = relaylogic.query("len(s) = n, len(u) = n, u = [m | v], len(v) = n")
    assert (list(found), found.status) == ([], "exhausted")


parts = st.tuples(st.integers(0, 3), st.integers(0, 2))  # how much stands before which open end


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(parts, parts, st.integers(0, 2), st.booleans()), min_size=1, max_size=3))
def test_lengths_that_there_are_are_not_lost(related):
    """Against all small lengths: what is known of the first elements is true of every solution."""
    ends = fresh(3)

    def made(of):
        before, end = of
        return cons(fresh_list(before), ends[end])

    goals = [
        unroll((made(a),), anything, within=(made(b),))
        if is_within
        else unroll((made(a), made(b)), anything, longer=(0, m))
        for a, b, m, is_within in related
    ]
    solutions = [
        of
        for of in product(range(LONGEST), repeat=3)
        if all(
            a + of[i] >= b + of[j] if is_within else a + of[i] + m == b + of[j]
            for (a, i), (b, j), m, is_within in related
        )
    ]
    found = search([("", lall(*goals))], ends, steps=2000)
    begun = [tuple(map(first_elements, answer.terms)) for answer in found.answers]
    assert len(begun) <= 1
    for solution in solutions:
        assert begun and all(known <= length for known, length in zip(begun[0], solution, strict=True))
