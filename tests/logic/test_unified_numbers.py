"""Expressions are equal where their values are, wherever `eq` meets them: in types, in lists, behind variables."""

from __future__ import annotations

from itertools import product

import kanren
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kanren import run, var

import relaylogic
from relaylogic.logic import differ, eq, floordiv, maximum, membero, minimum, plus, prod, times
from relaylogic.logic.terms.numbers import evaluate
from relaylogic.types import TensorType as Tensor
from tests.effort import examples

X, Y = var(), var()
UP_TO = range(4)

leaves = st.sampled_from([X, Y, 0, 1, 2, 3])
expressions = st.recursive(
    leaves,
    lambda inner: st.tuples(st.sampled_from([plus, times, minimum, maximum]), inner, inner).map(lambda t: t[0](*t[1:])),
    max_leaves=4,
)
SIDES = {
    "alone": lambda number: number,
    "in a shape": lambda number: Tensor((2, number)),
    "in a list": lambda number: (1, number, 3),
}


def value(number, at):
    """The value of an expression where the variables have these values."""
    return evaluate(number, dict(zip((X, Y), at, strict=True)))


@pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
@settings(max_examples=examples(100, 3))
@given(left=expressions, right=expressions, first=st.booleans())
def test_they_are_equal_where_their_values_are(side, left, right, first):
    among = [membero(X, tuple(UP_TO)), membero(Y, tuple(UP_TO))]
    expected = {at for at in product(UP_TO, UP_TO) if value(left, at) == value(right, at)}
    for equal in (eq, kanren.eq):
        goals = [equal(side(left), side(right)), *among] if first else [*among, equal(side(left), side(right))]
        assert {answer.term for answer in relaylogic.run(0, (X, Y), *goals)} == expected
        if equal is eq or not (first and {X, Y} & {left, right}):  # kanren binds what occurs in its own value
            assert set(run(0, (X, Y), *goals)) == expected


@pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
@settings(max_examples=examples(100, 3))
@given(left=expressions, right=expressions, first=st.booleans())
def test_they_differ_elsewhere(side, left, right, first):
    among = [membero(X, tuple(UP_TO)), membero(Y, tuple(UP_TO))]
    other = differ(side(left), side(right))
    answers = relaylogic.run(0, (X, Y), *([other, *among] if first else [*among, other]))
    expected = {at for at in product(UP_TO, UP_TO) if value(left, at) != value(right, at)}
    assert {answer.term for answer in answers} == expected


@pytest.mark.parametrize("equal", [eq, kanren.eq])
@pytest.mark.parametrize(
    ("goals", "answers"),
    [
        ([(times(2, X), 6)], ((3, Y),)),
        ([(times(2, X), 5)], ()),
        ([(times(2, X), Y), (Y, 6)], ((3, 6),)),
        ([(Tensor((plus(X, Y),)), Tensor((6,))), (X, 2)], ((2, 4),)),
        ([((6, 1, Y), (plus(X, Y), 1, 9))], ()),
        ([((plus(X, Y), plus(X, 1)), (6, 3))], ((2, 4),)),
        ([(prod((X, 2)), 6), (floordiv(Y, 2), X), (plus(Y, 1), 8)], ((3, 7),)),
        ([(times(2, X), "float32")], ()),
        ([(times(2, X), (1, 2))], ()),
        ([(times(2, X), Tensor((2,)))], ()),
    ],
)
def test_equations(equal, goals, answers):
    shown = run(0, (X, Y), *(equal(left, right) for left, right in goals))
    assert len(shown) == len(answers)
    for given_, expected in zip(shown, answers, strict=True):
        assert all(e is Y or g == e for g, e in zip(given_, expected, strict=True))


def test_a_number_may_occur_in_its_own_value():
    assert {answer.term for answer in relaylogic.run(0, X, eq(X, times(X, X)), membero(X, (0, 1, 2)))} == {0, 1}


@pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
@settings(max_examples=examples(100, 3))
@given(divided=leaves, divisor=leaves, right=expressions, first=st.booleans())
def test_what_has_no_value_neither_equals_nor_differs(side, divided, divisor, right, first):
    """There is no quotient by 0, so nothing holds of it, in a type or a list as where it stands alone."""
    left = floordiv(divided, divisor)
    among = [membero(X, tuple(UP_TO)), membero(Y, tuple(UP_TO))]
    for relate, holds in ((eq, int.__eq__), (differ, int.__ne__)):
        related = relate(side(left), side(right))
        answers = relaylogic.run(0, (X, Y), *([related, *among] if first else [*among, related]))
        defined = (at for at in product(UP_TO, UP_TO) if value(divisor, at))
        assert {answer.term for answer in answers} == {at for at in defined if holds(value(left, at), value(right, at))}
