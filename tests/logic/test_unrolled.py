"""`unroll`: what is said of all elements of lists, once a length is known."""

from __future__ import annotations

from unification import Var

from relaylogic.logic import UNKNOWN, cons, eq, fail, lall, lengtho, unroll
from relaylogic.logic.search.search import search


def answers(run, *terms):
    found = search([("", run)], terms, steps=1000)
    assert found.exhausted
    return [(answer.terms, len(answer.residue)) for answer in found.answers]


def last_is(element, *lists, longer=()):
    """The last elements of all lists are `element`."""
    return unroll(lists, ends_with, element, longer=longer)


def ends_with(*rows_and_element):
    *rows, element = rows_and_element
    return lall(*(eq(row[-1], element) if row else fail for row in rows))


def test_known_lists():
    assert answers(last_is(3, (1, 2, 3), (3, 3, 3))) == [((), 0)]
    assert answers(last_is(3, (1, 2, 3), (3, 3))) == []
    assert answers(last_is(3, ())) == []


def test_one_known_length_gives_the_others():
    x = Var()
    ((terms, residue),) = answers(last_is(3, (1, 2, 3), x), x)
    assert len(terms[0]) == 3 and terms[0][-1] == 3 and not residue


def test_lists_of_different_lengths():
    x = Var()
    ((terms, _),) = answers(last_is(3, (1, 3), x, longer=(0, 2)), x)
    assert len(terms[0]) == 4
    ((terms, _),) = answers(last_is(3, x, (1, 3), longer=(1, 0)), x)
    assert len(terms[0]) == 3
    assert answers(last_is(3, x, (1, 3), longer=(0, 3)), x) == []


def test_waits_for_a_length():
    x, tail, y = Var(), Var(), Var()
    ((_, residue),) = answers(last_is(3, x, y), x)
    assert residue == 1
    ((terms, residue),) = answers(lall(last_is(3, x), eq(x, cons((1, 2), tail)), lengtho(tail, 1)), x)
    assert (terms, residue) == (((1, 2, 3),), 0)


def test_what_is_no_list():
    assert answers(last_is(3, UNKNOWN, Var())) == []
    assert answers(last_is(3, (1, 3), UNKNOWN)) == []
