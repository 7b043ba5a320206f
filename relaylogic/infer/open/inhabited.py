"""Whether an open type has an instance: whether something satisfies all that stands in its `where`.

Each constraint holds for some types on its own, or its call would have been refused; together they may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, product
from typing import Any

from ...logic import eq, equals, fresh_list, geo, lall, neq
from ...logic.circuits.branching import solve_goal
from ...logic.circuits.circuit import Filled, answers
from ...logic.control import StepLimit
from ...logic.search.profiles import asked_about
from ...logic.states.goals import Goal
from ...logic.terms.variables import fresh
from ...rulebase import RuleBase
from ...types import TupleType, TypeVar, substitution
from ...types.universe import Universe
from ..numbers.conditions import SAMPLES
from ..sites.demand_goals import Demand, form_of, goal_of, parameters_in
from .witnesses import holds

__all__ = ["exists", "has_instance", "has_types", "must_be_less", "must_equal"]

STEPS = 4_000
SUPPOSED = 1_500
"""So many steps are taken where only what is supposed may have no instance: networks have hundreds of suppositions."""
MOST_CONSTANTS = 12
MOST_CHOICES = 3_000
_LOW = Universe(max_rank=5, max_arity=4)
"""Where an instance is looked for first; extents are not bounded."""
_SMALL = Universe(max_rank=4, max_dim=6, dtypes=("float32", "int32", "bool"), max_arity=3)
"""Where it is looked for if it is not found out otherwise whether there is one."""
_EMPTY = Universe(max_rank=2, min_dim=0, max_dim=2, dtypes=("float32", "int32", "bool"), max_arity=2)
"""Where it is looked for then: `tile(%x, reps=[2])` has the type of `%x` if that has no elements."""
_UNASKED = object()
_KINDS = {"Type": "type", "Shape": "shape", "ShapeVar": "dim", "BaseType": "dtype"}


def has_instance(demands: Sequence[Demand], rules: RuleBase, or_unknown: bool = False) -> bool | None:
    """Whether some types satisfy all the demands; None if that is not found out.

    The type parameters in them stand for any types. Those who ask what-if questions ask again and again about demands
    that differ in the names of these at most. With `or_unknown`, it is enough to know whether none satisfy them: less
    is tried to find some.
    """
    names = parameters_in(tuple(terms for _, terms, _ in demands))
    key, instances = form_of(demands, names), rules.instances_of([relation for relation, _, _ in demands])
    found = instances.get(key, _UNASKED)
    if found is _UNASKED and or_unknown:
        key = (*key, "or unknown")
        found = instances.get(key, _UNASKED)
    if found is _UNASKED:
        found = instances[key] = _has_instance(demands, names, rules, or_unknown)
    return found  # type: ignore[no-any-return]


def _has_instance(demands: Sequence[Demand], names: list[Any], rules: RuleBase, or_unknown: bool) -> bool | None:
    parameters = {parameter: fresh() for parameter in names}
    goal = goal_of(demands, parameters)
    scope = {variable: _KINDS.get(p.kind, "type") for p, variable in parameters.items()}
    if tuples := _shortest(demands, parameters, rules):
        # Where it is not known where a tuple ends, little follows from what is said of its fields.
        if exists(lall(*(eq(parameters[t], TupleType(fields)) for t, fields in tuples.items()), goal), {}, _LOW, rules):
            return True
    if or_unknown:
        return exists(goal, {}, Universe(), rules, SUPPOSED)
    known = _is_satisfied(goal, scope, rules)
    if known is not None:
        return known
    found = exists(goal, scope, _SMALL, rules) or exists(goal, scope, _EMPTY, rules)
    return found or _of_constants(demands, list(parameters), rules)


def _shortest(demands: Sequence[Demand], parameters: Mapping[Any, Any], rules: RuleBase) -> dict[Any, Any]:
    """The type parameters of which demands project components, with the fields of the shortest tuples for them."""
    lengths: dict[Any, int] = {}
    for relation, terms, _ in demands:
        index = rules.index_of(relation)
        if index is not None and terms[0] in parameters:
            lengths[terms[0]] = max(index + 1, lengths.get(terms[0], 0))
    return {parameter: fresh_list(length) for parameter, length in lengths.items()}


def has_types(
    demands: Sequence[Demand], equations: Sequence[tuple[Any, Any]], kinds: Mapping[Any, str], rules: RuleBase
) -> bool | None:
    """Whether some types for the variables of these `kinds` satisfy demands and equations, whatever type parameters in
    these stand for; None if that is not found out. (False may be said of what holds for some parameters only.)"""
    goal = lall(goal_of(demands, {}), *(equals(*sides) for sides in equations))
    return _is_satisfied(goal, {v: _KINDS.get(kind, "type") for v, kind in kinds.items()}, rules)


def _is_satisfied(goal: Goal, scope: dict[Any, Any], rules: RuleBase) -> bool | None:
    """Whether something satisfies a goal; None if that is not found out."""
    return exists(goal, scope, _LOW, rules) or exists(goal, {}, Universe(), rules)


def must_equal(extent: Any, other: Any, demands: Sequence[Demand], rules: RuleBase) -> bool:
    """Whether two extents are equal wherever all the demands are satisfied; false if that is not found out.

    Those who tell what follows of it ask again about the demands that this leaves as they were.
    """
    names = parameters_in((extent, other, *(terms for _, terms, _ in demands)))
    key = form_of(demands, names, (extent, other))
    instances = rules.instances_of([relation for relation, _, _ in demands])
    found = instances.get(key, _UNASKED)
    if found is _UNASKED:
        found = instances[key] = _nowhere(neq, extent, other, demands, names, rules)
    return found  # type: ignore[no-any-return]


def must_be_less(extent: Any, other: Any, demands: Sequence[Demand], rules: RuleBase) -> bool:
    """Whether an extent is less than another wherever all the demands are satisfied; false if that is not found out."""
    names = parameters_in((extent, other, *(terms for _, terms, _ in demands)))
    return _nowhere(geo, extent, other, demands, names, rules)


def _nowhere(
    relates: Callable[[Any, Any], Goal],
    extent: Any,
    other: Any,
    demands: Sequence[Demand],
    names: Sequence[Any],
    rules: RuleBase,
) -> bool:
    """Whether two extents are related so nowhere where all the demands are satisfied."""
    parameters = {parameter: fresh() for parameter in names}
    equations: list[Any] = []
    sides = substitution.substitute((extent, other), parameters, equations)
    stated = (equals(equation.hole, equation.expression) for equation in equations)
    goal = lall(goal_of(demands, parameters), *stated, relates(*sides))
    return exists(goal, {}, Universe(), rules) is False


def _of_constants(demands: Sequence[Demand], parameters: list[Any], rules: RuleBase) -> bool | None:
    """True if some extents make an instance of the demands: one for all, or such as the demands mention."""
    if any(p.kind != "ShapeVar" for p in parameters):
        return None
    mentioned = {n for n in _integers(tuple(terms for _, terms, _ in demands)) if n > 0}
    constants = sorted(mentioned, key=lambda n: (n.bit_length(), n))
    values = list(dict.fromkeys((1, 2, *constants)))[:MOST_CONSTANTS]
    choices: Iterable[tuple[int, ...]] = ((value,) * len(parameters) for value in dict.fromkeys((*values, *SAMPLES)))
    if len(values) ** len(parameters) <= MOST_CHOICES:
        choices = chain(choices, product(values, repeat=len(parameters)))
    for chosen in choices:
        replacement = dict(zip(parameters, chosen, strict=True))
        if all(holds(demand, replacement, rules) for demand in demands):
            return True
    return None


def _integers(terms: tuple[Any, ...]) -> list[int]:
    found: list[int] = []
    stack: list[Any] = list(terms)
    while stack:
        item = stack.pop()
        if type(item) is int:
            found.append(item)
        elif type(item) is not TypeVar:
            stack.extend(item if type(item) is tuple else getattr(item, "args", ()))
    return found


def exists(goal: Goal, scope: dict[Any, Any], universe: Universe, rules: RuleBase, steps: int = STEPS) -> bool | None:
    """Whether something in a universe satisfies a goal, where the variables of `scope` have values of their kinds; None
    if that is not found out in so many steps."""
    search = asked_about(goal, rules)
    search.budget.grant(steps)
    try:
        for path in answers(solve_goal(goal, {}, universe, search, scope)):
            return None if Filled(path, 0).residue else True
    except (StepLimit, RecursionError):
        return None
    return False
