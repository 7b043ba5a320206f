"""Compiles a clause to what a rule in Python is: a function from arguments to a goal. Nothing of its text is
executed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

from ..logic import eq, fresh_list, lall
from ..logic.constraints.natural import is_natural_number
from ..logic.control import StepLimit
from ..logic.states.goals import Goal
from .calls import operator_call
from .evident import is_arithmetic
from .goals import goals, of_relation
from .kinds import Kinds
from .scope import MakeGoal, MakeTerm, Names, Scope
from .syntax import ClauseError, Syntax
from .written import is_type_call, is_variable

__all__ = ["Compiled", "compile_clause", "compile_goals", "names_in", "nodes_in", "shape_of", "uses_attrs"]


def _beyond_limits(_: Any) -> NoReturn:
    raise StepLimit


class Compiled:
    """The goals of a clause over an environment, and what the clause asks of its surroundings."""

    __slots__ = (
        *("aliases", "attributes", "kind_of", "kinds", "makers", "mentions", "places", "size", "takes_attrs"),
        "variables",
    )

    def __init__(self, scope: Scope, makers: list[MakeGoal], aliases: list[tuple[int, int]], takes_attrs: bool) -> None:
        self.makers = makers
        self.aliases = aliases
        self.size = scope.size - 1
        self.variables = scope.index
        self.places = scope.places
        self.mentions = tuple(scope.mentions)
        self.kinds = scope.kinds.of
        self.kind_of = scope.kinds.kind_of
        self.attributes = scope.attributes
        self.takes_attrs = takes_attrs

    def goals(self, environment: list[Any]) -> list[Goal]:
        """The goals over an environment of a question; where its search begins, a limit that they reach is known."""
        try:
            return [make(environment) for make in self.makers]
        except StepLimit:  # a place beyond the longest list: the search says so, as of any other limit
            return [_beyond_limits]

    def build(self) -> Callable[..., Goal]:
        """The function from the arguments of a call (attributes last, if the relation takes them) to its goal."""
        size, aliases, makers, takes_attrs = self.size, self.aliases, self.makers, self.takes_attrs

        def clause(*given: Any) -> Goal:
            env = [given[-1] if takes_attrs else None, *fresh_list(size)]
            for index, position in aliases:
                env[index] = given[position]
            return lall(*[make(env) for make in makers])

        return clause


def compile_clause(
    head: Sequence[Syntax],
    expected: Sequence[str | None],
    body: Syntax | None,
    names: Names,
    kinds: Kinds,
    takes_attrs: bool,
) -> Compiled:
    """A clause whose kinds are inferred already; `expected` are those of the arguments. Raises ClauseError."""
    scope = Scope(names, kinds, operator_call)
    aliases: list[tuple[int, int]] = []
    makers: list[MakeGoal] = []
    for position, argument in enumerate(head):
        if argument.kind == "name" and is_variable(argument.value) and argument.value not in scope.index:
            aliases.append((scope.variable(argument.value), position))
            continue
        if is_arithmetic(argument, kinds):
            raise ClauseError("a head states terms; put arithmetic into the body", argument.span)
        made = of_relation(argument, expected[position], scope, "type")
        at = scope.fresh()
        aliases.append((at, position))
        before, after = scope.take()
        makers += [*before, _states(at, made), *after]
    if body is not None:
        makers += goals(body, scope)
    return Compiled(scope, [*makers, *_naturals(scope)], aliases, takes_attrs)


def _states(at: int, made: MakeTerm) -> MakeGoal:
    return lambda env: eq(env[at], made(env))


def compile_goals(
    body: Syntax, names: Names, given: Mapping[str, str] | None = None, attributes: Collection[str] = ()
) -> Compiled:
    """The goals of a query: a clause without a head. `given` are the kinds of variables that stand for something;
    `attributes` stand for attributes of calls, as in `units=n`: what they are besides, the query says."""
    kinds = Kinds(names.positions, names.parameters)
    kinds.of.update(given or {})
    kinds.values.update(attributes)
    kinds.infer((), (), body)
    scope = Scope(names, kinds, operator_call)
    _declare(body, scope)
    scope.postpones = body.kind == "conjunction"
    makers = [*_naturals(scope), *goals(body, scope)]
    if scope.attributes or scope.forwards:
        where = next(iter(scope.attributes.values()), body)
        raise ClauseError("a query has no attributes of its own; give them as name=value", where.span)
    return Compiled(scope, makers, [], False)


def _naturals(scope: Scope) -> list[MakeGoal]:
    """That attributes are naturals which are extents too, or which the clause calculates with."""
    places = [place for name, place in scope.index.items() if scope.kinds.stands_for_natural(name)]
    return [lambda env, place=place: is_natural_number(env[place]) for place in places]  # type: ignore[misc]


def names_in(bodies: Sequence[Syntax]) -> list[Syntax]:
    """The names that may be variables, in the order of the text."""
    return [node for body in bodies for node in _nodes(body) if node.kind == "name"]


def _declare(body: Syntax, scope: Scope) -> None:
    """Number the variables as they occur in the text."""
    for node in _nodes(body, scope.kinds.is_type_call):
        if (node.kind == "name" and is_variable(node.value) and not _is_label(node, scope)) or node.kind == "spread":
            scope.variable(node.value)


def _is_label(node: Syntax, scope: Scope) -> bool:
    handles = scope.names.handles
    return node.value == "Tensor" or (handles is not None and node.value in handles)


def _nodes(body: Syntax, applies: Callable[[Syntax], bool] = is_type_call) -> list[Syntax]:
    """All nodes that may hold variables, in the order of the text; the name of a data type that is applied is none."""
    found: list[Syntax] = []
    stack = [body]
    while stack:
        node = stack.pop()
        found.append(node)
        items = node.items
        if node.kind == "call":
            # Of `units=n` only the value may be a variable.
            items = tuple(item.items[1] if item.kind == "equation" else item for item in items)
            if node.value[0] == "map":
                items = items[1:]
        elif node.kind == "subscript" and node.items[0].kind == "name":
            base, index = node.items
            items = (index,) if base.value == "Tensor" or applies(node) else items
        stack.extend(reversed(items))
    return found


def uses_attrs(*nodes: Syntax | None) -> bool:
    """Whether `attrs` occurs in a clause."""
    return any(
        found.kind == "name" and (found.value == "attrs" or found.value.startswith("attrs."))
        for node in nodes
        if node is not None
        for found in nodes_in(node)
    )


def nodes_in(node: Syntax) -> list[Syntax]:
    """A node and all nodes below it, in the order of the text."""
    found, stack = [], [node]
    while stack:
        item = stack.pop()
        found.append(item)
        stack.extend(reversed(item.items))
    return found


def shape_of(*nodes: Syntax | None) -> tuple[Any, ...]:
    """A clause up to the names of its variables: equal for two clauses that say the same in the same words."""
    numbers: dict[str, int] = {}
    key: list[Any] = []
    for node in nodes:
        for item in [] if node is None else nodes_in(node):
            value = item.value[0] if item.kind == "call" else item.value
            if item.kind in ("name", "spread") and is_variable(value):
                value = numbers.setdefault(value, len(numbers))
            elif item.kind == "name" and value == "_":
                value = ("_", len(numbers))
                numbers[f"_{len(numbers)}"] = len(numbers)
            key.append((item.kind, value, len(item.items)))
        key.append(None)
    return tuple(key)
