"""The order in which a search gives values: fewest values first, beside what has one already.

A variable that an equation determines, because the equation's others have values, counts as one value. Ties go to the
variable that completes the most constraints and opens the fewest, which keeps small what the search has to remember.

What is not asked for comes last, since one value of it is enough; but where it can have only one, it comes as soon as
that is so: what is asked for may hang on it.

Where a search that counts has to remember much in that order, it is looked for one in which it has to remember less: a
chain, say, is best walked along from one of its ends (the frontier of the constraint graph stays small: Kinnersley,
"The vertex separation number of a graph equals its path-width", 1992).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from math import log2
from typing import NamedTuple

from .hull import Bounds, reach
from .polynomials import Constraint, Poly, by_variable, variables
from .residual import ends

__all__ = ["Functions", "Order", "Problem", "counting_order", "order", "states_met"]

Problem = tuple[Sequence[Constraint], Bounds]
Rank = tuple[float, int, int, int]
Functions = Mapping[int, Set[int]]
"""Variables that have one value at most where some others have values."""


FEW_STATES = 3_000
"""So few states are remembered in no time;"""
MOST_LOOKS = 100_000
"""and so many looks are taken at variables to find an order with fewer, at most."""


class Order(NamedTuple):
    """The variables `names`, of which the first `asked` have all that is asked for, and the first `settled` those, too,
    that can have one value then."""

    names: list[int]
    asked: int
    settled: int


class _Ordering:
    def __init__(self, constraints: Sequence[Constraint], bounds: Bounds, functions: Functions, narrow: bool) -> None:
        self.bounds = bounds
        self.narrow = narrow  # whether that comes first which leaves the least to remember
        self.constraints = constraints
        self.awaited = {variable: len(inputs) for variable, inputs in functions.items()}
        self.depending = by_variable(functions.items())
        self.equations = [relation == "=" for relation, _ in constraints]
        self.members = [variables(poly) for _, poly in constraints]
        self.missing = [len(members) for members in self.members]
        self.taken: set[int] = set()
        self.users = by_variable(enumerate(self.members))

    def rank(self, variable: int) -> Rank:
        """What the next variable has least of."""
        low, high = self.bounds[variable]
        assert high is not None
        size: float = self.growth(variable) if self.narrow else (high - low + 1).bit_length()
        completed = opened = 0
        for index in self.users.get(variable, ()):
            if self.missing[index] == 1:
                completed += 1
                if self.equations[index] and not self.narrow:
                    size = 0
            elif self.missing[index] == len(self.members[index]):
                opened += 1
        return (size, -completed, opened, variable)

    def growth(self, variable: int) -> float:
        """By how many bits what is to be remembered grows when `variable` gets a value."""
        bits = 0.0
        for index in self.users.get(variable, ()):
            poly, members = self.constraints[index][1], self.members[index]
            known = {v for v in members if v in self.taken}
            if known:
                bits -= _bits(poly, known, self.bounds)
            if len(known) + 1 < len(members):
                bits += _bits(poly, known | {variable}, self.bounds)
        return bits

    def take(self, variable: int) -> Iterable[int]:
        """Give `variable` a value; the variables it stands with."""
        self.taken.add(variable)
        for index in self.users.get(variable, ()):
            self.missing[index] -= 1
            yield from self.members[index]

    def determined(self, variable: int, done: Set[int]) -> Iterator[int]:
        """The variables that have one value at most now that `variable` has one, too."""
        for dependent in self.depending.get(variable, ()):
            self.awaited[dependent] -= 1
            if not self.awaited[dependent]:
                yield dependent
        for index in self.users.get(variable, ()):
            if self.equations[index] and self.missing[index] == 1:
                (left,) = self.members[index] - done
                if sum(left in monomial for monomial in self.constraints[index][1]) == 1:
                    if (left,) in self.constraints[index][1]:
                        yield left


def order(
    chosen: Iterable[int],
    first: Sequence[int],
    then: Sequence[int],
    problem: Problem,
    functions: Functions | None = None,
    narrow: bool = False,
) -> Order:
    """The variables `chosen` (in this order), those of `first`, and those of `then`, which are not asked for, each by
    fewest values (or, if `narrow`, so that least is to be remembered). What can have one value comes at once: that
    changes nothing about the order of answers.
    """
    ordering = _Ordering(*problem, functions or {}, narrow)
    done: dict[int, None] = {}
    near: set[int] = set()
    ahead = list(chosen)
    later = {*ahead, *then}
    wanted = {*ahead, *first}

    def take(variable: int) -> None:
        later.discard(variable)
        agenda = [variable]
        while agenda:
            taken = agenda.pop()
            near.update(ordering.take(taken))
            done[taken] = None
            for dependent in ordering.determined(taken, done.keys()):
                if dependent in later:
                    later.discard(dependent)
                    agenda.append(dependent)

    settled = 0
    for variable in ahead:
        if variable not in done:
            take(variable)
            settled = len(done)
    for stage in (first, later):
        left = set(stage) - done.keys()
        while left:
            best = min(near & left or left, key=ordering.rank)
            take(best)
            if stage is first:
                settled = len(done)
            left -= done.keys()
    names = list(done)
    return Order(names, max((i for i, v in enumerate(names, 1) if v in wanted), default=0), settled)


def counting_order(
    first: Sequence[int], then: Sequence[int], problem: Problem, functions: Functions
) -> Order:
    """The order of `first` and `then` (see `order`) that meets the fewest states, of those that are tried."""
    best = order((), first, then, problem, functions)
    fewest = states_met(best.names, problem, functions)
    starts = MOST_LOOKS // (len(first) + 1) ** 2
    for start in sorted(first)[:starts] if fewest > FEW_STATES else ():
        found = order((start,), first, then, problem, functions, narrow=True)
        met = states_met(found.names, problem, functions)
        if met < fewest:
            best, fewest = found, met
    return best


def states_met(names: Sequence[int], problem: Problem, functions: Functions) -> float:
    """How many states a search meets, at most, that gives values to variables in this order.

    After some have values, the rest depends on no more than what is known of each constraint that mentions both. What
    can have one value makes no state two.

    >>> chain = [("=", {(0,): 1, (2,): 1, (4,): -1}), ("=", {(4,): 1, (1,): 1, (3,): 1, (): -9})]
    >>> bounds = [(0, 9)] * 4 + [(0, 18)]
    >>> [round(states_met(names, (chain, bounds), {})) for names in ([0, 2, 4, 1, 3], [0, 1, 2, 4, 3])]
    [77, 329]
    """
    constraints, bounds = problem
    members = [variables(poly) for _, poly in constraints]
    users = by_variable(enumerate(members))
    known: list[set[int]] = [set() for _ in constraints]
    told: dict[int, tuple[frozenset[int], float]] = {}
    bits = met = 0.0
    done: set[int] = set()
    for variable in names:
        determined = variable in functions and done.issuperset(functions[variable])
        done.add(variable)
        for index in users.get(variable, ()):
            known[index].add(variable)
            relation, poly = constraints[index]
            if relation == "=" and len(known[index]) == len(members[index]) and (variable,) in poly:
                determined = determined or sum(variable in monomial for monomial in poly) == 1
            if len(known[index]) == len(members[index]):
                told.pop(index, None)
            else:
                told[index] = frozenset(known[index]), _bits(constraints[index][1], known[index], bounds)
        # Two constraints that mention the same of these mostly say the same of them.
        bits = min(bits + (0 if determined else _size(variable, bounds)), sum(dict(told.values()).values()))
        met += 2.0 ** min(bits, 1000)
    return met


def _size(variable: int, bounds: Bounds) -> float:
    low, high = bounds[variable]
    assert high is not None
    return log2(high - low + 1)


def _bits(poly: Poly, known: set[int], bounds: Bounds) -> float:
    """How many bits tell what a constraint depends on when some of its variables are known, at most."""
    bits = sum(_size(variable, bounds) for variable in known)
    part = {monomial: coefficient for monomial, coefficient in poly.items() if not known.isdisjoint(monomial)}
    if all(known.issuperset(monomial) for monomial in part):
        low, high = ends(reach(part, bounds))
        bits = min(bits, log2(high - low + 1))
    return bits
