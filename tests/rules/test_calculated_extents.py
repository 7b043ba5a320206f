"""Extents that a rule in Python calculates where it writes a type: naturals, as others are, and nothing else."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

import relaylogic
from relaylogic.rulebase import load_rules

UP_TO = 4

RULE = """
from relaylogic.logic import *
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor

@relation
def Made(data, out):
    '''The result has extents that are calculated.'''

@Made.clause
def calculated(data, out):
    n, m, dtype = fresh(3)
    return lall(eq(data, Tensor((n, m), dtype)), eq(out, Tensor({shape}, dtype)))

operator("made", "data", Made)
"""

SHAPES = {
    "(difference(n, 3),)": lambda n, m: (n - 3,),
    "(floordiv(n, m),)": lambda n, m: (n // m,),
    "(mod(m, n), n)": lambda n, m: (m % n, n),
    "(plus(n, m), times(n, m))": lambda n, m: (n + m, n * m),
    "(prod((n, m)), 3)": lambda n, m: (prod((n, m)), 3),
    "cons(difference(n, m), (minimum(n, m), maximum(n, 2)))": lambda n, m: (n - m, min(n, m), max(n, 2)),
    "(ceildiv(n, 2), floordiv(m, difference(n, 1)))": lambda n, m: (-(-n // 2), m // (n - 1)),
}


def made(shape, n, m):
    """The extents of the result; None if there is none."""
    try:
        extents = SHAPES[shape](n, m)
    except ZeroDivisionError:
        return None
    return None if min(extents) < 0 else extents


@pytest.fixture(params=SHAPES)
def shape(request):
    return request.param


@pytest.fixture
def rules(shape, tmp_path):
    (tmp_path / "made.py").write_text(RULE.format(shape=shape))
    return load_rules(tmp_path, python=True)


def expected(shape, admits=lambda extents: True):
    """The answers in the universe, by brute force: the extents that are given, and those that are made of them."""
    found = ((n, m, made(shape, n, m)) for n, m in product(range(UP_TO + 1), repeat=2))
    bounded = ((n, m, extents) for n, m, extents in found if extents is not None and max(extents) <= UP_TO)
    return [(n, m, *extents) for n, m, extents in bounded if admits(extents)]


def answers(rules, question):
    found = relaylogic.query(question, rules=rules, ground=True, min_dim=0, max_dim=UP_TO, limit=None)
    return [(a.bindings["n"], a.bindings["m"], *a.bindings["B"].shape) for a in found]


def test_answers_are_those_of_brute_force(rules, shape):
    found = answers(rules, "made(Tensor[(n, m), int8]) = B")
    assert sorted(found) == expected(shape)


@pytest.mark.parametrize("question", ["k < 2, {call} = B, {parts}", "{call} = B, {parts}, k < 2"])
def test_what_is_said_of_such_an_extent_holds(rules, shape, question):
    parts = f"B = Tensor[({', '.join('kji'[: len(made(shape, 4, 2))])}), int8]"
    found = answers(rules, question.format(call="made(Tensor[(n, m), int8])", parts=parts))
    assert sorted(found) == expected(shape, lambda extents: extents[0] < 2)


def test_typings_are_those_of_brute_force(rules, shape):
    program = "def @main(%x: Tensor[(_, _), int8]) { made(%x) }"
    found = relaylogic.typings(program, rules=rules, ground=True, min_dim=0, max_dim=UP_TO, limit=None)
    types = [(*a.bindings["%x"].shape, *a.bindings["@main"].shape) for a in found]
    assert sorted(types) == expected(shape)


def test_a_call_of_known_extents_says_the_same(rules, shape):
    for n, m in product(range(UP_TO + 1), repeat=2):
        result = relaylogic.infer(f"def @main(%x: Tensor[({n}, {m}), int8]) {{ made(%x) }}", rules=rules)
        extents = made(shape, n, m)
        assert result.verdict == ("refuted" if extents is None else "typed")
        if extents is not None:
            assert result.functions["main"].ret_type.shape == extents
