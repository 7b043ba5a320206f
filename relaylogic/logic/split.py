"""Independent parts of a problem, each in a form in which equal parts are recognised.

A problem is a state with postponed calls and suspended constraints, and the variables whose values are wanted. Two
variables belong together if a constraint mentions both. A part is cut loose: its state holds nothing but its own
constraints, and its `key` is equal to that of any part that differs only in the names of variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .calls import Call
from .compare import Compare
from .control import Search
from .lists import Length
from .numbers import Arith
from .state import NATURALS, Bounds, State, Store
from .terms import open_in, reify_term, variables_of
from .variables import VARIABLES

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
        wanted: tuple[tuple[Any, Any], ...],
        scope: tuple[tuple[Any, Any], ...],
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


def split(state: State, wanted: Kinds, scope: Kinds) -> list[Part]:
    """The independent parts of a settled state; wanted and scoped variables are unbound."""
    bindings = state.bindings
    constraints = [reify_term(c, bindings) for c in state.constraints()]
    if not constraints:
        free = [_part(state, [], [v], wanted, {}) for v in wanted]
        return free + [_part(state, [], [v], {}, scope) for v in scope]
    mentions = [open_in(c) for c in constraints]
    groups = _groups([*wanted, *scope], mentions)
    members: dict[Any, list[Any]] = {}
    grounded: list[Any] = []
    for constraint, variables in zip(constraints, mentions, strict=True):
        if variables:
            members.setdefault(groups[variables[0]], []).append(constraint)
        else:
            grounded.append(constraint)
    asked: dict[Any, list[Any]] = {}
    for variable in (*wanted, *scope):
        leader = groups[variable]
        members.setdefault(leader, [])
        asked.setdefault(leader, []).append(variable)
    parts = [_part(state, group, asked.get(leader, []), wanted, scope) for leader, group in members.items()]
    parts.extend(_part(state, [constraint], [], wanted, scope) for constraint in grounded)
    return parts


def _groups(variables: list[Any], mentions: list[tuple[Any, ...]]) -> dict[Any, Any]:
    """The leader of each variable's group (union-find)."""
    leader: dict[Any, Any] = {v: v for v in variables}

    def find(variable: Any) -> Any:
        root = variable
        while leader[root] is not root:
            root = leader[root]
        while leader[variable] is not root:
            leader[variable], variable = root, leader[variable]
        return root

    for group in mentions:
        for variable in group:
            leader.setdefault(variable, variable)
        for variable in group[1:]:
            a, b = find(group[0]), find(variable)
            if a is not b:
                leader[b] = a
    return {variable: find(variable) for variable in list(leader)}


def _part(state: State, constraints: list[Any], asked: list[Any], wanted: Kinds, scope: Kinds) -> Part:
    """A part of constraints without bound variables.

    Its key is what the constraints are up to the names of variables, which variables each is about, numbered in order,
    and what is asked and known of these.
    """
    numbers: dict[Any, int] = {}
    signature = [
        (constraint.pattern, *[numbers.setdefault(variable, len(numbers)) for variable in open_in(constraint)])
        for constraint in constraints
    ]
    for variable in asked:
        numbers.setdefault(variable, len(numbers))
    known = {} if state.store is None else state.store.bounds
    bounds: dict[Any, Bounds] = {}
    roles: list[Any] = []
    for variable in numbers:
        roles.append(("wanted", wanted[variable]) if variable in wanted else ("scope", scope.get(variable)))
        limits = known.get(variable)
        if limits is not None:
            bounds[variable] = limits
        roles.append(limits or NATURALS)
    mine = [variable for variable in numbers if variable in wanted or variable in scope]
    return Part(
        constraints,
        bounds,
        state.search,
        tuple([(v, wanted[v]) for v in mine if v in wanted]),
        tuple([(v, scope[v]) for v in mine if v not in wanted]),
        (tuple(signature), tuple(roles)),
    )


def determined(part: Part, functional: Callable[[Call, Search], bool]) -> bool:
    """Whether the hidden variables of a part follow from the wanted ones, so that no two answers agree on the latter.

    `functional(call, search)` says whether a call's last argument follows from the others.
    """
    asked = {variable for variable, _ in part.wanted}
    # The hidden variables of each constraint that are not known to follow, and the constraints that are about each.
    left: dict[Any, set[Any]] = {}
    about: dict[Any, list[Any]] = {}
    for constraint in part.state.constraints():
        left[constraint] = hidden = {variable for variable in open_in(constraint) if variable not in asked}
        for variable in hidden:
            about.setdefault(variable, []).append(constraint)
    ready = [constraint for constraint, hidden in left.items() if len(hidden) == 1]
    for constraint in ready:
        if len(left[constraint]) != 1:
            continue
        (variable,) = left[constraint]
        if _follows(constraint, variable, functional, part.state):
            for other in about.pop(variable):
                left[other].discard(variable)
                if len(left[other]) == 1:
                    ready.append(other)
    return not about


def _follows(constraint: Any, variable: Any, functional: Callable[[Call, Search], bool], state: State) -> bool:
    """Whether `constraint` determines `variable` once the other variables are known."""
    kind = type(constraint)
    if kind is Compare:
        relation, left, right = constraint.args
        return relation == "=" and any(
            variable not in variables_of(other) and _invertible(side, variable, state)
            for side, other in ((left, right), (right, left))
        )
    if kind is Length:
        return constraint.length is variable
    if kind is Call:
        arguments = constraint.arguments[: constraint.relation.arity]
        if arguments[-1] is not variable or variable in variables_of(arguments[:-1]):
            return False
        return functional(constraint, state.search)
    return False


def _invertible(side: Any, variable: Any, state: State) -> bool:
    while type(side) is Arith:
        operator, operands = side.args
        inside = [o for o in operands if variable in variables_of(o)]
        if len(inside) != 1 or operator not in ("+", "-", "*"):
            return False
        if operator == "*" and not all(_positive(o, state) for o in operands if o is not inside[0]):
            return False
        (side,) = inside
    return side is variable


def _positive(operand: Any, state: State) -> bool:
    return (type(operand) is int and operand > 0) or (type(operand) in VARIABLES and state.bounds(operand)[0] > 0)
