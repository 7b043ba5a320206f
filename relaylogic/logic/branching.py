"""The nodes of a circuit that solve problems: they make the calls that leave no choice, then branch on the fewest.

What the values of variables may be is said by a `Space`, which knows what the engine does not: which terms belong to
the universe that is asked for. Variables are wanted (an answer is an assignment to them), scoped (they must have a
value of the universe, whichever), or hidden (they must exist). What is not wanted is projected: it never makes two
answers of one. So a part branches on its calls only where these tell answers apart, or where nothing better is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from itertools import count as counting
from random import Random
from typing import Any

from .calls import Call
from .circuit import Alternative, Node, count
from .compare import Compare
from .control import Search, StepLimit
from .goals import Goal
from .gradual import committed, decide, holds_back
from .leftover import inhabited, projected
from .lists import Length, SameLength
from .numbers import Arith, is_fold
from .options import Options, weight
from .resolution import Resolution
from .search import residue_of
from .space import Space
from .split import Kinds, Part, determined, split
from .state import State, Work
from .suspended import Suspended, open_end, settle
from .systems import system_of
from .terms import Cons, canonical, cons, fresh, fresh_list, reify_term, slot, variables_of
from .variables import VARIABLES

__all__ = ["Problem", "Root", "Solver", "counted", "solve_goal"]

MOST_STORED = 256
LOOKED_ON = 2_000
"""So many steps are taken for a witness without conditions when one with conditions is known,"""
MOST_WITNESSES = 16
"""and so many witnesses are looked at."""
WIDEST = 64
"""A variable of at most so many values is labelled rather than that calls are made which may say the same twice."""
DOUBLED = frozenset({2, 4, 8, 16})
"""When so many lengths of a list were tried, it is looked at whether it may be longer: that takes as long as to try a
few short ones, and seconds for a list of hundreds of elements."""
MANY = 32  # so many variables of a state are bounded for a step
Steps = tuple[tuple[str, str], ...]


class Solver(Resolution):
    """What all nodes of a circuit share: the space, how calls are made, and the nodes by the key of their part."""

    def __init__(self, space: Space, search: Search, options: dict[Any, Any]) -> None:
        super().__init__(search, options)
        self.space = space
        self.labelled: dict[Any, None] = {}  # the kinds of variables that were given values, and
        self.endless: dict[Any, None] = {}  # those of them that have no last value
        self.left: dict[Any, None] = {}  # the kinds of variables that stay open, although answers are to have none
        self.undecided = False  # whether something was left over of which it is not known whether it can hold
        self.counts = False  # whether all answers are wanted, so that values without a last one are a limit
        self._nodes: dict[Any, Node] = {}

    def node(self, part: Part) -> Node:
        """The node for a part; equal parts get one."""
        found = self._nodes.get(part.key)
        if found is None:
            found = self._nodes[part.key] = self._make(part)
        return found

    def _make(self, part: Part) -> Node:
        if not part.wanted:
            return Existence(part, self)
        return self._kernel(part) or Problem(part, self)

    def _kernel(self, part: Part) -> Node | None:
        """The node of a part that is purely arithmetic, and bounded."""
        space, state = self.space, part.state
        if part.scope or not all(space.is_number(kind) for _, kind in part.wanted):
            return None
        if any(isinstance(c, (Call, Suspended)) for c in state.constraints()):
            return None
        constrained = state.store is not None and state.store.constraints
        if not constrained and len(part.wanted) == 1:
            return self._free_number(part)
        labelled = all(space.labels(kind, *state.bounds(variable)) for variable, kind in part.wanted)
        system = system_of(state, [variable for variable, _ in part.wanted], labelled)
        if system is None:
            return None
        possible = system.narrow()
        limits = system.bounds[: len(part.wanted)]
        if not all(space.labels(kind, *limit) for (_, kind), limit in zip(part.wanted, limits, strict=True)):
            return None
        if possible and not system.finite:
            return None
        self.labelled.update(dict.fromkeys(kind for _, kind in part.wanted))
        return Kernel(system, len(part.wanted))

    def _free_number(self, part: Part) -> Node | None:
        """The node of one number of which nothing is said but its bounds."""
        ((variable, kind),) = part.wanted
        low, high = part.state.bounds(variable)
        labelled = high is not None and self.space.labels(kind, low, high)
        if not labelled or high is None:
            return None
        self.labelled[kind] = None
        return Kernel(_Interval(low, high), 1)

    def alternative(
        self, state: State, wanted: Kinds, scope: Kinds, cost: int = 0, steps: Steps = ()
    ) -> Alternative | None:
        """The alternative that a settled state is, or None if it is outside of the space."""
        bindings, space = state.bindings, self.space
        terms = reify_term(tuple(wanted), bindings)  # together: what they share is rebuilt once
        asked = list(zip(terms, wanted.values(), strict=True))
        others = list(zip(reify_term(tuple(scope), bindings), scope.values(), strict=True))
        seen: set[Any] = set()
        if not all(space.admits(term, kind, seen) for term, kind in chain(asked, others)):
            return None
        # A variable may stand in both; what its kind says is what the stricter of its places says.
        remaining = space.open(asked)
        scoped: dict[Any, Any] = {}
        if others:
            kinds = space.open(chain(asked, others))
            remaining = {v: kinds[v] for v in remaining}
            scoped = {v: kind for v, kind in kinds.items() if v not in remaining}
        if not remaining and not scoped and (state.store is None or not state.store.constraints):
            return Alternative(terms, cost=cost, steps=steps)
        numbering = {variable: slot(i) for i, variable in enumerate(remaining)}
        kept = tuple(
            (self.node(part), tuple(numbering[v].args[0] for v, _ in part.wanted))
            for part in split(state, remaining, scoped)
        )
        return Alternative(canonical(terms, numbering), kept, (), len(numbering), cost, steps)

    def bounded(self, state: State, wanted: Kinds, scope: Kinds) -> State | None:
        """`state` with what the space says of its open variables."""
        terms = reify_term((*wanted, *scope), state.bindings)
        pairs = zip(terms, chain(wanted.values(), scope.values()), strict=True)
        work = Work(state)
        kinds = self.space.open(pairs)
        if len(kinds) >= MANY:
            state.search.budget.charge(len(kinds) // MANY)
        for variable, kind in kinds.items():
            known = work.walk(variable)
            if type(known) in VARIABLES and not self.space.narrow(known, kind, work):
                return None
        for constraint in state.constraints():
            if type(constraint) is Length and not self._short(constraint, kinds, work):
                return None
        return work.finish()

    def _short(self, constraint: Length, kinds: Kinds, work: Work) -> bool:
        """State that a list is no longer than the space has them: else its length is counted up for ever."""
        items, length = reify_term(constraint.items, work.bindings), work.walk(constraint.length)
        prefix, tail = (len(items.prefix), items.tail) if type(items) is Cons else (0, items)
        most = self.space.longest(kinds[tail]) if type(length) in VARIABLES and tail in kinds else None
        return most is None or work.narrow(length, prefix, prefix + most)

    def settled(self, state: State, wanted: Kinds, scope: Kinds) -> Iterator[State]:
        """The states of a state when all that is ready has run, within the space, and what can be assumed is."""
        for ready in settle(state):
            bounded = self.bounded(ready, wanted, scope)
            if bounded is None:
                continue
            kinds = set() if bounded.store is None else set(map(type, bounded.store.constraints.values()))
            if not (Call in kinds or Suspended in kinds):
                decided = decide(bounded)
                if decided is None:
                    continue
                if decided is not bounded:
                    yield from self.settled(decided, wanted, scope)
                    continue
            yield bounded


class _Interval:
    """The numbers from `low` to `high`, as a system counts and lists them."""

    def __init__(self, low: int, high: int) -> None:
        self._numbers = range(low, high + 1)

    def count(self) -> int:
        """How many there are."""
        return self._numbers.stop - self._numbers.start if self._numbers else 0

    def __iter__(self) -> Iterator[tuple[int]]:
        return ((number,) for number in self._numbers)

    def draw(self, random: Random) -> tuple[int] | None:
        """One of them at random."""
        return (random.randrange(self._numbers.start, self._numbers.stop),) if self._numbers else None


class Kernel(Node):
    """A part that is a system of numbers."""

    __slots__ = ("_width", "system")

    def __init__(self, system: Any, width: int) -> None:
        super().__init__()
        self.system = system
        self._width = width

    @property
    def width(self) -> int:
        """The number of variables."""
        return self._width

    def produce(self) -> Iterator[Any]:
        """The tuples."""
        return iter(self.system)

    def known_count(self) -> int | None:
        """The number of tuples."""
        if self._counted is None:
            self._counted = self.system.count()
        return self._counted

    def draw(self, random: Random) -> Any:
        """A tuple at random."""
        if isinstance(self.system, _Interval):
            return self.system.draw(random)
        from .integers import drawn

        return drawn(self.system, random)

    def stored(self) -> bool:
        """Tuples are made again faster than they are kept."""
        return self._counted is not None and self._counted <= MOST_STORED


class Problem(Node):
    """A part that is searched."""

    __slots__ = ("doubtful", "part", "scope", "solver", "wanted")

    def __init__(self, part: Part, solver: Solver) -> None:
        super().__init__()
        self.part = part
        self.solver = solver
        self.wanted = dict(part.wanted)
        self.scope = dict(part.scope)
        self.doubtful = False  # whether a call that leaves no choice came to more than one state after all

    @property
    def width(self) -> int:
        """The number of wanted variables."""
        return len(self.wanted)

    def produce(self) -> Iterator[Any]:
        """Forced calls first; then a list to label, a call to make, a variable to label, or what is left as residue."""
        for state, steps, changed in self._forced(self.part.state):
            if changed or self.doubtful:
                # Something became known: it may have fallen apart, or be equal to a part met before.
                made = self._alternative(state, 0, steps)
                if made is not None:
                    made.doubtful = self.doubtful
                    yield made
                continue
            yield from self._branch(state)

    def _alternative(self, state: State, cost: int = 0, steps: Steps = ()) -> Alternative | None:
        return self.solver.alternative(state, self.wanted, self.scope, cost, steps)

    def _settled(self, state: State) -> Iterator[State]:
        return self.solver.settled(state, self.wanted, self.scope)

    def _forced(self, start: State) -> Iterator[tuple[State, Steps, bool]]:
        """`start` after all calls that have one option at most, with their clauses, and whether that is news."""
        waiting: list[tuple[State, Steps]] = [(state, ()) for state in self._settled(start)]
        while waiting:
            self.doubtful = self.doubtful or len(waiting) > 1
            state, steps = waiting.pop()
            chosen = self._only_option(state)
            if chosen is None:
                yield state, steps, bool(steps) or bool(state.bindings)
                continue
            number, call = chosen
            state.search.budget.charge()
            for step, following, _ in self.solver.made(number, call, state):
                waiting.extend((settled, (*steps, step)) for settled in self._settled(following))

    def _only_option(self, state: State) -> tuple[int, Call] | None:
        for number, constraint in sorted({} if state.store is None else state.store.constraints.items()):
            if type(constraint) is Call:
                call = reify_term(constraint, state.bindings)
                if self.solver.options(call).count <= 1:
                    return number, call
        return None

    def _branch(self, state: State) -> Iterator[Any]:
        solver, space = self.solver, self.solver.space
        constraints = {} if state.store is None else state.store.constraints
        calls = [(solver.options(c), n, c) for n, c in sorted(constraints.items()) if type(c) is Call]
        # The fewest options; among those, the most that is known, so that what is left is like what was left before.
        calls.sort(key=lambda item: (item[0].count, len(variables_of(item[2])), item[1]))
        waits = any(type(c) is Suspended for c in constraints.values())
        # Values for wanted variables never overlap: better than options that may, or that suspend goals of their own.
        if waits or (calls and not calls[0][0].disjoint):
            for variable, kind in self.wanted.items():
                if space.is_list(kind) and space.labels(kind, 0, None):
                    yield from self._label(state, variable, kind)
                    return
        if calls:
            yield from self._on_call(state, *calls[0])
            return
        chosen = self._fewest_values(state)
        if chosen is not None:
            yield from self._label(state, *chosen)
            return
        yield from self._left(state)

    def _on_call(self, state: State, options: Options, number: int, call: Call) -> Iterator[Alternative]:
        if options.disjoint and determined(self.part, self.solver.functional):
            yield from self._made(state, number, call)
            return
        chosen = self._fewest_values(state, WIDEST)
        if chosen is not None:
            yield from self._label(state, *chosen)
        else:
            yield from _doubtful(self._made(state, number, call))

    def _made(self, state: State, number: int, call: Call) -> Iterator[Alternative]:
        for step, following, cost in self.solver.made(number, call, state):
            yield from self._alternatives(following, cost, (step,))

    def _alternatives(self, state: State, cost: int, steps: Steps = ()) -> Iterator[Alternative]:
        """The alternatives that a state comes to; what was suspended in it may have several outcomes, which overlap."""
        settled = [self._alternative(ready, cost, steps) for ready in self._settled(state)]
        several = len(settled) > 1
        for made in settled:
            if made is not None:
                made.doubtful = several
                yield made

    def _fewest_values(self, state: State, most: int | None = None) -> tuple[Any, Any] | None:
        """The wanted variable with the fewest values (at most `most`) among those to be labelled.

        Of those that may have endlessly many, lists come first: their lengths are few, and say much of numbers.
        """
        space = self.solver.space
        best, fewest = None, None
        for variable, kind in self.wanted.items():
            low, high = state.bounds(variable)
            if not space.labels(kind, low, high):
                continue
            size = (float("inf"), space.is_number(kind)) if high is None else (high - low, True)
            if (fewest is None or size < fewest) and (most is None or size[0] <= most):
                best, fewest = (variable, kind), size
        return best

    def _label(self, state: State, variable: Any, kind: Any) -> Iterator[Alternative]:
        space = self.solver.space
        low, high = state.bounds(variable)
        if space.is_number(kind):
            endless = high is None
            values: Iterable[Any] = counting(low) if high is None else range(low, high + 1)
        else:
            endless = space.goes_on(kind)
            values = space.values(kind)
        self.solver.labelled[kind] = None
        if endless:
            self.solver.endless[kind] = None
            if self.solver.counts and self.wanted:
                raise StepLimit
        for index, value in enumerate(values):
            state.search.budget.charge(1 + (weight(value) >> 2))
            work = Work(state)
            new = work.finish() if work.unify(variable, value) else None
            if new is not None:
                yield from self._alternatives(new, index // 2 if endless else 0)

    def _left(self, state: State) -> Iterator[Alternative]:
        """What stays open, with its constraints, if that holds where none of it turns out to be `?`."""
        if holds_back(state) and committed(state) is None:
            return
        visible = projected(state, tuple(self.wanted))
        holds = None if visible is None else inhabited(state)
        if visible is None or holds is False:
            return
        self.solver.undecided = self.solver.undecided or holds is None
        if self.wanted and self.solver.space.ground:
            self.solver.left.update(dict.fromkeys(self.wanted.values()))
        numbering = {variable: slot(i) for i, variable in enumerate(self.wanted)}
        terms = tuple(numbering.values())
        residue = canonical(tuple(residue_of(visible, tuple(self.wanted))), numbering)
        yield Alternative(terms, (), residue, len(numbering))


class Existence(Problem):
    """A part of which nothing is wanted: one answer if there is any."""

    def produce(self) -> Iterator[Any]:
        """At most one answer: that it can hold, or, where that is not found out, under which conditions."""
        witnesses = self._witnesses()
        first = next(witnesses, None)
        if first is not None:
            yield self._plainest(first, witnesses) if _conditions(first) else first

    def _plainest(self, first: Alternative, others: Iterator[Alternative]) -> Alternative:
        """The witness with the fewest conditions, whichever comes first, as far as is looked on for one without any."""
        found = [(_conditions(first), first)]
        back = self.part.state.search.budget.hold_back(LOOKED_ON)
        try:
            for other in islice(others, MOST_WITNESSES - 1):
                found.append((_conditions(other), other))
                if not found[-1][0]:
                    break
        except StepLimit:
            pass  # of those that were found
        finally:
            back()
        return min(found, key=lambda pair: (len(pair[0]), pair[0]))[1]

    def _witnesses(self) -> Iterator[Alternative]:
        """Like the alternatives of any problem; but each is followed to its end, since one is enough."""
        for state, steps, changed in self._forced(self.part.state):
            made = self._alternative(state, 0, steps) if changed else None
            for alternative in (made,) if changed else self._ways(state):
                if alternative is not None and _is_possible(alternative):
                    yield alternative

    def _ways(self, state: State) -> Iterator[Alternative]:
        chosen = self._fewest_in_scope(state)
        calls = (
            [(self.solver.options(c), n, c) for n, c in sorted(state.store.constraints.items()) if type(c) is Call]
            if state.store is not None
            else []
        )
        calls.sort(key=lambda item: (item[0].count, len(variables_of(item[2])), item[1]))
        if chosen is not None and (not calls or not calls[0][0].disjoint):
            yield from self._label(state, *chosen)
        elif calls:
            yield from self._made(state, calls[0][1], calls[0][2])
        else:
            yield from self._rest(state)

    def _fewest_in_scope(self, state: State) -> tuple[Any, Any] | None:
        lists: list[Any] = []
        numbers: list[Any] = []
        for variable, kind in self.scope.items():
            low, high = state.bounds(variable)
            if self.solver.space.labels(kind, low, high):
                (lists if self.solver.space.is_list(kind) else numbers).append((variable, kind, low, high))
        chosen = lists[:1] or sorted(numbers, key=lambda n: (n[3] is None, (n[3] or 0) - n[2]))[:1]
        return chosen[0][:2] if chosen else None

    def _rest(self, state: State) -> Iterator[Alternative]:
        """No calls are left: lists get a length, then numbers must have values."""
        opened = _open_list(state)
        if opened is not None:
            variable, most = opened
            for length in _lengths(state, variable) if most is None else range(most + 1):
                state.search.budget.charge(1 + length)
                work = Work(state)
                new = work.finish() if work.unify(variable, fresh_list(length)) else None
                if new is not None:
                    yield from self._alternatives(new, 0)
            return
        holds = inhabited(state)
        if holds:
            yield Alternative(())
        elif holds is None:
            self.solver.undecided = True
            numbering: dict[Any, Any] = {}
            residue = canonical(tuple(residue_of(state, ())), numbering)
            yield Alternative((), (), residue, len(numbering))


def _is_possible(alternative: Alternative) -> bool:
    return all(next(node.picks(), None) is not None for node, _ in alternative.parts)


def _conditions(alternative: Alternative) -> list[str]:
    """What an alternative of a part of which nothing is wanted leaves open, in order."""
    left: list[str] = []
    agenda = [alternative]
    while agenda:
        chosen = agenda.pop()
        left.extend(map(repr, chosen.residue))
        agenda.extend(next(node.picks()) for node, _ in chosen.parts)
    return sorted(left)


def _open_list(state: State) -> tuple[Any, int | None] | None:
    """The end of a list that is open, and how long it may be at most, if something says so."""
    found = None
    for constraint in state.constraints():
        kind = type(constraint)
        if kind is Length:
            length = constraint.length
            return open_end(constraint.items), state.bounds(length)[1] if type(length) in VARIABLES else None
        if found is None and kind is SameLength:
            found = open_end(constraint.lists[0]), None
        if found is None and kind is Suspended and constraint.primitive.lists:
            found = open_end(constraint.waits_for()[0]), None
        if found is None and kind is Compare:
            found = next(((end, None) for end in map(open_end, _folded(constraint)) if end is not None), None)
    return found


def _folded(comparison: Compare) -> Iterator[Any]:
    """The lists that are added up, or multiplied, somewhere in a comparison."""
    stack = [*reversed(comparison.args[1:])]
    while stack:
        item = stack.pop()
        if is_fold(item):
            yield item.operands[0]
        elif type(item) is Arith:
            stack.extend(reversed(item.operands))


def _lengths(state: State, end: Any) -> Iterator[int]:
    """The lengths that an open list may have, until it is found out that it is not longer."""
    for length in counting():
        if length in DOUBLED and _is_shorter(state, end, length):
            return
        yield length


def _is_shorter(state: State, end: Any, length: int) -> bool:
    """Whether it is known that an open list has fewer elements than `length`."""
    work = Work(state)
    longer = work.finish() if work.unify(end, cons(fresh_list(length), fresh())) else None
    return longer is None or inhabited(longer) is False


def _doubtful(alternatives: Iterable[Alternative]) -> Iterator[Alternative]:
    """Alternatives that may have answers in common."""
    for alternative in alternatives:
        alternative.doubtful = True
        yield alternative


def solve_goal(goal: Goal, wanted: Kinds, space: Space, search: Search, scope: Kinds | None = None) -> Root:
    """The circuit of all answers for `wanted` (variables with kinds) of a goal.

    `scope`: variables that are not asked for, but must have a value of their kind. The search must postpone calls.
    """
    options = search.rules.options if search.rules is not None else {}
    solver = Solver(space, search, options)
    hidden = scope or {}

    def starts() -> Iterator[Any]:
        for state in goal(State({}, None, search)):
            for settled in solver.settled(state, wanted, hidden):
                made = solver.alternative(settled, wanted, hidden)
                if made is not None:
                    yield made

    return Root(starts, len(wanted), solver)


class Root(Node):
    """The states that a query starts from; if there are several, their answers may be the same."""

    __slots__ = ("_width", "solver", "starts")

    def __init__(self, starts: Any, width: int, solver: Solver) -> None:
        super().__init__()
        self.starts = starts
        self.solver = solver
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


def counted(root: Root, progress: Callable[[int], None] | None = None) -> int:
    """The number of answers (see `count`). Raises StepLimit, at once where something has values without a last one, and
    where answers that are to have none leave variables open."""
    solver = root.solver
    solver.counts = True
    try:
        number = count(root, progress)
    finally:
        solver.counts = False
    if number and solver.left:
        raise StepLimit
    return number
