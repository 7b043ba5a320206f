"""The order in which a search gives values: fewest values first, beside what has one already.

A variable that an equation determines, because the equation's others have values, counts as one value. Ties go to the
variable that completes the most constraints and opens the fewest, which keeps small what the search has to remember.

What is not asked for comes last, since one value of it is enough; but where it can have only one, it comes as soon as
that is so: what is asked for may hang on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from .hull import Bounds
from .polynomials import Constraint, variables

__all__ = ["Functions", "order"]

Rank = tuple[int, int, int, int]
Functions = Mapping[int, Set[int]]
"""Variables that have one value at most where some others have values."""


class _Ordering:
    def __init__(self, constraints: Sequence[Constraint], bounds: Bounds, functions: Functions) -> None:
        self.bounds = bounds
        self.constraints = constraints
        self.awaited = {variable: len(inputs) for variable, inputs in functions.items()}
        self.depending: dict[int, list[int]] = {}
        for variable, inputs in functions.items():
            for known in inputs:
                self.depending.setdefault(known, []).append(variable)
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
    problem: tuple[Sequence[Constraint], Bounds],
    functions: Functions | None = None,
) -> tuple[list[int], int]:
    """The variables `chosen` (in this order), then those of `first`, then those of `then`, each by fewest values; and
    how many there are up to the last one that is not of `then`. Of these, what can have one value comes at once."""
    ordering = _Ordering(*problem, functions or {})
    done: dict[int, None] = {}
    near: set[int] = set()
    later = set(then)

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

    asked = 0
    for variable in chosen:
        asked = len(done) + 1
        take(variable)
    for stage in (first, later):
        left = set(stage) - done.keys()
        while left:
            best = min(near & left or left, key=ordering.rank)
            if stage is first:
                asked = len(done) + 1
            take(best)
            left -= done.keys()
    return list(done), asked
