"""What a postponed call can come to: one option for each way in which a clause can hold, worked out once per pattern.

A pattern is a relation with canonical arguments. Its options are stored with `Slot`s, so that they can be put in
place of any call of that pattern. Calls that the clauses make stay calls, and what they suspend stays suspended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from unification import Var

from .calls import Call
from .control import Search
from .lists import Different
from .search import residue_of
from .state import State, Work
from .suspended import Suspended, settle
from .terms import Term, canonical, instantiate, reify_term, slot, variables_of

__all__ = ["Option", "Options", "apply", "option_of", "options_of", "pursue", "states_of", "weight"]

MOST = 64
Step = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Option:
    """One way for a call to hold: its arguments then, and what must hold besides, over slots."""

    clause: str
    arguments: tuple[Any, ...]
    constraints: tuple[Any, ...]
    size: int
    """How many slots there are."""


@dataclass(frozen=True, slots=True)
class Options:
    """All options of a pattern.

    `count` is how many there are (at most `MOST` are looked for); `options` is None where they are too many to store;
    `disjoint` says that no two of them hold together; `functional` that the inputs determine the last argument.
    """

    count: int
    options: tuple[Option, ...] | None
    disjoint: bool
    functional: bool


def options_of(call: Call, memory: dict[Any, Any], search: Search) -> Options:
    """The options of a call, worked out once for all calls of its pattern. Raises StepLimit."""
    pattern = canonical(call.args, {})
    key = (pattern, search.is_gradual())
    found = memory.get(key)
    if found is None:
        found = memory[key] = _work_out(pattern, search)
    return found  # type: ignore[no-any-return]


def states_of(pattern: tuple[Any, ...], search: Search) -> Iterator[tuple[str, State, tuple[Any, ...]]]:
    """The ways in which a call can hold: the clause, the state, the arguments with variables."""
    relation, *arguments = instantiate(pattern, {})
    given = tuple(arguments)
    start = State({}, None, search)
    for clause in relation.clauses:
        for state in clause.goal(given)(start):
            for settled in settle(state):
                yield clause.name, settled, given


def _work_out(pattern: tuple[Any, ...], search: Search) -> Options:
    states: list[tuple[str, State]] = []
    arguments: tuple[Any, ...] = ()
    for name, state, given in states_of(pattern, search):
        arguments = given
        states.append((name, state))
        if len(states) > MOST:
            return Options(len(states), None, False, False)
    variables = variables_of(arguments)
    disjoint = all(_apart(a, b, variables) for (_, a), (_, b) in combinations(states, 2))
    numbering = {variable: slot(i) for i, variable in enumerate(variables)}
    options = tuple(option_of(name, state, arguments, dict(numbering)) for name, state in states)
    return Options(len(states), options, disjoint, _functional(arguments, states))


def option_of(name: str, state: State, arguments: tuple[Any, ...], numbering: dict[Any, Any]) -> Option:
    """What a state says of the arguments of a call."""
    terms = canonical(reify_term(arguments, state.bindings), numbering)
    constraints = canonical(tuple(residue_of(state, arguments)), numbering)
    return Option(name, terms, constraints, len(numbering))


def _apart(a: State, b: State, variables: list[Any]) -> bool:
    """Whether two states that grew from one cannot both hold, as far as their constraints tell."""
    work = Work(a)
    return not (_join(work, b, variables) and (not work.queue or work.run()))


def _join(work: Work, other: State, variables: list[Any]) -> bool:
    for variable in variables:
        if not work.unify(variable, reify_term(variable, other.bindings)):
            return False
    if other.store is None:
        return True
    for variable, (low, high) in other.store.bounds.items():
        known = work.walk(variable)
        if type(known) is Var and not work.narrow(known, low, high):
            return False
        if type(known) is int and not (low <= known and (high is None or known <= high)):
            return False
    return all(
        work.post(reify_term(c, other.bindings))
        for c in other.constraints()
        if type(c) is not Suspended and type(c) is not Call
    )


def _functional(arguments: tuple[Any, ...], states: list[tuple[str, State]]) -> bool:
    """Whether the terms before the last one determine it: no two options agree on them and differ on it."""
    terms = [a for a in arguments if type(a) in (Var, tuple) or hasattr(a, "args")]
    if len(terms) < 2 or type(terms[-1]) is not Var:
        return False
    *inputs, result = terms
    given = variables_of(tuple(inputs))
    if result in given:
        return False
    for _, state in states:
        # What an option introduces must follow from the inputs; only the simplest form of that is recognised.
        known = set(variables_of(reify_term(tuple(inputs), state.bindings)))
        if any(v not in known for v in variables_of(reify_term(result, state.bindings))):
            return False
        if any(
            type(c) in (Call, Suspended) or any(v not in known for v in c.variables(state.bindings))
            for c in state.constraints()
        ):
            return False
    for (_, a), (_, b) in combinations(states, 2):
        work = Work(a)
        if not _join_inputs(work, b, given, result):
            continue
        return False
    return True


def _join_inputs(work: Work, other: State, given: list[Any], result: Any) -> bool:
    """Whether both states can hold of the inputs while their results differ."""
    if not _join(work, other, given):
        return False
    different = Different.draft((result, reify_term(result, other.bindings)))
    return work.post(different) and (not work.queue or work.run())


def pursue(number: int, call: Call, state: State, options: Options) -> Iterator[tuple[Step, State]]:
    """The states in which call `number` of `state` has been made, each with the names of relation and clause."""
    # A call of long lists costs more than one of short ones, one among many calls more than one alone.
    store = state.store
    assert store is not None
    state.search.budget.charge(sum(map(weight, call.arguments)) + (len(store.constraints) >> 3))
    if options.options is not None:
        for option in options.options:
            new = apply(option, number, call, state)
            if new is not None:
                for settled in settle(new):
                    yield (call.relation.name, option.clause), settled
        return
    store = store.copy()
    del store.constraints[number]
    start = State(state.bindings, store, state.search)
    for clause in call.relation.clauses:
        for new in clause.goal(call.arguments)(start):
            for settled in settle(new):
                yield (call.relation.name, clause.name), settled


def weight(term: Any) -> int:
    """How much work a term is, over that of a small one."""
    if type(term) is tuple:
        return len(term)
    if isinstance(term, Term) and not term.ground:
        return sum(len(a) for a in term.args if type(a) is tuple)
    return 0


def apply(option: Option, number: int, call: Call, state: State) -> State | None:
    """The state in which call `number` holds as an option says, or None if it cannot."""
    state.search.budget.charge()
    work = Work(state)
    store = work.own_store()
    del store.constraints[number]
    known = variables_of(call.arguments, state.bindings)
    return work.finish() if _place(option, call.arguments, known, work) else None


def _place(option: Option, arguments: tuple[Any, ...], known: list[Any], work: Work) -> bool:
    """Make an option hold of arguments whose open variables, in order, are `known`; False if it cannot."""
    slots: dict[int, Any] = dict(enumerate(known))
    if not work.unify(arguments, instantiate(option.arguments, slots)):
        return False
    for constraint in instantiate(option.constraints, slots):
        if type(constraint) in (Call, Suspended):
            work.suspend(constraint)
        elif not work.post(constraint):
            return False
    return True
