"""kanren's goals and ours in one program: any mixture, any order, under kanren's `run` and under ours."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from itertools import permutations, product
from pathlib import Path
from typing import Any

import kanren
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kanren.constraints import isinstanceo, neq, typeo
from unification import Var, reify, unify, var

import relaylogic
from relaylogic import logic as ours
from relaylogic.clauses.load import load_clauses
from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.search.kanren_states import Residual
from relaylogic.logic.states.foreign import as_state, own
from relaylogic.logic.states.goals import goal as ours_goal
from relaylogic.logic.states.state import State
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.terms import variables_of
from relaylogic.rulebase import AttributeProblem, RuleBase, default_rules, load_rules, relation, rules_folder
from relaylogic.rules import Broadcast, Flatten, Identity
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType
from tests.conformance.facts import facts, known_type, without_widths
from tests.effort import examples, some

x, y, z = var(), var(), var()
T = Tensor((2, 3))
OURS = ours.eq(0, 0)
"""A goal of ours: at the end of kanren's `run`, it makes the choices that kanren's goals leave."""

BROADCAST_TO_T = {Tensor(shape) for shape in ((2, 3), (2, 1), (1, 3), (1, 1), (3,), (1,), ())}


def known(answers):
    """The answers without open variables."""
    return {a for a in answers if not variables_of(a)}


def terms(answers):
    """The terms of the answers of our `run`, each of which comes once and without residue."""
    assert not any(a.constraints for a in answers) and len(set(answers)) == len(answers)
    return {a.term for a in answers}


def in_conde(goals):
    """The same goals, as a branch of kanren's `conde` and of ours, beside one that fails."""
    return [
        goals,
        [kanren.conde(goals, [kanren.eq(1, 2)])],
        [ours.conde([ours.fail], goals)],
        [kanren.lall(*goals)],
        [ours.lall(*goals)],
        [kanren.lany(ours.fail, ours.lall(*goals))],
        [goals[0], ours.conde([kanren.conde(goals[1:])])],
    ]


@pytest.mark.parametrize("order", [0, 1])
def test_a_stock_disequality_holds_of_a_relation(order):
    goals = [neq(x, T), Broadcast(x, T, T)]
    for mixed in in_conde(goals[::-1] if order else goals):
        assert known(kanren.run(0, x, *mixed)) == BROADCAST_TO_T - {T}
        assert terms(relaylogic.run(0, x, *mixed)) == BROADCAST_TO_T - {T}


CASES = [
    ((neq(x, 2), ours.leo(x, 3), kanren.membero(x, (1, 2, 3, 4))), x, {1, 3}),
    ((ours.neq(x, 2), isinstanceo(x, int), kanren.membero(x, (1, 2, "a", 5))), x, {1, 5}),
    ((typeo(x, int), ours.membero(x, (1, 2, "a", True)), neq(x, 2)), x, {1}),
    ((isinstanceo(x, str), ours.membero(x, (1, "a"))), x, {"a"}),
    ((neq(x, (1, 6)), ours.appendo((1,), y, x), ours.lengtho(x, 2), kanren.membero(y, ((5,), (6,)))), x, {(1, 5)}),
    ((neq(x, y), ours.membero(x, (1, 2)), ours.membero(y, (1, 2))), (x, y), {(1, 2), (2, 1)}),
    ((ours.appendo(x, y, z), neq(x, ()), kanren.eq(z, (1, 2))), (x, y), {((1,), (2,)), ((1, 2), ())}),
    ((ours.membero(x, y), kanren.permuteo(y, (1, 2)), neq(x, 1)), (x, y), {(2, (1, 2)), (2, (2, 1))}),
    ((kanren.conso(1, y, x), ours.lengtho(x, 2), ours.membero(5, x)), x, {(1, 5)}),
    ((ours.equals(ours.plus(x, 1), y), kanren.membero(y, [1, 2]), neq(x, 0)), (x, y), {(1, 2)}),
    ((kanren.appendo(x, (3,), (1, 2, 3)), neq(z, 0), ours.lengtho(x, z)), (x, z), {((1, 2), 2)}),
    ((neq(x, 1), isinstanceo(x, int), typeo(x, int), ours.lto(x, 3), kanren.membero(x, (0, 1, 2, 3))), x, {0, 2}),
]


@pytest.mark.parametrize(("goals", "asked", "expected"), CASES, ids=range(len(CASES)))
def test_goals_mix_in_any_order(goals, asked, expected):
    orders = list(permutations(goals))
    for order in some(orders, 4) if len(orders) > 24 else orders:
        assert terms(relaylogic.run(0, asked, *order)) == expected
        for mixed in in_conde(list(order)):
            assert set(kanren.run(0, asked, *mixed, OURS)) == expected


def with_facts():
    parent = kanren.Relation("parent")
    kanren.facts(parent, (1, 2), (2, 3), (3, 4))
    return parent


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_facts_keep_what_is_suspended(order):
    """kanren's facts merge two states into a dict; what waits must survive that, once a goal of ours has run."""
    parent = with_facts()
    goals = [ours.leo(x, 2), parent(x, y), neq(y, z)]
    mixed = [OURS, *(goals[i] for i in order)]
    assert set(kanren.run(0, (x, y), *mixed, kanren.eq(z, 2))) == {(2, 3)}
    assert set(kanren.run(0, (x, y), *mixed, ours.eq(z, 2))) == {(2, 3)}
    assert terms(relaylogic.run(0, (x, y), *mixed, ours.eq(z, 2))) == {(2, 3)}


@pytest.mark.parametrize("bind", [kanren.eq, ours.eq])
def test_what_waits_wakes_when_kanren_binds(bind):
    assert kanren.run(0, x, ours.leo(x, 3), bind(x, 7)) == ()
    assert kanren.run(0, y, ours.equals(ours.plus(x, y), 12), bind(x, 5)) == (7,)
    assert kanren.run(0, x, ours.membero(x, y), bind(y, ())) == ()
    assert kanren.run(0, x, ours.membero(x, y), bind(y, (3,))) == (3,)
    assert kanren.run(0, y, ours.lengtho(x, y), neq(y, 2), bind(x, (1, 2))) == ()
    assert kanren.run(0, x, ours.appendo(x, (9,), y), neq(x, (1,)), bind(y, (1, 9))) == ()


def test_a_choice_that_kanren_cannot_make_is_shown():
    """kanren's `eq` has one outcome; a list of which there are two elements stays as residue, until a goal of ours."""
    goals = ours.membero(x, y), kanren.eq(y, (1, 2))
    (left,) = kanren.run(0, x, *goals)
    assert re.fullmatch(r"~(\w+): \{member\(~\1, \(1, 2\)\)\}", str(left))
    assert kanren.run(0, x, *goals, OURS) == (1, 2)
    assert kanren.run(0, x, *goals, kanren.eq(x, 3)) == ()


def test_kanrens_run_shows_the_residue():
    (answer,) = kanren.run(3, x, Flatten(x, Tensor((2, 12))))
    (rest,) = variables_of(answer)
    assert re.fullmatch(r"~(\w+): \{prod\(~\1\) = 12\}", str(rest))
    assert re.fullmatch(r"Tensor\[\(2, \.\.\.~(\w+): \{prod\(~\1\) = 12\}\), float32\]", str(answer))
    (bounded, other) = kanren.run(0, (x, y), ours.leo(x, 3), neq(x, 1))[0]
    assert str(bounded) == f"{x}: {{{x} != 1, {x} <= 3}}" and str(other) == str(y)


def test_kanrens_run_shows_nothing_that_hidden_variables_can_be_chosen_to_satisfy():
    n, m = var(), var()
    assert kanren.run(0, (x, y), ours.equals(n, ours.maximum(x, y))) == ((x, y),)
    (left,) = kanren.run(0, x, ours.equals(n, ours.maximum(x, y)), ours.equals(ours.times(m, m), n))
    assert "max" in str(left)


def test_an_answer_with_residue_can_be_used_again():
    (answer,) = kanren.run(1, x, Flatten(x, Tensor((2, 12))))
    assert str(kanren.run(0, y, Flatten(answer, y))) == "(Tensor[(2, _), float32],)"
    (again,) = relaylogic.run(0, y, ours.eq(answer, y), ours.eq(y, Tensor((2, 3, 4))))
    assert again.term == Tensor((2, 3, 4))
    (n,) = kanren.run(1, x, ours.leo(x, 3))
    assert isinstance(n, Var) and n == x and hash(n) == hash(x) and own(n) is x and type(n.token) is Residual
    assert kanren.run(0, x, ours.leo(x, 3), kanren.eq(n, 2)) == (2,)
    assert kanren.run(0, x, kanren.eq((n, 1), (2, 1))) == (2,)


def test_terms_that_show_residue_are_not_found_in_place_of_others():
    pair = Tensor((x, 3))
    (shown,) = kanren.run(1, pair, ours.leo(x, 3))
    assert shown is not pair and "<= 3" not in str(Tensor((x, 3))) and Tensor((x, 3)) is pair


def test_lists_are_tuples_in_our_states():
    assert kanren.run(0, y, ours.leo(x, 2), kanren.eq(x, 1), kanren.appendo([x], [2], y)) == ((1, 2),)
    assert kanren.run(0, [x, y], ours.leo(x, 2), kanren.eq(x, 1), kanren.eq(y, 2)) == ((1, 2),)
    assert kanren.run(0, x, kanren.eq(x, [1, 2]), ours.membero(2, x)) == ((1, 2),)
    assert kanren.run(0, x, ours.eq(y, 1), kanren.eq(x, {"a": y})) == ({"a": 1},)


def test_a_dict_is_asked_for_by_its_values():
    for run in kanren.run, relaylogic.run:
        assert str(run(0, {"a": x, "b": [y]}, ours.eq(x, 1), kanren.eq(y, 2))[0]).strip("<>") == "{'a': 1, 'b': [2]}"


def test_the_occurs_check_holds_under_kanrens_eq():
    assert kanren.run(0, x, ours.eq(y, 1), kanren.eq(x, (x,))) == ()
    assert unify(x, (x,), State()) is False


def test_stock_constraints_conjoin_in_our_states():
    """Left alone, kanren takes two `isinstanceo` for a disjunction, and a `neq` of pairs for one of each part."""
    assert kanren.run(0, x, OURS, isinstanceo(x, int), isinstanceo(x, str), kanren.eq(x, 1)) == ()
    assert kanren.run(0, (x, y), neq((x, y), (1, 2)), kanren.eq(x, 1), kanren.eq(y, 3)) == ()
    for bind in (kanren.eq, ours.eq):
        for differ in (neq, ours.differ):
            goals = [OURS, differ((x, y), (1, 2)), neq((x, y), (3, 4)), bind(x, 1)]
            assert kanren.run(0, (x, y), *goals, bind(y, 3)) == ((1, 3),)
            assert kanren.run(0, (x, y), *goals, bind(y, 2)) == ()
            assert kanren.run(0, (x, y), *goals[:-1], bind(x, 3), bind(y, 4)) == ()
    assert kanren.run(0, x, OURS, kanren.eq(x, Tensor((y, z))), neq(x, T), kanren.eq(y, 2), ours.eq(z, 4)) == (
        Tensor((2, 4)),
    )


def test_constraints_of_strangers_are_refused():
    from kanren.constraints import ConstrainedState, TypeStore

    class Other(TypeStore):
        pass

    with pytest.raises(TypeError, match="constraints of a Other are not known here"):
        as_state(ConstrainedState({}, constraints={Other: Other({x: {int}})}))
    with pytest.raises(TypeError, match="no state of a search"):
        as_state(type("Strange", (dict,), {"constraints": ()})())


def test_stock_unification_is_as_it_was():
    """States without anything of ours take kanren's own way, also after ours have registered themselves."""
    kanren.run(0, x, ours.leo(x, 2), with_facts()(x, y))
    assert unify(x, [1, y], {}) == {x: [1, y]} and reify(x, {x: [1, y], y: 2}) == [1, 2]
    assert kanren.run(0, x, neq(x, 1), kanren.membero(x, [1, 2])) == (2,)
    assert str(kanren.run(1, x, neq(x, 1))[0]).startswith("~")


# Random programs: three numbers below 4, goals of both kinds in any order, against trying all numbers.

LESS = kanren.Relation("less")
kanren.facts(LESS, *((a, b) for a, b in product(range(4), repeat=2) if a < b))
NUMBERS = tuple(range(4))
VARIABLES = (x, y, z)

two = st.permutations(range(3)).map(lambda order: order[:2])
number = st.integers(0, 4)
leaf = st.one_of(
    st.builds(lambda ab: (LESS(*(VARIABLES[i] for i in ab)), lambda v: v[ab[0]] < v[ab[1]]), two),
    st.builds(lambda ab: (kanren.eq(*(VARIABLES[i] for i in ab)), lambda v: v[ab[0]] == v[ab[1]]), two),
    st.builds(lambda ab: (ours.leo(*(VARIABLES[i] for i in ab)), lambda v: v[ab[0]] <= v[ab[1]]), two),
    st.builds(lambda ab: (ours.neq(*(VARIABLES[i] for i in ab)), lambda v: v[ab[0]] != v[ab[1]]), two),
    st.builds(lambda ab: (ours.differ(*(VARIABLES[i] for i in ab)), lambda v: v[ab[0]] != v[ab[1]]), two),
    st.builds(
        lambda ab, n: (ours.equals(ours.plus(*(VARIABLES[i] for i in ab)), n), lambda v: v[ab[0]] + v[ab[1]] == n),
        two,
        number,
    ),
    st.builds(
        lambda ab: (ours.membero(VARIABLES[ab[0]], (1, VARIABLES[ab[1]])), lambda v: v[ab[0]] in (1, v[ab[1]])), two
    ),
    st.builds(
        lambda ab, n: (kanren.membero(VARIABLES[ab[0]], (n, VARIABLES[ab[1]])), lambda v: v[ab[0]] in (n, v[ab[1]])),
        two,
        number,
    ),
)
# kanren adds these to a state that the branches of a `conde` share, so they stand outside of it.
constraint = st.one_of(
    st.builds(lambda ab: (neq(*(VARIABLES[i] for i in ab)), lambda v: v[ab[0]] != v[ab[1]]), two),
    st.builds(lambda a, n: (neq(VARIABLES[a], n), lambda v: v[a] != n), st.integers(0, 2), number),
    st.builds(
        lambda ab, n: (
            neq((1, VARIABLES[ab[0]], VARIABLES[ab[1]]), (1, n, 2)),
            lambda v: (v[ab[0]], v[ab[1]]) != (n, 2),
        ),
        two,
        number,
    ),
    st.builds(lambda a: (isinstanceo(VARIABLES[a], int), lambda v: True), st.integers(0, 2)),
)
branches = st.lists(st.lists(leaf, min_size=1, max_size=2), min_size=2, max_size=2)
choice = st.builds(
    lambda conde, both: (
        conde(*[[goal for goal, _ in branch] for branch in both]),
        lambda v: any(all(holds(v) for _, holds in branch) for branch in both),
    ),
    st.sampled_from([kanren.conde, ours.conde]),
    branches,
)


@settings(max_examples=examples(150))
@given(st.lists(st.one_of(leaf, leaf, constraint, choice), min_size=1, max_size=4), st.data())
def test_random_mixtures_have_the_answers_of_trying_all_numbers(chosen, data):
    expected = {v for v in product(NUMBERS, repeat=3) if all(holds(v) for _, holds in chosen)}
    labels = [
        data.draw(
            st.sampled_from([kanren.membero(v, NUMBERS), kanren.membero(v, list(NUMBERS)), ours.membero(v, NUMBERS)])
        )
        for v in VARIABLES
    ]
    goals = data.draw(st.permutations([goal for goal, _ in chosen] + labels))
    conjoin = data.draw(st.sampled_from([kanren.lall, ours.lall]))
    assert set(kanren.run(0, VARIABLES, OURS, conjoin(*goals), OURS)) == expected
    assert terms(relaylogic.run(0, VARIABLES, *goals)) == expected


# The relations of the shipped rule base by name.


def test_relations_are_imported_by_name():
    from relaylogic import rules

    assert rules.Broadcast is default_rules().relation("Broadcast") is Broadcast
    assert set(dir(rules)) == set(default_rules().relations)
    assert kanren.run(0, x, Identity(T, x)) == (T,)


def test_a_name_that_is_missing_names_its_neighbours():
    from relaylogic import rules

    with pytest.raises(AttributeError, match="no relation `Brodcast`; did you mean `Broadcast`"):
        rules.Brodcast  # noqa: B018
    with pytest.raises(ImportError, match="no relation `Flaten`; did you mean `Flatten`"):
        from relaylogic.rules import Flaten  # noqa: F401
    assert not hasattr(rules, "Brodcast") and not hasattr(rules, "__path__")


def test_importing_rules_loads_none():
    code = (
        "import sys, relaylogic, relaylogic.rules\n"
        "from relaylogic.rulebase.shipped import default_rules_loaded\n"
        "print(default_rules_loaded(), 'kanren' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "False False\n"


# Relations of one's own, in a script, in a notebook cell.

CELL = '''
from kanren import Relation, facts
from relaylogic.logic import eq, equals, fresh, lall, lto, plus
from relaylogic.rulebase import relation

edge = Relation("edge")
facts(edge, ("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"))

@relation
def Path(start, end):
    """There is a way from `start` to `end`."""

@Path.clause
def direct(start, end):
    return edge(start, end)

@Path.clause
def longer(start, end):
    middle = fresh()
    return lall(Path(start, middle), edge(middle, end))

@relation
def Upward(start, end):
    """One more than `start`, below 4."""

@Upward.clause
def step(start, end):
    return lall(equals(plus(start, 1), end), lto(end, 4))

@Upward.clause
def steps(start, end):
    middle = fresh()
    return lall(Upward(start, middle), Upward(middle, end))
'''


def cell():
    names = {}
    exec(CELL, names)
    return names["Path"], names["Upward"]


def script(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(CELL)
    names = {"__name__": "__main__", "__file__": str(file), "__package__": None}
    exec(compile(CELL, str(file), "exec"), names)
    return names["Path"], names["Upward"]


def test_a_relation_in_a_notebook_cell(tmp_path):
    for path, upward in (cell(), script(tmp_path)):
        assert str(path) == "Path(start, end)" and path.doc == "There is a way from `start` to `end`."
        assert path.name not in default_rules().relations
        assert [clause.name for clause in path.clauses] == ["direct", "longer"]
        assert set(kanren.run(2, x, path("c", x))) == {"a", "d"}
        assert kanren.run(1, x, upward(1, x)) == (2,)


def test_relations_that_call_themselves_end_under_our_run():
    path, upward = cell()
    assert terms(relaylogic.run(0, x, path("c", x))) == {"a", "b", "c", "d"}
    assert len(terms(relaylogic.run(0, (x, y), path(x, y)))) == 12
    assert terms(relaylogic.run(0, (), path("a", "d"))) == {()}
    assert relaylogic.run(0, (), path("d", "a")) == ()
    assert terms(relaylogic.run(0, x, upward(0, x))) == {1, 2, 3}
    assert terms(relaylogic.run(0, x, upward(x, 2))) == {0, 1}
    assert terms(relaylogic.run(0, x, upward(0, x), neq(x, 2), kanren.membero(x, (2, 3, 4)))) == {3}


@pytest.mark.parametrize(
    ("clauses", "number", "holds"),
    [
        ("again: R(n) :- R(n). one: R(1).", 1, True),
        ("one: R(1). again: R(n) :- R(n).", 2, False),
        ("one: R(1). back: R(n) :- Q(n). Q(n) :- R(n).", 2, False),
        ("Q(n) :- unknown(m), m = n. R(n) :- Q(n) ; n = 1.", 2, False),
    ],
)
def test_a_clause_knows_what_it_mentions_under_our_run(clauses, number, holds):
    """Names were looked up in a rule base that has none: what calls itself had no end, or met itself at work."""
    rules = load_rules()
    load_clauses(rules, clauses)
    x = var()
    with relaylogic.limits(time=20):
        assert bool(relaylogic.run(0, x, kanren.eq(x, 1), rules.relation("R")(number))) == holds


def test_a_relation_that_is_defined_within_a_function_calls_itself():
    """What a clause has from the function around it was not looked at: it had no end, or met itself at work."""

    def made():
        @relation
        def Again(number):
            """Holds of 1."""

        @Again.clause
        def again(number):
            return Again(number)

        @Again.clause
        def one(number):
            return ours.eq(number, 1)

        return Again

    x, again = var(), made()
    with relaylogic.limits(time=20):
        assert [str(answer) for answer in relaylogic.run(0, x, again(x))] == ["1"]
        assert relaylogic.run(0, x, kanren.eq(x, 1), again(1))
        assert not relaylogic.run(0, x, kanren.eq(x, 1), again(2))


def test_a_relation_may_get_another_clause():
    path, _ = cell()
    assert terms(relaylogic.run(0, x, path("d", x))) == set()

    @path.clause
    def back(start, end):
        return ours.eq((start, end), ("d", "a"))

    assert terms(relaylogic.run(0, x, path("d", x))) == {"a", "b", "c", "d"}


def test_clauses_of_stock_goals_only():
    @relation
    def Unlike(left, right):
        """Two of three, with kanren's own goals in the body."""

    @Unlike.clause
    def apart(left, right):
        three = (1, 2, 3)
        return kanren.lall(neq(left, right), kanren.membero(left, three), kanren.membero(right, three))

    @Unlike.clause
    def typed(left, right):
        return kanren.lall(isinstanceo(left, str), kanren.eq(left, right))

    expected = {(a, b) for a, b in product((1, 2, 3), repeat=2) if a != b} | {("s", "s")}
    tried = kanren.membero(x, (1, 2, 3, "s"))
    for goals in ([Unlike(x, y), tried], [tried, Unlike(x, y)]):
        assert set(kanren.run(0, (x, y), *goals)) == expected
        assert terms(relaylogic.run(0, (x, y), *goals)) == expected


# Our `run`.


@pytest.mark.parametrize(
    ("asked", "goals", "expected"),
    [
        (x, [Flatten(x, Tensor((2, 12)))], ["Tensor[(2, ...s), float32] with prod(s) = 12"]),
        (x, [Identity(Tensor((y, 3)), x)], ["Tensor[(n, 3), float32]"]),
        ((x, y), [ours.leo(x, y)], ["(n, m) with n <= m"]),
        ([x, y], [ours.equals(ours.plus(x, y), 1), ours.eq(x, 1)], ["[1, 0]"]),
        (x, [kanren.conde([kanren.eq(x, 1)], [ours.eq(x, 1)])], ["1"]),
        (x, [kanren.eq((x, y), (1, 2))], ["1"]),
        (x, [ours.appendo(x, y, (1,))], ["()", "(1,)"]),
        ((x,), [ours.eq(x, (T, T))], ["((Tensor[(2, 3), float32], Tensor[(2, 3), float32]),)"]),
        (x, [], ["n"]),
        (7, [], ["7"]),
        (x, [ours.fail], []),
        (x, [neq(x, 2), ours.leo(x, 4)], ["n with n != 2, n <= 4"]),
    ],
)
def test_answers_come_with_their_residue(asked, goals, expected):
    assert [str(answer) for answer in relaylogic.run(0, asked, *goals)] == expected


@pytest.mark.parametrize(
    "branches",
    [
        [[ours.eq(x, 1)], [kanren.eq(x, y)]],
        [[ours.leo(x, 3)], [kanren.eq(x, y)]],
        [[ours.equals(ours.prod(x), 3)], [ours.membero(x, (y, 3))]],
        [[ours.leo(x, 3)], [ours.geo(x, 1)], [kanren.eq(x, y)]],
        [[ours.eq(x, y), ours.neq(y, 1)], [ours.eq(x, y)]],
    ],
)
def test_what_is_no_number_is_an_answer_beside_numbers(branches):
    """What was told without the numbers of an answer before it was taken for another number."""
    either = ours.conde(*branches)
    found = relaylogic.run(0, x, either)

    def is_told(value):
        stated = [(f.term, ours_goal(lambda work, f=f: all(map(work.post, f.constraints)))) for f in found]
        return any(relaylogic.run(1, (), ours.eq(term, value), constraints) for term, constraints in stated)

    for value in ("a", None, True, 0, 1, 4, (3,), (1, 2), T):
        assert is_told(value) == bool(relaylogic.run(1, (), kanren.eq(x, value), either)), (value, found)


def test_how_many_answers_are_given():
    goal = kanren.membero(x, (1, 2, 3))
    assert [a.term for a in relaylogic.run(2, x, goal)] == [1, 2]
    assert len(relaylogic.run(9, x, goal)) == 3
    lazily = relaylogic.run(None, y, kanren.membero(1, y))
    assert [str(next(lazily)) for _ in range(2)] == ["(1, ...n)", "(n, 1, ...m) with n != 1"]
    assert repr(relaylogic.run(1, x, goal)) == "(<1>,)"
    compared = relaylogic.run(None, y, ours.leo(x, 3), kanren.membero(1, y))
    assert [str(next(compared)) for _ in range(2)] == ["(1, ...n)", "(n, 1, ...m) with n != 1"]


def test_answers_are_values():
    one, other = (relaylogic.run(1, var(), Identity(Tensor((var(), 3)), var()))[0] for _ in range(2))
    assert one == other and hash(one) == hash(other)
    (found,) = relaylogic.run(0, x, Flatten(x, Tensor((2, 12))))
    assert found.residue == ("prod(s) = 12",) and found.term.dtype == "float32"


def test_what_is_not_asked_for_is_projected():
    assert terms(relaylogic.run(0, x, ours.membero(x, (1, 2)), ours.membero(y, (1, 2, 3)))) == {1, 2}
    assert terms(relaylogic.run(0, x, Broadcast(x, y, T))) == BROADCAST_TO_T


def test_only_our_run_finds_out_that_what_is_not_shown_cannot_hold():
    n, m, k = ours.fresh(3)
    goals = kanren.eq(x, 1), ours.addo(n, m, 3), ours.addo(m, k, 4), ours.addo(n, k, 6)
    assert kanren.run(0, x, *goals) == (1,)
    assert relaylogic.run(0, x, *goals) == ()


def test_strangers_take_turns():
    """Endless answers after one answer of a goal do not keep its next one from being followed."""
    answers = relaylogic.run(None, x, kanren.membero(x, (1, 2)), kanren.membero(1, y))
    assert {next(answers).term for _ in range(2)} == {1, 2}


# The whole rule base on kanren's own connectives.

STOCK = {"eq", "lall", "conde", "lany"}


def on_stock_goals(source):
    """A rule file that takes `eq`, `lall`, `conde` and `lany` from kanren."""
    tree = ast.parse(source)
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "relaylogic.logic"]
    moved = [name for node in imports for name in node.names if name.name in STOCK]
    for node in imports:
        node.names = [name for name in node.names if name.name not in STOCK] or [ast.alias("fresh")]
        tree.body.insert(tree.body.index(node), ast.ImportFrom("kanren", moved or [ast.alias("var")], 0))
    return ast.unparse(ast.fix_missing_locations(tree))


@pytest.fixture(scope="module")
def stock_rules(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    for file in rules_folder().glob("*.py"):
        (folder / file.name).write_text(on_stock_goals(file.read_text()))
    base = RuleBase()
    base.load(folder, python=True)
    assert not base.notes and set(base.relations) == set(default_rules().relations)
    return base


def by_relation():
    """A sample of the facts of each relation."""
    grouped = {}
    for name, known in facts().items():
        op = default_rules().operators.get(name)
        if op is not None:
            grouped.setdefault(op.relation.name, []).extend(known)
    return {name: known[:: max(1, len(known) // 8)] for name, known in sorted(grouped.items())}


def said(rules, fact):
    """What a rule base says of the call of a fact: all answers, or what those found agree on, and why it stopped."""
    op = rules.operators[fact["op"]]
    if not (op.variadic or len(fact["in"]) == len(op.inputs)):
        return "refused"
    try:
        attrs = op.attrs(fact["attrs"])
    except AttributeProblem:
        return "refused"
    given = tuple(var() if text == "_" else known_type(without_widths(text)) for text in fact["in"])
    arguments = (TupleType(given),) if op.variadic else given
    solution = solve_site(rules, op.relation, canonical((*arguments, var()), {}), attrs)
    if not solution.exhausted:
        return str(solution.general), solution.limit
    return sorted(f"{answer.terms} {sorted(map(str, answer.residue))}" for answer in solution.answers)


@pytest.mark.parametrize("name", by_relation())
def test_rules_say_the_same_on_kanrens_own_goals(stock_rules, name):
    for fact in some(by_relation()[name], 3):
        assert said(stock_rules, fact) == said(default_rules(), fact), fact


def test_the_rules_were_rewritten(stock_rules):
    clause = stock_rules.relation("Flatten").clauses[0]
    assert clause.build.__globals__["eq"] is kanren.eq and clause.build.__globals__["lall"] is kanren.lall


# What the README says to a reader who comes from kanren.


def readme_examples():
    """The Python blocks of the README's section for users of kanren, in order."""
    text = (Path(__file__).parents[2] / "README.md").read_text()
    section = text.split("\n## For users of miniKanren\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def unnumbered(text):
    """What is printed, whichever variables were fresh."""
    return re.sub(r"~\w+", "~", text)


def test_the_readmes_examples_say_what_they_give():
    """A comment after an expression is what it prints."""
    names, checked = {}, 0
    for block in readme_examples():
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            comment = re.search(r"#\s*(.*)$", lines[statement.end_lineno - 1][statement.end_col_offset :])
            if isinstance(statement, ast.Expr) and comment:
                value = eval(compile(ast.Expression(statement.value), "README.md", "eval"), names)
                assert unnumbered(repr(value)) == unnumbered(comment[1])
                checked += 1
            else:
                exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
    assert checked >= 5


@pytest.mark.parametrize(
    ("goal", "answers"),
    [
        (lambda x: ours.membero(x, [1, 2]), (1, 2)),
        (lambda x: ours.membero(x, [[1], [2]]), ((1,), (2,))),
        (lambda x: ours.appendo([1], [2], x), ((1, 2),)),
        (lambda x: ours.appendo(x, [2], [1, 2]), ((1,),)),
        (lambda x: ours.conso(1, x, [1, 2]), ((2,),)),
        (lambda x: ours.conso(1, [2], x), ((1, 2),)),
        (lambda x: ours.ntho([1, 2], 0, x), (1,)),
        (lambda x: ours.reverseo([1, 2], x), ((2, 1),)),
        (lambda x: ours.lengtho([1, 2], x), (2,)),
        (lambda x: ours.equals(ours.total([1, 2]), x), (3,)),
        (lambda x: ours.lall(ours.distincto([1, 1]), ours.eq(x, 1)), ()),
        (lambda x: ours.lall(ours.mapo(ours.leo, [1, 2], [x, 3]), ours.eq(x, 1)), (1,)),
        (lambda x: ours.eq([1, x], (1, 2)), (2,)),
        (lambda x: ours.eq(x, ours.cons((1,), [2])), ((1, 2),)),
    ],
)
def test_lists_of_python_are_lists_where_they_are_given_to_our_goals(goal: Any, answers: tuple[Any, ...]) -> None:
    x = var()
    assert kanren.run(0, x, goal(x)) == answers
    assert tuple(found.term for found in relaylogic.run(0, x, goal(x))) == answers
