"""What is left of constraints when the first variables have values, and the numbers it depends on.

After some variables have values, a constraint is a polynomial in the others, whose coefficients are polynomials in the
known ones. These coefficients are all that the rest of a search can depend on: the partial sum of a sum, the partial
product of a product, the last value in a chain. Each, without its constant and in lowest terms, is a *slot*; the slots
at a level are the state of the search, and two partial assignments with equal states have the same future.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

from .hull import Bounds, reach
from .intervals import Interval, power, times
from .polynomials import Constraint, Monomial, Poly, by_variable, variables

__all__ = ["Known", "Quantity", "Residual", "Residuals", "Split", "ends"]

Key = tuple[tuple[Monomial, int], ...]


class Quantity(NamedTuple):
    """scale * slot + constant; the slot is None where the quantity is only a constant."""

    scale: int
    slot: int | None
    constant: int


class Known(NamedTuple):
    """A polynomial in known variables: scale * (what `key` lists) + constant, with values in `within`."""

    scale: int
    key: Key
    constant: int
    within: tuple[int, int]


Split = list[tuple[int, Monomial, Known]]


def ends(interval: Interval) -> tuple[int, int]:
    """The ends of a finite interval."""
    low, high = interval
    assert low is not None and high is not None
    return (low, high)


def _known(poly: Poly, within: tuple[int, int]) -> Known:
    terms = sorted((m, c) for m, c in poly.items() if m and c)
    constant = poly.get((), 0)
    if not terms:
        return Known(0, (), constant, within)
    scale = gcd(*(c for _, c in terms))
    if terms[0][1] < 0:
        scale = -scale
    return Known(scale, tuple(terms) if scale == 1 else tuple((m, c // scale) for m, c in terms), constant, within)


class Residual:
    """A constraint; `parts` maps monomials in open variables to their coefficients, polynomials in known variables.

    Monomials without a known variable are `idle` until one of theirs is next; only the sum of their ends matters.
    """

    def __init__(self, relation: str, poly: Poly, bounds: Bounds) -> None:
        self.relation = relation
        self.open = variables(poly)
        self.parts: dict[Monomial, Known] = {}
        self.idle = {monomial: coefficient for monomial, coefficient in poly.items() if monomial}
        if () in poly:
            self.parts[()] = Known(0, (), poly[()], (poly[()], poly[()]))
        self._bounds = bounds
        self.idle_low, self.idle_high = ends(reach(self.idle, bounds))
        self._users = by_variable((monomial, set(monomial)) for monomial in self.idle)

    def wake(self, variable: int) -> None:
        """Move the idle monomials with `variable`, the next one, to the parts."""
        for monomial in self._users.get(variable, ()):
            coefficient = self._rouse(monomial)
            if coefficient is not None:
                self.parts[monomial] = Known(0, (), coefficient, (coefficient, coefficient))

    def split(self, variable: int) -> Split:
        """The parts as (exponent of `variable`, the other open variables, coefficient)."""
        return [
            (monomial.count(variable), tuple(v for v in monomial if v != variable), known)
            for monomial, known in self.parts.items()
        ]

    def learn(self, variable: int, split: Split) -> None:
        """From now on `variable` is known."""
        merged: dict[Monomial, tuple[dict[Monomial, int], int, int]] = {}
        for exponent, rest, known in split:
            poly, low, high = merged.get(rest) or self._taken(rest)
            within: Interval = known.within
            if exponent:
                within = times(within, power(self._bounds[variable], exponent))
            if known.constant:
                moved = (variable,) * exponent
                poly[moved] = poly.get(moved, 0) + known.constant
            for monomial, coefficient in known.key:
                moved = tuple(sorted(monomial + (variable,) * exponent)) if exponent else monomial
                poly[moved] = poly.get(moved, 0) + known.scale * coefficient
            least, most = ends(within)
            merged[rest] = (poly, low + least, high + most)
        self.parts = {rest: _known(poly, (low, high)) for rest, (poly, low, high) in merged.items()}
        self.open.discard(variable)

    def _taken(self, monomial: Monomial) -> tuple[dict[Monomial, int], int, int]:
        """The coefficient of a monomial that is idle no more, as a polynomial with its ends; 0 if it never was."""
        coefficient = self._rouse(monomial)
        return ({} if coefficient is None else {(): coefficient}, coefficient or 0, coefficient or 0)

    def _rouse(self, monomial: Monomial) -> int | None:
        coefficient = self.idle.pop(monomial, None)
        if coefficient is not None:
            low, high = ends(reach({monomial: coefficient}, self._bounds))
            self.idle_low -= low
            self.idle_high -= high
        return coefficient

    def needs(self) -> Iterator[Key]:
        """What the slots must tell for this constraint."""
        return (known.key for known in self.parts.values() if known.key)


class Residuals:
    """All constraints, while variable after variable gets known."""

    def __init__(self, constraints: Sequence[Constraint], bounds: Bounds) -> None:
        residuals = [Residual(relation, poly, bounds) for relation, poly in constraints]
        self._users = by_variable((residual, residual.open) for residual in residuals)
        self._active: dict[int, Residual] = {}
        self.slots: dict[Key, int] = {}

    def users(self, variable: int) -> list[Residual]:
        """The constraints that mention `variable`."""
        return self._users.get(variable, [])

    def quantity(self, known: Known) -> Quantity:
        """A coefficient in terms of the slots."""
        return Quantity(known.scale, self.slots[known.key] if known.key else None, known.constant)

    def learn(self, variable: int) -> list[list[tuple[int, Quantity]]]:
        """`variable` gets known: each new slot as (exponent of the variable, quantity in the old slots) to add up."""
        sources: dict[Key, list[tuple[int, Quantity]]] = {}
        for residual in self.users(variable):
            residual.wake(variable)
            split = residual.split(variable)
            residual.learn(variable, split)
            if residual.open:
                self._active[id(residual)] = residual
                self._trace(residual, split, sources)
            else:
                self._active.pop(id(residual), None)
        slots: dict[Key, int] = {}
        for residual in self._active.values():
            for key in residual.needs():
                slots.setdefault(key, len(slots))
        steps = [[(0, Quantity(1, self.slots[key], 0))] if key in self.slots else sources[key] for key in slots]
        self.slots = slots
        return steps

    def _trace(self, residual: Residual, split: Split, sources: dict[Key, list[tuple[int, Quantity]]]) -> None:
        """Say how the new keys of `residual` come from the slots before."""
        grouped: dict[Monomial, list[tuple[int, Quantity]]] = {}
        for exponent, rest, known in split:
            grouped.setdefault(rest, []).append((exponent, self.quantity(known)))
        for rest, (scale, key, _, _) in residual.parts.items():
            if key and key not in sources and key not in self.slots:
                sources[key] = [
                    (exponent, Quantity(q.scale // scale, q.slot, q.constant // scale if exponent else 0))
                    for exponent, q in grouped[rest]
                ]
