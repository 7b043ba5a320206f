"""Walks over the levels of a search: list it, count it, find one solution. Stacks instead of recursion throughout.

The first `asked` levels are what is asked for; from a state at their end, one solution of the rest is enough. States
from which there was no solution are remembered, and counting joins equal states of a level: a count is a sum over
states, not over solutions (dynamic programming over the frontier of the constraint graph).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from .levels import START, Level, State

__all__ = ["Walk"]

BATCH = 256
MOST_STATES = 400_000
MOST_KNOWN = 200_000


def _size(values: Iterable[int]) -> int:
    if type(values) is range:
        return max(0, -((values.start - values.stop) // values.step))
    if type(values) is list:
        return len(values)
    return sum(1 for _ in values)


class Walk:
    """The walks over `levels`, of which the first `asked` are asked for."""

    def __init__(self, levels: Sequence[Level], asked: int, charge: Callable[[int], None]) -> None:
        self._levels = levels
        self._asked = asked
        self._charge = charge
        self._dead: list[set[State]] = [set() for _ in levels]
        self._buried = 0
        self._alive: set[State] = set()

    def first(self, depth: int = 0, state: State = START) -> list[int] | None:
        """The values of the first solution of the levels from `depth` on, from `state`; None if there is none."""
        levels, dead = self._levels, self._dead
        last = len(levels)
        if depth == last:
            return []
        base = depth
        states = [state]
        sources = [iter(levels[depth].values(state))]
        chosen: list[int] = []
        steps = 0
        while sources:
            steps += 1
            if steps == BATCH:
                self._charge(steps)
                steps = 0
            depth = base + len(sources) - 1
            value = next(sources[-1], None)
            if value is None:
                self._bury(depth, states[-1])
                sources.pop()
                states.pop()
                if chosen:
                    chosen.pop()
                continue
            if depth + 1 == last:
                self._charge(steps)
                return [*chosen, value]
            state = levels[depth].step(states[-1], value)
            if state in dead[depth + 1]:
                continue
            chosen.append(value)
            states.append(state)
            sources.append(iter(levels[depth + 1].values(state)))
        self._charge(steps)
        return None

    def _ends(self, state: State) -> bool:
        """Whether there is a solution from a `state` at the end of the asked levels."""
        if state in self._dead[self._asked]:
            return False
        if state in self._alive:
            return True
        if self.first(self._asked, state) is None:
            return False
        if len(self._alive) < MOST_KNOWN:
            self._alive.add(state)
        return True

    def _bury(self, depth: int, state: State) -> None:
        if self._buried < MOST_KNOWN:
            self._buried += 1
            self._dead[depth].add(state)

    def answers(self) -> Iterator[tuple[int, ...]]:
        """The values of the asked levels for which there is a solution, in lexicographic order."""
        levels, dead, asked, charge = self._levels, self._dead, self._asked, self._charge
        if not asked:
            if self.first() is not None:
                yield ()
            return
        open_end = asked < len(levels)
        states = [START]
        sources = [iter(levels[0].values(START))]
        seen_before = [0]
        prefix: tuple[int, ...] = ()
        value: int | None
        seen = steps = 0
        while sources:
            depth = len(sources) - 1
            if depth + 1 == asked:
                state, step = states[-1], levels[depth].step
                for value in sources[-1]:
                    steps += 1
                    if steps >= BATCH:
                        charge(steps)
                        steps = 0
                    if open_end and not self._ends(step(state, value)):
                        continue
                    seen += 1
                    yield (*prefix, value)
                value = None
            else:
                value = next(sources[-1], None)
            steps += 1
            if steps >= BATCH:
                charge(steps)
                steps = 0
            if value is None:
                if seen_before.pop() == seen:
                    self._bury(depth, states[-1])
                sources.pop()
                states.pop()
                prefix = prefix[:-1]
                continue
            state = levels[depth].step(states[-1], value)
            if state in dead[depth + 1]:
                continue
            prefix = (*prefix, value)
            states.append(state)
            sources.append(iter(levels[depth + 1].values(state)))
            seen_before.append(seen)
        charge(steps)

    def count(self) -> int:
        """The number of answers.

        Level after level, a table says in how many ways each state comes about. A table that grows too long is taken
        to the end before the rest of the table before it, so memory is bounded.
        """
        if not self._asked:
            return int(self.first() is not None)
        limit = max(1000, MOST_STATES // len(self._levels))
        total = 0
        pending: list[Iterator[tuple[State, int]]] = [iter([(START, 1)])]
        while pending:
            depth = len(pending) - 1
            if depth == self._asked:
                total += sum(ways for state, ways in pending.pop() if self._ends(state))
            elif depth + 1 == len(self._levels):
                total += self._finish(pending.pop())
            else:
                table = self._advance(depth, pending[-1], limit)
                if table:
                    pending.append(iter(table.items()))
                else:
                    pending.pop()
        return total

    def least(self, weights: Sequence[int]) -> int | None:
        """The least sum of the values of the asked levels, weighted, over all answers; None if there is none."""
        table: dict[State, int] = {START: 0}
        for (values, step, _), weight in zip(self._levels, weights, strict=False):
            result: dict[State, int] = {}
            for state, before in table.items():
                for value in values(state):
                    self._charge(1)
                    following, total = step(state, value), before + weight * value
                    if total < result.get(following, total + 1):
                        result[following] = total
            table = result
        if self._asked == len(self._levels):
            return min(table.values(), default=None)
        return min((total for state, total in table.items() if self._ends(state)), default=None)

    def draws(self) -> Callable[[Random], list[int]]:
        """What draws the values of the asked levels, each answer as likely as any other; there must be one."""
        states: list[Iterable[State]] = [[START]]
        for values, step, _ in self._levels[: self._asked]:
            found: dict[State, None] = {}
            for state in states[-1]:
                for value in values(state):
                    self._charge(1)
                    found[step(state, value)] = None
            states.append(found)
        open_end = self._asked < len(self._levels)
        ways = [{state: 1 for state in states[-1] if not open_end or self._ends(state)}]
        for (values, step, _), at in zip(self._levels[self._asked - 1 :: -1], states[-2::-1], strict=True):
            table: dict[State, int] = {}
            for state in at:
                total = sum(ways[-1].get(step(state, value), 0) for value in values(state))
                if total:
                    table[state] = total
            ways.append(table)
        ways.reverse()

        def draw(random: Random) -> list[int]:
            state, chosen = START, []
            for (values, step, _), here, ahead in zip(self._levels, ways, ways[1:], strict=False):
                left = random.randrange(here[state])
                for value in values(state):
                    following = step(state, value)
                    left -= ahead.get(following, 0)
                    if left < 0:
                        break
                chosen.append(value)
                state = following
            return chosen

        return draw

    def _finish(self, table: Iterator[tuple[State, int]]) -> int:
        """The number of answers from the states before the last level."""
        values = self._levels[-1].values
        total = steps = 0
        for state, ways in table:
            total += ways * _size(values(state))
            steps += 1
        self._charge(steps)
        return total

    def _advance(self, depth: int, table: Iterator[tuple[State, int]], limit: int) -> dict[State, int]:
        """The table of the next level from the next states of `table`; empty if nothing comes of any."""
        values, step, indifferent = self._levels[depth]
        result: dict[State, int] = {}
        steps = 0
        for state, ways in table:
            if indifferent:
                ways *= _size(values(state))
                if ways:
                    following = step(state, 0)
                    result[following] = result.get(following, 0) + ways
            else:
                for value in values(state):
                    following = step(state, value)
                    result[following] = result.get(following, 0) + ways
                    steps += 1
                    if steps >= BATCH:
                        self._charge(steps)
                        steps = 0
            steps += 1
            if len(result) >= limit:
                break
        self._charge(steps)
        return result
