"""Typings without bounds are families: types with variables, and what must hold of these. None of them is empty."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings

from relaylogic.logic.circuits.branching import solve_goal
from relaylogic.logic.circuits.circuit import Filled, answers
from relaylogic.logic.search.profiles import asked_about
from relaylogic.logic.states.goals import goal
from relaylogic.logic.states.suspended import Suspended
from relaylogic.rulebase import load_rules
from relaylogic.types.universe import Universe
from relaylogic.typings.program import typings
from tests.effort import examples
from tests.typings.test_random_programs import programs

RULES = load_rules()
SMALL = Universe(max_rank=5, max_dim=8, min_dim=0, dtypes=("int8", "float32", "bool"), max_arity=3)


def has_witness(family):
    """Whether some types of a small universe belong to a family."""
    terms, residue = family._answer.terms, family._answer.residue

    def stated(work):
        for constraint in residue:
            if isinstance(constraint, Suspended):
                work.suspend(constraint)
            elif not work.post(constraint):
                return False
        return True

    search = asked_about(goal(stated), RULES)
    search.budget.left = 100_000
    scope = SMALL.open([(term, "type") for term in terms])
    found = next(iter(answers(solve_goal(goal(stated), {}, SMALL, search, scope))), None)
    return found is not None and not Filled(found, 0).residue


PROGRAMS = [
    "def @main(%x: Tensor[(_), int8], %y: Tensor[(_), int8]) {"
    " subtract(concatenate((%x, %y), axis=0), concatenate((%y, %x), axis=0)) }",
    "def @main(%x, %y) { add(%x, %y) }",
    "def @main(%x, %y) { (reshape(%x, newshape=[-1]), reshape(add(%x, %y), newshape=[2, -1])) }",
    "def @main(%t) -> Tensor[(3,), int8] { concatenate(%t, axis=0) }",
    "def @main(%x: Tensor[(1, 3, _, _), float32], %w: Tensor[(8, _, _, _), float32]) { nn.conv2d(%x, %w) }",
    "def @main(%x) { nn.max_pool2d(%x, pool_size=[2, 2]) }",
    "def @main(%x) { let %a = tile(%x, reps=[2]); add(%a, %x) }",
    "def @main(%x) { add(%x, squeeze(%x)) }",
    "def @main(%x, %y) { let %v: Tensor[(_, _), _] = broadcast_to_like(%x, %y); (%v, reshape_like(%x, %y)) }",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_family_of_typings_has_a_member(text):
    families = list(typings(text, rules=RULES, limit=8))
    assert families
    for family in families:
        assert has_witness(family), str(family)


def test_the_elements_of_one_tensor_are_counted_once():
    text = "def @main(%x: Tensor[(_, _), int8]) { add(reshape(%x, newshape=[-1]), reshape(%x, newshape=[-1])) }"
    assert [str(family) for family in typings(text, rules=RULES)] == [
        "%x = Tensor[(n, m), int8], @main = Tensor[(k), int8], n * m = k"
    ]


@settings(max_examples=examples(60))
@given(programs())
def test_a_family_of_typings_of_a_random_program_has_a_member(program):
    for family in islice(typings(program.text(), rules=RULES, steps=5_000), 5):
        assert has_witness(family), (program.text(), str(family))


@pytest.mark.parametrize("families", [False, True])
def test_a_family_that_nothing_is_found_to_belong_to_is_not_listed(families, monkeypatch):
    """Its number is told: it may have members that are not looked for."""
    text = "def @main(%x, %y) { add(%x, %y) }"
    assert len(list(typings(text, rules=RULES, families=families))) >= 1
    monkeypatch.setattr("relaylogic.typings.members.PLACES", ())
    found = typings(text, rules=RULES, families=families)
    assert list(found) == []
    assert found.status == "unknown: whether any types belong to 3 more was not found out"
