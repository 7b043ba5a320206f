"""`System`: polynomial constraints over integers in intervals, narrowed, counted, listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

from ..large import LARGE, long_division
from .component import Component, components
from .factored import bound_by_factors
from .forms import combine
from .growth import bound_by_growth
from .hull import Bounds, narrow
from .largest import bound_by_largest
from .lattice import Lattice
from .merge import Source, merged
from .ordering import Functions
from .polynomials import Constraint, Poly, normal

__all__ = ["System"]


def _for_nothing(steps: int) -> None:
    """The charge of those who set no limit."""


class System:
    """Integer variables 0 .. len(bounds) - 1 within `bounds`, and the constraints on them.

    `bounds` are (low, high), a high of None is no upper bound. The first `asked` variables (all, if None) are what is
    asked for: an answer is a tuple of their values for which the others have some. `charge` is called with the number
    of elementary steps as they are taken (nodes of a search, cells of a table, trial divisions) and may raise.
    `functions`: variables of which the constraints allow one value at most once some others have values.

    >>> legs = System([(0, None), (0, None)], [("=", {(0, 0): 1, (1, 1): 1, (): -25})])
    >>> legs.count(), list(legs)
    (4, [(0, 5), (3, 4), (4, 3), (5, 0)])
    """

    def __init__(
        self,
        bounds: Sequence[tuple[int, int | None]],
        constraints: Sequence[Constraint],
        asked: int | None = None,
        charge: Callable[[int], None] | None = None,
        functions: Functions | None = None,
    ) -> None:
        self._functions = functions or {}
        self.bounds: Bounds = list(bounds)
        self.asked = len(self.bounds) if asked is None else asked
        self.charge = charge or _for_nothing
        self._constraints: list[Constraint] = [(relation, normal(poly.items())) for relation, poly in constraints]
        for _, poly in self._constraints:
            longest = max(map(abs, poly.values()), default=0)
            if longest > LARGE:  # what is done with it takes as long as dividing it
                long_division(longest.bit_length(), longest.bit_length() // 2)
        self._possible: bool | None = None
        self._parts: list[Component] | None = None

    def narrow(self) -> bool:
        """Narrow `bounds` as far as bounds propagation and the linear equations go; False if there is no solution."""
        if self._possible is None:
            self._possible = self._narrowed()
        return self._possible

    def _narrowed(self) -> bool:
        combined = combine(self._constraints)
        if combined is None:
            return False
        self._constraints = combined
        return self._propagate() and self._on_lattice() and self._propagate()

    def _propagate(self) -> bool:
        while narrow(self.bounds, self._constraints, self.charge):
            if not (
                bound_by_growth(self.bounds, self._constraints)
                or bound_by_factors(self.bounds, self._constraints)
                or bound_by_largest(self.bounds, self._constraints, self.charge)
            ):
                return True
        return False

    def _on_lattice(self) -> bool:
        """Use that all linear equations hold on a lattice: round the bounds to it, and refute what it misses."""
        equations = [poly for relation, poly in self._constraints if relation == "="]
        if not equations:
            return True
        lattice = Lattice(self.charge)
        fixed = [{(v,): 1, (): -low} for v, (low, high) in enumerate(self.bounds) if low == high]
        if not lattice.require_all([*fixed, *equations]):
            return False
        for relation, poly in self._constraints:
            value, divisor = lattice.value(poly)
            if not divisor and ((relation == "<=" and value > 0) or (relation == "!=" and value == 0)):
                return False
        return all(self._round(v, *lattice.value({(v,): 1})) for v in range(len(self.bounds)))

    def _round(self, variable: int, value: int, divisor: int) -> bool:
        """Use that the variable is `value` plus a multiple of `divisor`."""
        low, high = self.bounds[variable]
        if not divisor:
            self.bounds[variable] = (value, value)
            return low <= value and (high is None or value <= high)
        low += (value - low) % divisor
        if high is not None:
            high -= (high - value) % divisor
        self.bounds[variable] = (low, high)
        return high is None or low <= high

    def parts(self) -> list[Component]:
        """The independent parts of what narrowing left open; none if it has no solution. Raises ValueError if it is not
        `finite`."""
        if not self.finite:
            raise ValueError("the bounds leave infinitely many values; ask `satisfiable`, or give upper bounds")
        return self._split()

    def _split(self) -> list[Component]:
        if self._parts is None:
            problem = self._constraints, self.bounds, self.asked, self.charge, self._functions
            found = components(*problem) if self.narrow() else None
            if found is None:
                self._possible = False
            self._parts = found or []
        return self._parts

    @property
    def finite(self) -> bool:
        """Whether all variables have finite bounds after narrowing, or there is no solution."""
        return not self.narrow() or all(high is not None for _, high in self.bounds)

    def count(self) -> int:
        """The exact number of answers; raises ValueError if not `finite`."""
        parts = self.parts()
        return prod(part.count() for part in parts) if self._possible else 0

    def within(self, variable: int, low: int, high: int) -> System:
        """The system in which one variable lies between `low` and `high`."""
        bounds = list(self.bounds)
        bounds[variable] = (low, high)
        return System(bounds, self._constraints, self.asked, self.charge, self._functions)

    def also(self, relation: str, poly: Poly) -> System:
        """The system in which one more constraint holds."""
        constraints = [*self._constraints, (relation, poly)]
        return System(self.bounds, constraints, self.asked, self.charge, self._functions)

    def part(self, part: Component, bounds: Bounds) -> System:
        """The system that one of its parts is, within bounds that are no wider."""
        own = {*part.asked, *part.others}
        within = [ends if v in own else (ends[0], ends[0]) for v, ends in enumerate(bounds)]
        return System(within, part.constraints, self.asked, self.charge, part.functions)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """The answers, each once, in ascending lexicographic order; raises ValueError if not `finite`."""
        parts = self.parts()
        if not self._possible:
            return iter(())
        constants = {v: low for v, (low, high) in enumerate(self.bounds[: self.asked]) if low == high}
        return self._listed(parts, constants)

    def _listed(self, parts: list[Component], constants: dict[int, int]) -> Iterator[tuple[int, ...]]:
        if len(parts) > 1 and any(part.witness() is False for part in parts):
            return
        if any(not part.asked and part.witness() is False for part in parts):
            return
        sources = [Source(part.asked, part.answers) for part in parts if part.asked]
        yield from merged(sources, self._joint, self.asked, constants, self.charge)

    def _joint(self, sources: list[Source]) -> Source:
        """One component for the components of `sources`."""
        wanted = {source.positions for source in sources}
        parts = [part for part in self._split() if tuple(part.asked) in wanted]
        whole = Component(
            sorted(v for part in parts for v in part.asked),
            sorted(v for part in parts for v in part.others),
            ([constraint for part in parts for constraint in part.constraints], self.bounds),
            self.charge,
            {v: inputs for part in parts for v, inputs in part.functions.items()},
        )
        return Source(whole.asked, whole.answers)

    def refuted(self) -> bool:
        """Whether there is no solution, as far as that is seen without a search."""
        parts = self._split()
        return not self._possible or any(part.is_refuted() for part in parts)

    def satisfiable(self) -> bool | None:
        """Whether there is a solution; None if that was not found out (with unbounded variables only)."""
        if not self.narrow():
            return False
        found = self._witnesses()
        if any(part is False for part in found):
            return False
        return True if all(isinstance(part, dict) for part in found) else None

    def witness(self) -> tuple[int, ...] | None:
        """Values of all variables that satisfy the constraints, if they are found."""
        found = self._witnesses() if self.narrow() else [False]
        values = {v: low for v, (low, high) in enumerate(self.bounds) if low == high}
        for part in found:
            if not isinstance(part, dict):
                return None
            values.update(part)
        return tuple(values[v] for v in range(len(self.bounds)))

    def _witnesses(self) -> list[dict[int, int] | bool]:
        """Per component a solution, False (there is none) or True (not decided)."""
        parts = self._split()
        return [part.witness() for part in parts] if self._possible else [False]
