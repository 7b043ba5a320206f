"""The nodes of a circuit of which nothing is wanted but whether there is an answer: one witness is enough."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as counting
from itertools import islice
from typing import Any

from ..constraints.compare import Compare
from ..constraints.gradual import is_of_unknowns, unknowns_awaited
from ..constraints.lengths import Length, SameLength
from ..control import StepLimit
from ..search.leftover import inhabited
from ..search.limits import all_limits
from ..search.search import residue_of
from ..states.state import State
from ..states.suspended import Suspended, open_end
from ..states.work import Work
from ..terms.numbers import folded_in
from ..terms.rebuilding import canonical
from ..terms.terms import cons
from ..terms.variables import VARIABLES, fresh, fresh_list
from .choices import says_form
from .circuit import Alternative
from .problem import Calls, Problem, in_order

__all__ = ["Existence"]

LOOKED_ON = 2_000
"""So many steps are taken for a witness without conditions when one with conditions is known,"""
LARGE = 64
"""Numbers up to 2 to the power of this are tried early."""
MOST_WITNESSES = 16
"""and so many witnesses are looked at."""
DOUBLED = frozenset({2, 4, 8, 16})
"""When so many lengths of a list were tried, it is looked at whether it may be longer: that takes as long as to try a
few short ones, and seconds for a list of hundreds of elements."""


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
        for state, steps, calls in self._forced():
            changed = steps or state.bindings
            made = self._alternative(state, 0, steps) if changed else None
            for alternative in (made,) if changed else self._ways(state, in_order(calls)):
                if alternative is not None and _is_possible(alternative):
                    yield alternative

    def _ways(self, state: State, calls: Calls) -> Iterator[Alternative]:
        chosen = self._fewest_in_scope(state)
        first = calls[0] if calls else None
        if chosen is not None and (
            first is None or not (first[0].disjoint or says_form(self.solver.space, first[0], first[2], *chosen))
        ):
            yield from self._label(state, *chosen)
        elif calls:
            yield from self._made(state, calls[0][1], calls[0][2])
        else:
            yield from self._rest(state)

    def _from(self, low: int) -> Iterator[int]:
        """Large ones come early, since one value is enough, whichever: the sum of all weights may have to be large."""
        for step in counting():
            yield low + step
            if 0 < step <= LARGE:
                yield low + (1 << step)

    def _fewest_in_scope(self, state: State) -> tuple[Any, Any] | None:
        lists: list[Any] = []
        numbers: list[Any] = []
        waiting = unknowns_awaited(state)
        for (variable, kind), (low, high) in zip(self.scope.items(), all_limits(state, self.scope), strict=True):
            if variable not in waiting and self.solver.space.labels(kind, low, high):
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
        holds = False if is_of_unknowns(state) else inhabited(state)
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
            ends = map(open_end, folded_in(*constraint.args[1:]))
            found = next(((end, None) for end in ends if end is not None), None)
    return found


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
