"""`default` and `follows`: what an open term takes from another one."""

import pytest
from unification import Var

from relaylogic.logic import UNKNOWN, default, eq, follows, lall
from relaylogic.logic.search.search import search


def answers(goal, *terms):
    return [answer.terms for answer in search([("", goal)], terms, steps=1000).answers]


@pytest.mark.parametrize("source", [3, UNKNOWN])
def test_an_open_extent_is_its_source(source):
    extent = Var()
    assert answers(follows(extent, source), extent) == [(source,)]


@pytest.mark.parametrize(
    ("extent", "source", "holds"), [(3, 3, True), (3, UNKNOWN, True), (UNKNOWN, 3, True), (3, 4, False)]
)
def test_a_known_extent_agrees(extent, source, holds):
    assert bool(answers(follows(extent, source))) is holds


def test_a_known_extent_tells_its_source():
    source = Var()
    assert answers(follows(3, source), source) == [(3,)]


def test_it_waits_for_the_source():
    extent, source = Var(), Var()
    assert answers(lall(follows(extent, source), eq(source, UNKNOWN)), extent) == [(UNKNOWN,)]
    (open_answer,) = search([("", follows(extent, source))], (extent, source), steps=1000).answers
    assert [repr(c).split("(")[0] for c in open_answer.residue] == ["follows"]


def test_a_default_fills_in_and_yields():
    term, value = Var(), Var()
    assert answers(lall(default(term, value), eq(value, "int8")), term) == [("int8",)]
    assert answers(lall(default(term, value), eq(term, "int32"), eq(value, "int8")), term) == [("int32",)]
    assert answers(lall(default("int32", value)), value)[0] != ("int32",)
