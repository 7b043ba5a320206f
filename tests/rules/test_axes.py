"""Axes: positions from both ends, in shapes of known and unknown rank."""

from __future__ import annotations

import pytest
from unification import Var

import relaylogic
from relaylogic.logic.search.search import search
from rules.axes import (
    at_axis,
    normal_axes,
    normal_axis,
    order_of_axes,
    per_axis,
    surrounded,
    with_axes_inserted,
    with_axis_replaced,
    without_axis,
)


def known(run, *terms):
    """What all answers agree on, variables as None; None if there is no answer."""
    found = search([("", run)], terms, steps=1000)
    assert found.exhausted

    def plain(term):
        if type(term) is tuple:
            return tuple(map(plain, term))
        return term if isinstance(term, int) else None

    return None if found.general is None else plain(found.general)


def test_normal_axes():
    assert [normal_axis(axis, 3) for axis in (0, 2, -1, -3, 3, -4)] == [0, 2, 2, 0, None, None]
    assert normal_axes((0, -1), 2) == (0, 1)
    assert normal_axes((0, 2), 2) is None
    assert order_of_axes(None, 3) == (2, 1, 0)
    assert order_of_axes((-1, 0), 2) == (1, 0)
    assert order_of_axes((0, 0), 2) is order_of_axes((0, 2), 2) is None


@pytest.mark.parametrize("axis", [1, -2])
def test_one_axis(axis):
    x, y = Var(), Var()
    assert known(at_axis((2, 3, 4), axis, x), x) == (3,)
    assert known(with_axis_replaced((2, 3, 4), axis, 7, x, y), x, y) == ((2, 7, 4), 3)
    assert known(with_axis_replaced(x, axis, y, (2, 7, 4)), x, y) == ((2, None, 4), 7)
    assert known(without_axis((2, 3, 4), axis, x, y), x, y) == ((2, 4), 3)
    assert known(without_axis(x, axis, (2, 4)), x) == ((2, None, 4),)
    assert known(with_axis_replaced((2,), axis, 7, x), x) is None


@pytest.mark.parametrize("far", [70, 2**31 - 1])
def test_axes_far_out_wait_for_the_rank(far):
    x = Var()
    assert known(at_axis((2, 3, 4), far, x), x) is None
    assert known(with_axis_replaced((2,), far, 7, x), x) is None
    assert known(with_axes_inserted((2, 3), far, (1,), x), x) is None
    deep = tuple(range(100))
    assert known(at_axis(deep, 70, x), x) == (70,)
    assert known(with_axis_replaced(deep, 70, 7, x), x) == ((*deep[:70], 7, *deep[71:]),)
    assert known(with_axes_inserted(x, 70, (70,), deep), x) == ((*deep[:70], *deep[71:]),)


@pytest.mark.parametrize(("axis", "result"), [(0, (1, 2, 3)), (2, (2, 3, 1)), (-1, (2, 3, 1)), (-3, (1, 2, 3))])
def test_inserted(axis, result):
    x = Var()
    assert known(with_axes_inserted((2, 3), axis, (1,), x), x) == (result,)
    assert known(with_axes_inserted(x, axis, (1,), result), x) == ((2, 3),)


def test_inserted_nowhere():
    x = Var()
    assert known(with_axes_inserted((2, 3), 3, (1,), x), x) is None
    assert known(with_axes_inserted((2, 3), -4, (1,), x), x) is None


def test_all_axes():
    x = Var()
    replaced = per_axis((2, 3), x, lambda i, a, b: with_axis_replaced((a,), 0, i, (b,)))
    assert known(replaced, x) == ((0, 1),)
    assert known(surrounded((1,), x, (4,), (1, 2, 3, 4)), x) == ((2, 3),)
    assert known(surrounded((1,), (2,), (), x), x) == ((1, 2),)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("nn.softmax(Tensor[(4, 5), float32], axis=B) = Y", 2),
        ("nn.bias_add(Tensor[(4, 5, 6), float32], Tensor[(5), float32], axis=B) = Y", 1),
        ("reverse_sequence(Tensor[(4, 5), float32], Tensor[(1), int32], seq_axis=S, batch_axis=B) = Y", 0),
        ("argsort(Tensor[(2, 3), float32], axis=B, dtype='int32') = Tensor[(2, 3, 2), int32]", 0),
        ("expand_dims(Tensor[(2, 3), float32], axis=B) = Y", 3),
        ("stack((Tensor[(2, 3), float32], Tensor[(2, 3), float32]), axis=B) = Y", 3),
        ("repeat(Tensor[(2, 3), float32], repeats=2, axis=B) = Tensor[(2, 6), float32]", 1),
    ],
)
def test_an_axis_that_is_asked_for_is_bounded_by_a_rank_that_is_known(question, answers):
    """Axes were tried one by one up to a bound that nobody had set, two of them in all pairs."""
    found = relaylogic.query(question.replace("'", '"'), steps=2_000)
    assert len(list(found)) == answers
    assert found.status == "exhausted"
    assert found.notes == []
