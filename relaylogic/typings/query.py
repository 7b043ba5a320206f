"""Questions to the rule base in clause notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..clauses.compile import compile_goals
from ..clauses.scope import Names
from ..clauses.show import Namer
from ..clauses.syntax import parse_query
from ..host.governor import governed
from ..ir import IRModule
from ..logic import eq, fresh_list, lall
from ..logic.circuits.branching import solve_goal
from ..logic.circuits.circuit import Filled
from ..logic.search.profiles import asked_about
from ..logic.states.goals import Goal
from ..rulebase import RuleBase, program_rules
from ..types.universe import Universe, check_number, check_numbers
from .answers import Answers, QueryAnswer
from .holes import bounds_of
from .numbers import number_of
from .placed import given_at, placed
from .restated import goals_of, restated_goals

__all__ = ["count_query", "query"]

STEPS = 100_000
COUNT_STEPS = 50 * STEPS


def query(
    text: str,
    *,
    rules: RuleBase | None = None,
    program: IRModule | None = None,
    limit: int | None = None,
    max_rank: int | None = None,
    max_dim: int | None = None,
    dtypes: Sequence[str] | None = None,
    ground: bool = False,
    min_dim: int = 1,
    max_arity: int | None = None,
    tuples: int | None = None,
    functions: int | None = None,
    data_depth: int | None = None,
    nesting: int = 1,
    max_attr: int | None = None,
    max_attr_length: int | None = None,
    steps: int = STEPS,
) -> Answers:
    """The answers to a query in clause notation, lazily, each once, smallest first.

    With `program`, the query may speak of its data types: `Cons(A, B, List[int32])`, `ConsPattern(List[int32], A, B)`.
    `steps` bounds the search for each answer. How the search ended is in the result's `status` once it is consumed.
    Raises ClauseError for text that is no query, UniverseError for a bound that is none, IllFormed for what is no text.
    """
    base = program_rules(rules, program)
    bounds: dict[str, Any] = {"max_rank": max_rank, "max_dim": max_dim, "min_dim": min_dim, "max_arity": max_arity}
    bounds |= {"tuples": tuples, "functions": functions, "data_depth": data_depth, "nesting": nesting}
    bounds |= {"max_attr": max_attr, "max_attr_length": max_attr_length}
    check_numbers(limit=limit)
    check_number("steps", steps)
    universe = Universe.of(dtypes=dtypes, ground=ground, **bounds)

    def found() -> Answers:
        question = _Question(text, base, universe, steps)
        make = partial(QueryAnswer, question)
        made = Answers(question.node, make, limit, steps, question.search, universe, names=question.names)
        made.place_of = question.place_of
        return made

    return governed(found, lambda reached: Answers.stopped(universe, reached))


def count_query(
    text: str,
    *,
    rules: RuleBase | None = None,
    program: IRModule | None = None,
    steps: int = COUNT_STEPS,
    progress: Callable[[int], None] | None = None,
    **bounds: Any,
) -> int:
    """How many answers a query has, without enumerating them.

    `progress` is called with the number of parts of the count that were looked at, as it grows. Raises StepLimit,
    LimitReached, ClauseError, UniverseError.
    """
    base = program_rules(rules, program)
    check_number("steps", steps)
    universe = Universe.of(**bounds)

    def number() -> int:
        question = _Question(text, base, universe, steps)
        with placed(question.place_of):
            return number_of(question.node, universe, progress)

    return governed(number)


class _Question:
    """A query, compiled, with the search for its answers."""

    def __init__(self, text: str, base: RuleBase, universe: Universe, steps: int) -> None:
        data = base.known_data_types()
        universe = replace(universe, data=tuple(data)) if data else universe
        body, names = parse_query(text), Names(base, bounds_of(universe))
        self.plan = plan = compile_goals(body, names)
        self._body, self._known = body, names
        self.names = tuple(plan.variables)
        self.kinds = tuple(plan.kind_of(name) for name in self.names)
        environment = self._environment()
        wanted = {environment[i]: kind for i, kind in zip(plan.variables.values(), self.kinds, strict=True)}
        scope = {environment[i]: kind for i, kind in plan.places.items()}
        goal = lall(*plan.goals(environment))
        named = tuple(mention for mention in plan.mentions if type(mention) is str)
        self.search = asked_about(goal, base, named if len(named) == len(plan.mentions) else None)
        self.search.budget.grant(steps)
        with placed(self.place_of):
            self.node = solve_goal(goal, wanted, universe, self.search, scope, ends=True)

    def place_of(self, attribute: str) -> Any:
        """Where an attribute stands that is open."""
        return given_at(self._body, attribute)

    def _environment(self) -> list[Any]:
        return [None, *fresh_list(self.plan.size)]

    def restated(self, answer: Filled, name: Namer) -> Iterator[str]:
        """Goals of the query that say what an answer leaves over."""
        goals = goals_of(self._body, self._known)
        yield from restated_goals(goals, dict(zip(self.names, answer.terms, strict=True)), answer.residue)

    def goal_of(self, terms: Sequence[Any]) -> Goal:
        """The query with terms for its variables."""
        environment = self._environment()
        given = [eq(environment[i], term) for i, term in zip(self.plan.variables.values(), terms, strict=True)]
        return lall(*given, *self.plan.goals(environment))
