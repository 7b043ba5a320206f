"""What a postponed call can come to: one option for each way in which a clause can hold, worked out once per pattern.

A pattern is a relation with canonical arguments. Its options are stored with `Slot`s, so that they can be put in
place of any call of that pattern. Where a clause suspends a goal of its own (`Delayed`: a list of unknown length),
options cannot be stored; the clauses are then run in the state at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from unification import Var

from .calls import Call, exploring
from .lists import Delayed, Different
from .search import canonical, instantiate, settle
from .state import BUDGET, State, Work
from .terms import Slot, Term, reify_term, variables_of
from .variables import arena, fresh

__all__ = ["Option", "Options", "options_of", "pursue", "resettle"]

MOST = 64


@dataclass(frozen=True, slots=True)
class Option:
    """One way for a call to hold: its arguments then, and what must hold besides, over slots."""

    clause: str
    arguments: tuple[Any, ...]
    constraints: tuple[Any, ...]
    bounds: tuple[tuple[Any, int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """All options of a pattern.

    `count` is how many there are (at most `MOST` are looked for); `options` is None where they cannot be stored;
    `disjoint` says that no two of them hold together; `functional` that the inputs determine the last argument.
    """

    count: int
    options: tuple[Option, ...] | None
    disjoint: bool
    functional: bool


def options_of(call: Call, memory: dict[Any, Any]) -> Options:
    """The options of a call. Raises StepLimit."""
    found = call.options
    if found is None:
        pattern = canonical(call.arguments, {})
        key = ("options", call.relation.name, pattern)
        found = memory.get(key)
        if found is None:
            found = memory[key] = _work_out(call.relation, pattern)
        call.options = found
    return found  # type: ignore[no-any-return]


def _work_out(relation: Any, pattern: tuple[Any, ...]) -> Options:
    with arena(), exploring(((relation.name, 1),)):
        slots: dict[int, Any] = {}
        arguments = instantiate(pattern, slots, fresh)
        variables = [slots[i] for i in sorted(slots)]
        states: list[tuple[str, State]] = []
        for clause in relation.clauses:
            for state in clause.goal(arguments)(State()):
                states.extend((clause.name, settled) for settled in settle(state))
                if len(states) > MOST:
                    return Options(len(states), None, False, False)
        live = any(type(c) is Delayed for _, state in states for c in state.constraints())
        disjoint = all(_apart(a, b, variables) for (_, a), (_, b) in combinations(states, 2))
        if live:
            return Options(len(states), None, disjoint, False)
        numbering = {variable: Slot(i) for i, variable in enumerate(variables)}
        options = tuple(_option(name, state, arguments, dict(numbering)) for name, state in states)
        return Options(len(states), options, disjoint, _functional(arguments, states))


def _option(name: str, state: State, arguments: tuple[Any, ...], numbering: dict[Any, Any]) -> Option:
    bindings = state.bindings
    terms = canonical(reify_term(arguments, bindings), numbering)
    constraints = [c.reified(bindings) for c in state.constraints()]
    for constraint in constraints:
        for variable in constraint.variables({}):
            numbering.setdefault(variable, Slot(len(numbering)))
    bounds = (
        []
        if state.store is None
        else [
            (numbering[v], low, high)
            for v, (low, high) in state.store.bounds.items()
            if v in numbering and v not in bindings
        ]
    )
    return Option(name, terms, tuple(c.reified(numbering) for c in constraints), tuple(bounds))


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
        work.post(c.reified(other.bindings))
        for c in other.constraints()
        if type(c) is not Delayed and type(c) is not Call
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
            type(c) is Call or any(v not in known for v in c.variables(state.bindings)) for c in state.constraints()
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
    different = Different(result, reify_term(result, other.bindings))
    return work.post(different) and (not work.queue or work.run())


def pursue(number: int, call: Call, state: State, memory: dict[Any, Any]) -> Iterator[tuple[tuple[str, str], State]]:
    """The states in which call `number` of `state` has been made, each with the names of relation and clause."""
    # A call of long lists costs more than one of short ones, one among many calls more than one alone.
    BUDGET.left -= sum(map(_weight, call.arguments)) + (0 if state.store is None else len(state.store.constraints) >> 3)
    options = options_of(call, memory)
    if options.options is not None:
        for option in options.options:
            new = _apply(option, number, call, state)
            if new is not None:
                for settled in resettle(new, call.inside):
                    yield (call.relation.name, option.clause), settled
        return
    store = state.store
    assert store is not None
    store = store.copy()
    del store.constraints[number]
    start = State(state.bindings, store, state.trace)
    for clause in call.relation.clauses:
        running = clause.goal(call.arguments)(start)
        while True:
            with exploring(call.inside):
                new = next(running, None)
            if new is None:
                break
            for settled in resettle(new, call.inside):
                yield (call.relation.name, clause.name), settled


def _weight(term: Any) -> int:
    """How much work a term is, over that of a small one."""
    if type(term) is tuple:
        return len(term)
    if isinstance(term, Term) and not term.ground:
        return sum(len(a) for a in term.args if type(a) is tuple)
    return 0


def _apply(option: Option, number: int, call: Call, state: State) -> State | None:
    BUDGET.charge()
    work = Work(state)
    store = work.own_store()
    del store.constraints[number]
    slots: dict[int, Any] = dict(enumerate(variables_of(call.arguments)))
    if not work.unify(call.arguments, instantiate(option.arguments, slots)):
        return None
    for slot, low, high in option.bounds:
        variable = work.walk(instantiate(slot, slots))
        if type(variable) is Var:
            if not work.narrow(variable, low, high):
                return None
        elif type(variable) is int and not (low <= variable and (high is None or variable <= high)):
            return None
    if option.constraints:
        inside = call.inside
        for constraint in option.constraints:
            for slot in _slots(constraint):
                instantiate(slot, slots)
            placed = constraint.reified({Slot(i): variable for i, variable in slots.items()})
            if type(placed) is Call:
                work.suspend(Call(placed.relation, placed.arguments, inside))
            elif not work.post(placed):
                return None
    return work.finish()


def _slots(constraint: Any) -> list[Any]:
    found: list[Any] = []
    stack: list[Any] = [getattr(constraint, name) for name in constraint.__slots__]
    while stack:
        item = stack.pop()
        if type(item) is Slot:
            found.append(item)
        elif type(item) is tuple:
            stack.extend(item)
        elif hasattr(item, "operands"):
            stack.extend(item.operands)
        elif hasattr(item, "args"):
            stack.extend(item.args)
    return found


def resettle(state: State, lineage: Any) -> Iterator[State]:
    """`settle`, with the calls that come of it kept as descending from `lineage`."""
    store = state.store
    if store is None or not any(type(c) is Delayed for c in store.constraints.values()):
        yield state
        return
    running = settle(state)
    while True:
        with exploring(lineage):
            new = next(running, None)
        if new is None:
            return
        yield new
