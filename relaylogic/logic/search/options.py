"""What a postponed call can come to: one option for each way in which a clause can hold, worked out once per pattern.

A pattern is a relation with canonical arguments. Its options are stored with `Slot`s, so that they can be put in
place of any call of that pattern. Calls that the clauses make stay calls, and what they suspend stays suspended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ...host.once import cached_property
from ..constraints.different import Different
from ..constraints.gradual import HELD_BACK, committed, holds_back
from ..control import Budget, Search
from ..exact import exact
from ..states.calls import Call, is_disjunction
from ..states.goals import Goal, goal
from ..states.state import State, Store
from ..states.suspended import Suspended, settle
from ..states.unknown import CONSTANTS
from ..states.work import Work
from ..terms.rebuilding import canonical, instantiate, reify_term
from ..terms.terms import LEAVES, Term, open_in, slot, variables_of
from .search import residue_of

__all__ = [
    "Option",
    "Options",
    "Steps",
    "Ways",
    "apply",
    "brings_variables",
    "clash",
    "effort",
    "option_of",
    "options_of",
    "options_of_ways",
    "place",
    "pursue",
    "together",
    "ways_of",
    "weight",
]

MOST = 64
Steps = tuple[tuple[str, str], ...]
"""Calls that were made, each with the name of the clause."""


class Option(NamedTuple):
    """One way for a call to hold: what some of its open variables are then, and what must hold besides, over slots."""

    clause: str
    values: tuple[tuple[int, Any], ...]
    """The number of a variable, in the order of their occurrence in the call, and its term."""
    constraints: tuple[Any, ...]
    size: int
    """How many slots there are; the first are the open variables of the call."""
    steps: Steps = ()
    """The calls that were made within the clause, which left no choice."""

    def steps_of(self, call: Call) -> Steps:
        """What is made where a call holds as the option says: it first."""
        return ((call.relation.name, self.clause), *self.steps)

    def goal(self, known: Sequence[Any]) -> Goal:
        """The goal that the open variables of a call, in order `known`, are as the option says."""
        return goal(lambda work: _place(self, known, work))


class Ways(NamedTuple):
    """The ways of a call that were not found by running its clauses; `is_plain`: the options are what would be left of
    each if it held. `are_disjoint`, `gives_last`: whether that is known of them, as of `Options`. `at_once`: they may
    be posted where no open number is `?`; what follows is the same as when that is said later. `no_unknown`: nothing
    in them is `?`, or a symbol, but for what the calls that they leave come to."""

    options: tuple[Option, ...]
    is_plain: bool
    are_disjoint: bool
    gives_last: bool
    at_once: bool
    no_unknown: bool


class Options:
    """All options of a pattern.

    `count` is how many there are (at most `MOST` are looked for), `most` how many there may be before that is known;
    `options` is None where they are too many to store.
    How they relate to each other is worked out when it is asked.
    """

    def __init__(self, count: int, states: list[tuple[str, State]] | None = None, arguments: Any = ()) -> None:
        self.count = self.most = count
        self.gives_last = False  # whether it is known that what is last among the arguments follows from the others
        self.cut = 0  # as `Budget.cut`, when they were looked for; `short` as well
        self.short = 0
        self.states = states  # of each, with the name of its clause
        self.arguments = arguments  # with the variables of the states

    @cached_property
    def options(self) -> tuple[Option, ...] | None:
        """The options themselves."""
        if self.states is None:
            return None
        return tuple(option_of(name, state, self._variables) for name, state in self.states)

    @cached_property
    def _variables(self) -> tuple[Any, ...]:
        return tuple(variables_of(self.arguments))

    @property
    def sole(self) -> Option | None:
        """The only one, which may not hold though that is not known; None if there is none, or may be another one."""
        return self.options[0] if self.count == 1 and self.options else None

    def outcomes(self) -> list[tuple[Any, list[Any]]] | None:
        """The arguments and what must hold besides, of each, with variables; None where they are too many to store."""
        if self.states is None:
            return None
        found = []
        for _, state in self.states:
            waiting = [reify_term(c, state.bindings) for c in state.constraints()]
            found.append((reify_term(self.arguments, state.bindings), waiting))
        return found

    def decided(self) -> Options:
        """The options when no number that is open will turn out to be `?`."""
        if self.states is None or not any(holds_back(state) for _, state in self.states):
            return self
        known = ((name, committed(_asked_now(state))) for name, state in self.states)
        states = [(name, state) for name, state in known if state is not None]
        left = Options(len(states), states, self.arguments)
        left.cut, left.short = self.cut, self.short
        return left

    @cached_property
    def disjoint(self) -> bool:
        """Whether no two of them hold together."""
        if self.states is None:
            return False
        shared = dict(enumerate(self._variables))
        options = self.options or ()
        return all(
            clash(options[i].values, options[j].values)
            or together(self.states[i][1], options[j].values, options[j].constraints, dict(shared)) is None
            for i, j in combinations(range(len(options)), 2)
        )


class _Kept(Options):
    """Options that are known before their states are: these are made when they are asked for."""

    def __init__(self, known: Ways, pattern: tuple[Any, ...], search: Search) -> None:
        self.cut = self.short = 0
        self._pattern = pattern
        self.most = len(known.options)
        self.gives_last = known.gives_last
        self._known = known
        self._search = search
        if known.is_plain:
            self.options = known.options
        if known.are_disjoint:
            self.disjoint = True

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments with the variables of the states."""
        arguments: tuple[Any, ...] = instantiate(self._pattern, {})
        return arguments

    @cached_property
    def count(self) -> int:
        """How many there are."""
        return self.most if self._known.is_plain else len(self.states or ())

    @property
    def sole(self) -> Option | None:
        """As `Options.sole`; one that may be posted is posted, without a state of its own."""
        return self._known.options[0] if self.most == 1 and self._known.at_once else super().sole

    @cached_property
    def states(self) -> list[tuple[str, State]] | None:
        """The state of each, with the name of its clause."""
        start = State({}, None, _search_now(self._search))
        options, variables = self._known.options, self._variables
        return [(option.clause, state) for option in options for state in option.goal(variables)(start)]

    def outcomes(self) -> list[tuple[Any, list[Any]]] | None:
        """As `Options.outcomes`; where nothing in them may be `?`, the calls that they leave are all."""
        known = self._known
        left = [[instantiate(c, {}) for c in option.constraints if type(c) is Call] for option in known.options]
        if known.no_unknown and (known.is_plain or not any(left)):
            return [((), calls) for calls in left]
        return super().outcomes()

    def decided(self) -> Options:
        """As `Options.decided`: what follows then is drawn when the states are made."""
        kinds = {type(constraint) for option in self._known.options for constraint in option.constraints}
        if self._known.is_plain and HELD_BACK.isdisjoint(kinds):
            return self
        if not self._known.at_once:
            return super().decided()
        return _Kept(self._known, self._pattern, self._search.but(gradual=None))


def options_of(pattern: tuple[Any, ...], memory: dict[Any, Any], search: Search) -> Options:
    """The options of a pattern (canonical: the relation, then the arguments), worked out once. Raises StepLimit.

    They differ by whether numbers may turn out to be `?`.
    """
    if is_disjunction(pattern[0]):
        memory = {}
    gradual = search.is_gradual()
    key = (pattern[0], exact(pattern), search.defaults, gradual)
    found: Options | None = memory.get(key)
    if found is None:
        if gradual or not _mentions_unknown(pattern[0], search):
            budget = search.budget
            before, budget.cut, budget.short = (budget.cut, budget.short), 0, 0
            found = _work_out(pattern, search)
            found.cut, found.short = budget.cut, budget.short
            budget.cut, budget.short = max(budget.cut, before[0]), max(budget.short, before[1])
        else:
            # Within a clause, a number may be `?` also where none can be outside of it.
            found = options_of(pattern, memory, search.but(gradual=True)).decided()
        memory[key] = found
    search.budget.cut = max(search.budget.cut, found.cut)
    search.budget.short = max(search.budget.short, found.short)
    return found


def _mentions_unknown(relation: Any, search: Search) -> bool:
    return search.rules is None or bool(search.rules.profiles.of(relation).makes_unknown)


def ways_of(relation: Any, arguments: tuple[Any, ...], start: State) -> Iterator[tuple[str, State]]:
    """The ways in which a call can hold, by its clauses: the name of the clause, and the state."""
    for clause in relation.clauses:
        for state in clause.goal(arguments)(start):
            for settled in settle(state):
                yield clause.name, settled


def _work_out(pattern: tuple[Any, ...], search: Search) -> Options:
    known = None if search.rules is None else search.rules.ways(pattern[0], pattern[1:], search)
    if known is not None:
        return options_of_ways(known, pattern[1:], search)
    relation, *terms = instantiate(pattern, {})
    arguments = tuple(terms)
    states: list[tuple[str, State]] = []
    for way in ways_of(relation, arguments, State({}, None, search)):
        states.append(way)
        if len(states) > MOST:
            return Options(len(states))
    return Options(len(states), states, arguments)


def options_of_ways(known: Ways, pattern: tuple[Any, ...], search: Search) -> Options:
    """The options of a call, whose arguments are canonical, of which all ways are known."""
    return _Kept(known, pattern, search)


def option_of(name: str, state: State, variables: tuple[Any, ...]) -> Option:
    """What a state says of the open variables of a call."""
    numbering = {variable: slot(i) for i, variable in enumerate(variables)}
    terms = canonical(reify_term(variables, state.bindings), numbering)
    constraints = canonical(tuple(residue_of(state, variables, taken_up=True)), numbering)
    values = tuple([(i, term) for i, term in enumerate(terms) if term is not slot(i)])
    return Option(name, values, constraints, len(numbering))


def _asked_now(state: State) -> State:
    """A state that was found earlier, for whoever asks now: they pay, under their limits, and nobody else is told."""
    return State(state.bindings, state.store, _search_now(state.search))


def _search_now(search: Search) -> Search:
    return search.but(budget=Budget(), trace=None)


def clash(one: Iterable[tuple[int, Any]], other: Iterable[tuple[int, Any]]) -> bool:
    """Whether values for the same variables are seen at a glance not to be equal: another number, another length."""
    values = dict(one)
    return any(_differ(values[number], value) for number, value in other if number in values)


def _differ(a: Any, b: Any) -> bool:
    kind = type(a)
    if kind is not type(b):
        return False
    return len(a) != len(b) if kind is tuple else a != b if kind in (int, str) else False


def together(
    state: State,
    values: Iterable[tuple[int, Any]],
    constraints: tuple[Any, ...],
    slots: dict[int, Any],
    result: tuple[Any, Any] | None = None,
) -> Work | None:
    """What a state becomes where another option of the same call holds too; None if both cannot, as far as what each
    demands tells without being run.

    The options share the variables in `slots`; the other's own, which join them, are others than those of the state. If
    there is a `result`, with what the other option says it is, both are to hold while these differ.
    """
    work = Work(_asked_now(state))
    if not _said(values, slots, work):
        return None
    told = instantiate(tuple([c for c in constraints if type(c) not in (Suspended, Call)]), slots)
    if result is not None:
        told = (*told, Different.draft((result[0], instantiate(result[1], slots))))
    return work if all(map(work.post, told)) and (not work.queue or work.run()) else None


def pursue(number: int, call: Call, state: State, options: Options) -> Iterator[tuple[Steps, State]]:
    """The states in which call `number` of `state` has been made, each with what was made.

    What has become ready in them is still to run.
    """
    store = state.store
    assert store is not None
    state.search.budget.charge(effort(call, store))
    if options.options is not None:
        for option in options.options:
            new = apply(option, number, call, state)
            if new is not None:
                yield option.steps_of(call), new
        return
    store = store.copy()
    del store.constraints[number]
    start = State(state.bindings, store, state.search)
    for clause in call.relation.clauses:
        for new in clause.goal(call.arguments)(start):
            yield ((call.relation.name, clause.name),), new


def effort(call: Call, store: Store) -> int:
    """How many steps it takes to make a call: one of long lists costs more than one of short ones, one among many calls
    more than one alone."""
    arguments = call.arguments
    is_flat = CONSTANTS.issuperset(map(type, arguments))
    return (len(arguments) if is_flat else weight(arguments)) + (len(store.constraints) >> 3)


MOST_WEIGHT = 1 << 20
TERMS_A_STEP = 8


def weight(term: Any) -> int:
    """How much work a term is, over that of a small one: how many elements the tuples in it have, and how many terms.

    A tuple counts each time that it occurs, since it is compared each time; a term counts once, as an eighth of an
    element: only tall ones tell. `MOST_WEIGHT` is the most.
    """
    found = 0
    seen: set[int] = set()
    stack = [term]
    while stack and found < MOST_WEIGHT:
        item = stack.pop()
        if type(item) is tuple:
            found += len(item)
            stack += [part for part in item if type(part) not in LEAVES]
        elif isinstance(item, Term) and not item.ground and id(item) not in seen:
            seen.add(id(item))
            stack += [part for part in item.args if type(part) not in LEAVES]
    return min(found + len(seen) // TERMS_A_STEP, MOST_WEIGHT)


def brings_variables(option: Option, call: Call) -> bool:
    """Whether a call that is made by an option brings variables of its own, or may do so later."""
    return option.size > len(open_in(call)) or any(type(c) is Suspended for c in option.constraints)


def apply(option: Option, number: int, call: Call, state: State) -> State | None:
    """The state in which call `number`, without bound variables, holds as an option says, or None if it cannot."""
    state.search.budget.charge()
    work = Work(state)
    return work.finish() if place(option, number, call, work) else None


def place(option: Option, number: int, call: Call, work: Work) -> bool:
    """Make call `number`, without bound variables, hold as an option says; False if it cannot."""
    del work.own_store().constraints[number]
    return _place(option, open_in(call), work)


def _place(option: Option, known: Sequence[Any], work: Work) -> bool:
    """Make an option hold of a call whose open variables, in order, are `known`; False if it cannot."""
    slots: dict[int, Any] = dict(enumerate(known))
    if not _said(option.values, slots, work):
        return False
    for constraint in option.constraints:
        if type(constraint) is Call:
            work.suspend(Call.draft(instantiate(constraint.args, slots)))
        elif not work.post(instantiate(constraint, slots)):
            return False
    return True


def _said(values: Iterable[tuple[int, Any]], slots: dict[int, Any], work: Work) -> bool:
    """Give the variables in some slots their values; False if they cannot have them."""
    for number, value in values:
        if not work.unify(slots[number], value if type(value) in (int, str) else instantiate(value, slots)):
            return False
    return True
