"""Demands as goals: what they say of type parameters, and what two of them say jointly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...logic import equals, lall
from ...logic.control import FREE, Budget, Search
from ...logic.exact import exact
from ...logic.search.jointly import Jointly, said_jointly
from ...logic.states.goals import Goal
from ...logic.states.unknown import has_unknown
from ...logic.terms.terms import slot
from ...logic.terms.variables import fresh
from ...rulebase import Relation, RuleBase
from ...types import TypeVar, substitution
from .callsite import loosened
from .schemes import parts_of, replaced

__all__ = ["Demand", "form_of", "goal_of", "parameters_in", "said_by_two"]

Demand = tuple[Relation, tuple[Any, ...], Any]
"""A relation, the terms that it relates, the attributes to ask it with."""

OF_TWO = 500
"""What two demands say jointly is not found out in more steps."""


def parameters_in(terms: tuple[Any, ...]) -> list[Any]:
    """The type parameters in some terms."""
    return [part for part in parts_of(terms) if type(part) is TypeVar]


def form_of(demands: Sequence[Demand], names: Sequence[Any], about: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Demands, and what is asked `about` them, but for the names of the type parameters in them."""
    places = {parameter: slot(index) for index, parameter in enumerate(names)}
    asked = tuple([(relation, exact(replaced(terms, places)), attrs) for relation, terms, attrs in demands])
    return asked, exact(replaced(about, places)), tuple(parameter.kind for parameter in names)


def goal_of(demands: Sequence[Demand], parameters: Mapping[Any, Any]) -> Goal:
    """The goal that demands are satisfied, where type parameters are something."""
    goals: list[Goal] = []
    for relation, terms, attrs in demands:
        equations: list[Any] = []
        arguments = substitution.substitute(terms, parameters, equations)
        goals.extend(equals(equation.hole, equation.expression) for equation in equations)
        if has_unknown(arguments):  # a result may be annotated with less or more than the call says
            arguments, agree = loosened(arguments)
            goals.append(agree)
        goals.append(relation(*arguments, attrs) if relation.takes_attrs else relation(*arguments))
    return lall(*goals)


def said_by_two(first: Demand, second: Demand, rules: RuleBase) -> Jointly | None:
    """What two demands say jointly of the terms of the second and of those of the first, in this order, be extents `?`
    or not; None if that is not found out."""
    names = parameters_in((first[1], second[1]))
    key = (Jointly, *form_of((first, second), names))
    instances = rules.instances_of([first[0], second[0]])
    if key not in instances:
        parameters = {parameter: fresh() for parameter in names}
        terms = *substitution.substitute((*second[1], *first[1]), parameters, []), *parameters.values()
        search = Search(Budget(OF_TWO), defaults=FREE, rules=rules, by_rows=rules.rows)
        goals = [goal_of([demand], parameters) for demand in (first, second)]
        instances[key] = said_jointly(goals, terms, search)
    found: Jointly | None = instances[key]
    return found
