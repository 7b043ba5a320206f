"""The integer points on which all linear equations hold: an origin and a basis.

Equations are taken one by one. On the points found so far an equation says w . t = b for the basis coordinates t;
Euclid's algorithm on the basis vectors leaves one w that is not 0, and the equation then fixes or refutes that
coordinate (Hermite's normal form, column by column: Cohen, "A Course in Computational Algebraic Number Theory", 2.4).
Products of variables count as unknowns of their own, so a refutation holds for them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .polynomials import Monomial, Poly, content

__all__ = ["Lattice"]

MOST_FILL = 200_000


class Lattice:
    """`origin` + all integer combinations of the basis vectors; coordinates are monomials."""

    def __init__(self, charge: Callable[[int], None]) -> None:
        self._charge = charge
        self._origin: dict[Monomial, int] = {}
        self._basis: dict[int, dict[Monomial, int]] = {}
        self._touching: dict[Monomial, set[int]] = {}
        self._names = 0
        self._fill = 0

    def require_all(self, equations: Iterable[Poly]) -> bool:
        """Keep only the points with equation = 0, for each; False if there are none."""
        return all(self._fill > MOST_FILL or self._require(poly) for poly in equations)

    def value(self, poly: Poly) -> tuple[int, int]:
        """(v, g): the values of `poly` on the lattice are v plus the multiples of g; a v alone if g is 0."""
        self._meet(poly)
        return self._at_origin(poly), content({(i,): w for i, w in self._along(poly).items()})

    def _meet(self, poly: Poly) -> None:
        for monomial in poly:
            if monomial and monomial not in self._touching:
                self._basis[self._names] = {monomial: 1}
                self._touching[monomial] = {self._names}
                self._names += 1

    def _at_origin(self, poly: Poly) -> int:
        return sum(c * (self._origin.get(m, 0) if m else 1) for m, c in poly.items())

    def _along(self, poly: Poly) -> dict[int, int]:
        """How much `poly` grows along each basis vector, where that is not 0."""
        growth: dict[int, int] = {}
        for monomial, coefficient in poly.items():
            for vector in self._touching.get(monomial, ()):
                growth[vector] = growth.get(vector, 0) + coefficient * self._basis[vector][monomial]
        return {vector: w for vector, w in growth.items() if w}

    def _require(self, poly: Poly) -> bool:
        self._meet(poly)
        value, growth = self._at_origin(poly), self._along(poly)
        self._charge(1 + len(growth))
        while len(growth) > 1:
            pivot = min(growth, key=lambda vector: (abs(growth[vector]), len(self._basis[vector])))
            for vector in [v for v in growth if v != pivot]:
                factor = growth[vector] // growth[pivot]
                self._subtract(vector, factor, pivot)
                growth[vector] -= factor * growth[pivot]
                if not growth[vector]:
                    del growth[vector]
        if not growth:
            return value == 0
        ((pivot, w),) = growth.items()
        if value % w:
            return False
        for monomial, coordinate in self._basis.pop(pivot).items():
            self._touching[monomial].discard(pivot)
            self._origin[monomial] = self._origin.get(monomial, 0) - value // w * coordinate
        return True

    def _subtract(self, vector: int, factor: int, pivot: int) -> None:
        target = self._basis[vector]
        self._charge(len(self._basis[pivot]))
        self._fill += len(self._basis[pivot])
        for monomial, coordinate in self._basis[pivot].items():
            changed = target.get(monomial, 0) - factor * coordinate
            if changed:
                target[monomial] = changed
                self._touching[monomial].add(vector)
            elif monomial in target:
                del target[monomial]
                self._touching[monomial].discard(vector)
