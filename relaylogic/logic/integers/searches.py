"""The searches that solve a component: one that remembers all sums, and where that may take long, one for a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import inf
from typing import NamedTuple

from .budget import BudgetWalk, budgets
from .hidden import put_in
from .levels import compile_levels
from .ordering import Functions, Order, Problem, states_met
from .polynomials import Constraint, variables
from .walk import Walk

__all__ = ["Effort", "EnoughTried", "Search", "answers", "searches", "solution"]

Charge = Callable[[int], None]
MANY_STATES = 20_000
PATIENCE = 20_000


class EnoughTried(Exception):
    """A search has used up its effort."""


class Effort:
    """A charge that raises EnoughTried so many steps after it was renewed."""

    def __init__(self, charge: Charge, most: int) -> None:
        self._charge = charge
        self._most = most
        self._left = inf

    def __call__(self, steps: int) -> None:
        self._charge(steps)
        self._left -= steps
        if self._left < 0:
            raise EnoughTried

    def renew(self) -> None:
        """Begin, or begin anew, since an answer was found."""
        self._left = self._most


class Search(NamedTuple):
    """A walk that gives values to `names`, what it may take until the next answer, if that is limited, and how many
    states it meets, at most."""

    walk: Walk
    names: list[int]
    effort: Effort | None
    met: float


def searches(
    ordered: Callable[[Problem], Order],
    problem: Problem,
    asked: Sequence[int],
    functions: Functions,
    width: int,
    charge: Charge,
) -> list[Search]:
    """The searches for the variables of a problem in the order that it is given. Where states would be many, and fewer
    but for one sum, the second one remembers all values of that at once, of so many bits each; the first has patience
    then, no more."""
    constraints, bounds = problem
    awaited = {v for inputs in functions.values() for v in (*inputs, *functions)}
    plain = put_in(constraints, bounds, _mentioned(constraints) - awaited - set(asked))
    order = _needed(ordered((plain, bounds)), plain)
    states = fewest = states_met(order.names, (plain, bounds), functions)
    chosen = None
    for budget in budgets(constraints, bounds, asked) if fewest > MANY_STATES else ():
        own = _needed(ordered((budget.rest, bounds)), budget.rest)
        if budget.weights.keys() <= set(own.names[: own.settled]):
            met = states_met(own.names, (budget.rest, bounds), functions) * budget.effort(width, bounds)
            if met < fewest:
                fewest, chosen = met, (budget, own)
    effort = None if chosen is None else Effort(charge, PATIENCE)
    levels = compile_levels(order.names, plain, bounds, effort or charge)
    found = [Search(Walk(levels, order.asked, effort or charge), order.names[: order.asked], effort, states)]
    if chosen is not None:
        budget, own = chosen
        levels = compile_levels(own.names, budget.rest, bounds, charge)
        walk = BudgetWalk(levels, own.names, own.settled, budget, bounds, charge)
        found.append(Search(walk, own.names[: own.settled], None, fewest))
    return found


def _mentioned(constraints: Sequence[Constraint]) -> set[int]:
    return {variable for _, poly in constraints for variable in variables(poly)}


def _needed(order: Order, constraints: Sequence[Constraint]) -> Order:
    """An order without what is neither asked for nor spoken of."""
    mentioned = _mentioned(constraints)
    rest = [variable for variable in order.names[order.settled :] if variable in mentioned]
    return order._replace(names=[*order.names[: order.settled], *rest])


def answers(made: Sequence[Search], asked: list[int]) -> Iterator[tuple[int, ...]]:
    """The values of what is asked for, in lexicographic order; from where one search gives up, those of the next."""
    listed = 0
    for walk, names, effort, _ in made:
        places = None if names == asked else [names.index(variable) for variable in asked]
        found = walk.answers() if places is None else _picked(walk, places)
        if effort is None:
            yield from islice(found, listed, None)
            return
        effort.renew()
        try:
            for answer in found:
                listed += 1
                yield answer
                effort.renew()
            return
        except EnoughTried:
            continue


def _picked(walk: Walk, places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return (tuple([found[place] for place in places]) for found in walk.answers())


def solution(made: Sequence[Search]) -> dict[int, int] | None:
    """Values for all variables of searches that are asked for all; None if there are none."""
    *others, last = made
    for search in others:
        with suppress(EnoughTried):
            if search.effort is not None:
                search.effort.renew()
            return _first(search)
    return _first(last)


def _first(search: Search) -> dict[int, int] | None:
    found = search.walk.first()
    return None if found is None else dict(zip(search.names, found, strict=True))
