"""Independent parts of a problem, each in a form in which equal parts are recognised.

A problem is a state with postponed calls and suspended constraints, and the variables whose values are wanted. Two
variables belong together if a constraint mentions both. A part is cut loose: its state holds nothing but its own
constraints, and its `key` is equal to that of any part that differs only in the names of variables.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unification import Var

from .arithmetic import Compare
from .calls import Call
from .captured import captured
from .expressions import Arith
from .lists import Delayed, Length
from .search import canonical
from .state import NATURALS, State, Store
from .terms import Slot, Term, reify_term, variables_of

__all__ = ["Part", "split"]


class Part:
    """A problem of its own: `wanted` are its open variables whose values are asked for, with their kinds."""

    __slots__ = ("key", "live", "state", "wanted")

    def __init__(self, state: State, wanted: tuple[tuple[Any, Any], ...], key: Any, live: bool) -> None:
        self.state = state
        self.wanted = wanted
        self.key = key
        self.live = live

    def hidden(self) -> set[Any]:
        """The open variables whose values are not asked for."""
        asked = {variable for variable, _ in self.wanted}
        return {v for c in self.state.constraints() for v in touched(c, self.state) if v not in asked}


def touched(constraint: Any, state: State) -> list[Any]:
    """The unbound variables that a constraint depends on."""
    if type(constraint) is not Delayed:
        return constraint.variables(state.bindings)  # type: ignore[no-any-return]
    inside = captured(constraint.goal)
    if inside is None:
        everything: dict[Any, None] = {}
        for other in state.constraints():
            everything.update(dict.fromkeys(other.variables(state.bindings)))
        return list(everything)
    return variables_of((tuple(inside), tuple(constraint.on)), state.bindings)


def split(state: State, wanted: Iterable[tuple[Any, Any]]) -> list[Part]:
    """The independent parts of a settled state; every wanted variable is unbound and belongs to one of them."""
    kinds = dict(wanted)
    constraints = state.constraints()
    if len(constraints) == 0:
        return [
            Part(State(), ((v, k),), ("free", k), False) if state.store is None else _part(state, [], [v], kinds)
            for v, k in kinds.items()
        ]
    mentions = [touched(c, state) for c in constraints]
    # Union-find over variables; the leader of a group is its first variable.
    leader: dict[Any, Any] = {v: v for v in kinds}

    def find(variable: Any) -> Any:
        root = variable
        while leader[root] is not root:
            root = leader[root]
        while leader[variable] is not root:
            leader[variable], variable = root, leader[variable]
        return root

    for variables in mentions:
        for variable in variables:
            leader.setdefault(variable, variable)
        for variable in variables[1:]:
            a, b = find(variables[0]), find(variable)
            if a is not b:
                leader[b] = a
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
    grounded: list[Any] = []
    for constraint, variables in zip(constraints, mentions, strict=True):
        if variables:
            groups.setdefault(find(variables[0]), ([], []))[0].append(constraint)
        else:
            grounded.append(constraint)
    for variable in kinds:
        groups.setdefault(find(variable), ([], []))[1].append(variable)
    parts = [_part(state, members, asked, kinds) for members, asked in groups.values()]
    parts.extend(_part(state, [constraint], [], kinds) for constraint in grounded)
    return parts


def _part(state: State, constraints: list[Any], asked: list[Any], kinds: dict[Any, Any]) -> Part:
    bindings = state.bindings
    live = any(type(c) is Delayed for c in constraints)
    bounds = {} if state.store is None else state.store.bounds
    store = Store()
    numbering: dict[Any, Any] = {}
    signature: list[Any] = []
    for number, constraint in enumerate(constraints):
        own = constraint if live else _own(constraint, bindings)
        store.constraints[number] = own
        for variable in own.variables(bindings):
            store.watch[variable] = (*store.watch.get(variable, ()), number)
            limits = bounds.get(variable)
            if limits is not None:
                store.bounds[variable] = limits
        if not live:
            signature.append(_signature(own, numbering))
    for variable in asked:
        if variable not in numbering:
            numbering[variable] = Slot(len(numbering))
        limits = bounds.get(variable)
        if limits is not None:
            store.bounds[variable] = limits
    store.next = len(constraints)
    # A constraint may mention a variable without depending on it: the first elements of a list, say of its length.
    mine = set(asked)
    wanted = tuple((v, kinds[v]) for v in (asked if live else numbering) if v in mine)
    if live:
        return Part(State(bindings, store), wanted, None, True)
    roles = tuple((kinds.get(v), store.bounds.get(v, NATURALS)) for v in numbering)
    known = None if None in signature else (tuple(signature), roles)
    return Part(State({}, store), wanted, known, False)


def _own(constraint: Any, bindings: dict[Any, Any]) -> Any:
    if type(constraint) is Call:
        arguments = reify_term(constraint.arguments, bindings)
        if all(a is b for a, b in zip(arguments, constraint.arguments, strict=True)):
            return constraint
        return Call(constraint.relation, arguments, constraint.lineage)
    return constraint.reified(bindings)


def _signature(constraint: Any, numbering: dict[Any, Any]) -> Any:
    kind = type(constraint)
    if kind is Call:
        return (constraint.relation.name, constraint.depth, canonical(constraint.arguments, numbering))
    if kind is Compare:
        return (constraint.relation, _expression(constraint.left, numbering), _expression(constraint.right, numbering))
    fields = []
    for name in kind.__slots__:
        value = getattr(constraint, name)
        if callable(value) and type(value) is not Var:
            return None
        fields.append(_expression(value, numbering))
    return (kind.__name__, *fields)


def _expression(item: Any, numbering: dict[Any, Any]) -> Any:
    if type(item) is Var:
        known = numbering.get(item)
        if known is None:
            known = numbering[item] = Slot(len(numbering))
        return known
    if type(item) is Arith:
        return (item.operator, *(_expression(operand, numbering) for operand in item.operands))
    if type(item) is tuple or isinstance(item, Term):
        return canonical((item,), numbering)[0]
    return (type(item).__name__, item)


def determined(part: Part, functional: Any) -> bool:
    """Whether the hidden variables of a part follow from the wanted ones, so that no two answers agree on the latter.

    `functional(call)` says whether a call's last argument follows from the others.
    """
    hidden = part.hidden()
    if not hidden:
        return True
    if part.live:
        return False
    pending = list(part.state.constraints())
    progress = True
    while hidden and progress:
        progress = False
        for constraint in list(pending):
            open_here = [v for v in constraint.variables({}) if v in hidden]
            if len(open_here) == 1 and _follows(constraint, open_here[0], functional, part.state):
                hidden.discard(open_here[0])
                progress = True
            if not open_here:
                pending.remove(constraint)
    return not hidden


def _follows(constraint: Any, variable: Any, functional: Any, state: State) -> bool:
    """Whether `constraint` determines `variable` once the other variables are known."""
    if type(constraint) is Compare:
        if constraint.relation != "=":
            return False
        for side, other in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
            if variable not in variables_of_expression(other) and _invertible(side, variable, state):
                return True
        return False
    if type(constraint) is Length:
        return constraint.length is variable
    if type(constraint) is Call:
        arguments = constraint.arguments[: constraint.relation.arity]
        return arguments[-1] is variable and variable not in variables_of(arguments[:-1]) and functional(constraint)
    return False


def _invertible(side: Any, variable: Any, state: State) -> bool:
    while type(side) is Arith:
        inside = [o for o in side.operands if variable in variables_of_expression(o)]
        if len(inside) != 1 or side.operator not in ("+", "-", "*"):
            return False
        if side.operator == "*":
            for operand in side.operands:
                if operand is not inside[0] and not (
                    (type(operand) is int and operand > 0) or (type(operand) is Var and state.bounds(operand)[0] > 0)
                ):
                    return False
        (side,) = inside
    return side is variable


def variables_of_expression(expression: Any) -> list[Any]:
    """The variables of an arithmetic expression."""
    return Compare("=", expression, 0).variables({})
