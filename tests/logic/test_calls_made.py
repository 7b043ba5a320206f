"""The calls of a search: what is found out of them once, and that nothing is lost or doubled by it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaylogic.logic import eq, fresh, lall
from relaylogic.logic.circuits.branching import Branching, solve_goal
from relaylogic.logic.circuits.circuit import answers
from relaylogic.logic.circuits.forced import Forced, forced
from relaylogic.logic.circuits.solver import Solver
from relaylogic.logic.control import FREE, Search
from relaylogic.logic.search.profiles import asked_about
from relaylogic.logic.search.resolution import Resolution
from relaylogic.logic.states.calls import Call
from relaylogic.logic.states.state import State
from relaylogic.logic.states.work import Work
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.logic.terms.terms import Cons, cons, open_in
from relaylogic.logic.terms.variables import fresh_list
from relaylogic.rulebase import load_rules
from relaylogic.types import TensorType
from relaylogic.types.universe import Universe
from relaylogic.typings.program import typings
from relaylogic.typings.query import count_query, query
from tests.effort import some

RULES = load_rules()
VARIABLES = fresh_list(4)


def chain(operands: int, extent: int) -> str:
    parameters = ", ".join(f"%x{i}: Tensor[(_), float32]" for i in range(operands))
    sums = "add(" * (operands - 1) + "%x0" + "".join(f", %x{i})" for i in range(1, operands))
    return f"def @main({parameters}) -> Tensor[({extent}), float32] {{ {sums} }}"


def test_what_comes_of_ways_that_differ_in_what_nothing_else_speaks_of_is_found_out_once(monkeypatch):
    """Whether the last operand is 1 or the result, what is left of a chain of additions is the same."""
    made = []
    alternative = Solver.alternative

    def counted(self: Solver, *given: Any, **named: Any) -> Any:
        made.append(given)
        return alternative(self, *given, **named)

    monkeypatch.setattr(Solver, "alternative", counted)
    found = list(typings(chain(8, 5), rules=RULES))
    shapes = {tuple(answer.bindings[f"%x{i}"].shape[0] for i in range(8)) for answer in found}
    assert shapes == set(product((1, 5), repeat=8)) - {(1,) * 8}
    assert len(found) == len(shapes)
    assert len(made) <= 3 * 8


def test_calls_that_leave_no_choice_are_made_before_parts_are_looked_for(monkeypatch):
    """There was a part for each sum that is 1, whose calls leave no choice, and a round through all calls for each of
    these; and a call was found anew for each in which the same had become known."""
    parts, renewed = [], []
    make, reified = Branching._make, Call.reified
    monkeypatch.setattr(Branching, "_make", lambda self, part: (parts.append(part), make(self, part))[1])
    monkeypatch.setattr(Call, "reified", lambda self, bindings: (renewed.append(self), reified(self, bindings))[1])
    operands = 12
    assert sum(1 for _ in typings(chain(operands, 5), rules=RULES)) == 2**operands - 1
    assert len(parts) < operands
    assert len(renewed) < 12 * operands


def test_the_clauses_of_calls_that_leave_no_choice_are_those_of_all_answers():
    found = list(typings(chain(3, 5), rules=RULES))
    used = {answer.clauses for answer in found}
    assert len(found) == 7 and len(used) > 1
    for clauses in used:
        names = [clause.partition("/")[0] for clause in clauses]
        assert [names.count(name) for name in ("Broadcast", "BroadcastShapes", "BroadcastDim")] == [2, 2, 2]


@pytest.mark.parametrize("seed", some(range(64), 4))
def test_tables_are_joined_as_by_force(tmp_path: Path, seed: int):
    """A variable may be of one table only, of two, equal to another, hidden, and out of bounds."""
    random = Random(seed)
    tables = [{tuple(random.choices(range(1, 6), k=3)) for _ in range(7)} for _ in range(2)]
    names = [random.choices("abcde", k=3) for _ in tables]
    every = list(dict.fromkeys(names[0] + names[1]))
    shown = every[: random.randrange(1, len(every) + 1)]
    most = random.choice((3, 5))
    facts = [f"R{at}({', '.join(map(str, row))})." for at, rows in enumerate(tables) for row in sorted(rows)]
    both = f"J({', '.join(shown)}) :- R0({', '.join(names[0])}), R1({', '.join(names[1])})."
    (tmp_path / "tables.rel").write_text("\n".join([*facts, both]) + "\n")
    expected = set()
    for left, right in product(*tables):
        known: dict[str, int] = {}
        pairs = zip(names[0] + names[1], left + right, strict=True)
        if all(known.setdefault(name, value) == value for name, value in pairs):
            row = tuple(known[name] for name in shown)
            if max(row) <= most:
                expected.add(row)
    rules = load_rules(tmp_path)
    text = ", ".join([f"J({', '.join(shown)})", *(f"{name} <= {most}" for name in shown)])
    found = [tuple(answer.bindings[name] for name in shown) for answer in query(text, rules=rules)]
    assert len(found) == len(set(found)) == count_query(text, rules=rules), both
    assert set(found) == expected, both


def test_whether_anything_may_be_unknown_is_read_off_the_only_state_of_a_goal():
    """The goal was run a second time for it."""
    runs = []
    data, out, width = fresh(3)
    dense = RULES.relation("Dense")
    attributes = RULES.operator("nn.dense").attrs({})

    def stated(state: Any) -> Any:
        runs.append(state)
        weight = eq(out, TensorType((4, 6), "float32"))
        return lall(weight, dense(data, TensorType((6, width), "float32"), out, attributes))(state)

    search = asked_about(stated, RULES)
    root = solve_goal(stated, {data: "type", width: "dim"}, Universe(max_dim=8), search)
    assert len(list(answers(root))) == 8
    assert len(runs) == 1


def test_a_call_waits_for_what_stands_in_a_term_that_became_known():
    """It was woken, and found out nothing; what its variable was bound to has variables of its own."""
    (shape, number, tail), relation = fresh(3), RULES.relation("BroadcastShapes")
    work = Work(State())
    call = work.suspend(Call.draft((relation, shape, (2,), fresh())))
    assert work.unify(shape, cons(number, tail)) and work.run()
    watch = work.own_store().watch
    assert call in watch[number] and call in watch[tail]
    assert work.unify(tail, ()) and work.unify(number, fresh()) and work.run()
    assert call in work.own_store().watch[work.walk(number)]


items = st.recursive(
    st.sampled_from((*VARIABLES, 1, True, 7, "int8", None)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, min_size=1, max_size=2).map(lambda first: cons(tuple(first), VARIABLES[0])),
    ),
    max_leaves=6,
)


@given(st.lists(items, max_size=5).map(tuple))
def test_flat_terms_are_renamed_like_terms_within_others(terms):
    """They take a shorter way, which must come to the same: of `canonical`, `instantiate` and the variables."""
    numbering: dict[Any, Any] = {}
    told = canonical(terms, numbering)
    assert (told,) == canonical((terms,), {})
    back = {number: variable for variable, place in numbering.items() for number in place.args}
    assert instantiate(told, dict(back)) == instantiate((told,), dict(back))[0] == terms
    call = Call.draft((RULES.relation("Broadcast"), *terms))
    assert list(open_in(call)) == list(numbering)
    assert call.pattern is Call.make((call.relation, *told))
    assert call.reified({}) is call
    resolution = Resolution(Search(), {})
    assert resolution.reified(call, {}) is call
    for values in ({VARIABLES[0]: 5}, {VARIABLES[0]: 1, VARIABLES[1]: "int8"}, {VARIABLES[0]: (1,)}):
        first, again = (resolution.reified(call, values) for _ in range(2))
        assert first.args == call.reified(values).args == again.args
        assert first is again or (1,) in values.values()
    bound = call.reified({VARIABLES[0]: 5, VARIABLES[1]: VARIABLES[2]})
    assert bound.pattern.args[1:] == canonical(_with(terms, {VARIABLES[0]: 5, VARIABLES[1]: VARIABLES[2]}), {})


def _with(term: Any, values: dict[Any, Any]) -> Any:
    if type(term) is tuple:
        return tuple(_with(part, values) for part in term)
    if type(term) is Cons:
        return cons(_with(term.prefix, values), values.get(term.tail, term.tail))
    return values.get(term, term) if term in VARIABLES else term


@pytest.mark.parametrize("seed", range(30))
def test_calls_that_are_kept_together_are_kept_as_one_after_the_other(seed: int) -> None:
    random = Random(seed)
    relation, terms = RULES.relation("BroadcastDim"), (*VARIABLES, 1, 6)
    drawn = [random.choices(terms, k=3) for _ in range(8)]
    goals = [relation(*row) if random.random() < 0.7 else eq(*row[:2]) for row in drawn]
    start = State({}, None, Search(gradual=False, postpones=True))
    alone = [start]
    for item in goals:
        alone = [made for state in alone for made in item(state)]
    assert list(map(kept_in, lall(*goals)(start))) == list(map(kept_in, alone))


def kept_in(state: State) -> Any:
    """What is bound and what waits in a state."""
    store = state.store
    return state.bindings, None if store is None else (store.constraints, store.watch, store.bounds, store.next)


@pytest.mark.parametrize("seed", range(40))
def test_those_calls_may_be_made_in_which_something_was_bound(seed: int) -> None:
    """Where all leave a choice, the others need not be looked at to say which do not by now."""
    random = Random(seed)
    relation, variables = RULES.relation("BroadcastDim"), fresh_list(6)
    search = Search(gradual=False, postpones=True, defaults=FREE, rules=RULES)
    resolution = Resolution(search, {})
    goals = [relation(*random.choices((*variables, 6), k=3)) for _ in range(8)]
    (start,) = lall(*goals)(State({}, None, search))
    before = forced(start, resolution)
    for variable, value in product(variables, (1, 6, *variables)) if before is not None else ():
        work = Work(before.state)
        new = work.finish() if work.unify(variable, value) else None
        if new is not None:
            assert said_by(forced(new, resolution, before.state)) == said_by(forced(new, resolution))


def said_by(made: Forced | None) -> Any:
    """What is bound, what waits and what was made."""
    return None if made is None else (made.steps, made.brings, *kept_in(made.state)[:1], _waiting(made.state))


def _waiting(state: State) -> Any:
    store = state.store
    return store and (
        {n: c.reified(state.bindings).args for n, c in store.constraints.items()},
        store.bounds,
        store.next,
    )
