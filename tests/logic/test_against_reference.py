"""The engine against the reference engine: random goals hold of the same values, whenever these become known.

A goal is a description as the reference engine reads it. The variables `n`, `m`, `k` stand for numbers, `s`, `t` for
lists of numbers, `x` for anything.
"""

from __future__ import annotations

from itertools import permutations

import kanren
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from unification import var

from relaylogic import logic
from relaylogic.logic import UNKNOWN, eq, equals, lall, lany
from relaylogic.logic.search.search import search
from relaylogic.logic.terms.terms import is_ground
from tests.effort import examples

NUMBERS, LISTS = ("n", "m", "k"), ("s", "t")
NAMES = (*NUMBERS, *LISTS, "x")
N, M = ("var", "n"), ("var", "m")

# --- goals ------------------------------------------------------------------------------------------------------------


def variables(*names):
    return st.sampled_from([("var", name) for name in names])


naturals = st.integers(0, 4)
numbers = st.one_of(variables(*NUMBERS), naturals, st.just("?"))
expressions = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "*", "-", "//", "%", "min", "max"]), inner, inner),
        st.tuples(st.sampled_from(["sum", "prod"]), variables(*LISTS)),
        st.tuples(st.sampled_from(["sum", "prod"]), st.lists(numbers, max_size=3).map(lambda items: ("list", *items))),
    ),
    max_leaves=4,
)
lists = st.one_of(variables(*LISTS), variables(*LISTS), st.lists(numbers, max_size=3).map(lambda xs: ("list", *xs)))
places = st.integers(-2, 2)
anything = st.one_of(variables(*NAMES), numbers, lists, st.sampled_from(["a", "b"]))
terms = st.recursive(
    anything, lambda inner: st.lists(inner, max_size=2).map(lambda items: ("list", *items)), max_leaves=4
)
rows = st.sampled_from([name for name in reference.ROWS if name != "odd"])


def words(*names):
    return st.sampled_from(names)


primitives = st.one_of(
    st.tuples(words("eq", "differ"), terms, terms),
    st.tuples(words("=", "<=", "<"), expressions, expressions),
    st.tuples(words("=", "<=", "<", "!="), numbers, numbers),
    st.tuples(words("length"), lists, numbers),
    st.tuples(words("same_length", "reverse"), lists, lists),
    st.tuples(words("same_length"), lists, lists, lists),
    st.tuples(words("append"), lists, lists, lists),
    st.tuples(words("nth"), lists, places, numbers),
    st.tuples(words("replace"), lists, places, numbers, lists),
    st.tuples(words("insert"), lists, naturals, numbers, lists),
    st.tuples(words("member"), numbers, lists),
    st.tuples(words("distinct"), lists),
    st.tuples(words("map"), rows, lists, lists),
    st.tuples(words("map"), words("odd"), lists),
    st.tuples(words("last is"), lists, lists, numbers),
    st.tuples(words("one more"), lists, lists),
    st.tuples(words("known", "unknown"), numbers),
    st.tuples(words("agree", "follows", "default"), numbers, numbers),
    st.tuples(words("widest", "sharpest"), numbers, numbers, numbers),
)
goals = st.recursive(
    primitives,
    lambda inner: st.tuples(words("all", "all", "any"), st.lists(inner, min_size=2, max_size=3)),
    max_leaves=5,
)

# --- values -----------------------------------------------------------------------------------------------------------

some_number = st.one_of(naturals, naturals, naturals, st.just("?"))
some_list = st.lists(some_number, max_size=3).map(tuple)
assignments = st.fixed_dictionaries(
    dict.fromkeys(NUMBERS, some_number)
    | dict.fromkeys(LISTS, some_list)
    | {"x": st.one_of(some_number, some_list, st.just("a"))}
)

# --- the same goals in the engine -------------------------------------------------------------------------------------


def doubled(a, b):
    return equals(logic.times(2, a), b)


def below(a, b):
    return logic.leo(a, b)


def equal_or_0(a, b):
    return lany(eq(a, b), eq(b, 0))


def one_more(a, b):
    return equals(logic.plus(a, 1), b)


def two_more(a, b):
    return equals(logic.plus(a, 2), b)


def odd(a):
    return equals(logic.mod(a, 2), 1)


def last_is(a, b, x):
    return lall(eq(a[-1], x), eq(b[-1], x)) if a else logic.fail


def same_last(a, b):
    return eq(b[-1], a[-1] if a else 0)


MAPPED = {
    "doubled": doubled,
    "below": below,
    "equal or 0": equal_or_0,
    "1 more": one_more,
    "2 more": two_more,
    "agree": logic.agree,
    "odd": odd,
}
ARITHMETIC = {
    "+": logic.plus,
    "-": logic.difference,
    "*": logic.times,
    "//": logic.floordiv,
    "%": logic.mod,
    "min": logic.minimum,
    "max": logic.maximum,
    "sum": logic.total,
    "prod": logic.prod,
}
GOALS = {
    "eq": eq,
    "differ": logic.differ,
    "=": equals,
    "!=": logic.neq,
    "<=": logic.leo,
    "<": logic.lto,
    "length": logic.lengtho,
    "same_length": logic.same_lengtho,
    "append": logic.appendo,
    "reverse": logic.reverseo,
    "nth": logic.ntho,
    "replace": logic.replaceo,
    "insert": lambda s, i, x, r: logic.inserto(s, i, (x,), r),
    "member": logic.membero,
    "distinct": logic.distincto,
    "known": logic.is_known,
    "unknown": logic.is_unknown,
    "agree": logic.agree,
    "widest": logic.widest,
    "sharpest": logic.sharpest,
    "follows": logic.follows,
    "default": logic.default,
    "map": lambda name, *lists: logic.mapo(MAPPED[name], *lists),
    "last is": lambda a, b, x: logic.unroll((a, b), last_is, x),
    "one more": lambda a, b: logic.unroll((a, b), same_last, longer=(0, 1)),
}


def engine_term(term, env):
    """A term of the engine out of its description."""
    if type(term) is not tuple:
        return UNKNOWN if term == "?" else term
    kind, *parts = term
    if kind == "var":
        return env[parts[0]]
    operands = tuple(engine_term(part, env) for part in parts)
    return operands if kind == "list" else ARITHMETIC[kind](*operands)


def engine_value(value):
    """A value of the reference engine in the engine."""
    return tuple(map(engine_value, value)) if type(value) is tuple else UNKNOWN if value == "?" else value


def reference_value(term):
    """A ground term of the engine as a value of the reference engine."""
    return tuple(map(reference_value, term)) if type(term) is tuple else "?" if term is UNKNOWN else term


def engine_goal(goal, env):
    """A goal of the engine out of its description."""
    kind, *parts = goal
    if kind in ("all", "any"):
        return (lall if kind == "all" else lany)(*(engine_goal(part, env) for part in parts[0]))
    return GOALS[kind](*(engine_term(part, env) for part in parts))


def solve(env, *goals):
    """What the engine finds for all variables."""
    return search([("", lall(*goals))], tuple(env.values()), steps=50_000, max_answers=5_000)


def pins(env, values):
    """The goals that variables have these values."""
    return [eq(env[name], engine_value(value)) for name, value in values.items()]


# --- the tests --------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(600))
@given(goals, assignments, st.permutations(NAMES), st.integers(0, len(NAMES)))
def test_a_goal_holds_of_the_same_values_whenever_they_become_known(goal, values, order, early):
    """Some values are known before the goal, the others after it."""
    env = {name: var() for name in NAMES}
    first, last = ({name: values[name] for name in part} for part in (order[:early], order[early:]))
    found = solve(env, *pins(env, first), engine_goal(goal, env), *pins(env, last))
    assert found.exhausted and not any(answer.residue for answer in found.answers)
    assert bool(found.answers) == reference.holds(goal, values), f"{goal} of {first}, then {last}"


@pytest.mark.parametrize(
    "goal",
    [
        ("<=", N, 3),
        ("<=", 3, N),
        ("!=", N, 0),
        ("<=", N, M),
        ("<=", N, 0),
        ("<=", ("+", N, M), 0),
        ("=", ("*", N, 0), 0),
        ("=", N, ("+", N, 1)),
    ],
)
def test_a_number_may_turn_out_to_be_unknown_after_it_was_compared(goal):
    values = {"n": "?", "m": 0}
    for early in (True, False):
        env = {name: var() for name in NAMES}
        known, compared = pins(env, values), engine_goal(goal, env)
        found = solve(env, *known, compared) if early else solve(env, compared, *known)
        assert bool(found.answers) == reference.holds(goal, values)


@settings(max_examples=examples(400))
@given(goals, assignments, st.sets(st.sampled_from(NAMES)))
def test_answers_hold_and_what_holds_is_not_refused(goal, values, known):
    """Some values are known. An answer without variables holds, and is all there is if nothing is left to say."""
    env = {name: var() for name in NAMES}
    found = solve(env, *pins(env, {name: values[name] for name in known}), engine_goal(goal, env))
    for answer in found.answers:
        if is_ground(answer.terms) and not answer.residue:
            answered = dict(zip(NAMES, map(reference_value, answer.terms)))
            assert reference.holds(goal, answered), f"{goal} is said to hold of {answered}"
    # What stays open is taken not to be `?`, so only values without it must be found.
    if found.exhausted and "?" not in str([values[name] for name in set(NAMES) - known]):
        assert found.answers or not reference.holds(goal, values), f"{goal} is refused, and holds of {values}"


@settings(max_examples=examples(300))
@given(terms, terms)
def test_unification_agrees_under_the_engine_the_reference_and_kanren(left, right):
    slow, env = {name: reference.V() for name in NAMES}, {name: var() for name in NAMES}
    wanted = reference.unify(described(left, slow), described(right, slow), {})
    goal = eq(engine_term(left, env), engine_term(right, env))
    assert bool(solve(env, goal).answers) == (wanted is not None)
    assert len(kanren.run(0, tuple(env.values()), goal)) == (wanted is not None)


def described(term, env):
    """A term of the reference's unification out of its description."""
    if type(term) is not tuple:
        return term
    return env[term[1]] if term[0] == "var" else tuple(described(part, env) for part in term[1:])


def shifted(by):
    """Two functions of one code, told apart by a default."""

    def shift(a, b, by=by):
        return equals(logic.plus(a, by), b)

    return shift


def shifted_by_name(by):
    """Two functions of one code, told apart by the default of a keyword."""

    def shift(a, b, *, by=by):
        return equals(logic.plus(a, by), b)

    return shift


@pytest.mark.parametrize(
    ("one", "other"),
    [(one_more, two_more), (shifted(1), shifted(2)), (shifted_by_name(1), shifted_by_name(2))],
)
def test_goals_that_wait_for_one_list_with_different_functions_are_two(one, other):
    """map(one, s, t), map(other, s, u) have two results."""
    s, t, u = var(), var(), var()
    for order in permutations([logic.mapo(one, s, t), logic.mapo(other, s, u), eq(s, (1, 2))]):
        (answer,) = search([("", lall(*order))], (t, u)).answers
        assert answer.terms == ((2, 3), (3, 4))
        assert not search([("", lall(*order, eq(t, u)))], (t, u)).answers
