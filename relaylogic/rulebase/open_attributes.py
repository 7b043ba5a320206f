"""Attributes that are not known: terms like any other, until a rule looks at them.

The attributes of a call are an `Attrs` where all are known, and an `Open` term where some are variables, or lists with
variables in them. A clause is shown `Open` attributes as a `View`, which reads like an `Attrs`. What the clause gets of
an open attribute is lazy: a number is a stand-in (`logic.constraints.unseen`) that goals take for the variable it is;
of everything else, what Python cannot help looking at (whether there is a value, how long a list is, a string) is
chosen first, from the attribute's universe (`relaylogic.rulebase.attribute_universe`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise
from typing import Any

from ..host.above import above
from ..logic.constraints.compare import Compare
from ..logic.constraints.gradual import Test
from ..logic.constraints.unseen import is_natural, looked, looked_beyond, seen, signed, ways
from ..logic.constraints.unseen_names import name_of
from ..logic.exact import exact
from ..logic.states.goals import conjoin
from ..logic.states.state import State
from ..logic.states.work import Work
from ..logic.terms.look import Keeps, Look, Shown, closed
from ..logic.terms.mistakes import RuleError
from ..logic.terms.numbers import plus
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import Cons, Term, cons, is_ground
from ..logic.terms.variables import VARIABLES, fresh, fresh_list
from ..types import TensorType, TupleType
from ..types.universe import DTYPES
from .attribute_universe import AttributeBounds, choices_of, lengths_of, may_be_none
from .attributes import Attribute
from .attrs import Attrs
from .given_attributes import accepted

__all__ = ["Open", "Spec", "Unlisted", "View", "attributes_of"]


@dataclass(frozen=True, slots=True)
class Spec:
    """What is known of open attributes: those that are `fixed`, the declarations of the others, and their bounds.

    `written`: of each open attribute what the program itself says (True) and what not (False); a tuple for a list of
    known length. What the program says may lie outside of the bounds.
    """

    fixed: Attrs
    open: tuple[Attribute, ...]
    bounds: AttributeBounds
    written: tuple[Any, ...]


class Open(Keeps, Term):
    """The attributes of a call, some of which are not known: a `Spec`, and a term for each open attribute."""

    __slots__ = ()

    @property
    def spec(self) -> Spec:
        """What is known of them."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def values(self) -> tuple[Any, ...]:
        """The terms of the open attributes, in the order of their declarations."""
        return self.args[1]  # type: ignore[no-any-return]

    @property
    def has_axes(self) -> bool:
        """Whether some of the open ones are axes."""
        return any(attribute.is_axis for attribute in self.spec.open)

    def from_the_end(self) -> Open:
        """These attributes where axes may be counted from the end, too."""
        bounds = replace(self.spec.bounds, from_the_end=True)
        return Open.make((replace(self.spec, bounds=bounds), self.values))  # type: ignore[no-any-return]

    def shown(self, state: State) -> Any:
        """What a clause is shown: a view; the attributes themselves if all have become known."""
        values = reify_term(self.values, state.bindings)
        view = View(self, values, state)
        return view.known() if all(map(is_ground, values)) else view

    def around(self, arguments: tuple[Any, ...], state: State) -> Open:
        """These attributes where nothing bounds them, of a call of such arguments: lists reach as far as its longest
        shape, and its dtypes are tried besides the common ones."""
        bounds = self.spec.bounds
        if bounds.most is not None or bounds.longest is not None:
            return self
        longest, dtypes = 0, dict.fromkeys(DTYPES if bounds.dtypes is None else bounds.dtypes)
        common = len(dtypes)
        stack = [reify_term(arguments, state.bindings)]
        seen_terms: set[int] = set()
        while stack:
            item = stack.pop()
            if type(item) is tuple:
                longest = max(longest, len(item))
                stack.extend(part for part in item if type(part) is not int)
            elif isinstance(item, Term) and id(item) not in seen_terms:
                seen_terms.add(id(item))
                stack.extend(item.args)
                if type(item) is TensorType and type(item.dtype) is str and item.dtype:
                    dtypes[item.dtype] = None
        covered = any(a.universe in _AXES for a in self.spec.open) and _are_shaped(arguments[:-1], state)
        if longest <= bounds.length and len(dtypes) == common and not covered:
            return self
        own = replace(bounds, longest=max(longest, bounds.length), dtypes=tuple(dtypes), covered=covered)
        found: Open = Open.make((replace(self.spec, bounds=own), self.values))
        return found

    def valued(self, state: State) -> Iterator[State]:
        """The states in which whatever has a universe has a value in it, or is a number between bounds."""
        if not self.spec.bounds.valued:
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
            yield from self._within(current)

    def _within(self, state: State) -> Iterator[State]:
        """The states in which no number that was open is larger, or less, than it may be.

        What a number of a list is that may be negative, and what nobody has chosen, is said for itself.
        """
        bounds = self.spec.bounds
        work = Work(state)
        values = zip(self.values, self.spec.written, self.spec.open, strict=True)
        stack = [(value, written, a) for value, written, a in values if a.kind in _NUMBERS]
        choices = [(v, choices_of(a, bounds)) for v, a in zip(self.values, self.spec.open, strict=True)]
        left = [(v, several) for v, several in choices if several is not None and type(work.walk(v)) in VARIABLES]
        goals = [above("one of several")(value, several) for value, several in left]
        while stack:
            value, written, attribute = stack.pop()
            value = work.walk(value)
            least = bounds.least(attribute)
            if written is True:
                continue
            if type(value) is tuple:
                if written is False and len(value) > bounds.length:
                    return iter(())
                parts = written or (False,) * len(value)
                stack.extend((item, part, attribute) for item, part in zip(value, parts, strict=True))
            elif type(value) in VARIABLES:
                if attribute.kind == "list" and least < 0 and not is_natural(value, state):
                    goals.append(above("one of a range")(value, least, bounds.most))
                elif not work.narrow(value, 0, bounds.most):
                    return iter(())
            elif type(value) is int and not min(least, -bounds.numbers) <= value <= bounds.numbers:
                return iter(())
        found = work.finish()
        return iter(()) if found is None else conjoin(goals, found)

    def items(self) -> list[tuple[str, Any]]:
        """Names with values, those that are open last."""
        named = zip(self.spec.open, self.values, strict=True)
        return [*self.spec.fixed.items(), *((attribute.name, value) for attribute, value in named)]

    def __contains__(self, name: object) -> bool:
        return name in self.spec.fixed or any(attribute.name == name for attribute in self.spec.open)

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.items())


class Unlisted(RuleError):
    """A rule looks at `attribute`, which is not known, and whose values cannot be listed."""

    def __init__(self, attribute: str) -> None:
        super().__init__(
            f"attribute `{attribute}` has no universe to choose from: the rule looks at it, so it must be given"
        )
        self.attribute = attribute


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
        """Look at numbers and lists, so that nothing else is left open than what has choices; numbers of lists may have
        any sign."""
        for attribute, value in zip(self._attrs.spec.open, self._values, strict=True):
            if attribute.kind in _NUMBERED or attribute.universe == "sections":
                found = self._look(attribute, value)
                if attribute.kind != "list":
                    closed(found)
            elif type(value) not in VARIABLES and (attribute.kind in _CHOSEN or attribute.choices is not None):
                self._look(attribute, value)

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
        left = [i for i, attribute in enumerate(spec.open) if attribute.name not in changes]
        for name, value in changes.items():
            if not is_ground(value):
                raise RuleError(f"attribute `{name}` is given to another relation: it must be known there")
        return self._with(spec.fixed.replace(**changes), left)

    def only(self, *names: str) -> Any:
        """What a goal is shown that reads no others than the attributes with these names."""
        spec = self._attrs.spec
        read = [i for i, attribute in enumerate(spec.open) if attribute.name in names]
        return self._with(spec.fixed, read)

    def listed(self, name: str) -> Any:
        """The elements of the list `name`; none if it is None, or if it is not known how many there are."""
        for attribute, value in zip(self._attrs.spec.open, self._values, strict=True):
            if attribute.name == name:
                return self._look(attribute, value) if type(value) is tuple else ()
        return self._attrs.spec.fixed.listed(name)

    def _with(self, fixed: Attrs, left: list[int]) -> Any:
        """What is shown of attributes that are known, and of some of those that are open."""
        if not left:
            return fixed
        spec = self._attrs.spec
        kept_open = Spec(fixed, tuple(spec.open[i] for i in left), spec.bounds, tuple(spec.written[i] for i in left))
        return Open.make((kept_open, tuple(self._values[i] for i in left))).shown(self._state)

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
            with suppress(ValueError):
                found = accepted(attribute, value)
                # 1 is a float, but not true: what is looked at before it is known is one of its values, never another.
                if attribute.kind == "float" or exact((found,)) == exact((value,)):
                    return found
            raise Look((), f"{value!r} is no {attribute.name}")
        if type(value) in (tuple, Cons) and attribute.kind not in _MAY_BE_LISTS:
            raise Look((), f"{attribute.name} is no list")
        choices = choices_of(attribute, spec.bounds)
        if type(value) in VARIABLES and attribute.kind == "dtype" and state.search.types_only:
            return name_of(value, choices or (), state)
        if type(value) in VARIABLES and choices is not None:
            every = spec.bounds.most is not None or not attribute.universe.startswith("layout")
            raise looked(value, choices, state) if every else looked_beyond(value, choices, state)
        kind = attribute.kind
        if kind in ("int", "integer", "dim"):
            return self._number(attribute, value)
        if kind == "list" or attribute.universe == "sections":
            return self._list(attribute, value)
        raise Unlisted(attribute.name)

    def _number(self, attribute: Attribute, value: Any) -> Any:
        """A number that is not known; None is told from the numbers first."""
        bounds = self._attrs.spec.bounds
        least = bounds.least(attribute)
        if (may_be_none(attribute) or least >= 0) and not is_natural(value, self._state):
            none = (None,) if may_be_none(attribute) else ()
            raise Look(ways(value, (*none, *bounds.behind(attribute), *range(least, 0)), bounds.most, self._state))
        return self._element(attribute, value)

    def _element(self, attribute: Attribute, item: Any) -> Any:
        """A number that is not known, or a list of some."""
        if type(item) is tuple:
            return tuple([self._element(attribute, part) for part in item])
        if not attribute.holds_unknown and type(item) in VARIABLES and self._state.search.is_gradual():
            work = Work(self._state)
            is_known = Test.draft(("known", item))
            if not any(type(c) is Test and c.args == is_known.args for c in work.beside(work.walk(item))):
                raise Look((state,) if work.post(is_known) and (state := work.finish()) else ())
        return signed(item, self._attrs.spec.bounds.most, self._attrs.spec.bounds.least(attribute), self._state)

    def _list(self, attribute: Attribute, value: Any) -> Any:
        if type(value) is tuple:
            single = next((item for item in value if type(item) in VARIABLES), None)
            if attribute.universe == "pairs" and single is not None:
                raise looked(single, (fresh_list(2),), self._state)
            behind = self._attrs.spec.bounds.behind(attribute)
            for item in value if behind else ():
                if type(item) in VARIABLES and not is_natural(item, self._state):
                    raise Look(ways(item, behind, None, self._state))
            return tuple([self._element(attribute, item) for item in value])
        if attribute.universe == "sections" and type(value) in VARIABLES:
            most = self._attrs.spec.bounds.most
            if is_natural(value, self._state):
                return seen(value, most, self._state)
            raise Look(chain(ways(value, (), most, self._state), self._lists(attribute, value)))
        raise Look(self._lists(attribute, value))

    def _lists(self, attribute: Attribute, value: Any) -> Iterator[State]:
        """The states in which a list that is open at its end has one of its lengths, or is None."""
        if type(value) in VARIABLES and attribute.kind == "list" and may_be_none(attribute):
            yield from looked(value, (None,), self._state).states
        for length in lengths_of(attribute, self._attrs.spec.bounds):
            begun = len(value.prefix) if type(value) is Cons else 0
            if length < begun:
                continue
            items = tuple([fresh_list(2) if attribute.universe == "pairs" else one for one in fresh_list(length)])
            work = Work(self._state)
            if work.unify(value, items) and all(work.post(apart) for apart in _apart(attribute.universe, items)):
                found = work.finish()
                if found is not None:
                    yield found
        self._tell_of_longer(attribute, value)

    def _tell_of_longer(self, attribute: Attribute, value: Any) -> None:
        """Note that longer lists were not tried, if there may be any and nobody has said how long they are."""
        bounds = self._attrs.spec.bounds
        if bounds.most is not None or attribute.lengths or (bounds.covered and attribute.universe in _AXES):
            return
        if Work(self._state).unify(value, cons(fresh_list(bounds.length + 1), fresh())):
            budget = self._state.search.budget
            budget.short = max(budget.short, bounds.length)


def _are_shaped(inputs: tuple[Any, ...], state: State) -> bool:
    """Whether the ranks of all tensors are known that are given to a call."""
    stack = [reify_term(inputs, state.bindings)]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack.extend(item)
        elif type(item) is TupleType:
            stack.append(item.fields)
        elif type(item) is not TensorType or type(item.shape) is not tuple:
            return False
    return True


def _all_together() -> Iterator[State]:
    raise RuleError("the rule looks at all attributes together, and not all are known; it may ask for each by name")
    yield


def _apart(universe: str, axes: tuple[Any, ...]) -> Iterator[Compare]:
    """That each axis of a list is named once, and if their order says nothing, in ascending order."""
    if universe in ("axes", "sections"):
        yield from (Compare.make(("<=", plus(a, 1), b)) for a, b in pairwise(axes))
    elif universe == "order":
        yield from (Compare.make(("!=", a, b)) for a, b in combinations(axes, 2))


_AXES = frozenset({"axes", "order"})
_NUMBERS = frozenset({"int", "integer", "dim", "list", "object"})
_MAY_BE_LISTS = frozenset({"list", "floats", "object", "expr"})
_NUMBERED = frozenset({"int", "integer", "dim", "list"})
_CHOSEN = frozenset({"bool", "dtype"})


def attributes_of(
    declared: Mapping[str, Attribute], known: Attrs, unknown: Mapping[str, Any], bounds: AttributeBounds
) -> Open:
    """The attributes of a call of which `unknown` are not known, or lists in which something is not."""
    names = [name for name in declared if name in unknown]
    written = tuple(_written(unknown[name]) for name in names)
    spec = Spec(known, tuple(declared[name] for name in names), bounds, written)
    made: Open = Open.make((spec, tuple(unknown[name] for name in names)))
    return made


def _written(value: Any) -> Any:
    """What of a value is written in a program (see `Spec`)."""
    if is_ground(value):
        return True
    return tuple(map(_written, value)) if type(value) is tuple else False
