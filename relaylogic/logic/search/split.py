"""Independent parts of a problem, each in a form in which equal parts are recognised.

A problem is a state with postponed calls and suspended constraints, and the variables whose values are wanted. Two
variables belong together if a constraint mentions both. A part is cut loose: its state holds nothing but its own
constraints, and its `key` is equal to that of any part that differs only in the names of variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from itertools import count as counting
from typing import Any

from ..control import Search
from ..states.state import Bounds, State, Store
from ..terms.terms import open_in
from .dependence import Following, Functional

__all__ = ["Kinds", "Part", "determined", "split"]

Kinds = Mapping[Any, Any]


class Part:
    """A problem of its own.

    `wanted` are its open variables whose values are asked for, with their kinds; `scope` those that must have a value
    of their kind, whatever it is; any others must merely exist.
    """

    __slots__ = ("_bounds", "_constraints", "_search", "_state", "key", "scope", "wanted")

    def __init__(
        self,
        constraints: list[Any],
        bounds: dict[Any, Bounds],
        search: Search,
        wanted: Kinds,
        scope: Kinds,
        key: Any,
    ) -> None:
        self._constraints = constraints
        self._bounds = bounds
        self._search = search
        self._state: State | None = None
        self.wanted = wanted
        self.scope = scope
        self.key = key

    @property
    def is_free(self) -> bool:
        """Whether nothing is said of its variables."""
        return not self._constraints and not self._bounds

    @property
    def state(self) -> State:
        """Its constraints and the bounds of its variables; made when it is asked for: most parts were met before."""
        if self._state is None:
            store = None
            if self._constraints or self._bounds:
                store = Store()
                store.constraints = dict(enumerate(self._constraints))
                store.bounds = self._bounds
                store.next = len(self._constraints)
                for number, constraint in store.constraints.items():
                    for variable in open_in(constraint):
                        store.watch[variable] = (*store.watch.get(variable, ()), number)
            self._state = State({}, store, self._search)
        return self._state


class _Group:
    """Constraints, by their place among all, that are tied together by variables, and what is asked of these."""

    __slots__ = ("asked", "places", "variables")

    def __init__(self) -> None:
        self.places: list[int] = []
        self.variables: list[Any] = []
        self.asked: list[Any] = []

    def join(self, other: _Group, homes: dict[Any, _Group]) -> None:
        """Take over what another group has."""
        self.places += other.places
        self.variables += other.variables
        homes.update(dict.fromkeys(other.variables, self))
        other.places = []


def split(state: State, wanted: Kinds, scope: Kinds) -> list[Part]:
    """The independent parts of a settled state; wanted and scoped variables are unbound."""
    constraints = [constraint.reified(state.bindings) for constraint in state.constraints()]
    mentions = [open_in(c) for c in constraints]
    groups, homes = _groups(mentions)
    for variable in (*wanted, *scope):
        home = homes.get(variable)
        if home is None:
            home = _Group()
            groups.append(home)
        home.asked.append(variable)
    found = []
    for group in groups:
        tied = [constraints[place] for place in group.places]
        found.append(_part(state, tied, [mentions[place] for place in group.places], group.asked, wanted, scope))
    grounded = [c for c, variables in zip(constraints, mentions, strict=True) if not variables]
    found.extend(_part(state, [constraint], [()], [], wanted, scope) for constraint in grounded)
    return found


def _groups(mentions: list[tuple[Any, ...]]) -> tuple[list[_Group], dict[Any, _Group]]:
    """The groups of constraints that mention such variables, in the order of their first ones, and that of each
    variable."""
    homes: dict[Any, _Group] = {}
    groups: list[_Group] = []
    merged = False
    for place, variables in enumerate(mentions):
        if not variables:
            continue
        new = []
        home = None
        for variable in variables:
            known = homes.get(variable)
            if known is None:
                new.append(variable)
            elif home is None:
                home = known
            elif known is not home:
                merged = True
                if len(known.variables) > len(home.variables):
                    home, known = known, home
                home.join(known, homes)
        if home is None:
            home = _Group()
            groups.append(home)
        home.places.append(place)
        home.variables += new
        homes.update(dict.fromkeys(new, home))
    if merged:
        groups = [group for group in groups if group.places]
        for group in groups:
            group.places.sort()
        groups.sort(key=lambda group: group.places[0])
    return groups, homes


def _part(
    state: State, constraints: list[Any], mentions: list[tuple[Any, ...]], asked: list[Any], wanted: Kinds, scope: Kinds
) -> Part:
    """A part of constraints without bound variables, each with the variables that it mentions.

    Its key is what the constraints are up to the names of variables, which variables each is about, numbered in order,
    and what is asked and known of these.
    """
    numbers = dict(zip(dict.fromkeys(chain(*mentions, asked)), counting()))
    patterns = tuple([constraint.pattern for constraint in constraints])
    about = tuple([numbers[variable] for mentioned in mentions for variable in mentioned])
    known = {} if state.store is None else state.store.bounds
    of_wanted, of_scope, bounds = {}, {}, {}
    roles, others, limits = [], [], []  # the same, over numbers
    for variable, number in numbers.items():
        if variable in wanted:
            of_wanted[variable] = wanted[variable]
            roles.append((number, wanted[variable]))
        elif variable in scope:
            of_scope[variable] = scope[variable]
            others.append((number, scope[variable]))
        if variable in known:
            bounds[variable] = known[variable]
            limits.append((number, known[variable]))
    key = patterns, about, len(numbers), tuple(roles), tuple(others), tuple(limits)
    return Part(constraints, bounds, state.search, of_wanted, of_scope, key)


def determined(part: Part, functional: Functional) -> bool:
    """Whether the hidden variables of a part follow from the wanted ones, so that no two answers agree on these."""
    hidden = {v for constraint in part.state.constraints() for v in open_in(constraint) if v not in part.wanted}
    return not hidden or hidden <= Following(part.state, part.wanted, functional).known
