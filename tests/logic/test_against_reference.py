"""The engine against the reference engine: random goals have the same ground answers, in every direction."""

from __future__ import annotations

import kanren
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from unification import var

from relaylogic import logic
from relaylogic.logic.search import search
from relaylogic.logic.terms import is_ground

VARIABLES = 4
LIMIT = reference.LIMIT

atoms = st.one_of(
    st.integers(0, LIMIT),
    st.sampled_from(["a", "b"]),
    st.integers(0, VARIABLES - 1).map(lambda i: ("var", i)),
)
terms = st.recursive(atoms, lambda inner: st.lists(inner, max_size=3).map(lambda items: ("list", *items)), max_leaves=5)
numbers = st.one_of(st.integers(0, LIMIT), st.integers(0, VARIABLES - 1).map(lambda i: ("var", i)))
primitive = st.one_of(
    st.tuples(st.just("eq"), terms, terms),
    st.tuples(st.sampled_from(["add", "mul", "le", "neq"]), numbers, numbers, numbers),
)
goals = st.recursive(
    primitive,
    lambda inner: st.one_of(
        st.tuples(st.just("all"), st.lists(inner, min_size=1, max_size=3)),
        st.tuples(st.just("any"), st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=6,
)

CHECKS = {
    "add": lambda a, b, c: a + b == c,
    "mul": lambda a, b, c: a * b == c,
    "le": lambda a, b: a <= b,
    "neq": lambda a, b: a != b,
}


def term(description, variables):
    """A term out of its description."""
    if isinstance(description, tuple) and description[0] == "var":
        return variables[description[1]]
    if isinstance(description, tuple):
        return tuple(term(item, variables) for item in description[1:])
    return description


def slow(goal, variables):
    """The goal in the reference engine."""
    kind, *parts = goal
    if kind in ("all", "any"):
        inner = [slow(part, variables) for part in parts[0]]
        return (reference.conj if kind == "all" else reference.disj)(*inner)
    operands = [term(part, variables) for part in parts]
    if kind == "eq":
        return reference.eq(*operands)
    return reference.relate(CHECKS[kind], *(operands if kind in ("add", "mul") else operands[:2]))


def fast(goal, variables):
    """The goal in the engine."""
    kind, *parts = goal
    if kind in ("all", "any"):
        inner = [fast(part, variables) for part in parts[0]]
        return (logic.lall if kind == "all" else logic.lany)(*inner)
    a, b, *rest = [term(part, variables) for part in parts]
    if kind == "eq":
        return logic.eq(a, b)
    if kind in ("add", "mul"):
        return (logic.addo if kind == "add" else logic.mulo)(a, b, rest[0])
    return (logic.leo if kind == "le" else logic.neq)(a, b)


def pinned(variables, values, equal, conjunction):
    """All variables have the given values."""
    return conjunction(*(equal(v, value) for v, value in zip(variables, values)))


def ground_answers(query, goal):
    solution = search([("all", goal)], (query,), steps=100_000, max_answers=10_000)
    return solution, {a.terms[0] for a in solution.answers if is_ground(a.terms[0]) and not a.residue}


@settings(max_examples=300, deadline=None, derandomize=True)
@given(goals)
def test_every_ground_answer_of_the_engine_is_one_of_the_reference(goal):
    slow_variables = [reference.V() for _ in range(VARIABLES)]
    fast_variables = [var() for _ in range(VARIABLES)]
    _, found = ground_answers(tuple(fast_variables), fast(goal, fast_variables))
    for answer in found:
        check = reference.conj(
            pinned(slow_variables, answer, reference.eq, reference.conj), slow(goal, slow_variables)
        )
        small = all(not isinstance(v, int) or v <= LIMIT for v in answer)
        assert not small or check({}), f"{answer} is no answer"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(goals, st.lists(st.integers(0, LIMIT), min_size=VARIABLES, max_size=VARIABLES))
def test_a_ground_assignment_holds_in_both_or_in_neither(goal, values):
    slow_variables = [reference.V() for _ in range(VARIABLES)]
    fast_variables = [var() for _ in range(VARIABLES)]
    wanted = reference.conj(pinned(slow_variables, values, reference.eq, reference.conj), slow(goal, slow_variables))
    fixed = pinned(fast_variables, values, logic.eq, logic.lall)
    before, _ = ground_answers(tuple(fast_variables), logic.lall(fixed, fast(goal, fast_variables)))
    after, _ = ground_answers(tuple(fast_variables), logic.lall(fast(goal, fast_variables), fixed))
    holds = bool(wanted({}))
    assert bool(before.answers) == holds
    assert bool(after.answers) == holds


@settings(max_examples=200, deadline=None, derandomize=True)
@given(terms, terms)
def test_unification_agrees_under_the_engine_the_reference_and_kanren(left, right):
    slow_variables = [reference.V() for _ in range(VARIABLES)]
    fast_variables = [var() for _ in range(VARIABLES)]
    wanted = reference.unify(term(left, slow_variables), term(right, slow_variables), {})
    goal = logic.eq(term(left, fast_variables), term(right, fast_variables))
    solution, _ = ground_answers(tuple(fast_variables), goal)
    assert bool(solution.answers) == (wanted is not None)
    assert len(kanren.run(0, tuple(fast_variables), goal)) == len(solution.answers)
