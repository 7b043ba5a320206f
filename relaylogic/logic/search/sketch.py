"""What all answers to a question have in common, found without going through them.

A rule that looks at open attributes has an answer for each form that these may have, mostly dozens. What it looks at
when its types have held (`lists.lazily`) says little of these types. A sketch leaves that out: the goals have a few
outcomes then, and each answer is an instance of one of them. So answers that agree on no more than the outcomes do will
not come to agree on less, and where a search ends before it has found all answers, they agree on that at least.

What is left out may say anything of the variables that it is given, and of those that constraints tie to them. So of
these nothing is decided when an outcome is labelled; the others are as they will be in the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..constraints.gradual import completed
from ..constraints.postponed import PutOff
from ..control import Budget, Search, StepLimit
from ..exact import are_one
from ..states.state import State
from ..states.suspended import settle
from ..terms.rebuilding import canonical
from ..terms.terms import Slot, Term, slot
from .antiunify import generalise

__all__ = ["FAR", "Sketch", "says_no_more"]

STEPS = 1_000
"""A sketch is given up after so many steps."""

FAR = 1_000_000
"""Slots that anti-unification introduces are numbered from here on, apart from those of the answers."""
_FIRST = tuple([slot(FAR + number) for number in range(16)])
"""They are held, since every second call asks for them."""

Goal = Callable[[Any], Iterator[Any]]


class Sketch:
    """The sketch of a search for `terms`, made when it is asked for.

    `heeded` are the places of the terms that matter: answers that agree there on no more than the sketch says are
    enough, if there are such places.
    """

    def __init__(
        self, cases: Iterable[tuple[str, Goal]], terms: tuple[Any, ...], control: Search, heeded: tuple[int, ...]
    ) -> None:
        self._cases = cases
        self._terms = terms
        self._control = control
        self._heeded = heeded
        self._found: tuple[Any, ...] | None = None

    def general(self, numbering: dict[Any, Any]) -> tuple[Any, ...]:
        """What the outcomes agree on: what was asked if they agree on nothing, or are not all found.

        `numbering` are the slots of the variables of the question.
        """
        if self._found is None:
            asked = canonical(self._terms, dict(numbering))
            self._found = self._agreed(asked, numbering) or asked
        return self._found

    def _agreed(self, asked: tuple[Any, ...], numbering: dict[Any, Any]) -> tuple[Any, ...] | None:
        budget = Budget(STEPS)
        start = State({}, None, self._sketching(budget))
        general: tuple[Any, ...] | None = None
        try:
            for _, run in self._cases:
                for state in run(start):
                    for outcome in self._outcomes(state):
                        new = map(slot, range(len(numbering), FAR))
                        terms = canonical(self._terms, dict(numbering), new, outcome.bindings)
                        general = terms if general is None else generalise(general, terms, FAR)
                        if budget.cut or says_no_more(general, asked):
                            return None
        except (StepLimit, _Again):
            return None
        return None if budget.cut else general

    def _sketching(self, budget: Budget) -> Search:
        """The search for the outcomes."""
        return self._control.but(budget=budget, sketches=True)

    def _outcomes(self, state: State) -> Iterator[State]:
        """The states that goals end in, with what is known of that which has nothing to do with goals put off."""
        for settled in settle(state):
            if settled.store is None:
                yield settled
                continue
            for outcome in completed(_apart(settled)):
                if _put_off(outcome):
                    raise _Again
                yield outcome

    def may_tell(self) -> bool:
        """Whether it may say more than what was asked: something was put off."""
        return self._control.budget.put_off

    def is_reached(self, general: tuple[Any, ...], numbering: dict[Any, Any]) -> bool:
        """Whether more answers would change nothing, of the terms that matter, in what the answers agree on so far."""
        if not self._heeded:
            return False
        least = self.general(numbering)
        return says_no_more(tuple([general[i] for i in self._heeded]), tuple([least[i] for i in self._heeded]))


class Outline(Sketch):
    """The sketch of a search in which nothing is put off but the relations that are called."""

    def may_tell(self) -> bool:
        """Always."""
        return True

    def _sketching(self, budget: Budget) -> Search:
        return self._control.but(budget=budget, postpones=True, by_rows=None)

    def _outcomes(self, state: State) -> Iterator[State]:
        return settle(state)


class _Again(Exception):
    """A goal was put off after others were labelled."""


def _put_off(state: State) -> list[Any]:
    return [] if state.store is None else [c for c in state.store.constraints.values() if type(c) is PutOff]


def _apart(state: State) -> State:
    """A state without the constraints and bounds of what goals that were put off may tell more of."""
    bindings, put_off = state.bindings, _put_off(state)
    if state.store is None or not put_off:
        return state
    agenda = [variable for constraint in put_off for variable in constraint.variables(bindings)]
    told = set(agenda)
    left = state.store.copy()
    while agenda:
        variable = agenda.pop()
        left.bounds.pop(variable, None)
        for number in left.watch.get(variable, ()):
            constraint = left.constraints.pop(number, None)
            if constraint is not None:
                new = [other for other in constraint.variables(bindings) if other not in told]
                told.update(new)
                agenda += new
    left.constraints = {n: c for n, c in left.constraints.items() if type(c) is not PutOff}
    return State(bindings, left, state.search)


def says_no_more(general: tuple[Any, ...], asked: tuple[Any, ...]) -> bool:
    """Whether `general`, an instance of `asked`, is `asked` up to the names of slots."""
    renaming: dict[Any, Any] = {}
    taken: set[Any] = set()
    seen: set[tuple[int, int]] = set()  # a term may hold another many times over
    stack: list[tuple[Any, Any]] = [(general, asked)]
    while stack:
        a, b = stack.pop()
        if type(a) is Slot:
            if type(b) is not Slot or renaming.setdefault(b, a) is not a:
                return False
            taken.add(a)
        elif type(a) is not type(b):
            return False
        elif type(a) is tuple:
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif isinstance(a, Term):
            if len(a.args) != len(b.args) or (a.ground and a is not b):
                return False
            if not a.ground and (id(a), id(b)) not in seen:  # where both are one term, its slots are taken, too
                seen.add((id(a), id(b)))
                stack.extend(zip(a.args, b.args, strict=True))
        elif not are_one(a, b):
            return False
    return len(taken) == len(renaming)
