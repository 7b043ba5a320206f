"""The order in which a search gives values: fewest values first, beside what has one already.

A variable that an equation determines, because the equation's others have values, counts as one value. Ties go to the
variable that completes the most constraints and opens the fewest, which keeps small what the search has to remember.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .hull import Bounds
from .polynomials import Constraint, variables

__all__ = ["order"]

Rank = tuple[int, int, int, int]


class _Ordering:
    def __init__(self, constraints: Sequence[Constraint], bounds: Bounds) -> None:
        self.bounds = bounds
        self.equations = [relation == "=" for relation, _ in constraints]
        self.members = [variables(poly) for _, poly in constraints]
        self.missing = [len(members) for members in self.members]
        self.users: dict[int, list[int]] = {}
        for index, members in enumerate(self.members):
            for variable in members:
                self.users.setdefault(variable, []).append(index)

    def rank(self, variable: int) -> Rank:
        """What the next variable has least of."""
        low, high = self.bounds[variable]
        assert high is not None
        size = (high - low + 1).bit_length()
        completed = opened = 0
        for index in self.users.get(variable, ()):
            if self.missing[index] == 1:
                completed += 1
                if self.equations[index]:
                    size = 0
            elif self.missing[index] == len(self.members[index]):
                opened += 1
        return (size, -completed, opened, variable)

    def take(self, variable: int) -> Iterable[int]:
        """Give `variable` a value; the variables it stands with."""
        for index in self.users.get(variable, ()):
            self.missing[index] -= 1
            yield from self.members[index]


def order(
    chosen: Iterable[int], first: Sequence[int], then: Sequence[int], problem: tuple[Sequence[Constraint], Bounds]
) -> list[int]:
    """The variables `chosen` (in this order), then those of `first`, then those of `then`, each by fewest values."""
    ordering = _Ordering(*problem)
    done: list[int] = []
    near: set[int] = set()
    for variable in chosen:
        near.update(ordering.take(variable))
        done.append(variable)
    for stage in (first, then):
        left = set(stage) - set(done)
        while left:
            best = min(near & left or left, key=ordering.rank)
            near.update(ordering.take(best))
            left.discard(best)
            done.append(best)
    return done
