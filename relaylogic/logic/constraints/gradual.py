"""Numbers that may be unknown (`?`), and terms that follow from others unless the program says otherwise.

`?` is a value like any other to `eq`: `eq(3, UNKNOWN)` fails. These goals say where it is tolerated, as a gradual type
system asks. A logic variable stands for a number that is not known *yet*. These goals wait for it; if it stays open to
the end, it is taken not to be `?`. That is a choice, not a consequence, and it is made in one place, when an answer is
labelled (`decide`): so it does not matter in which order the goals of a rule stand.

The same holds of defaults. Relay types what is not annotated: a weight without a type gets the dtype of the data, and
an extent `?` where the data has one; an annotation may differ. `follows` and `default` fill in what is open at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..control import DRAWN, FREE
from ..states.goals import Goal, eq
from ..states.state import Constraint, State
from ..states.suspended import settle
from ..states.work import Work
from ..terms.numbers import UNKNOWN
from ..terms.terms import Symbol, Term, variables_of, walk
from ..terms.variables import VARIABLES
from .compare import Compare
from .comparisons import Post
from .short_equations import with_short_equations

__all__ = [
    "Agree",
    "Follows",
    "Gradual",
    "Test",
    "agree",
    "agreeing",
    "committed",
    "completed",
    "decide",
    "default",
    "either",
    "follows",
    "holds_back",
    "is_known",
    "is_of_unknowns",
    "is_rigid",
    "is_unknown",
    "sharpest",
    "unknowns_awaited",
    "widest",
]


class Gradual(Constraint):
    """A constraint that may be decided by what is assumed of numbers that stay open."""

    __slots__ = ()
    order = 0
    """When it is decided, among those of an answer."""

    def assume(self, work: Work) -> bool | None:
        """Like `propagate`, now that nothing more will be known."""
        raise NotImplementedError


class Test(Gradual):
    """`known(n)`, `unknown(n)`: a number is not `?`, is `?`; `rigid(t)`: a term is a symbol, never to be known."""

    __slots__ = ()
    __test__ = False
    order = 2

    def __repr__(self) -> str:
        return f"{self.args[0]}({self.args[1]})"

    def propagate(self, work: Work) -> bool | None:
        """Wait for the term, unless no number can turn out to be `?` and no term a symbol."""
        asked, term = self.args
        term = work.walk(term)
        if type(term) not in VARIABLES:
            return _holds(asked, term, work)
        if not work.search.is_gradual():
            return _taken(asked, term, work)
        if asked == "known":
            work.tell_integer(term)
        return None

    def is_of_integers(self, work: Work) -> bool:
        """Whether a number is not `?`."""
        return bool(self.args[0] == "known")

    def assume(self, work: Work) -> bool | None:
        """What stays open is neither `?` nor a symbol."""
        asked, term = self.args
        term = work.walk(term)
        return _taken(asked, term, work) if type(term) in VARIABLES else _holds(asked, term, work)


def _holds(asked: str, term: Any, work: Work) -> bool:
    """Whether a test holds of a term that is known."""
    if not _TESTS[asked](term):
        work.search.budget.unknown_refused |= term is UNKNOWN
        return False
    return asked != "known" or type(term) is int or work.search.budget.takes_apart(term, UNKNOWN)


def _taken(asked: str, term: Any, work: Work) -> bool:
    """What is taken to be so of a term that stays open."""
    budget = work.search.budget
    if asked == "rigid" and any(work.walk(variable) is term for variable in budget.asked):
        budget.no_symbol = True
    return asked == "known"


def unknowns_awaited(state: State) -> frozenset[Any]:
    """The open variables of a state that must turn out to be `?`."""
    bindings = state.bindings
    waiting = (walk(c.args[1], bindings) for c in state.constraints() if type(c) is Test and c.args[0] == "unknown")
    return frozenset(term for term in waiting if type(term) in VARIABLES)


_TESTS: dict[str, Any] = {
    "known": lambda term: term is not UNKNOWN,
    "unknown": lambda term: term is UNKNOWN,
    "rigid": lambda term: isinstance(term, Symbol),
}


HELD_BACK = frozenset({Compare, Test})
"""What says less while numbers may turn out to be `?`."""


class Agree(Gradual):
    """Two numbers are equal or one is `?`, and what the result is.

    "agree": the result is not used; "widest": it is `?` if one of them is, else their value; "sharpest": it is the one
    that is not `?` (`?` if both are).
    """

    __slots__ = ()
    order = 1

    @property
    def mode(self) -> str:
        """What is said of the result."""
        return self.args[0]  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        mode, left, right, result = self.args
        return f"agree({left}, {right})" if mode == "agree" else f"{mode}({left}, {right}, {result})"

    def propagate(self, work: Work) -> bool | None:
        """Decide when both numbers are known, or one is `?`; a result that is known may tell them."""
        mode, left, right, result = self.args
        left, right, result = work.walk(left), work.walk(right), work.walk(result)
        if left is UNKNOWN or right is UNKNOWN:
            if mode == "agree":
                return True
            other = right if left is UNKNOWN else left
            return work.unify(result, UNKNOWN if mode == "widest" else other)
        if left is right or (type(left) not in VARIABLES and type(right) not in VARIABLES):
            return work.unify(left, right) and (mode == "agree" or work.unify(result, left))
        if mode == "widest" and type(result) not in VARIABLES and result is not UNKNOWN:
            return work.unify((left, right), (result, result))
        known = right if type(left) in VARIABLES else left
        if mode == "sharpest" and type(known) not in VARIABLES:
            return None if work.unify(result, known) else False
        return None

    def assume(self, work: Work) -> bool | None:
        """A number that stays open equals a known partner; two that stay open may still become anything."""
        mode, left, right, result = self.args
        left, right = work.walk(left), work.walk(right)
        if type(left) in VARIABLES and type(right) in VARIABLES and left is not right:
            return self.propagate(work)
        if left is UNKNOWN or right is UNKNOWN:
            return self.propagate(work)
        return work.unify(left, right) and (mode == "agree" or work.unify(result, left))


class Follows(Gradual):
    """`term` is `source` if it stays open; `strict`: else it agrees with it (is equal, or one of them is `?`)."""

    __slots__ = ()

    @property
    def order(self) -> int:  # type: ignore[override]
        """Agreement is decided first, defaults last."""
        return 0 if self.args[2] else 3

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound ones of the two terms; there are many of these goals, and most terms are numbers."""
        term, source = walk(self.args[0], bindings), walk(self.args[1], bindings)
        if isinstance(term, Term) or isinstance(source, Term):
            return variables_of((term, source), bindings)
        found = [known for known in (term, source) if type(known) in VARIABLES]
        return found[:1] if term is source else found

    def __repr__(self) -> str:
        term, source, strict = self.args
        return f"{'follows' if strict else 'default'}({term}, {source})"

    def propagate(self, work: Work) -> bool | None:
        """Decide as soon as both are known."""
        term, source, strict = self.args
        term, source = work.walk(term), work.walk(source)
        if term is source:
            return True
        if type(term) in VARIABLES or type(source) in VARIABLES:
            return None if strict or (work.search.defaults != FREE and not _stands(term, work)) else True
        if not strict or term is UNKNOWN or source is UNKNOWN:
            return True
        return work.unify(term, source)

    def assume(self, work: Work) -> bool | None:
        """A term that stays open is the source; an agreeing extent that is known tells the source. One that stands for
        something known agrees with `?`, and does not become it."""
        term, source, strict = self.args
        term, source = work.walk(term), work.walk(source)
        if type(term) in VARIABLES:
            if (not strict or source is UNKNOWN) and _stands(term, work):
                return True
            by_default = not strict or source is UNKNOWN
            if type(source) in VARIABLES or (by_default and work.search.defaults != DRAWN):
                return None
            return work.unify(term, source)
        if type(source) in VARIABLES and strict and term is not UNKNOWN:
            return work.unify(term, source)
        return self.propagate(work) if type(source) not in VARIABLES else True


def _stands(term: Any, work: Work) -> bool:
    """Whether an open term stands for something known (`Search.known`)."""
    return any(work.walk(variable) is term for variable in work.search.known)


def either(state: State) -> tuple[State, ...]:
    """`state` where the first open number that is to follow `?` is `?`, and where it is an integer; nothing if none is.

    Where defaults are free (`Search.defaults`) the one is as good as the other.
    """
    store = state.store
    if store is None or state.search.defaults != FREE:
        return ()
    for number, constraint in store.constraints.items():
        if type(constraint) is not Follows or not constraint.args[2]:
            continue
        term, source = (walk(side, state.bindings) for side in constraint.args[:2])
        if type(term) not in VARIABLES or source is not UNKNOWN:
            continue
        found: list[State] = []
        for goal in (eq(term, UNKNOWN), is_known(term)):
            rest = store.copy()
            del rest.constraints[number]
            found += goal(State(state.bindings, rest, state.search))
        return tuple(found)
    return ()


def decide(state: State) -> State | None:
    """`state` with what is assumed of what stays open; None if it cannot be; `state` itself if there is nothing more.

    Agreement with what is known comes first, then the tests for `?`, then the defaults; each may decide others. When
    they are done, what stays open is taken not to be `?`, and what comparisons say of integers follows (`Work.commit`),
    also where that is seen only once what they say is in fewer words.
    """
    decided = _assumed(state)
    return None if decided is None else with_short_equations(decided)


def _assumed(state: State) -> State | None:
    """`state` with what is assumed of what stays open, as `decide` has it."""
    store = state.store
    if store is None:
        return state
    if not any(isinstance(c, Gradual) for c in store.constraints.values()):
        return committed(state) if holds_back(state) else state
    work = Work(state)
    changed = True
    while changed and work.store is not None:
        changed = False
        waiting = [(c.order, n, c) for n, c in work.store.constraints.items() if isinstance(c, Gradual)]
        waiting.sort(key=_in_order)
        passed = False  # whether one that comes earlier still waits
        for _, number, constraint in waiting:
            if number not in work.store.constraints:
                continue
            before = len(work.bindings)
            outcome = constraint.assume(work)
            if outcome is True:
                del work.own_store().constraints[number]
            if outcome is False or (work.queue and not work.run()):
                work.failure(constraint)
                return None
            if len(work.bindings) > before:
                # Something is known now: what comes earlier in the order may be decided by it.
                changed = True
                if passed:
                    break
            passed = passed or number in work.store.constraints
    decided = work.finish()
    return committed(state) if decided is state and holds_back(state) else decided


def completed(state: State) -> Iterator[State]:
    """The states of a search that is over: what is ready has run, and what stays open is labelled."""
    stack = [settle(state)]
    while stack:
        settled = next(stack[-1], None)
        if settled is None:
            stack.pop()
            continue
        decided = decide(settled)
        if decided is settled:
            yield settled
        elif decided is not None:
            stack.append(settle(decided))


def committed(state: State) -> State | None:
    """`state` where no open number will turn out to be `?`; None if that cannot be."""
    work = Work(state)
    if not work.commit():
        return None
    # Bounds that creep are worth nothing, and differ by where it was stopped.
    return State(state.bindings, state.store, work.search) if work.tired else work.finish()


def holds_back(state: State) -> bool:
    """Whether something may follow in `state` only if no open number turns out to be `?`."""
    store = state.store
    if store is None:
        return False
    held = any(type(c) in HELD_BACK for c in store.constraints.values()) or any(
        high is not None and low >= high for low, high in store.bounds.values()
    )
    return held and state.search.waits()


def is_of_unknowns(state: State) -> bool:
    """Whether `state` is known to hold only where some open number turns out to be `?`."""
    return holds_back(state) and committed(state) is None


def said_unknown(state: State) -> State | None:
    """`state`, in which what a test says is `?` is that; None if it cannot be."""
    constraints = () if state.store is None else state.store.constraints.values()
    unknown = [c.args[1] for c in constraints if type(c) is Test and c.args[0] == "unknown"]
    work = Work(state)
    return work.finish() if all(work.unify(number, UNKNOWN) for number in unknown) else None


def agreeing(constraint: Any) -> tuple[Any, ...] | None:
    """The terms that a constraint makes equal if none of them is `?`; None if it says something else."""
    if type(constraint) is Agree:
        mode, left, right, result = constraint.args
        return (left, right) if mode == "agree" else (left, right, result)
    if type(constraint) is Follows and constraint.args[2]:
        return constraint.args[:2]
    return None


def _in_order(waiting: tuple[int, int, Any]) -> tuple[int, int]:
    return waiting[:2]


def agree(left: Any, right: Any) -> Goal:
    """The goal that two numbers are equal or at least one of them is `?`."""
    return Post(Agree.draft(("agree", left, right, None)))


def widest(left: Any, right: Any, result: Any) -> Goal:
    """The goal that two numbers agree and `result` is `?` if one of them is, else their value."""
    return Post(Agree.draft(("widest", left, right, result)))


def sharpest(left: Any, right: Any, result: Any) -> Goal:
    """The goal that two numbers agree and `result` is the known one (`?` if both are)."""
    return Post(Agree.draft(("sharpest", left, right, result)))


def is_unknown(number: Any) -> Goal:
    """The goal that a number is `?`; a number that stays open is not."""
    return Post(Test.draft(("unknown", number)))


def is_known(number: Any) -> Goal:
    """The goal that a number is not `?`; one that stays open is not."""
    return Post(Test.draft(("known", number)))


def is_rigid(term: Any) -> Goal:
    """The goal that a term is a symbol: a list, an extent or a type of which nothing will ever be known."""
    return Post(Test.draft(("rigid", term)))


def follows(extent: Any, source: Any) -> Goal:
    """The goal that `extent` agrees with `source`, and is `source`, be it `?`, where nothing says what it is."""
    return Post(Follows.draft((extent, source, True)))


def default(term: Any, value: Any) -> Goal:
    """The goal that `term` is `value` where nothing says what it is; any other term is as good."""
    return Post(Follows.draft((term, value, False)))
