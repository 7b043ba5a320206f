"""How much faster our goals are than kanren's of the same name, on the same program.

`pytest tests/benchmarks/test_kanren.py --benchmark-enable` prints the times of ours; `times_faster` is kanren's time,
measured in the same process, over that. The docstrings of `goals`, `lists` and `different` in `relaylogic.logic` quote
it. Nothing here asserts a time.
"""

from __future__ import annotations

import timeit
from time import process_time
from types import SimpleNamespace

import kanren
import pytest
from kanren.constraints import neq
from unification import var

from relaylogic import logic
from relaylogic.logic.states.foreign import as_state, own
from relaylogic.logic.terms.terms import is_ground

ROUNDS = 7
STOCK = SimpleNamespace(
    eq=kanren.eq,
    lall=kanren.lall,
    lany=kanren.lany,
    conde=kanren.conde,
    differ=neq,
    membero=kanren.membero,
    appendo=kanren.appendo,
    conso=kanren.conso,
)
ITEMS = tuple(range(20))


def one_equation(words, x, y):
    return words.eq(x, (1, y))


def forty_equations(words, x, y):
    return words.lall(*(words.eq(v, i) for i, v in enumerate(var() for _ in range(40))))


def forty_alternatives(words, x, y):
    return words.conde(*([words.eq(x, i), words.eq(y, i)] for i in range(40)))


def forty_alternatives_of_which_one_holds(words, x, y):
    return words.lall(words.eq(x, 39), words.lany(*(words.eq(x, i) for i in range(40))))


def ten_disequalities(words, x, y):
    return words.lall(*(words.differ(x, i) for i in range(10)), words.eq(x, 10))


def a_disequality_beside_forty_equations(words, x, y):
    return words.lall(words.differ(x, 1), *(words.eq(var(), i) for i in range(40)))


def members(words, x, y):
    return words.membero(x, ITEMS)


def a_list_in_two_parts(words, x, y):
    return words.appendo(x, y, ITEMS)


def two_lists_in_one(words, x, y):
    return words.appendo(ITEMS, (1, 2), x)


def a_list_taken_apart(words, x, y):
    return words.conso(x, y, ITEMS)


PROGRAMS = {
    "eq": one_equation,
    "lall": forty_equations,
    "conde": forty_alternatives,
    "lany": forty_alternatives_of_which_one_holds,
    "differ": ten_disequalities,
    "differ beside others": a_disequality_beside_forty_equations,
    "membero": members,
    "appendo in two": a_list_in_two_parts,
    "appendo in one": two_lists_in_one,
    "conso": a_list_taken_apart,
}


def answers(words, program, start):
    """The answers of a program without those for what stays open, lists as tuples."""
    x, y = var(), var()
    found = [own(kanren.reify((x, y), state)) for state in program(words, x, y)(start)]
    return [tuple(term for term in answer if is_ground(term)) for answer in found]


def run(words, program, start):
    """How many answers a program has."""
    return sum(1 for _ in program(words, var(), var())(start))


@pytest.mark.parametrize("name", PROGRAMS)
def test_goals_beside_kanrens(benchmark, name):
    program, start = PROGRAMS[name], as_state({})
    expected = answers(STOCK, program, {})
    assert sorted(answers(logic, program, start)) == sorted(expected)
    assert benchmark(lambda: run(logic, program, start)) == len(expected)
    if benchmark.stats is not None:
        stock, own_time = (
            min(
                timeit.repeat(
                    lambda w=words, s=state: run(w, program, s), timer=process_time, number=100, repeat=ROUNDS
                )
            )
            for words, state in ((STOCK, {}), (logic, start))
        )
        benchmark.extra_info["times_faster"] = round(stock / own_time, 1)
