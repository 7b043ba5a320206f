"""The nodes of a circuit that search: they make the calls that leave no choice, then branch on the fewest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count as counting
from operator import itemgetter
from typing import Any

from ..constraints.gradual import is_of_unknowns, is_unknown, unknowns_awaited
from ..constraints.implied import without_implied
from ..constraints.intervals import interval
from ..constraints.linear import with_linear
from ..control import Endless
from ..search.leftover import inhabited, projected
from ..search.limits import all_limits, lengths, limits
from ..search.options import Option, Options, Steps, apply, brings_variables, effort, weight
from ..search.search import residue_of
from ..search.split import Part, determined
from ..states.calls import Call
from ..states.state import Bounds, State
from ..states.suspended import Suspended
from ..states.work import Work
from ..terms.numbers import UNKNOWN
from ..terms.rebuilding import canonical
from ..terms.terms import PLAIN, open_in, slot
from ..terms.variables import fresh, fresh_list
from .choices import bounded, longest_of, says_form
from .circuit import Alternative, Node
from .disjoint import Disjoint
from .forced import forced
from .solver import Solver

__all__ = ["Problem", "doubtful", "in_order"]

WIDEST = 64
"""A variable of at most so many values is labelled rather than that calls are made which may say the same twice."""
Calls = list[tuple[Options, int, Call]]
"""Calls that wait, each with its options and its number."""


class Problem(Node):
    """A part that is searched.

    `is_determined`: it is known that what is hidden in it follows from what is wanted. So it does in what comes of it
    where calls are made that bring no variables of their own: there are the same answers, or fewer.
    """

    __slots__ = ("brings", "doubtful", "is_determined", "part", "scope", "solver", "wanted")

    def __init__(self, part: Part, solver: Solver) -> None:
        super().__init__()
        self.part = part
        self.solver = solver
        self.wanted = part.wanted
        self.scope = part.scope
        self.doubtful = False  # whether a call that leaves no choice came to more than one state after all
        self.is_determined = False
        self.brings = False  # whether a call that leaves no choice brings variables

    @property
    def width(self) -> int:
        """The number of wanted variables."""
        return len(self.wanted)

    def produce(self) -> Iterator[Any]:
        """Forced calls first; then a list to label, a call to make, a variable to label, or what is left as residue."""
        listed = self._listed()
        if listed is not None:
            yield from listed
            return
        for state, steps, calls in self._forced():
            if steps or state.bindings or self.doubtful:
                # Something became known: it may have fallen apart, or be equal to a part met before.
                made = self._alternative(state, 0, steps)
                if made is not None:
                    made.doubtful = self.doubtful
                    if self.is_determined and not self.brings:
                        _determine(made)
                    yield made
                continue
            yield from self._branch(state, in_order(calls))

    def _listed(self) -> Iterator[Alternative] | None:
        """The alternatives of a part that is one call, if its options say what all of its variables are, which are all
        wanted, and are so many that they are to be chosen from."""
        state, wanted = self.part.state, self.wanted
        store = state.store
        if self.scope or store is None or len(store.constraints) != 1:
            return None
        (call,) = store.constraints.values()
        if type(call) is not Call or len(open_in(call)) != len(wanted) or self.solver.recursive(call):
            return None
        variables = open_in(call)
        options = self.solver.options(call)
        if options.count < 2 or options.options is None or not wanted.keys() >= set(variables):
            return None
        if not all(_gives_all(option, len(variables)) for option in options.options) or not options.disjoint:
            return None
        return self._given(call, options.options)

    def _given(self, call: Call, options: Iterable[Option]) -> Iterator[Alternative]:
        """The alternatives in which the variables of a call have the values that its options give."""
        state, kinds = self.part.state, self.wanted
        assert state.store is not None
        state.search.budget.charge(effort(call, state.store))
        variables, bounds = open_in(call), state.store.bounds
        for option in options:
            state.search.budget.charge()
            values = {variables[place]: value for place, value in option.values}
            if not all(_lies_within(values[variable], limit) for variable, limit in bounds.items()):
                continue
            terms = tuple([values[variable] for variable in kinds])
            if self.solver.space.admits(zip(terms, kinds.values(), strict=True)):
                yield Alternative(terms, steps=option.steps_of(call))

    def _alternative(self, state: State, cost: int = 0, steps: Steps = ()) -> Alternative | None:
        return self.solver.alternative(state, self.wanted, self.scope, cost, steps)

    def _settled(self, state: State) -> Iterator[State]:
        return self.solver.settled(state, self.wanted, self.scope)

    def _forced(self) -> Iterator[tuple[State, Steps, Calls]]:
        """The state of the part after all calls that have one option at most, with their clauses and what is left."""
        start = self.part.state
        # A part of a settled state is settled, but for what is assumed where nothing waits any more.
        is_settled = not {Call, Suspended}.isdisjoint(start.kinds())
        waiting: list[tuple[State, Steps]] = [(s, ()) for s in ((start,) if is_settled else self._settled(start))]
        while waiting:
            self.doubtful = self.doubtful or len(waiting) > 1
            state, steps = waiting.pop()
            calls = self._calls(state)
            if not calls or calls[-1][0].count > 1:
                yield state, steps, calls
                continue
            for made, following in self._made_forced(state, calls):
                waiting.extend((settled, (*steps, *made)) for settled in self._settled(following))

    def _made_forced(self, state: State, calls: Calls) -> Iterator[tuple[Steps, State]]:
        """The states after calls that have one option at most, of which the last of some calls is the first."""
        _, number, call = calls[-1]
        if Suspended in state.kinds() or self.solver.recursive(call):
            self.brings = True
            state.search.budget.charge()
            yield from ((steps, following) for steps, following, _ in self.solver.made(number, call, state))
            return
        made = forced(state, self.solver)
        if made is not None:
            self.brings = self.brings or made.brings
            yield made.steps, made.state

    def _calls(self, state: State) -> Calls:
        """The calls that a state waits for, in order, as far as the first that leaves no choice."""
        calls: Calls = []
        if state.store is None:
            return calls
        for number, constraint in state.store.constraints.items():
            if type(constraint) is Call:
                call = self.solver.reified(constraint, state.bindings)
                calls.append((self.solver.options(call), number, call))
                if calls[-1][0].count <= 1:
                    break
        return calls

    def _branch(self, state: State, calls: Calls) -> Iterator[Any]:
        """A call whose options have no answers in common, where no two answers agree on what is wanted; else values for
        wanted variables, which never overlap: first of all lengths of lists, if there are goals that wait for them."""
        waits = Suspended in state.kinds()
        chosen = self._first_list() if calls or waits else None
        apart = self._without_overlap(calls, chosen is not None, waits)
        if apart is not None:
            options, number, call = apart
            sure = not waits and options.options is not None
            brings = not sure or any(brings_variables(option, call) for option in options.options or ())
            yield from self._made(state, number, call, not brings)
            return
        if chosen is None:
            chosen = self._fewest_values(state, WIDEST if calls else None)
        if chosen is None and calls and self.solver.recursive(calls[0][2]) and calls[0][0].options is None:
            # What the call comes to may have no end, though what is bounded has one.
            chosen = bounded(self.solver.space, self.wanted, state)
        if chosen is not None and not (calls and says_form(self.solver.space, calls[0][0], calls[0][2], *chosen)):
            yield from self._label(state, *chosen)
        elif calls:
            yield from doubtful(self._made_apart(state, *calls[0][1:]))
        else:
            yield from self._left(state)

    def _without_overlap(self, calls: Calls, opened: bool, waits: bool) -> tuple[Options, int, Call] | None:
        """The first of some calls that can lead to no answer twice; None if there is none.

        Where lists are `opened`, goals that wait for them may have several outcomes, in which other calls are easier.
        """
        if waits:
            calls = [] if opened else calls[:1]
        apart = next((made for made in calls if made[0].disjoint), None)
        if apart is None:
            return None
        self.is_determined = self.is_determined or determined(self.part, self.solver.functional)
        return apart if self.is_determined else None

    def _first_list(self) -> tuple[Any, Any] | None:
        """The first wanted variable that is a list whose length is to be chosen, with its kind."""
        space = self.solver.space
        lists = (pair for pair in self.wanted.items() if space.is_list(pair[1]))
        return next((pair for pair in lists if space.labels(pair[1], 0, None)), None)

    def _made(self, state: State, number: int, call: Call, determines: bool = False) -> Iterator[Alternative]:
        """The alternatives in which a call is made; for `determines` see `_alternatives`."""
        own = self._own_places(state, number, call)
        options = self.solver.options(call).options if own else None
        if options is not None and not self.solver.recursive(call):
            yield from self._made_once(state, number, call, options, own, determines)
            return
        for steps, following, cost in self._outcomes(state, number, call):
            yield from self._alternatives(following, cost, steps, determines, state)

    def _outcomes(self, state: State, number: int, call: Call) -> Iterator[tuple[Steps, State, int]]:
        """What a call comes to; lists in it are no longer than they may be, which ends one that calls itself."""
        if not self.solver.recursive(call):
            return self.solver.made(number, call, state)
        kinds = (*self.wanted.items(), *self.scope.items())
        return self.solver.made(number, call, state, longest_of(self.solver.space, kinds))

    def _made_apart(self, state: State, number: int, call: Call) -> Iterator[Alternative]:
        """The alternatives in which a call is made, of which each leaves out what those before it say. One that was put
        behind others costs what they do: whoever walks only so far stops at the first that costs more."""
        solver, disjoint = self.solver, Disjoint(self.wanted, self.solver.space, self.scope)
        spent = 0
        ready = (
            (found, cost, steps)
            for steps, following, cost in disjoint.in_order(self._outcomes(state, number, call), itemgetter(1))
            for found in solver.concluded(following, self.wanted, self.scope)
        )
        is_finite = solver.options(call).options is not None
        for one, cost, steps in disjoint.most_general(ready, lambda made: made[0].state) if is_finite else ready:
            spent = max(spent, cost)
            for piece in solver.apart((one,), disjoint, self.wanted, self.scope):
                made = self._alternative(piece.state, spent, (*steps, *piece.steps))
                if made is not None:
                    yield made

    def _own_places(self, state: State, number: int, call: Call) -> dict[int, int]:
        """The places in a call of the wanted variables that nothing else speaks of, each with its place among all."""
        assert state.store is not None
        constraints, watch = state.store.constraints, state.store.watch
        wanted = {variable: at for at, variable in enumerate(self.wanted) if variable not in self.scope}
        return {
            index: wanted[variable]
            for index, variable in enumerate(open_in(call))
            if variable in wanted and all(n == number or n not in constraints for n in watch.get(variable, ()))
        }

    def _made_once(
        self,
        state: State,
        number: int,
        call: Call,
        options: Iterable[Option],
        own: dict[int, int],
        determines: bool,
    ) -> Iterator[Alternative]:
        """The alternatives in which a call is made that has `own` variables. What comes of options that differ in what
        these are is found out once."""
        assert state.store is not None
        state.search.budget.charge(effort(call, state.store))
        found: dict[Any, list[Alternative]] = {}
        kinds = list(self.wanted.items())
        for option in options:
            given = {own[index]: value for index, value in option.values if index in own}
            steps = option.steps_of(call)
            if len(given) < len(own) or not all(type(value) in PLAIN for value in given.values()):
                new = apply(option, number, call, state)
                if new is not None:
                    yield from self._alternatives(new, 0, steps, determines, state)
                continue
            if not all(self._may_be(state, *kinds[at], value) for at, value in given.items()):
                continue
            others = tuple([pair for pair in option.values if pair[0] not in own])
            key = others, option.constraints, option.size, option.steps
            known = found.get(key)
            if known is None:
                new = apply(option, number, call, state)
                made_so = () if new is None else self._alternatives(new, 0, steps, determines, state)
                known = found[key] = list(made_so)
                yield from known
                continue
            state.search.budget.charge()
            for like in known:
                terms = tuple([given.get(at, term) for at, term in enumerate(like.terms)])
                made = Alternative(terms, like.parts, like.residue, like.open, like.cost, (steps[0], *like.steps[1:]))
                made.doubtful = like.doubtful
                yield made

    def _may_be(self, state: State, variable: Any, kind: Any, value: Any) -> bool:
        """Whether a wanted variable of which nothing else speaks may have a value."""
        bounds = state.store.bounds.get(variable) if state.store is not None else None
        return (bounds is None or _lies_within(value, bounds)) and self.solver.space.admits([(value, kind)])

    def _alternatives(
        self, state: State, cost: int, steps: Steps = (), determines: bool = False, before: State | None = None
    ) -> Iterator[Alternative]:
        """The alternatives that a state comes to; what was suspended in it may have several outcomes, which overlap.

        `determines`: what is hidden in the state follows from what is wanted. For `before` see `forced`.
        """
        settled = []
        found = self.solver.concluded(state, self.wanted, self.scope, before)
        disjoint = Disjoint(self.wanted, self.solver.space, self.scope)
        for ready in self.solver.apart(found, disjoint, self.wanted, self.scope):
            made = self._alternative(ready.state, cost, (*steps, *ready.steps))
            settled.append(made)
            if made is not None and determines and not ready.brings:
                _determine(made)
        several = len(settled) > 1
        for made in settled:
            if made is not None:
                made.doubtful = several
                yield made

    def _fewest_values(self, state: State, most: int | None = None) -> tuple[Any, Any] | None:
        """The wanted variable with the fewest values (at most `most`) among those to be labelled.

        What is to turn out to be `?` is none of them. Of those that may have endlessly many, lists come first: their
        lengths are few, and say much of numbers.
        """
        space = self.solver.space
        best, fewest = None, None
        waiting = unknowns_awaited(state)
        for (variable, kind), (low, high) in zip(self.wanted.items(), all_limits(state, self.wanted), strict=True):
            if variable in waiting or not space.labels(kind, low, high):
                continue
            size = (float("inf"), space.is_number(kind)) if high is None else (high - low, True)
            if (fewest is None or size < fewest) and (most is None or size[0] <= most):
                best, fewest = (variable, kind), size
        return best

    def _label(self, state: State, variable: Any, kind: Any) -> Iterator[Alternative]:
        """Each value; a number may also be none, where what is still to be made says that it is `?`."""
        space = self.solver.space
        low, high = limits(state, variable)
        if space.is_number(kind):
            endless = high is None
            values: Iterable[Any] = self._from(low) if high is None else range(low, high + 1)
        else:
            endless = space.goes_on(kind)
            values = space.values(kind)
            low, high = lengths(state, variable, self._least_element(state, kind)) if endless else (0, None)
            if high is not None:
                endless, values = False, map(fresh_list, range(low, high + 1))
        self.solver.labelled[kind] = None
        if endless:
            self.solver.endless[kind] = None
            if self.solver.counts and self.wanted:
                raise Endless
        if space.is_number(kind) and self.solver.may_turn_unknown(state):
            yield from self._unknown(state, variable)
        for index, value in enumerate(values):
            state.search.budget.charge(1 + (weight(value) >> 2))
            work = Work(state)
            new = work.finish() if work.unify(variable, value) else None
            if new is not None:
                yield from self._alternatives(new, index // 2 if endless else 0, before=state)

    def _least_element(self, state: State, kind: Any) -> int:
        """What no element of a list of a kind is below."""
        space, work, element = self.solver.space, Work(state), fresh()
        space.narrow(element, space.open([((element,), kind)], {})[element], work)
        return interval(element, work)[0] or 0

    def _from(self, low: int) -> Iterator[int]:
        """The values of a number that nothing bounds from above."""
        return counting(low)

    def _unknown(self, state: State, variable: Any) -> Iterator[Alternative]:
        """The alternatives in which a number turns out to be `?`: there it is not asked for, but must do so."""
        wanted = {v: kind for v, kind in self.wanted.items() if v is not variable}
        scope = {v: kind for v, kind in self.scope.items() if v is not variable}
        for awaiting in is_unknown(variable)(state):
            settled = list(self.solver.settled(awaiting, wanted, scope))
            for ready in settled:
                made = self.solver.alternative(ready, wanted, scope)
                if made is None:
                    continue
                if variable in self.wanted:
                    place = list(self.wanted).index(variable)
                    made.terms = (*made.terms[:place], UNKNOWN, *made.terms[place:])
                made.doubtful = len(settled) > 1
                yield made

    def _left(self, state: State) -> Iterator[Alternative]:
        """What stays open, with its constraints, if that holds where none of it turns out to be `?`."""
        if is_of_unknowns(state):
            return
        told = state if state.search.waits() else with_linear(state)
        if told is not state:
            if told is not None:
                yield from self._alternatives(told, 0)
            return
        visible = projected(state, tuple(self.wanted))
        if visible is None:
            return
        if _is_told_otherwise(visible, state):
            yield from self._alternatives(visible, 0)
            return
        holds = inhabited(state)
        if holds is False:
            return
        self.solver.undecided = self.solver.undecided or holds is None
        if self.wanted and self.solver.space.ground:
            self.solver.left.update(dict.fromkeys(self.wanted.values()))
        numbering = {variable: slot(i) for i, variable in enumerate(self.wanted)}
        terms = tuple(numbering.values())
        left = residue_of(visible, tuple(self.wanted))
        residue = canonical(tuple(left if state.search.waits() else without_implied(left, state.search)), numbering)
        yield Alternative(terms, (), residue, len(numbering))


def _is_told_otherwise(visible: State, state: State) -> bool:
    """Whether more is said in a state than some of what another one says."""
    before = None if state.store is None else state.store.next
    return visible.bindings is not state.bindings or (visible.store is not None and visible.store.next != before)


def _gives_all(option: Option, number: int) -> bool:
    """Whether an option says what so many variables are, and nothing else."""
    return not option.constraints and len(option.values) == number and all(type(v) in PLAIN for _, v in option.values)


def _lies_within(value: Any, limit: Bounds) -> bool:
    low, high = limit
    return type(value) is int and low <= value and (high is None or value <= high)


def _determine(made: Alternative) -> None:
    """Note that what is hidden in the parts of an alternative follows from what is wanted."""
    for node, _ in made.parts:
        if isinstance(node, Problem):
            node.is_determined = True


def in_order(calls: Calls) -> Calls:
    """Calls with the fewest options first; among those, the most that is known, so that what is left is like what was
    left before."""
    return sorted(calls, key=lambda item: (item[0].count, len(open_in(item[2])), item[1]))


def doubtful(alternatives: Iterable[Alternative]) -> Iterator[Alternative]:
    """Alternatives that may have answers in common."""
    for alternative in alternatives:
        alternative.doubtful = True
        yield alternative
