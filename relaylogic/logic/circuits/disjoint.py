"""Alternatives that have no answer in common: each is told without what those before it say.

Of `n = 1 ; n = m` the second one is told as `n = m, n != 1`, of `member(n, [1, n])` the last one as `n != 1`. What an
alternative says is a conjunction: that variables are some terms, and comparisons. Another one is told in pieces: where
the first of that does not hold, where that holds and the second does not, and so on; mostly one piece is left, or none.
What an alternative says is known where nothing waits in it: those that still wait for calls or lists may overlap. So
may those that say that something hidden exists, unless one of them says all that another one does (`subsumption`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from ..constraints.compare import Compare
from ..constraints.definitions import definitions
from ..constraints.different import Different
from ..constraints.equations import divisors_of
from ..search.leftover import inhabited, projected
from ..search.search import residue_of
from ..search.split import Kinds
from ..states.state import State
from ..states.suspended import Suspended
from ..states.work import Work
from ..terms.numbers import UNKNOWN, plus
from ..terms.rebuilding import rebuild, reify_term
from ..terms.terms import Cons, Term, variables_of
from ..terms.variables import VARIABLES, fresh_list
from .forms import Formed, formed, lists_of
from .space import Space
from .subsumption import subsumes

__all__ = ["Disjoint"]

MOST = 16
"""So many alternatives, at most, are kept for the later ones to be told without them."""
MOST_PIECES = 8
"""What would fall into more pieces stays in one, which has answers in common with others."""


Made = TypeVar("Made")


class _Said(NamedTuple):
    """What an alternative says: what variables are, whatever those are that are `hidden` in that, and constraints.

    `terms` are what the wanted variables are, `values` those that are no variables themselves. `named` says what
    numbers are that have a value whatever the others are: how long a list is, say; `defined` are these. What else
    constraints speak of merely `exists`: then what they say has no opposite.
    """

    terms: tuple[Any, ...]
    values: tuple[tuple[Any, Any], ...]
    named: tuple[Any, ...]
    constraints: tuple[Any, ...]
    hidden: frozenset[Any]
    defined: frozenset[Any]
    exists: frozenset[Any]


def _waits(state: State) -> bool:
    """Whether something in a state cannot run yet."""
    if Suspended not in state.kinds():
        return False
    return any(type(c) is Suspended and not c.ready(state.bindings) for c in state.constraints())


class Disjoint:
    """The alternatives so far for some wanted variables, which are open before one is chosen."""

    def __init__(self, wanted: Kinds, space: Space, scope: Kinds) -> None:
        self._wanted = wanted
        self._space = space
        self._scope = scope
        self._first: State | None = None  # the first alternative, as long as it is the only one
        self._before: list[_Said | None] = []
        self._known: dict[int, tuple[State, _Said | None]] = {}  # what states say, which are kept by that
        self._is_open = False  # whether one so far stands for several answers

    def told(self, state: State) -> list[State]:
        """The state of the next alternative without what those before it say, in pieces.

        (Where all get values, equal answers are seen to be equal.)
        """
        if self._first is None:
            self._first = state
            return [state]
        if not self._before:
            self._add(self._first)
        before = [said for said in self._before if said is not None]
        self._add(state)
        pieces = [state]
        for earlier in before if self._is_open else ():
            found = [left for piece in pieces for left in self._without(earlier, piece)]
            if len(found) <= MOST_PIECES:
                pieces = found
        return pieces

    def in_order(self, made: Iterable[Made], state_of: Callable[[Made], State]) -> Iterator[Made]:
        """Alternatives in an order in which those that wait for something come behind others: it is not known what they
        say, but they may say no more than others do. As many wait as are kept, for as many others."""
        held: list[Made] = []
        passed = 0
        for one in made:
            state = state_of(one)
            if passed < MOST and len(held) < MOST and _waits(state) and self._stays_open(state):
                held.append(one)
                continue
            yield one
            passed += 1
            if passed == MOST:
                yield from held
                held.clear()
        yield from held

    def most_general(self, made: Iterable[Made], state_of: Callable[[Made], State]) -> Iterator[Made]:
        """Alternatives, all of which are soon known, without those of which a later one says all and more: what both
        say is told once then. So many are compared as are kept."""
        running = iter(made)
        first = list(islice(running, MOST))
        states = list(map(state_of, first)) if len(first) > 1 else []
        terms = [reify_term(tuple(self._wanted), state.bindings) for state in states]
        for place, one in enumerate(first):
            more = (j for j in range(place + 1, len(states)) if _is_instance(terms[place], terms[j]))
            if not any(self._is_within(states[place], states[j]) for j in more):
                yield one
        yield from running

    def _is_within(self, special: State, general: State) -> bool:
        """Whether all answers of an alternative, and not only these, are those of another one."""
        if not self._stays_open(general) or not self._has_no_more(special, general):
            return False
        return not self._has_no_more(general, special)

    def _has_no_more(self, special: State, general: State) -> bool:
        said = self._said_by(general)
        return said is not None and all(inhabited(left) is False for left in self._without(said, special))

    def _add(self, state: State) -> None:
        if len(self._before) < MOST:
            self._before.append(self._said_by(state))
        self._is_open = self._is_open or self._stays_open(state)

    def _stays_open(self, state: State) -> bool:
        kinds = self._space.open(self._wanted.items(), state.bindings)
        return any(not self._space.labels(kind, *state.bounds(variable)) for variable, kind in kinds.items())

    def _said_by(self, state: State) -> _Said | None:
        """What a state says; None where it cannot hold. It is asked of some states again and again."""
        known = self._known.get(id(state))
        if known is None:
            if len(self._known) > 2 * MOST:
                self._known.clear()
            known = self._known[id(state)] = state, self._read(state)
        return known[1]

    def _read(self, state: State) -> _Said | None:
        terms = reify_term(tuple(self._wanted), state.bindings)
        scoped = self._space.open(self._scope.items(), state.bindings)
        # Numbers have bounds; which lists are within the space is not said.
        lists = [variable for variable, kind in scoped.items() if self._space.is_list(kind)]
        visible = projected(state, (terms, *lists))
        if visible is None:
            return None
        terms = reify_term(terms, visible.bindings)
        others = [v for v in variables_of(terms) if v not in self._wanted]
        named, left = definitions(residue_of(visible, terms), {*self._wanted, *others}, state.search)
        known = {*self._wanted, *others, *named}
        exist = [v for v in variables_of(tuple(left)) if v not in known]
        # Elsewhere, they are others: an alternative has its own.
        theirs = (*others, *named, *exist)
        own = dict(zip(theirs, fresh_list(len(theirs)), strict=True))
        terms, said, left = reify_term((terms, tuple(named.values()), tuple(left)), own)
        values = tuple([(v, term) for v, term in zip(self._wanted, terms, strict=True) if term is not v])
        constraints = tuple(chain.from_iterable(map(_with_divisors, left)))
        hidden, defined, exists = (frozenset(own[v] for v in some) for some in (others, named, exist))
        return _Said(terms, values, said, constraints, hidden, defined, exists)

    def _is_said_by(self, state: State, earlier: _Said) -> bool:
        """Whether an alternative before a state says no more than that does."""
        said = self._said_by(state)
        if said is None:
            return True
        own = dict(zip(self._wanted, fresh_list(len(self._wanted)), strict=True))
        terms, constraints = reify_term((earlier.terms, (*earlier.named, *earlier.constraints)), own)
        return subsumes(
            (terms, said.terms),
            (constraints, (*said.named, *said.constraints)),
            earlier.hidden | earlier.defined | earlier.exists | {*own.values()},
            partial(_can_hold, state=state),
        )

    def _without(self, earlier: _Said, state: State) -> list[State]:
        """A state without what an alternative before it says, in pieces."""
        state.search.budget.charge()
        work, terms = Work(state), Work(State(state.bindings, None, state.search))
        same = work.finish() if all(work.unify(*pair) and terms.unify(*pair) for pair in earlier.values) else None
        if same is None or terms.store is not None:
            return [state]
        if earlier.exists:
            return [] if self._is_said_by(state, earlier) else [state]
        form = self._formed(terms, state, earlier.hidden)
        for number in earlier.named:
            same = None if same is None else _with(number, same)
        if form is None or same is None:
            return [state]
        said = {_as_term(constraint, same) for constraint in state.constraints()}
        known = (*self._numbers(state, True), *earlier.defined) if earlier.constraints else ()
        numbers = set(variables_of(reify_term(known, same.bindings)))
        pieces = form.others
        if form.state is not None:
            unequal = [_with(opposite, form.state) for opposite in self._apart(form.equal, form.state)]
            pieces += [piece for piece in unequal if piece is not None]
        for constraint in earlier.constraints:
            if not _has_opposite(constraint, same, numbers):
                if _as_term(constraint, same) in said or _follows(constraint, same):
                    continue
                return [state]
            apart, same = _against(constraint, same), _with(constraint, same)
            if same is None:  # they have no answer in common
                return [state]
            if apart is not None:
                pieces.append(apart)
        return pieces

    def _formed(self, terms: Work, state: State, hidden: frozenset[Any]) -> Formed | None:
        """A state where its open variables are what they are in `terms` that are bound there besides, and where not;
        None where that is not said without what is hidden in the terms, or cannot be: an extent that is open, and not
        asked for, is no `?`."""
        bindings = terms.bindings
        new = {v: reify_term(v, bindings) for v in islice(bindings, len(state.bindings), None)}
        if any(term is UNKNOWN and variable not in self._wanted for variable, term in new.items()):
            return None
        found: dict[Any, Any] = {}
        for variable, term in new.items():
            if variable not in hidden and type(term) in VARIABLES and term in hidden:
                found.setdefault(term, variable)
        equal = {v: reify_term(term, found) for v, term in new.items() if v not in hidden and found.get(term) is not v}
        kinds = self._space.open(self._wanted.items(), state.bindings).items()
        lists = {v for v, kind in kinds if self._space.is_row(kind)}
        return formed(equal, hidden, lists | lists_of(state), state)

    def _apart(self, equal: Mapping[Any, Any], state: State) -> Iterator[Any]:
        """That not all variables are the terms that they are to be equal to, if there are any."""
        new, terms = tuple(equal), tuple(equal.values())
        numbers = self._numbers(state)
        if len(new) == 1 and new[0] in numbers and (type(terms[0]) is int or terms[0] in numbers):
            yield Compare.draft(("!=", new[0], terms[0]))
        elif new:
            yield Different.draft((new[0], terms[0]) if len(new) == 1 else (new, terms))

    def _numbers(self, state: State, or_lists: bool = False) -> set[Any]:
        """The open variables that cannot be anything but numbers, or lists."""
        kinds = self._space.open(self._wanted.items(), state.bindings).items()
        known = {v for v, kind in kinds if self._space.is_number(kind) or (or_lists and self._space.is_list(kind))}
        return known if state.store is None else known.union(state.store.bounds)


def _is_instance(special: Any, general: Any) -> bool:
    """Whether terms may be instances of others, as far as their forms tell."""
    stack = [(special, general)]
    while stack:
        one, other = stack.pop()
        kind = type(other)
        if kind in VARIABLES or kind is Cons or one is other:
            continue
        if kind is not type(one) or (kind is tuple and len(one) != len(other)):
            return False
        if kind is tuple:
            stack.extend(zip(one, other, strict=True))
        elif isinstance(other, Term) and len(one.args) == len(other.args):
            stack.extend(zip(one.args, other.args, strict=True))
        elif one != other:
            return False
    return True


def _can_hold(constraints: Iterable[Any], state: State) -> bool:
    """Whether constraints that are about nothing in a state have a solution, as far as this finds out."""
    work = Work(State({}, None, state.search))
    found = work.finish() if all(map(work.post, constraints)) else None
    return found is not None and inhabited(found) is True


def _with(constraint: Any, state: State) -> State | None:
    work = Work(state)
    return work.finish() if work.post(constraint) else None


def _as_term(constraint: Any, state: State) -> Any:
    """A constraint as it is in a state: one that says the same is the same term, whoever has drafted it."""
    return rebuild(reify_term(constraint, state.bindings), lambda leaf: leaf)


def _follows(constraint: Any, state: State) -> bool:
    """Whether a state says what a constraint does: there is nothing to be kept, and nothing new."""
    if type(constraint) is not Suspended:
        work = Work(state)
        return work.post(constraint) and work.finish() is state
    waiting = reify_term(constraint, state.bindings)
    found = list(islice(waiting.run(state), 2)) if waiting.ready(state.bindings) else ()
    return len(found) == 1 and found[0] is state


def _has_opposite(constraint: Any, state: State, numbers: Collection[Any]) -> bool:
    """Whether a constraint either holds or has an opposite that does, where nothing is divided by 0 in it: what is
    compared are `numbers`, or lists of them, none of which may turn out to be `?`."""
    if type(constraint) is not Compare or state.search.waits():
        return type(constraint) is Different
    return all(variable in numbers for variable in variables_of(reify_term(constraint, state.bindings)))


def _with_divisors(constraint: Any) -> Iterator[Any]:
    """A constraint behind what it says of what is divided by in it, the innermost first."""
    for side in constraint.args[1:] if type(constraint) is Compare else ():
        yield from (Compare.draft(("!=", divisor, 0)) for divisor in reversed(divisors_of(side)))
    yield constraint


def _against(constraint: Any, state: State) -> State | None:
    """What a state is where a constraint does not hold that has an opposite; None if it always does."""
    if type(constraint) is Different:
        work = Work(state)
        return work.finish() if work.unify(*constraint.args) else None
    relation, left, right = constraint.args
    opposite = ("<=", plus(right, 1), left) if relation == "<=" else ("!=" if relation == "=" else "=", left, right)
    return _with(Compare.draft(opposite), state)
