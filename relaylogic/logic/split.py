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
from .state import NATURALS, State, Store
from .terms import canonical, reify_term, slot, variables_of
from .variables import VARIABLES

__all__ = ["Kinds", "Part", "determined", "split"]

Kinds = Mapping[Any, Any]


class Part:
    """A problem of its own.

    `wanted` are its open variables whose values are asked for, with their kinds; `scope` those that must have a value
    of their kind, whatever it is; any others must merely exist.
    """

    __slots__ = ("key", "scope", "state", "wanted")

    def __init__(
        self, state: State, wanted: tuple[tuple[Any, Any], ...], scope: tuple[tuple[Any, Any], ...], key: Any
    ) -> None:
        self.state = state
        self.wanted = wanted
        self.scope = scope
        self.key = key

    def hidden(self) -> list[Any]:
        """The open variables whose values are not asked for, in order of occurrence."""
        asked = {variable for variable, _ in self.wanted}
        return [v for v in variables_of(tuple(self.state.constraints())) if v not in asked]


def split(state: State, wanted: Kinds, scope: Kinds) -> list[Part]:
    """The independent parts of a settled state; wanted and scoped variables are unbound."""
    constraints = [reify_term(c, state.bindings) for c in state.constraints()]
    if not constraints:
        free = [_part(state, [], [v], wanted, {}) for v in wanted]
        return free + [_part(state, [], [v], {}, scope) for v in scope]
    mentions = [variables_of(c) for c in constraints]
    groups = _groups([*wanted, *scope], mentions)
    members: dict[Any, list[Any]] = {}
    grounded: list[Any] = []
    for constraint, variables in zip(constraints, mentions, strict=True):
        if variables:
            members.setdefault(groups[variables[0]], []).append((constraint, variables))
        else:
            grounded.append((constraint, variables))
    asked: dict[Any, list[Any]] = {}
    for variable in (*wanted, *scope):
        leader = groups[variable]
        members.setdefault(leader, [])
        asked.setdefault(leader, []).append(variable)
    parts = [_part(state, group, asked.get(leader, []), wanted, scope) for leader, group in members.items()]
    parts.extend(_part(state, [constraint], [], wanted, scope) for constraint in grounded)
    return parts


def _groups(variables: list[Any], mentions: list[list[Any]]) -> dict[Any, Any]:
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


def _part(
    state: State, constraints: list[tuple[Any, list[Any]]], asked: list[Any], wanted: Kinds, scope: Kinds
) -> Part:
    """A part of constraints without bound variables, each with its variables; its key is made of their terms."""
    bounds = {} if state.store is None else state.store.bounds
    store = Store()
    numbering: dict[Any, Any] = {}
    signature = canonical(tuple([constraint for constraint, _ in constraints]), numbering)
    for variable in asked:
        if variable not in numbering:
            numbering[variable] = slot(len(numbering))
    for number, (constraint, variables) in enumerate(constraints):
        store.constraints[number] = constraint
        for variable in variables:
            store.watch[variable] = (*store.watch.get(variable, ()), number)
    store.next = len(constraints)
    roles = []
    for variable in numbering:
        limits = bounds.get(variable)
        if limits is not None:
            store.bounds[variable] = limits
        role = ("wanted", wanted[variable]) if variable in wanted else ("scope", scope.get(variable))
        roles.append((role, limits or NATURALS))
    mine = set(asked)
    in_order = [v for v in numbering if v in mine]
    return Part(
        State({}, store if constraints or store.bounds else None, state.search),
        tuple((v, wanted[v]) for v in in_order if v in wanted),
        tuple((v, scope[v]) for v in in_order if v not in wanted),
        (signature, tuple(roles)),
    )


def determined(part: Part, functional: Callable[[Call, Search], bool]) -> bool:
    """Whether the hidden variables of a part follow from the wanted ones, so that no two answers agree on the latter.

    `functional(call, search)` says whether a call's last argument follows from the others.
    """
    hidden = set(part.hidden())
    pending = list(part.state.constraints())
    progress = True
    while hidden and progress:
        progress = False
        for constraint in list(pending):
            open_here = [v for v in variables_of(constraint) if v in hidden]
            if len(open_here) == 1 and _follows(constraint, open_here[0], functional, part.state):
                hidden.discard(open_here[0])
                progress = True
            if not open_here:
                pending.remove(constraint)
    return not hidden


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
