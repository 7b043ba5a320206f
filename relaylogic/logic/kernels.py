"""Parts of a problem that need no search: a free number, a sum, a product of numbers in intervals.

Each counts its solutions by dynamic programming and enumerates them in ascending order without ever meeting a dead end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unification import Var

from .arithmetic import Compare
from .expressions import Arith
from .split import Part
from .terms import reify_term

__all__ = ["Combination", "kernel"]

Interval = tuple[int, int]
LARGEST_SUM = 100_000


def divisors(number: int) -> list[int]:
    """The divisors of a positive number, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    found, prime = [1], 2
    while prime * prime <= number:
        power, more = 1, list(found)
        while number % prime == 0:
            number //= prime
            power *= prime
            found.extend(d * power for d in more)
        prime += 1 if prime == 2 else 2
    if number > 1:
        found.extend([d * number for d in found])
    return sorted(found)


class Combination:
    """The tuples of numbers in `intervals` whose sum or product (`operator`; "": any) is `goal`."""

    def __init__(self, operator: str, goal: int, intervals: list[Interval]) -> None:
        self.operator = operator
        self.goal = goal
        self.intervals = intervals
        self.ways = self._count()

    @property
    def count(self) -> int:
        """How many tuples there are."""
        return self.ways[0].get(self.goal, 0)

    def _values(self, at: int, rest: int) -> Iterator[tuple[int, int]]:
        low, high = self.intervals[at]
        if self.operator == "*":
            for value in self._divisors:
                if value > high:
                    break
                if value >= low and rest % value == 0:
                    yield value, rest // value
        elif self.operator == "+":
            for value in range(low, min(high, rest) + 1):
                yield value, rest - value
        else:
            for value in range(low, high + 1):
                yield value, rest

    def _count(self) -> list[dict[int, int]]:
        """For each position, how many ways the numbers from there on have to make each reachable rest."""
        size = len(self.intervals)
        done = {"*": 1, "+": 0}.get(self.operator, self.goal)
        if self.operator == "*":
            self._divisors = divisors(self.goal)
            rests = self._divisors
        elif self.operator == "+":
            rests = list(range(self.goal + 1))
        else:
            total, free = 1, []
            for low, high in reversed(self.intervals):
                free.append({self.goal: total})
                total *= max(0, high - low + 1)
            return [{self.goal: total}, *reversed(free)]
        ways: list[dict[int, int]] = [{done: 1}]
        for at in range(size - 1, -1, -1):
            after = ways[-1]
            here: dict[int, int] = {}
            for rest in rests:
                number = sum(after.get(left, 0) for _, left in self._values(at, rest))
                if number:
                    here[rest] = number
            ways.append(here)
        return ways[::-1]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        if not self.count:
            return
        size = len(self.intervals)
        if size == 0:
            yield ()
            return
        steps: dict[tuple[int, int], list[tuple[int, int]]] = {}

        def open_at(at: int, rest: int) -> Iterator[tuple[int, int]]:
            known = steps.get((at, rest))
            if known is None:
                after = self.ways[at + 1]
                if not self.operator:
                    return self._values(at, rest)
                known = steps[at, rest] = [(value, left) for value, left in self._values(at, rest) if left in after]
            return iter(known)

        last = size - 1
        prefix: list[int] = []
        stack = [open_at(0, self.goal)]
        while stack:
            if len(stack) > last:
                done = tuple(prefix)
                for value, _ in stack.pop():
                    yield (*done, value)
                if prefix:
                    prefix.pop()
                continue
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                if prefix:
                    prefix.pop()
                continue
            prefix.append(step[0])
            stack.append(open_at(len(stack), step[1]))


def kernel(part: Part, may_label: Any) -> Combination | None:
    """The combination that a part is, if it is one over its wanted variables; `may_label(kind)` says of which kinds."""
    state = part.state
    constraints = state.constraints()
    variables = [variable for variable, _ in part.wanted]
    if len(constraints) > 1 or not variables or not all(may_label(kind) for _, kind in part.wanted):
        return None
    limits = [state.bounds(variable) for variable in variables]
    if not constraints:
        if any(high is None for _, high in limits):
            return None
        return Combination("", 0, [(low, high) for low, high in limits if high is not None])
    (constraint,) = constraints
    if type(constraint) is not Compare or constraint.relation != "=":
        return None
    goal, side = constraint.left, constraint.right
    if type(goal) is not int:
        goal, side = side, goal
    if type(goal) is not int or type(side) is not Arith:
        return None
    operator, operands = side.operator, side.operands
    if operator in ("sum", "prod"):
        operands = reify_term(operands[0], state.bindings)
        operator = "+" if operator == "sum" else "*"
    if type(operands) is not tuple or operator not in ("+", "*") or not all(type(o) is Var for o in operands):
        return None
    if len(set(operands)) != len(operands) or set(operands) != set(variables) or goal < 1:
        return None
    if operator == "+" and goal > LARGEST_SUM:
        return None
    place = {variable: at for at, variable in enumerate(variables)}
    order = sorted(operands, key=place.__getitem__)
    bounds = [state.bounds(variable) for variable in order]
    return Combination(operator, goal, [(low, goal if high is None else min(high, goal)) for low, high in bounds])
