"""Questions to the rule base in clause notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unification import Var

from ..clauses.compile import Compiled, compile_goals
from ..clauses.scope import Names
from ..clauses.syntax import parse_query
from ..logic import eq, lall
from ..logic.branching import solve_goal
from ..logic.circuit import Node, count
from ..logic.goals import Goal
from ..logic.search import limited
from ..rulebase import RuleBase, default_rules
from .answers import Answers, QueryAnswer
from .universe import Universe

__all__ = ["count_query", "query"]

STEPS = 100_000


def query(
    text: str,
    *,
    rules: RuleBase | None = None,
    limit: int | None = None,
    max_rank: int | None = None,
    max_dim: int | None = None,
    dtypes: Sequence[str] | None = None,
    ground: bool = False,
    min_dim: int = 1,
    steps: int = STEPS,
) -> Answers:
    """The answers to a query in clause notation, lazily, each once, smallest first.

    `steps` bounds the search for each answer. How the search ended is in the result's `status` once it is consumed.
    Raises ClauseError for text that is no query.
    """
    base = rules or default_rules()
    universe = Universe(max_rank, max_dim, None if dtypes is None else tuple(dtypes), ground, min_dim)
    plan = _plan(text, base)
    node, names, kinds = _start(plan, base, universe)

    def make(path: Any) -> QueryAnswer:
        return QueryAnswer(path, names, kinds, lambda terms: _instance(plan, terms))

    return Answers(node, make, limit, steps)


def count_query(text: str, *, rules: RuleBase | None = None, steps: int = 50 * STEPS, **bounds: Any) -> int:
    """How many answers a query has, without enumerating them. Raises StepLimit, ClauseError."""
    base = rules or default_rules()
    dtypes = bounds.pop("dtypes", None)
    universe = Universe(dtypes=None if dtypes is None else tuple(dtypes), **bounds)
    node, _, _ = _start(_plan(text, base), base, universe)
    with limited(steps):
        return count(node)


def _plan(text: str, base: RuleBase) -> Compiled:
    key = ("query", text)
    found = base.circuits.get(key)
    if found is None:
        found = base.circuits[key] = compile_goals(parse_query(text), Names(base))
    return found


def _instance(plan: Compiled, terms: Sequence[Any]) -> Goal:
    """The query with terms for its variables."""
    environment: list[Any] = [None, *(Var() for _ in range(plan.size))]
    given = [eq(environment[index], term) for index, term in zip(plan.variables.values(), terms, strict=True)]
    return lall(*given, *[make(environment) for make in plan.makers])


def _start(plan: Compiled, base: RuleBase, universe: Universe) -> tuple[Node, tuple[str, ...], tuple[Any, ...]]:
    environment: list[Any] = [None, *(Var() for _ in range(plan.size))]
    goal = lall(*[make(environment) for make in plan.makers])
    names = tuple(plan.variables)
    kinds = tuple(plan.kinds.get(name, "type" if name[0].isupper() else None) for name in names)
    wanted = tuple((environment[index], kind) for (_, index), kind in zip(plan.variables.items(), kinds, strict=True))
    return solve_goal(goal, wanted, universe, base.circuits), names, kinds
