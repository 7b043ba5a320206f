"""The nodes of a circuit that solve problems: they make the calls that leave no choice, then branch on the fewest.

What the values of variables may be is said by a `Space`, which knows what the engine does not: which terms belong to
the universe that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from itertools import count as counting
from typing import Any

from unification import Var

from .arithmetic import Compare
from .calls import Call, exploring
from .choices import options_of, pursue, resettle
from .circuit import Alternative, Node
from .expressions import Arith
from .goals import Goal
from .kernels import Combination, divisors, kernel
from .leftover import Existence, residual
from .lists import Delayed
from .search import canonical
from .space import Space
from .split import Part, determined, split
from .state import BUDGET, State, Work
from .terms import Slot, reify_term

__all__ = ["Problem", "solve_goal"]

RECURSIONS = 8
MOST_STORED = 256
TABLE_SIZE = 100_000
Wanted = tuple[tuple[Any, Any], ...]
Steps = tuple[tuple[str, str], ...]


class Solver:
    """What all nodes of a circuit share: the space, and the nodes by the key of their part."""

    def __init__(self, space: Space, memory: dict[Any, Any]) -> None:
        self.space = space
        self.memory = memory

    def node(self, part: Part) -> Node:
        """The node for a part; equal parts get one."""
        if part.key is None:
            return self._make(part)
        key = ("node", self.space, part.key)
        found = self.memory.get(key)
        if found is None:
            if len(self.memory) > TABLE_SIZE:
                self.memory.clear()
            found = self.memory[key] = self._make(part)
        return found

    def _make(self, part: Part) -> Node:
        if not any(type(c) is Call for c in part.state.constraints()):
            space = self.space
            found = kernel(part, space.is_number)
            if found is not None and all(space.labels(k, *part.state.bounds(v)) for v, k in part.wanted):
                return Kernel(found)
        return Problem(part, self) if part.wanted else Existence(part, self)

    def problem(self, part: Part) -> Problem:
        """The search for all solutions of a part."""
        return Problem(part, self)

    def alternative(self, state: State, wanted: Wanted, cost: int = 0, steps: Steps = ()) -> Alternative | None:
        """The alternative that a settled state is, or None if it is outside of the space."""
        space = self.space
        bindings = state.bindings
        terms = tuple(reify_term(variable, bindings) for variable, _ in wanted)
        pairs = [(term, kind) for term, (_, kind) in zip(terms, wanted, strict=True)]
        if not all(space.admits(term, kind) for term, kind in pairs):
            return None
        remaining = space.open(pairs)
        numbering = {variable: Slot(i) for i, variable in enumerate(remaining)}
        if not numbering and (state.store is None or not state.store.constraints):
            return Alternative(terms, cost=cost, steps=steps)
        parts = split(state, remaining.items())
        kept = tuple((self.node(p), tuple(numbering[v].args[0] for v, _ in p.wanted)) for p in parts)
        return Alternative(canonical(terms, numbering), kept, (), len(numbering), cost, steps)

    def bounded(self, state: State, wanted: Wanted) -> State | None:
        """`state` with what the space says of its open variables."""
        pairs = [(reify_term(variable, state.bindings), kind) for variable, kind in wanted]
        work = Work(state)
        for variable, kind in self.space.open(pairs).items():
            known = work.walk(variable)
            if type(known) is Var and not self.space.narrow(known, kind, work):
                return None
        return work.finish()


class Kernel(Node):
    """A part that a formula solves."""

    __slots__ = ("combination",)

    def __init__(self, combination: Combination) -> None:
        super().__init__()
        self.combination = combination

    @property
    def width(self) -> int:
        """The number of variables."""
        return len(self.combination.intervals)

    def produce(self) -> Iterator[Any]:
        """The tuples."""
        return iter(self.combination)

    def known_count(self) -> int | None:
        """The number of tuples."""
        return self.combination.count

    def stored(self) -> bool:
        """Tuples are made again faster than they are kept."""
        return self.combination.count <= MOST_STORED


class Problem(Node):
    """A part that is searched."""

    __slots__ = ("part", "several", "solver")

    def __init__(self, part: Part, solver: Solver) -> None:
        super().__init__()
        self.part = part
        self.solver = solver
        self.several = False  # whether a forced call came to more than one state after all

    @property
    def width(self) -> int:
        """The number of wanted variables."""
        return len(self.part.wanted)

    def produce(self) -> Iterator[Any]:
        """Forced calls first; then a list to label, a call to make, a variable to label, or what is left as residue."""
        wanted = self.part.wanted
        for state, steps, cost in self._forced(self.part.state):
            if steps or self.several:
                # Something became known: it may have fallen apart, or be equal to a part met before.
                made = self.solver.alternative(state, wanted, cost, steps)
                if made is not None:
                    made.doubtful = self.several
                    yield made
                continue
            yield from self._branch(state)

    def _forced(self, state: State) -> Iterator[tuple[State, Steps, int]]:
        """`state` after all calls that have one option at most, with their clauses and cost."""
        solver, wanted = self.solver, self.part.wanted
        start = solver.bounded(state, wanted)
        if start is None:
            return
        waiting: list[tuple[State, Steps, int]]
        waiting = [(settled, (), 0) for settled in ((start,) if start is state else resettle(start, ()))]
        while waiting:
            self.several = self.several or len(waiting) > 1
            state, steps, recursive = waiting.pop()
            chosen = self._only_option(state)
            if chosen is None or recursive >= RECURSIONS:
                yield state, steps, int(recursive >= RECURSIONS)
                continue
            BUDGET.charge()
            number, call = chosen
            recursive += call.depth > 0
            for step, following in pursue(number, call, state, solver.memory):
                bounded = solver.bounded(following, wanted)
                if bounded is not None:
                    waiting.append((bounded, (*steps, step), recursive))

    def _only_option(self, state: State) -> tuple[int, Call] | None:
        store = state.store
        if store is not None:
            for number, constraint in sorted(store.constraints.items()):
                if type(constraint) is Call:
                    current = _current(constraint, state)
                    if options_of(current, self.solver.memory).count <= 1:
                        return number, current
        return None

    def _branch(self, state: State) -> Iterator[Any]:
        wanted, space = self.part.wanted, self.solver.space
        store = state.store
        constraints = {} if store is None else store.constraints
        memory = self.solver.memory
        calls = [(options_of(c, memory), n, c) for n, c in sorted(constraints.items()) if type(c) is Call]
        # The fewest options; among those, the most that is known, so that what is left is like what was left before.
        calls.sort(key=lambda item: (item[0].count, len(item[2].variables({})), item[1]))
        # Values for wanted variables never overlap: better than options that may, or that suspend goals of their own.
        if any(type(c) is Delayed for c in constraints.values()) or (calls and not calls[0][0].disjoint):
            for variable, kind in wanted:
                if space.is_list(kind) and space.labels(kind, 0, None):
                    yield from self._label(state, variable, kind)
                    return
        if calls:
            options, number, call = calls[0]
            cost = 1 if call.depth > 0 else 0
            branches = self._pursued(number, call, state, cost)
            distinct = options.disjoint and determined(self.part, self._functional)
            yield from branches if distinct else _doubtful(branches)
            return
        chosen = self._widest_first(state)
        if chosen is not None:
            yield from self._label(state, *chosen)
            return
        numbering = {variable: Slot(i) for i, (variable, _) in enumerate(wanted)}
        yield residual(state, numbering, tuple(numbering.values()))

    def _pursued(self, number: int, call: Call, state: State, cost: int) -> Iterator[Alternative]:
        wanted = self.part.wanted
        for step, following in pursue(number, call, state, self.solver.memory):
            bounded = self.solver.bounded(following, wanted)
            if bounded is None:
                continue
            for settled in resettle(bounded, ()):
                made = self.solver.alternative(settled, wanted, cost, (step,))
                if made is not None:
                    yield made

    def _functional(self, call: Call) -> bool:
        """Whether the call's relation determines its last argument, whatever the others are."""
        arity = call.relation.arity
        pattern = (*(Var() for _ in range(arity)), *call.arguments[arity:])
        return options_of(Call(call.relation, pattern), self.solver.memory).functional

    def _widest_first(self, state: State) -> tuple[Any, Any] | None:
        """The wanted variable with the fewest values among those to be labelled."""
        best, fewest = None, None
        for variable, kind in self.part.wanted:
            low, high = state.bounds(variable)
            if not self.solver.space.labels(kind, low, high):
                continue
            size = float("inf") if high is None else high - low
            if fewest is None or size < fewest:
                best, fewest = (variable, kind), size
        return best

    def _label(self, state: State, variable: Any, kind: Any) -> Iterator[Any]:
        space, wanted = self.solver.space, self.part.wanted
        number = space.is_number(kind)
        values = _numbers(variable, state) if number else space.values(kind)
        endless = number and state.bounds(variable)[1] is None and not isinstance(values, list)
        for index, value in enumerate(values or ()):
            BUDGET.charge()
            work = Work(state)
            if not work.unify(variable, value):
                continue
            new = work.finish()
            bounded = None if new is None else self.solver.bounded(new, wanted)
            if bounded is None:
                continue
            cost = index // 2 if endless or not isinstance(values, (list, range, tuple)) else 0
            for settled in resettle(bounded, ()):
                made = self.solver.alternative(settled, wanted, cost)
                if made is not None:
                    yield made


def _doubtful(alternatives: Iterable[Alternative]) -> Iterator[Alternative]:
    """Alternatives that may have answers in common."""
    for alternative in alternatives:
        alternative.doubtful = True
        yield alternative


def _current(call: Call, state: State) -> Call:
    arguments = reify_term(call.arguments, state.bindings)
    if all(a is b for a, b in zip(arguments, call.arguments, strict=True)):
        return call
    return Call(call.relation, arguments, call.lineage)


def _numbers(variable: Any, state: State) -> Iterable[int]:
    """The values that a number may have, ascending: divisors if it is a factor of a known product."""
    low, high = state.bounds(variable)
    for constraint in state.constraints():
        if type(constraint) is Compare and constraint.relation == "=":
            for goal, side in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
                if type(goal) is int and goal > 0 and type(side) is Arith and side.operator == "*":
                    if any(operand is variable for operand in side.operands):
                        return [d for d in divisors(goal) if d >= low and (high is None or d <= high)]
    return counting(low) if high is None else range(low, high + 1)


def solve_goal(goal: Goal, wanted: Wanted, space: Space, memory: dict[Any, Any]) -> Node:
    """The circuit of all answers for `wanted` (variables with kinds) of a goal."""
    solver = Solver(space, memory)

    def starts() -> Iterator[Any]:
        running = goal(State())
        while True:
            with exploring():
                state = next(running, None)
            if state is None:
                return
            bounded = solver.bounded(state, wanted)
            if bounded is not None:
                for settled in resettle(bounded, ()):
                    made = solver.alternative(settled, wanted)
                    if made is not None:
                        yield made

    return _Root(starts, len(wanted))


class _Root(Node):
    """The states that a query starts from; if there are several, their answers may be the same."""

    __slots__ = ("_width", "starts")

    def __init__(self, starts: Any, width: int) -> None:
        super().__init__()
        self.starts = starts
        self._width = width

    @property
    def width(self) -> int:
        """The number of variables that are asked for."""
        return self._width

    def produce(self) -> Iterator[Any]:
        """One alternative for each state."""
        running = self.starts()
        first = next(running, None)
        if first is None:
            return
        second = next(running, None)
        yield from (first,) if second is None else _doubtful(chain((first, second), running))
