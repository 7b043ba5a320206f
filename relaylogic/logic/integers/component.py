"""A component: variables that constraints tie together, solved without regard to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random

from .forms import combine
from .hull import Bounds, narrow, reach
from .ordering import Functions, Order, Problem, counting_order, order
from .polynomials import Constraint, substitute, variables
from .powers import refuted as refuted_by_powers
from .products import count_product
from .residues import refuted as refuted_by_residues
from .searches import Effort, EnoughTried, Search, answers, searches, solution
from .sums import count_sum

__all__ = ["Component", "components"]

Charge = Callable[[int], None]
REACHES = (1, 3, 10, 30, 100, 1000)
EFFORT = 10_000
WIDE = 1000
MOST_DRAWN = 400_000


class Component:
    """`asked` and `others` are its variables, ascending; `constraints` mention no others.

    `functions` are those of the others that have one value at most where some variables have values.
    """

    def __init__(
        self,
        asked: list[int],
        others: list[int],
        problem: tuple[list[Constraint], Bounds],
        charge: Charge,
        functions: Functions,
    ) -> None:
        self.asked = asked
        self.others = others
        self.constraints, self.bounds = problem
        self.functions = {v: functions[v] for v in others if v in functions}
        self._charge = charge
        self.leasts: dict[tuple[tuple[int, int], ...], int | None] = {}  # of weighted sums (see `least`)
        self._listing: list[Search] | None = None
        self._draws: tuple[Callable[[Random], tuple[int, ...]] | None] | None = None
        self._count: int | None = None
        self._witness: dict[int, int] | bool | None = None

    @property
    def finite(self) -> bool:
        """Whether all variables have upper bounds."""
        return all(self.bounds[v][1] is not None for v in (*self.asked, *self.others))

    def count(self) -> int:
        """The number of answers."""
        if self._count is None:
            self._count = self._counted()
        return self._count

    def _counted(self) -> int:
        if not self.constraints:
            if not self.asked:
                return 1
            low, high = self.bounds[self.asked[0]]
            assert high is not None
            return high - low + 1
        if len(self.constraints) == 1 and not self.others:
            ((relation, poly),) = self.constraints
            found = count_product(poly, self.bounds, self._charge) if relation == "=" else None
            if found is None:
                found = count_sum(relation, poly, self.bounds, self._charge)
            if found is not None:
                return found
        return self._counting()[-1].walk.count()

    def _counting(self) -> list[Search]:
        values = prod([1 + (high or low) - low for low, high in map(self.bounds.__getitem__, self.asked)])
        return self._searches(
            lambda problem: counting_order(self.asked, self.others, problem, self.functions), values.bit_length()
        )

    def _searches(self, ordered: Callable[[Problem], Order], width: int) -> list[Search]:
        return searches(ordered, (self.constraints, self.bounds), self.asked, self.functions, width, self._charge)

    def answers(self) -> Iterator[tuple[int, ...]]:
        """The values of the asked variables, each tuple once, in lexicographic order."""
        if not self.constraints and self.asked:
            low, high = self.bounds[self.asked[0]]
            assert high is not None
            return ((x,) for x in range(low, high + 1))
        if self._listing is None:
            self._listing = self._searches(lambda p: order(self.asked, (), self.others, p, self.functions), 1)
        return answers(self._listing, self.asked)

    def draws(self) -> Callable[[Random], tuple[int, ...]] | None:
        """What draws an answer, each as likely as any other; None where that would have to remember too much."""
        if self._draws is None:
            self._draws = (self._drawing(),)
        return self._draws[0]

    def _drawing(self) -> Callable[[Random], tuple[int, ...]] | None:
        if not self.constraints:
            low, high = self.bounds[self.asked[0]]
            assert high is not None
            return lambda random: (random.randrange(low, high + 1),)
        walk, names, _, met = self._counting()[0]
        if met > MOST_DRAWN:
            return None
        draw, places = walk.draws(), [names.index(variable) for variable in self.asked]

        def drawn(random: Random) -> tuple[int, ...]:
            found = draw(random)
            return tuple([found[place] for place in places])

        return drawn

    def witness(self) -> dict[int, int] | bool:
        """Values for all variables; False if there are none, True if that is not decided."""
        if self._witness is None:
            self._witness = self._witnessed()
        return self._witness

    def _witnessed(self) -> dict[int, int] | bool:
        if not self.constraints:
            return {v: self.bounds[v][0] for v in (*self.asked, *self.others)}
        if not self.finite and self.is_refuted():
            return False
        if any(high is None or high - low > WIDE for low, high in map(self.bounds.__getitem__, self._names())):
            for distance in REACHES:
                found = self._small_witness(distance)
                if found is not None:
                    return found
        return self._search(self.bounds, self._charge) or False if self.finite else True

    def is_refuted(self) -> bool:
        """Whether powers or residues tell that there is no solution, however far the variables reach."""
        return refuted_by_powers(self.constraints, self.bounds) or refuted_by_residues(self.constraints, self._charge)

    def _names(self) -> list[int]:
        return [*self.asked, *self.others]

    def _search(self, bounds: Bounds, charge: Charge) -> dict[int, int] | None:
        names = self._names()
        problem = self.constraints, bounds
        return solution(searches(lambda problem: order((), names, (), problem), problem, names, {}, 1, charge))

    def _small_witness(self, distance: int) -> dict[int, int] | None:
        """A solution at most `distance` above the lower bounds, if one is found with little effort."""
        charge = Effort(self._charge, EFFORT)
        charge.renew()
        bounds = list(self.bounds)
        for v in self._names():
            low, high = bounds[v]
            bounds[v] = (low, low + distance if high is None else min(high, low + distance))
        try:
            return self._search(bounds, charge) if narrow(bounds, self.constraints, charge) else None
        except EnoughTried:
            return None


def components(
    constraints: Sequence[Constraint], bounds: Bounds, asked: int, charge: Charge, functions: Functions
) -> list[Component] | None:
    """The components of the variables that narrowing left open, by their first variable; None if one is refuted.

    Constraints that the bounds decide, or that only fixed variables meet, are gone.
    """
    fixed = {v: low for v, (low, high) in enumerate(bounds) if low == high}
    combined = combine((relation, substitute(poly, fixed)) for relation, poly in constraints)
    if combined is None:
        return None
    left = [constraint for constraint in combined if not _entailed(constraint, bounds)]
    leader = {v: v for v in range(len(bounds)) if v not in fixed}

    def find(v: int) -> int:
        while leader[v] != v:
            leader[v] = leader[leader[v]]
            v = leader[v]
        return v

    for _, poly in left:
        first, *rest = variables(poly)
        for v in rest:
            a, b = find(first), find(v)
            leader[max(a, b)] = min(a, b)
    members: dict[int, list[int]] = {}
    for v in leader:
        members.setdefault(find(v), []).append(v)
    grouped: dict[int, list[Constraint]] = {v: [] for v in members}
    for constraint in left:
        grouped[find(next(iter(variables(constraint[1]))))].append(constraint)
    of_open = {v: inputs - fixed.keys() for v, inputs in functions.items()}
    return [
        Component(
            [v for v in names if v < asked],
            [v for v in names if v >= asked],
            (grouped[v], bounds),
            charge,
            {v: inputs for v, inputs in of_open.items() if inputs.issubset(names)},
        )
        for v, names in members.items()
    ]


def _entailed(constraint: Constraint, bounds: Bounds) -> bool:
    """Whether all points within `bounds` satisfy `constraint`."""
    relation, poly = constraint
    low, high = reach(poly, bounds)
    if relation == "=":
        return low == high == 0
    if relation == "<=":
        return high is not None and high <= 0
    return (low is not None and low > 0) or (high is not None and high < 0)
