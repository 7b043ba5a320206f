"""Numbers that a rule has not looked at yet.

`Unseen` stands for a natural number that is a logic variable, or for an expression over such numbers. Arithmetic on it
gives expressions. A comparison with a number is answered if its bounds decide it, and otherwise splits the search in
two: where it holds, and where it does not; so a rule that only asks whether a stride is 1 does not need to know more.
Everything else that Python may ask (a hash, an index, a `range`) needs the value: the search goes through all values
between the bounds, or through the first `most` where these are far apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from unification import Var

from ..states.state import State
from ..states.work import Work
from ..terms.look import Keeps, Look, Shown, has
from ..terms.numbers import UNKNOWN, difference, floordiv, mod, plus, times
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Term, variables_of
from ..terms.variables import VARIABLES, fresh
from .compare import Compare
from .intervals import interval
from .natural import Natural

__all__ = [
    "MOST",
    "Kept",
    "KeptSigned",
    "Undecided",
    "Unseen",
    "is_natural",
    "is_positive",
    "is_seen",
    "is_whole",
    "looked",
    "looked_beyond",
    "seen",
    "signed",
    "ways",
]

MOST = 8
"""How many values above the least one are tried where nothing bounds them."""
WIDE = 1_000
"""Bounds that are further apart are none: they come of what no rule means to allow, such as too long a list."""


class Kept(Keeps, Term):
    """What a goal that waits keeps of a number that a rule is shown."""

    __slots__ = ()

    def shown(self, state: State) -> Any:
        """What a rule is shown in this state."""
        term, most = self.args
        return _number(seen(term, most, state))


class KeptSigned(Kept):
    """What a goal that waits keeps of a number of any sign that a rule is shown."""

    __slots__ = ()

    def shown(self, state: State) -> Any:
        """What a rule is shown in this state."""
        term, most, least = self.args
        return _number(signed(term, most, least, state))


def _number(value: Any) -> Any:
    """What a number of an attribute has become. Raises Look, which leads nowhere, where another has made it None."""
    if value is None:
        raise Look
    return value


def seen(term: Any, most: int | None, state: State) -> Any:
    """The value of a term, or a stand-in if it is not known. Raises Look, which leads nowhere, where it is a list."""
    known = reify_term(term, state.bindings)
    if type(known) in _LISTS:
        raise Look
    if type(known) in VARIABLES or (isinstance(known, Term) and not known.ground):
        return Unseen(known, most, state)
    return known


def signed(term: Any, most: int | None, least: int, state: State) -> Any:
    """The value of a variable that may be negative, or a stand-in if it is not known."""
    known = reify_term(term, state.bindings)
    if type(known) in VARIABLES and least < 0 and not is_natural(known, state):
        return Undecided(known, most, state, least)
    return seen(known, most, state)


def is_natural(variable: Any, state: State) -> bool:
    """Whether a variable is known to be a natural number."""
    return state.is_said(Natural, variable)


def ways(variable: Any, others: Iterable[Any], most: int | None, state: State) -> Iterator[State]:
    """The states in which a variable is a natural number (up to `most`), which it mostly is, or has another value."""
    work = Work(state)
    stated = work.post(Natural.make((variable,))) and (most is None or work.narrow(variable, 0, most))
    natural = work.finish() if stated else None
    if natural is not None:
        yield natural
    yield from _valued(variable, others, state)


class Unseen(Shown):  # noqa: PLW1641 - its hash is a look
    """A natural number that is not known, or an expression over such numbers; see the module.

    `most`: up to where values are tried if nothing bounds them (None: `MOST`).
    """

    __slots__ = ("_most", "_state", "_term")

    def __init__(self, term: Any, most: int | None, state: State) -> None:
        self._term = term
        self._most = most
        self._state = state

    def closed(self, named: list[Any] | None = None) -> Any:
        """The variable, or one that is equal to the expression."""
        if type(self._term) in VARIABLES:
            return self._term
        if named is None:
            return self._look()
        name = fresh()
        named.append(Compare.make(("=", name, self._term)))
        return name

    def written(self) -> Any:
        """The variable or the expression."""
        return self._term

    def kept(self) -> Any:
        """The term that `shown` makes a stand-in of."""
        return Kept.make((self._term, self._most))

    def __repr__(self) -> str:
        return "<a number that is not known>"

    # --- what may be decided by bounds -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        kind = type(other)
        if kind in _WHOLE:
            return self._is(int(other))  # type: ignore[call-overload]
        if other is not self and (kind is float or issubclass(kind, Unseen)):
            self._look()
        return other is self

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return self._below(other)

    def __ge__(self, other: Any) -> bool:
        return not self._below(other)

    def __le__(self, other: Any) -> bool:
        return self._below(other + 1)

    def __gt__(self, other: Any) -> bool:
        return not self._below(other + 1)

    def __bool__(self) -> bool:
        return not self._is(0)

    def _is(self, number: int) -> bool:
        low, high = interval(self._term, Work(self._state))
        if (low is not None and number < low) or (high is not None and number > high):
            return False
        if type(self._term) not in VARIABLES:
            self._look()
        yes, no = Work(self._state), Work(self._state)
        holds = yes.finish() if yes.unify(self._term, number) else None
        if number == low:
            apart = no.narrow(self._term, number + 1, None)
        else:
            apart = no.post(Compare.make(("!=", self._term, number)))
        return _decided(holds, no.finish() if apart else None)

    def _below(self, number: Any) -> bool:
        if type(number) not in _WHOLE:
            self._look()
        low, high = interval(self._term, Work(self._state))
        if low is not None and low >= number:
            return False
        if high is not None and high < number:
            return True
        if type(self._term) not in VARIABLES:
            self._look()
        yes, no = Work(self._state), Work(self._state)
        holds = yes.finish() if yes.narrow(self._term, 0, number - 1) else None
        return _decided(holds, no.finish() if no.narrow(self._term, number, None) else None)

    # --- what is an expression ---------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return self._with(plus, self, other)

    def __radd__(self, other: Any) -> Any:
        return self._with(plus, other, self)

    def __sub__(self, other: Any) -> Any:
        return self._with(difference, self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with(difference, other, self)

    def __mul__(self, other: Any) -> Any:
        return self._with(times, self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._with(times, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._with(floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(floordiv, other, self)

    def __mod__(self, other: Any) -> Any:
        return self._with(mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._with(mod, other, self)

    def __neg__(self) -> Any:
        return self._with(difference, 0, self)

    def __pos__(self) -> Any:
        return self

    def _with(self, operate: Any, left: Any, right: Any) -> Any:
        operands = [item.written() if issubclass(type(item), Unseen) else item for item in (left, right)]
        if UNKNOWN in operands:
            return UNKNOWN
        if not all(type(item) in _WHOLE or isinstance(item, (Var, Term)) for item in operands):
            self._look()  # a sequence that is repeated, a fraction
        return seen(operate(*operands), self._most, self._state)

    # --- what needs the value ----------------------------------------------------------------------------------------

    def _look(self) -> Any:
        variables = variables_of(self._term, self._state.bindings)
        low, high = self._state.bounds(variables[0])
        if high is not None and high - low <= WIDE:
            states = _valued(variables[0], range(low, high + 1), self._state)
        elif self._most is not None:
            states = _valued(variables[0], range(low, low + self._most + 1), self._state)
        else:
            states = _first_valued(variables[0], low, self._state)
        look = self._state.search.look = Look(states)
        raise look

    def _asked(self, *_: Any) -> Any:
        return self._look()

    __hash__ = __index__ = __int__ = __float__ = __str__ = __format__ = _asked
    __abs__ = __pow__ = __rpow__ = __truediv__ = __rtruediv__ = __divmod__ = __rdivmod__ = _asked
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _asked
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __round__ = __iter__ = __len__ = __call__ = _asked
    __getattr__ = __getitem__ = _asked
    __class__ = property(_asked)


class Undecided(Unseen):
    """A number of any sign: what is negative is told from what is natural as soon as a rule looks."""

    __slots__ = ("_least",)

    def __init__(self, term: Any, most: int | None, state: State, least: int) -> None:
        super().__init__(term, most, state)
        self._least = least

    def kept(self) -> Any:
        """The term that `shown` makes a stand-in of."""
        return KeptSigned.make((self._term, self._most, self._least))

    def closed(self, named: list[Any] | None = None) -> Any:
        """Variables are natural numbers: it is decided first whether it is one."""
        return self._look()

    def written(self) -> Any:
        """As `closed`."""
        return self._look()

    def _is(self, number: int) -> bool:
        return self._look()  # type: ignore[no-any-return]

    def _below(self, number: Any) -> bool:
        return self._look()  # type: ignore[no-any-return]

    def _with(self, operate: Any, left: Any, right: Any) -> Any:
        return self._look()

    def _look(self) -> Any:
        look = self._state.search.look = Look(ways(self._term, range(self._least, 0), self._most, self._state))
        raise look


_WHOLE = frozenset({int, bool})
_LISTS = frozenset({tuple, Cons})


def _decided(holds: State | None, fails: State | None) -> bool:
    """The answer to a question if only one is possible; otherwise a look at both."""
    if fails is None or holds is None:
        return fails is None
    raise Look((holds, fails))


def _valued(variable: Any, values: Iterable[Any], state: State) -> Iterator[State]:
    """The states in which a variable has one of some values."""
    for value in values:
        state.search.budget.charge()
        work = Work(state)
        found = work.finish() if work.unify(variable, value) else None
        if found is not None:
            yield found


def _first_valued(variable: Any, low: int, state: State) -> Iterator[State]:
    """The states in which a variable has one of the first values above a least one; whoever goes on from these is told
    that there are others."""
    state.search.budget.cut = 2
    yield from _valued(variable, range(low, low + MOST + 1), state)


def looked(variable: Any, values: Iterable[Any], state: State) -> Look:
    """The look at a variable that has one of some values, which may be terms."""
    return Look(_valued(variable, values, state))


def looked_beyond(variable: Any, values: Iterable[Any], state: State) -> Look:
    """As `looked`; but there are other values, of which nothing is known if none of these is right."""

    def states() -> Iterator[State]:
        state.search.budget.cut = max(1, state.search.budget.cut)
        yield from _valued(variable, values, state)

    return Look(states())


def is_whole(value: Any) -> bool:
    """Whether an attribute is a whole number, known or not."""
    return type(value) in (int, Unseen, Undecided)


def is_seen(value: Any) -> bool:
    """Whether an attribute is known, to its last element."""
    return not has(value, Shown)


def is_positive(value: Any) -> bool:
    """Whether a number is known to be positive, by its value or its bounds."""
    if type(value) is not Unseen:
        return type(value) in _WHOLE and value > 0
    low, _ = interval(value.written(), Work(value._state))
    return low is not None and low > 0
