"""Attributes that are not known: terms like any other, until a rule looks at them.

The attributes of a call are an `Attrs` where all are known, and an `Open` term where some are variables, or lists with
variables in them. A clause is shown `Open` attributes as a `View`, which reads like an `Attrs`. What the clause gets of
an open attribute is lazy: a number is a stand-in (`relaylogic.logic.unseen`) that goals take for the variable it is;
of everything else, what Python cannot help looking at (whether there is a value, how long a list is, a string) is
chosen first, from the attribute's universe:

| kind | universe |
|---|---|
| `bool` | both |
| `dtype` | the dtypes that were asked for; void, where that is the default |
| `str[A\\|B]` | those that are declared; `str[layout NCHW]`: the orders of these axes |
| `int`, `integer`, `dim` | naturals, `int[-4..]` from -4 on, `int[..]` of any sign; `integer` and `dim` may be None |
| `list` | lists of these, `list[pairs]` of pairs, `list[order]` of different ones, `list[axes]` of ascending ones; \
None, where that is the default |
| `object[sections]` | a natural, or an ascending list of them |
| others | none: they must be known where a rule looks at them |

Axes are naturals, too: each is said once, counted from the front. `most` bounds numbers and lengths of lists; without
it numbers stay symbolic where no rule looks at them, and are tried up to `MOST` where one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, pairwise
from typing import Any

from unification import Var

from ..logic.compare import Compare
from ..logic.look import Look, Shown
from ..logic.mistakes import RuleError
from ..logic.numbers import plus
from ..logic.state import State, Work
from ..logic.terms import Cons, Term, fresh_list, is_ground, reify_term
from ..logic.unseen import MOST, Natural, Undecided, looked, seen
from ..types.universe import DTYPES
from .attributes import Attribute, Attrs, accepted

__all__ = ["Open", "Spec", "View", "attributes_of"]

LENGTH = 6
"""Up to which length lists are tried, however small their numbers are."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What is known of open attributes: those that are `fixed`, the declarations of the others, and their bounds."""

    fixed: Attrs
    open: tuple[Attribute, ...]
    most: int | None = None
    dtypes: tuple[str, ...] | None = None

    @property
    def bounded(self) -> bool:
        """Whether every open attribute is to get a value."""
        return self.most is not None


class Open(Term):
    """The attributes of a call, some of which are not known: a `Spec`, and a term for each open attribute."""

    __slots__ = ()
    KEPT = True

    @property
    def spec(self) -> Spec:
        """What is known of them."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def values(self) -> tuple[Any, ...]:
        """The terms of the open attributes, in the order of their declarations."""
        return self.args[1]  # type: ignore[no-any-return]

    def shown(self, state: State) -> Any:
        """What a clause is shown: a view; the attributes themselves if all have become known."""
        values = reify_term(self.values, state.bindings)
        view = View(self, values, state)
        return view.known() if all(map(is_ground, values)) else view

    def valued(self, state: State) -> Iterator[State]:
        """The states in which whatever has a universe has a value in it, or is a number between bounds."""
        if not self.spec.bounded:
            yield state
            return
        stack = [iter((state,))]
        while stack:
            current = next(stack[-1], None)
            if current is None:
                stack.pop()
                continue
            try:
                View(self, reify_term(self.values, current.bindings), current).choose()
            except Look as look:
                stack.append(iter(look.states))
                continue
            within = self._within(current)
            if within is not None:
                yield within

    def _within(self, state: State) -> State | None:
        """The state in which all numbers are at most as large as they may be, or None if one is larger."""
        most = self.spec.most
        assert most is not None
        work = Work(state)
        stack = [value for value, a in zip(self.values, self.spec.open, strict=True) if a.kind in _NUMBERS]
        while stack:
            value = work.walk(stack.pop())
            if type(value) is tuple:
                if len(value) > max(most, LENGTH):
                    return None
                stack.extend(value)
            elif type(value) is Var:
                if not work.narrow(value, 0, most):
                    return None
            elif type(value) is int and abs(value) > most:
                return None
        return work.finish()

    def __contains__(self, name: object) -> bool:
        return name in self.spec.fixed or any(attribute.name == name for attribute in self.spec.open)

    def __repr__(self) -> str:
        named = zip(self.spec.open, self.values, strict=True)
        known = [f"{name}={value!r}" for name, value in self.spec.fixed.items()]
        return ", ".join([*known, *(f"{attribute.name}={value}" for attribute, value in named)])


class View(Shown):
    """Open attributes as a clause is shown them: read like `Attrs`."""

    __slots__ = ("_attrs", "_state", "_values")

    def __init__(self, attrs: Open, values: tuple[Any, ...], state: State) -> None:
        self._attrs = attrs
        self._values = values
        self._state = state

    def closed(self, named: list[Any] | None = None) -> Any:
        """The term."""
        return self._attrs

    def kept(self) -> Any:
        """The term."""
        return self._attrs

    def known(self) -> Attrs:
        """The attributes, all of which are known. Looks at nothing if one of them is none that its kind accepts."""
        spec = self._attrs.spec
        values = zip(spec.open, self._values, strict=True)
        found = {attribute.name: self._look(attribute, value) for attribute, value in values}
        return spec.fixed.replace(**found)

    def choose(self) -> None:
        """Look at whatever has a universe, so that nothing but numbers is left open."""
        for attribute, value in zip(self._attrs.spec.open, self._values, strict=True):
            if attribute.kind in _LISTED or attribute.choices is not None or attribute.universe == "sections":
                found = self._look(attribute, value)
                for item in found if type(found) is tuple else ():
                    if type(item) is Undecided:
                        item.closed()

    def __getattr__(self, name: str) -> Any:
        attrs = self._attrs
        for attribute, value in zip(attrs.spec.open, self._values, strict=True):
            if attribute.name == name:
                return self._look(attribute, value)
        return getattr(attrs.spec.fixed, name)

    def __contains__(self, name: object) -> bool:
        return name in self._attrs

    def __iter__(self) -> Iterator[str]:
        yield from self._attrs.spec.fixed
        yield from (attribute.name for attribute in self._attrs.spec.open)

    def get(self, name: str, default: Any = None) -> Any:
        """The field `name`, or `default` if there is none."""
        return getattr(self, name) if name in self else default

    def items(self) -> Iterator[tuple[str, Any]]:
        """Names with values."""
        return ((name, getattr(self, name)) for name in self)

    def replace(self, **changes: Any) -> Any:
        """The attributes with some fields changed or added."""
        spec = self._attrs.spec
        left = [(a, v) for a, v in zip(spec.open, self._values, strict=True) if a.name not in changes]
        fixed = spec.fixed.replace(**{name: value for name, value in changes.items() if is_ground(value)})
        if not left:
            return fixed
        kept_open = Spec(fixed, tuple(a for a, _ in left), spec.most, spec.dtypes)
        return Open.make((kept_open, tuple(v for _, v in left))).shown(self._state)

    def __repr__(self) -> str:
        return repr(self._attrs)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise Look(_all_together())

    # --- looking -----------------------------------------------------------------------------------------------------

    def _look(self, attribute: Attribute, value: Any) -> Any:
        """What the clause gets of an attribute. Raises Look where something must be chosen first."""
        spec, state = self._attrs.spec, self._state
        if is_ground(value):
            try:
                return accepted(attribute, value)
            except ValueError:
                raise Look((), f"{value!r} is no {attribute.name}") from None
        if type(value) is Var and attribute.choices is not None:
            raise looked(value, attribute.choices, state)
        kind = attribute.kind
        if kind in ("int", "integer", "dim"):
            return self._number(attribute, value, kind != "int")
        if kind == "list" or attribute.universe == "sections":
            return self._list(attribute, value)
        if type(value) is Var and kind in ("bool", "dtype"):
            dtypes = DTYPES if spec.dtypes is None else spec.dtypes
            void = ("",) if attribute.omitted == "" else ()
            raise looked(value, (False, True) if kind == "bool" else (*void, *dtypes), state)
        name = attribute.name
        raise RuleError(f"attribute `{name}` has no universe to choose from: the rule looks at it, so it must be given")

    def _number(self, attribute: Attribute, value: Any, nullable: bool = False) -> Any:
        """A number that is not known; None and what is negative are told from the naturals first."""
        state, most = self._state, self._attrs.spec.most
        least = attribute.least
        if type(value) is not Var or ((least is not None and least >= 0 and not nullable) and most is None):
            return seen(value, most, state)
        if _is_natural(value, state):
            return seen(value, most, state)
        raise Look(self._ways(attribute, value, (None,) if nullable else ()))

    def _ways(self, attribute: Attribute, variable: Any, others: tuple[Any, ...] = ()) -> Iterator[State]:
        """The states in which a number is None, if it may be, negative, or natural."""
        most = self._attrs.spec.most
        bound = MOST if most is None else most
        below = range(-bound if attribute.least is None else attribute.least, 0)
        return self._split(variable, others, below)

    def _split(self, variable: Any, others: tuple[Any, ...], below: range) -> Iterator[State]:
        yield from looked(variable, (*others, *below), self._state).states
        natural = self._natural(Work(self._state), variable)
        if natural is not None:
            yield natural

    def _natural(self, work: Work, variable: Any) -> State | None:
        """The state in which a number is natural, and at most `most`."""
        most = self._attrs.spec.most
        stated = work.post(Natural.make((variable,))) if most is None else work.narrow(variable, 0, most)
        return work.finish() if stated else None

    def _list(self, attribute: Attribute, value: Any) -> Any:
        if type(value) is tuple:
            return tuple([self._element(attribute, item) for item in value])
        if attribute.universe == "sections" and type(value) is Var:
            if _is_natural(value, self._state):
                return seen(value, self._attrs.spec.most, self._state)
            raise Look(chain(self._split(value, (), range(0)), self._lists(attribute, value)))
        raise Look(self._lists(attribute, value))

    def _element(self, attribute: Attribute, item: Any) -> Any:
        if type(item) is tuple:
            return tuple([self._element(attribute, part) for part in item])
        if is_ground(item):
            return item
        if attribute.least is None or attribute.least < 0:
            state, most = self._state, self._attrs.spec.most
            if not _is_natural(item, state):
                return Undecided(item, most, state, partial(self._ways, attribute, item))
        return self._number(attribute, item)

    def _lists(self, attribute: Attribute, value: Any) -> Iterator[State]:
        """The states in which a list that is open at its end has a length, or is None."""
        if type(value) is Var and attribute.omitted is None:
            yield from looked(value, (None,), self._state).states
        most = self._attrs.spec.most
        for length in range(1 + (MOST if most is None else max(most, LENGTH))):
            begun = len(value.prefix) if type(value) is Cons else 0
            if length < begun:
                continue
            items = tuple([fresh_list(2) if attribute.universe == "pairs" else one for one in fresh_list(length)])
            work = Work(self._state)
            if work.unify(value, items) and all(work.post(apart) for apart in _apart(attribute.universe, items)):
                found = work.finish()
                if found is not None:
                    yield found


def _all_together() -> Iterator[State]:
    raise RuleError("the rule looks at all attributes together, and not all are known; it may ask for each by name")
    yield


def _apart(universe: str, axes: tuple[Any, ...]) -> Iterator[Compare]:
    """That each axis of a list is named once, and if their order says nothing, in ascending order."""
    if universe in ("axes", "sections"):
        yield from (Compare.make(("<=", plus(a, 1), b)) for a, b in pairwise(axes))
    elif universe == "order":
        yield from (Compare.make(("!=", a, b)) for a, b in combinations(axes, 2))


_NUMBERS = frozenset({"int", "integer", "dim", "list", "object"})
_LISTED = frozenset({"bool", "dtype", "int", "integer", "dim", "list"})


def _is_natural(variable: Any, state: State) -> bool:
    """Whether a variable is known to be a natural number."""
    store = state.store
    if store is None:
        return False
    bounds = store.bounds.get(variable)
    if bounds is not None and bounds[1] is not None:
        return True
    return any(type(store.constraints.get(number)) is Natural for number in store.watch.get(variable, ()))


def attributes_of(
    declared: Mapping[str, Attribute], known: Attrs, unknown: Mapping[str, Any], most: int | None, dtypes: Any = None
) -> Open:
    """The attributes of a call of which `unknown` are not known, or lists in which something is not."""
    names = [name for name in declared if name in unknown]
    spec = Spec(known, tuple(declared[name] for name in names), most, dtypes)
    made: Open = Open.make((spec, tuple(unknown[name] for name in names)))
    return made

