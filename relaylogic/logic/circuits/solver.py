"""What the nodes of a circuit share, and the alternatives that settled states are.

What the values of variables may be is said by a `Space`, which knows what the engine does not: which terms belong to
the universe that is asked for.

Variables are wanted (an answer is an assignment to them), scoped (they must have a value of the universe, whichever),
or hidden (they must exist). What is not wanted is projected: it never makes two answers of one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from itertools import count as counting
from typing import Any

from ..constraints.compare import Compare
from ..constraints.different import Different
from ..constraints.equal import with_equal
from ..constraints.gradual import Agree, Follows, decide, either
from ..constraints.lengths import Length
from ..constraints.natural import Natural
from ..control import Search
from ..search.options import Steps
from ..search.resolution import Resolution
from ..search.split import Kinds, Part, split
from ..states.calls import Call
from ..states.state import State
from ..states.suspended import Suspended, settle
from ..states.work import Work
from ..terms.rebuilding import canonical, reify_term
from ..terms.terms import Cons, slot
from ..terms.variables import VARIABLES
from .circuit import Alternative, Node
from .disjoint import Disjoint
from .forced import Forced, forced
from .space import Space

__all__ = ["Solver"]

_AGREEING = frozenset({Agree, Follows})
_OF_NUMBERS = frozenset({Agree, Call, Compare, Different, Follows, Natural})
"""What may wait where some numbers have become equal, and tells nothing but numbers."""
MANY = 32  # so many variables of a state are bounded for a step


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
        # Of which bindings it was asked last what is open, where which variables are wanted and scoped, and what is.
        self._opened: tuple[Any, Any, Any, Kinds] = (None, None, None, {})

    def node(self, part: Part) -> Node:
        """The node for a part; equal parts get one."""
        found = self._nodes.get(part.key)
        if found is None:
            found = self._nodes[part.key] = self._make(part)
        return found

    @abstractmethod
    def _make(self, part: Part) -> Node:
        """A node for a part that has none."""

    def alternative(
        self, state: State, wanted: Kinds, scope: Kinds, cost: int = 0, steps: Steps = ()
    ) -> Alternative | None:
        """The alternative that a settled state is, or None if it is outside of the space."""
        bindings, space = state.bindings, self.space
        remaining = kinds = self._open(bindings, wanted, scope)
        scoped: dict[Any, Any] = {}
        if scope:
            # A variable may stand in both; what its kind says is what the stricter of its places says.
            remaining = {v: kinds[v] for v in space.open(wanted.items(), bindings)}
            scoped = {v: kind for v, kind in kinds.items() if v not in remaining}
        numbers = dict(zip(remaining, counting()))
        named = {variable: slot(number) for variable, number in numbers.items()}
        terms = canonical(tuple(wanted), named, bindings=bindings)  # together: what they share is rebuilt once
        others = zip(reify_term(tuple(scope), bindings), scope.values(), strict=True)
        if not space.admits(chain(zip(terms, wanted.values(), strict=True), others)):
            return None
        if not remaining and not scoped and (state.store is None or not state.store.constraints):
            return Alternative(terms, cost=cost, steps=steps)
        kept = tuple(
            [
                (self.node(part), tuple([numbers[v] for v in part.wanted]))
                for part in split(state, remaining, scoped)
                if not self._stays_open(part)
            ]
        )
        return Alternative(terms, kept, (), len(numbers), cost, steps)

    def _stays_open(self, part: Part) -> bool:
        """Whether the only answer of a part is that its variable stays open, which nobody has to be told of."""
        if not part.is_free or self.space.ground or not part.wanted:
            return False
        (kind,) = part.wanted.values()
        return not self.space.labels(kind, 0, None)

    def bound(self, work: Work, wanted: Kinds, scope: Kinds) -> Kinds | None:
        """State what the space says of open variables, which are those, with their kinds; None if it cannot be.

        What says nothing is not asked of which it would say that.
        """
        if self.space.symbolic:
            return {}
        kinds = self._open(work.bindings, wanted, scope)
        if len(kinds) >= MANY:
            work.search.budget.charge(len(kinds) // MANY)
        for variable, kind in kinds.items():
            known = work.walk(variable)
            if type(known) in VARIABLES and not self.space.narrow(known, kind, work):
                return None
        if work.store is None:
            return kinds
        lengths = [c for c in work.store.constraints.values() if type(c) is Length]
        return kinds if all(self._short(constraint, kinds, work) for constraint in lengths) else None

    def _open(self, bindings: Mapping[Any, Any], wanted: Kinds, scope: Kinds) -> Kinds:
        """The open variables in what some are bound to, with their kinds.

        Of a state that is settled it is asked when it is bounded, and again where it becomes an alternative.
        """
        *asked, found = self._opened
        if asked[0] is not bindings or asked[1] is not wanted or asked[2] is not scope:
            found = self.space.open(chain(wanted.items(), scope.items()), bindings)
            self._opened = bindings, wanted, scope, found
        return found

    def _short(self, constraint: Length, kinds: Kinds, work: Work) -> bool:
        """State that a list is no longer than the space has them: else its length is counted up for ever."""
        items, length = reify_term(constraint.items, work.bindings), work.walk(constraint.length)
        prefix, tail = (len(items.prefix), items.tail) if type(items) is Cons else (0, items)
        most = self.space.longest(kinds[tail]) if type(length) in VARIABLES and tail in kinds else None
        return most is None or work.narrow(length, prefix, prefix + most)

    def may_turn_unknown(self, state: State) -> bool:
        """Whether a number of a state may turn out to be `?` by what is still to be made or decided in it."""
        search = state.search
        if not search.is_gradual():
            return False
        if search.rules is None:
            return True
        waiting = reify_term(tuple(state.constraints()), state.bindings)
        return bool(search.rules.profiles.may_make_unknown(waiting, search))

    def _integers(self, state: State, kinds: Kinds) -> set[Any] | None:
        """Those of the open variables that have an integer of the universe as a value; None if all numbers are some:
        where each variable that is open has such a value, nothing could make `?` of a hidden one."""
        if not kinds or self.may_turn_unknown(state):
            return set()
        space = self.space
        found = {v for v, kind in kinds.items() if space.is_number(kind) and space.labels(kind, *state.bounds(v))}
        return found if len(found) < len(kinds) else None

    def settled(self, state: State, wanted: Kinds, scope: Kinds) -> Iterator[State]:
        """The states of a state when all that is ready has run, within the space, and what can be assumed is."""
        for ready in settle(state):
            work = Work(ready)
            opened = self.bound(work, wanted, scope)
            bounded = None if opened is None else work.finish()
            if opened is None or bounded is None:
                continue
            if opened and bounded.bindings is not ready.bindings:
                opened = self._open(bounded.bindings, opened, {})
            # What is open by now is all that still has to be bounded.
            made_equal = self._with_equal(bounded, opened)
            if made_equal is None:
                continue
            equal, opened = made_equal
            kinds = equal.kinds()
            if (equal is not bounded and not kinds <= _OF_NUMBERS) or (
                # What the space says may be what a suspended goal waited for: how long a list is.
                Suspended in kinds and bounded.bindings is not ready.bindings
            ):
                yield from self.settled(equal, opened, {})
                continue
            bounded = equal
            if not (Call in kinds or Suspended in kinds):
                if Follows in kinds and (ways := either(bounded)):
                    for way in ways:
                        yield from self.settled(way, opened, {})
                    continue
                decided = decide(bounded)
                if decided is None:
                    continue
                if decided is not bounded:
                    yield from self.settled(decided, opened, {})
                    continue
            yield bounded

    def _with_equal(self, state: State, opened: Kinds) -> tuple[State, Kinds] | None:
        """`state` where numbers that agree are equal, as far as that is known, and what is open in it; None if they
        cannot be."""
        while not _AGREEING.isdisjoint(state.kinds()):
            equal = with_equal(state, self._integers(state, opened))
            if equal is None:
                return None
            if equal is state:
                break
            state, opened = equal, self._open(equal.bindings, opened, {})
        return state, opened

    def concluded(self, state: State, wanted: Kinds, scope: Kinds, before: State | None = None) -> Iterator[Forced]:
        """The settled states of a state after the calls that leave no choice; for `before` see `forced`."""
        first = forced(state, self, before)
        agenda = [] if first is None else [(first, self.settled(first.state, wanted, scope))]
        while agenda:
            made, running = agenda[-1]
            ready = next(running, None)
            if ready is None:
                agenda.pop()
            elif _is_news(ready, made.state):
                further = forced(ready, self)
                if further is not None and (further.steps or further.state.bindings is not ready.bindings):
                    both = Forced(further.state, (*made.steps, *further.steps), made.brings or further.brings)
                    agenda.append((both, self.settled(both.state, wanted, scope)))
                elif further is not None:
                    yield Forced(further.state, made.steps, made.brings)
            else:
                yield Forced(ready, made.steps, made.brings)

    def apart(self, made: Iterable[Forced], disjoint: Disjoint, wanted: Kinds, scope: Kinds) -> Iterator[Forced]:
        """Settled states without the answers of those before them, which are settled, too."""
        for ready in made:
            for piece in disjoint.told(ready.state):
                if piece is ready.state:
                    yield ready
                    continue
                for again in self.concluded(piece, wanted, scope):
                    yield Forced(again.state, (*ready.steps, *again.steps), ready.brings or again.brings)


def _is_news(state: State, before: State) -> bool:
    """Whether calls may leave no choice in a state that left one before."""
    if state.store is None or before.store is None:
        return False
    return state.bindings is not before.bindings or state.store.next != before.store.next
