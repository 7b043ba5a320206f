"""What the words of the engine promise, in every direction. `_` is an open place, answers are sorted texts."""

from __future__ import annotations

import itertools

import kanren
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unification import reify, unify, var

from relaylogic.logic import (
    UNKNOWN,
    Symbol,
    addo,
    agree,
    appendo,
    ceildiv,
    conde,
    cons,
    conso,
    differ,
    difference,
    distincto,
    divmodo,
    eq,
    equals,
    fail,
    floordiv,
    forallo,
    gto,
    inserto,
    is_known,
    is_unknown,
    lall,
    lany,
    lengtho,
    leo,
    lto,
    mapo,
    maxo,
    membero,
    mino,
    mulo,
    neq,
    ntho,
    permuteo,
    pluck,
    plus,
    producto,
    replaceo,
    reverseo,
    same_lengtho,
    sharpest,
    succeed,
    sumo,
    times,
    widest,
)
from relaylogic.logic.constraints.gradual import completed
from relaylogic.logic.search.search import answer_of, search
from relaylogic.logic.states.state import State
from relaylogic.logic.terms.numbers import mul
from relaylogic.logic.terms.variables import fresh_list
from tests.effort import examples

x, y, z = var(), var(), var()
N = Symbol("n")


def ask(query, *goals):
    """Answers as (terms, residue) and whether they are all."""
    solution = search([("asked", lall(*goals))], query, steps=20_000, max_answers=1000)
    return [(a.terms, [str(r) for r in a.residue]) for a in solution.answers], solution


def values(query, *goals):
    """The terms of all answers, which must have no residue."""
    found = []
    for state in lall(*goals)(State()):
        for settled in completed(state):
            answer = answer_of(query, settled, "asked", {})
            assert not answer.residue, answer
            found.append(answer.terms[0] if len(query) == 1 else answer.terms)
    return found


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (addo(2, 3, x), [5]),
        (addo(x, 3, 5), [2]),
        (addo(2, x, 5), [3]),
        (addo(x, 3, 2), []),
        (addo(2, 3, 6), []),
        (mulo(4, 5, x), [20]),
        (mulo(20, x, 100), [5]),
        (mulo(20, x, 101), []),
        (mulo(x, 0, 3), []),
        (sumo((1, x, 3), 10), [6]),
        (sumo((1, 2), x), [3]),
        (sumo((), x), [0]),
        (producto((2, x, 3), 12), [2]),
        (producto((), x), [1]),
        (producto((x, 3), 7), []),
        (equals(floordiv(x, 4), 2), None),
        (lall(equals(floordiv(x, 4), 2), gto(x, 10)), [11]),
        (equals(ceildiv(7, 2), x), [4]),
        (equals(ceildiv(7, -2), x), []),  # a variable is a natural number
        (equals(plus(ceildiv(7, -2), 4), x), [1]),
        (lall(equals(plus(ceildiv(7, difference(y, 5)), 4), x), eq(y, 3)), [1]),
        (divmodo(17, 5, x, 2), [3]),
        (divmodo(17, 5, x, 3), []),
        (divmodo(x, 5, 3, 2), [17]),
        (equals(floordiv(3, 0), x), []),
        (mino(3, x, 2), [2]),
        (maxo(3, 5, x), [5]),
        (maxo(3, x, 2), []),
        (lall(leo(x, 3), leo(3, x)), [3]),
        (lall(lto(x, 1)), [0]),
        (lall(lto(x, 0)), []),
        (lall(neq(x, 0), leo(x, 1)), [1]),
        (equals(times(2, N), x), [mul(2, N)]),
        (equals(plus(x, N), N), [0]),
        (equals(plus(N, 1), N), []),
        (addo(UNKNOWN, 3, x), [UNKNOWN]),
        (mulo(UNKNOWN, 3, x), [UNKNOWN]),
        (addo(x, 3, UNKNOWN), [UNKNOWN]),
    ],
)
def test_arithmetic_runs_in_every_direction(goal, expected):
    if expected is None:
        answers, _ = ask((x,), goal)
        assert len(answers) == 1 and answers[0][1]
    else:
        assert values((x,), goal) == expected


def test_an_undecided_sum_is_suspended_with_its_bounds():
    answers, solution = ask((x, y), equals(plus(x, y), 2))
    assert len(answers) == 1 and len(answers[0][1]) == 3
    assert not solution.decided


def test_a_suspended_constraint_wakes_when_its_variable_is_bound():
    assert values((x, y), equals(plus(x, y), 12), eq(x, 5)) == [(5, 7)]
    assert values((x, y), eq(y, 13), equals(plus(x, y), 12)) == []


@pytest.mark.parametrize(
    ("query", "goal", "expected"),
    [
        ((x,), appendo((1,), (2, 3), x), [(1, 2, 3)]),
        ((x,), appendo((1,), x, (1, 2, 3)), [(2, 3)]),
        ((x,), appendo(x, (3,), (1, 2, 3)), [(1, 2)]),
        ((x, y), appendo(x, y, (1, 2)), [((), (1, 2)), ((1,), (2,)), ((1, 2), ())]),
        ((x,), appendo((2,), x, (1, 2)), []),
        ((x,), reverseo((1, 2), x), [(2, 1)]),
        ((x,), reverseo(x, (1, 2)), [(2, 1)]),
        ((x,), lengtho((1, 2), x), [2]),
        ((x,), lengtho((1, 2), 3), []),
        ((x,), lall(lengtho(x, 2), eq(x, (1, y)), eq(y, 2)), [(1, 2)]),
        ((x,), lall(same_lengtho(x, (1, 2)), eq(x, (3, 4))), [(3, 4)]),
        ((x,), same_lengtho((1,), (1, 2), x), []),
        ((x,), same_lengtho(x, (1, 2), cons((3,), x)), []),  # it is told how long x is, and then that x is longer
        ((x,), ntho((1, 2, 3), 1, x), [2]),
        ((x,), ntho((1, 2, 3), -1, x), [3]),
        ((x,), ntho((1, 2, 3), -4, x), []),
        ((x,), replaceo((1, 2, 3), -1, 9, x), [(1, 2, 9)]),
        ((x, y), lall(replaceo(x, 0, 9, (9, 2)), eq(x, (y, 2)), eq(y, 1)), [((1, 2), 1)]),
        ((x,), inserto((1, 4), 1, (2, 3), x), [(1, 2, 3, 4)]),
        ((x,), inserto(x, 1, (2, 3), (1, 2, 3, 4)), [(1, 4)]),
        ((x,), permuteo((1, 2, 3), (2, 0, 1), x), [(3, 1, 2)]),
        ((x,), permuteo(x, (2, 0, 1), (3, 1, 2)), [(1, 2, 3)]),
        ((x,), pluck((5, 6, 7), (2, 0), x), [(7, 5)]),
        ((x,), conso(1, (2,), x), [(1, 2)]),
        ((x, y), conso(x, y, (1, 2)), [(1, (2,))]),
        ((x,), membero(x, (1, 2)), [1, 2]),
        ((x,), lall(distincto((1, x)), membero(x, (1, 2))), [2]),
        ((x,), lall(differ(x, (1, 2)), eq(x, (1, 3))), [(1, 3)]),
        ((x,), lall(differ(x, (1, y)), eq(y, 2), eq(x, (1, 2))), []),
        ((x,), mapo(lambda a, b: addo(a, 1, b), (1, 2), x), [(2, 3)]),
        ((x,), mapo(lambda a, b: addo(a, 1, b), x, (1, 2)), [(0, 1)]),
        ((x,), mapo(lambda a, b: addo(a, 1, b), (1, 2), (2,)), []),
        ((x,), lall(forallo(lambda a: membero(a, (1, 2)), (1, x))), [1, 2]),
        ((x,), eq(cons((1, 2), x), (1, 2, 3)), [(3,)]),
        ((x,), eq(cons((1, 2), x), (1,)), []),
        ((x,), lany(), []),
        ((x,), lall(succeed, eq(x, 1)), [1]),
        ((x,), lall(fail, eq(x, 1)), []),
        ((x,), conde([eq(x, 1)], [eq(x, 2), fail], [eq(x, 3)]), [1, 3]),
    ],
)
def test_lists_run_in_every_direction(query, goal, expected):
    assert values(query, goal) == expected


def test_goals_on_lists_that_are_not_known_yet_wait_for_them():
    doubled = mapo(lambda a, b: mulo(2, a, b), x, y)
    answers, _ = ask((x, y), doubled)
    assert len(answers) == 1 and answers[0][1]
    assert values((x, y), doubled, eq(y, (2, 4))) == [((1, 2), (2, 4))]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (agree(3, UNKNOWN), [0]),
        (agree(3, 4), []),
        (lall(agree(3, y), eq(y, 3)), [0]),
        (widest(3, UNKNOWN, UNKNOWN), [0]),
        (widest(3, 3, 3), [0]),
        (widest(3, UNKNOWN, 3), []),
        (sharpest(3, UNKNOWN, 3), [0]),
        (sharpest(UNKNOWN, UNKNOWN, UNKNOWN), [0]),
        (is_unknown(UNKNOWN), [0]),
        (is_unknown(y), []),
        (is_known(y), [0]),
        (eq(3, UNKNOWN), []),
    ],
)
def test_the_unknown_number(goal, expected):
    assert values((x,), lall(eq(x, 0), goal)) == expected


def test_equality_is_strict_where_pythons_is_not():
    assert unify(1, True, State()) is False
    assert unify(1, 1.0, State()) is False
    assert unify(var(), 1, {}) is not False


def test_the_occurs_check_refuses_a_term_that_contains_itself():
    assert unify(x, (x,), State()) is False
    assert values((x,), eq(x, (y,)), eq(y, (x,))) == []


def test_a_state_serves_kanrens_own_functions():
    state = unify((x, y), (1, (x, 2)), State())
    assert reify((x, y), state) == (1, (1, 2))
    assert kanren.run(0, x, kanren.conde([kanren.eq(x, 1)], [kanren.lall(addo(1, x, 3))])) == (1, 2)
    assert kanren.run(0, (x, y), kanren.lall(kanren.eq(cons((1,), x), (1, 2)), kanren.membero(y, (7, 8)))) == (
        ((2,), 7),
        ((2,), 8),
    )


def test_disequality_conjoins_where_kanrens_does_not():
    """kanren's `neq` keeps its constraints in a state that several branches share."""
    both = lall(differ(x, 1), conde([eq(x, 1)], [eq(x, 2)]))
    assert values((x,), both) == [2]
    assert values((x,), lall(differ(x, 1), differ(x, 2), membero(x, (1, 2, 3)))) == [3]


def test_no_goal_recurses_over_its_terms():
    deep = ()
    for _ in range(20_000):
        deep = (deep,)
    other = ()
    for _ in range(20_000):
        other = (other,)
    assert len(values((x,), eq(x, deep), eq(x, other))) == 1
    long = tuple(range(5_000))
    assert values((x,), reverseo(long, x), lengtho(x, 5_000)) == [long[::-1]]
    assert values((x,), sumo(long, x)) == [sum(long)]


def test_a_search_without_end_stops_at_its_budget():
    def endless(state):
        while True:
            yield from addo(1, 1, 3)(state)

    solution = search([("endless", endless)], (x,), steps=1000)
    assert not solution.exhausted and solution.limit == "step limit"


def test_generalisation_keeps_what_all_answers_agree_on():
    _, solution = ask((x, y), eq(y, (1, z)), conde([eq(x, 1), eq(z, 2)], [eq(x, 2), eq(z, 3)]))
    first, second = solution.general
    assert second[0] == 1 and type(second[1]).__name__ == "Slot" and type(first).__name__ == "Slot"


ATOMS = st.tuples(st.integers(0, 2), st.integers(0, 2))  # variable i is j


@settings(max_examples=examples(200))
@given(st.lists(st.lists(st.lists(ATOMS, max_size=2), max_size=4), min_size=1, max_size=4))
def test_answers_come_in_the_order_of_the_branches(conjuncts):
    """However few choices are kept: the answers are those of all ways to take one branch of each, in their order."""
    variables = fresh_list(3)
    goals = [conde(*([eq(variables[i], j) for i, j in branch] for branch in branches)) for branches in conjuncts]
    expected = []
    for taken in itertools.product(*conjuncts):
        known = {}
        if all(known.setdefault(i, j) == j for branch in taken for i, j in branch):
            expected.append(known)
    found = [{i: s.bindings[v] for i, v in enumerate(variables) if v in s.bindings} for s in lall(*goals)(State({}))]
    assert found == expected
