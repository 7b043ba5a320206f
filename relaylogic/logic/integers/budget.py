"""Systems that fall apart but for one sum: so many parameters at most, say, over all layers of a chain.

While variable after variable gets a value, a search remembers the partial sum, so that states are many that differ in
nothing else. Here a state is what the other constraints depend on, and what the sum comes to is remembered for all
partial sums at once: which sums are possible as the bits of one integer, in how many ways as its digits (Kronecker
substitution; Harvey, "Faster polynomial multiplication via multipoint Kronecker substitution", 2009). A value moves
all of them by a shift.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from .hull import Bounds, reach
from .levels import START, Level, State
from .polynomials import Constraint, Poly, variables
from .residual import ends
from .walk import Walk

__all__ = ["Budget", "BudgetWalk", "budgets"]

MOST_BITS = 1 << 26
BITS_A_STEP = 1 << 14
"""So many bits are moved, added and cut in the time of a step of a search."""


class Budget(NamedTuple):
    """The sum of variables, each with a weight, lies between `low` and `high`; `rest` are all other constraints."""

    weights: Mapping[int, int]
    low: int
    high: int
    rest: Sequence[Constraint]

    def effort(self, width: int, bounds: Bounds) -> float:
        """How many steps it takes to move all sums, with so many bits for each; endlessly many where that is too much.
        """
        least, _ = _ends(self.weights, bounds)
        bits = max(0, self.high - least + 1) * width
        return 1 + bits / BITS_A_STEP if bits <= MOST_BITS else float("inf")


def budgets(constraints: Sequence[Constraint], bounds: Bounds, asked: Iterable[int]) -> list[Budget]:
    """The linear sums of at least three variables that constraints bound.

    What occurs in such a constraint only, and is not asked for, widens the bounds.

    >>> most = ("=", {(0,): 9, (1,): 9, (2,): 1, (3,): -1, (): -7})
    >>> budgets([most, ("!=", {(0,): 1, (1,): -1})], [(1, 8), (1, 8), (0, 9), (0, 100)], (0, 1, 2))
    [Budget(weights={0: 9, 1: 9, 2: 1}, low=18, high=107, rest=[('!=', {(0,): 1, (1,): -1})])]
    """
    mentions = Counter(v for _, poly in constraints for v in variables(poly))
    kept = set(asked)
    found: dict[tuple[tuple[int, int], ...], tuple[int, int, set[int]]] = {}
    for index, (relation, poly) in enumerate(constraints):
        if relation == "!=" or any(len(monomial) > 1 for monomial in poly):
            continue
        terms = {monomial[0]: coefficient for monomial, coefficient in poly.items() if monomial}
        slack = {v: c for v, c in terms.items() if mentions[v] == 1 and v not in kept and abs(c) == 1}
        weights = {v: c for v, c in sorted(terms.items()) if v not in slack}
        if len(weights) < 3:
            continue
        least, most = _ends(weights, bounds)
        aside = _ends(slack, bounds)
        constant = -poly.get((), 0)
        high = min(most, constant - aside[0])
        low = max(least, constant - aside[1]) if relation == "=" else least
        if next(iter(weights.values())) < 0:
            weights, low, high = {v: -c for v, c in weights.items()}, -high, -low
        form = tuple(weights.items())
        lowest, highest, indices = found.get(form, (low, high, set()))
        found[form] = max(low, lowest), min(high, highest), {index, *indices}
    return [
        Budget(dict(form), low, high, [c for i, c in enumerate(constraints) if i not in indices])
        for form, (low, high, indices) in found.items()
    ]


def _ends(weights: Mapping[int, int], bounds: Bounds) -> tuple[int, int]:
    """The least and the greatest that a sum comes to within bounds."""
    form: Poly = {(variable,): weight for variable, weight in weights.items()}
    return ends(reach(form, bounds))


class BudgetWalk(Walk):
    """The walks over levels, of which the first `asked` are asked for and have all variables of a budget's sum."""

    def __init__(
        self,
        levels: Sequence[Level],
        names: Sequence[int],
        asked: int,
        budget: Budget,
        bounds: Bounds,
        charge: Callable[[int], None],
    ) -> None:
        super().__init__(levels, asked, charge)
        self._weights = [budget.weights.get(variable, 0) for variable in names[:asked]]
        # Each weighted value is counted from its least on.
        self._least = [_ends({v: w}, bounds)[0] for v, w in zip(names, self._weights, strict=False)]
        offset = sum(self._least)
        self._low, self._high = max(0, budget.low - offset), budget.high - offset
        sizes = [(high or low) - low + 1 for low, high in (bounds[variable] for variable in names[:asked])]
        self._digit = 8 * (prod(sizes).bit_length() // 8 + 1)  # bits for the number of ways to come to a sum
        self._sums: list[dict[State, int]] | None = None

    def first(self, depth: int = 0, state: State = START) -> list[int] | None:
        """The values of the first solution; from a `depth` on where the sum plays no part any more."""
        if depth:
            return super().first(depth, state)
        found = next(self.answers(), None)
        return None if found is None else [*found, *self._after(found)]

    def _after(self, found: tuple[int, ...]) -> list[int]:
        """The values of a solution behind those that are asked for."""
        state = START
        for level, value in zip(self._levels, found, strict=False):
            state = level.step(state, value)
        return super().first(self._asked, state) or []

    def count(self) -> int:
        """The number of answers."""
        if self._high < self._low:
            return 0
        table: dict[State, int] = {START: 1}
        within = (1 << (self._high + 1) * self._digit) - 1
        for depth in range(self._asked):
            result: dict[State, int] = {}
            for state, ways in table.items():
                for moved, following in self._moves(depth, state, self._digit):
                    shifted = ways << moved * self._digit if moved else ways
                    result[following] = result[following] + shifted if following in result else shifted
            cut = ((state, ways if ways <= within else ways & within) for state, ways in result.items())
            table = {state: ways for state, ways in cut if ways}
        total = sum(ways for state, ways in table.items() if self._goes_on(state))
        size = self._digit // 8
        digits = total.to_bytes((self._high + 2) * size, "little")
        places = range(self._low * size, (self._high + 1) * size, size)
        return sum(int.from_bytes(digits[place : place + size], "little") for place in places)

    def _goes_on(self, state: State) -> bool:
        """Whether there is a solution from a state at the end of what is asked for."""
        return self._asked == len(self._levels) or self._ends(state)

    def _moves(self, depth: int, state: State, width: int) -> Iterator[tuple[int, State]]:
        """By how much each value of a state moves sums of so many bits each, and where it leads."""
        values, step, _ = self._levels[depth]
        weight, least = self._weights[depth], self._least[depth]
        price = 1 + (self._high * width // BITS_A_STEP if weight else 0)
        for value in values(state):
            self._charge(price)
            moved = weight * value - least
            if moved <= self._high:
                yield moved, step(state, value)

    def _possible(self) -> list[dict[State, int]]:
        """The sums that are possible from each state on, as bits, by depth."""
        if self._sums is None:
            within = (1 << self._high + 1) - 1
            states: list[Iterable[State]] = [[START]]
            for depth in range(self._asked):
                found = (following for state in states[-1] for _, following in self._moves(depth, state, 0))
                states.append(dict.fromkeys(found))
            sums: list[dict[State, int]] = [{state: 1 for state in states[-1] if self._goes_on(state)}]
            for depth in reversed(range(self._asked)):
                table: dict[State, int] = {}
                for state in states[depth]:
                    total = 0
                    for moved, following in self._moves(depth, state, 1):
                        total |= sums[-1].get(following, 0) << moved
                    if total & within:
                        table[state] = total & within
                sums.append(table)
            self._sums = sums[::-1]
        return self._sums

    def answers(self) -> Iterator[tuple[int, ...]]:
        """The values of the asked levels for which there is a solution, in lexicographic order."""
        sums = self._possible()

        def fits(depth: int, state: State, before: int) -> bool:
            possible = sums[depth].get(state, 0)
            least = max(0, self._low - before)
            return before <= self._high and bool((possible >> least) & ((1 << self._high - before - least + 1) - 1))

        def values(depth: int, state: State, before: int) -> Iterator[tuple[int, State, int]]:
            offered, step, _ = self._levels[depth]
            for value in offered(state):
                self._charge(1)
                after = before + self._weights[depth] * value - self._least[depth]
                following = step(state, value)
                if fits(depth + 1, following, after):
                    yield value, following, after

        if not fits(0, START, 0):
            return
        prefix: tuple[int, ...] = ()
        stack = [values(0, START, 0)]
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
                prefix = prefix[:-1]
            elif len(stack) == self._asked:
                yield (*prefix, found[0])
            else:
                prefix = (*prefix, found[0])
                stack.append(values(len(stack), *found[1:]))
