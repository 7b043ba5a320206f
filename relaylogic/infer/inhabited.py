"""Whether an open type has an instance: whether something satisfies all that stands in its `where`.

Each constraint holds for some types on its own, or its call would have been refused; together they may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..logic import equals, lall
from ..logic.branching import solve_goal
from ..logic.circuit import Filled, answers
from ..logic.control import StepLimit
from ..logic.goals import Goal
from ..logic.numbers import substitute, symbols_of
from ..logic.profiles import asked_about
from ..logic.terms import fresh
from ..rulebase import RuleBase
from ..types import TypeVar, substitution
from ..types.universe import Universe
from .extents import Extents, OpenNumber
from .sites import RelationSite

__all__ = ["has_instance", "has_sample"]

STEPS = 20_000
SAMPLES = (1, 2, 3, 4, 6, 7, 8, 16, 32, 64, 128, 224, 256, 512, 1024)
"""Extents that are tried for all numbers at once before anything is searched."""
_SMALL = Universe(max_rank=4, max_dim=6, dtypes=("float32", "int32", "bool"), max_arity=3)
"""Where a witness is looked for if it is not found out otherwise whether there is one."""
_KINDS = {"Type": "type", "Shape": "shape", "ShapeVar": "dim", "BaseType": "dtype"}


def has_sample(extents: Extents) -> bool:
    """Whether some plain choice of numbers satisfies the equations and conditions that are left of solved extents."""
    left = [number for _, number in extents.left]
    conditions = list(dict.fromkeys(number for _, number in extents.conditions))
    if not left and not conditions:
        return True
    symbols = {s for number in (*left, *conditions) for s in symbols_of(number)}
    if not all(type(symbol) is OpenNumber for symbol in symbols):
        return False  # of a rigid extent nothing can be chosen
    for value in SAMPLES:
        chosen = dict.fromkeys(symbols, value)
        if all(substitute(n, chosen) == 0 for n in left) and all(_holds(substitute(n, chosen)) for n in conditions):
            return True
    return False


def _holds(number: Any) -> bool:
    return type(number) is int and number >= 0


def has_instance(sites: Sequence[RelationSite], terms: Sequence[tuple[Any, ...]], rules: RuleBase) -> bool | None:
    """Whether some types satisfy the relations of all sites, of the given terms; None if that is not found out.

    The type parameters in the terms stand for any types.
    """
    parameters: dict[Any, Any] = {}
    for found in terms:
        for parameter in _parameters(found):
            parameters.setdefault(parameter, fresh())
    goal = _together(sites, terms, parameters)
    holds = _exists(goal, {}, Universe(), rules)
    if holds is None:
        scope = {variable: _KINDS.get(p.kind, "type") for p, variable in parameters.items()}
        holds = True if _exists(goal, scope, _SMALL, rules) else None
    return holds


def _together(sites: Sequence[RelationSite], terms: Sequence[tuple[Any, ...]], parameters: dict[Any, Any]) -> Goal:
    goals: list[Goal] = []
    for site, found in zip(sites, terms, strict=True):
        equations: list[Any] = []
        arguments = substitution.substitute(found, parameters, equations)
        goals.extend(equals(equation.hole, equation.expression) for equation in equations)
        goals.append(site.relation(*arguments, site.attrs) if site.relation.takes_attrs else site.relation(*arguments))
    return lall(*goals)


def _exists(goal: Goal, scope: dict[Any, Any], universe: Universe, rules: RuleBase) -> bool | None:
    search = asked_about(goal, rules)
    search.budget.left = STEPS
    try:
        for path in answers(solve_goal(goal, {}, universe, search, scope)):
            return None if Filled(path, 0).residue else True
    except (StepLimit, RecursionError):
        return None
    return False


def _parameters(term: Any) -> list[Any]:
    """The type parameters in a term, in order of first occurrence."""
    found: dict[Any, None] = {}
    stack = [term]
    while stack:
        item = stack.pop()
        if type(item) is TypeVar:
            found[item] = None
        elif type(item) is tuple:
            stack.extend(reversed(item))
        else:
            stack.extend(reversed(getattr(item, "args", ())))
    return list(found)
