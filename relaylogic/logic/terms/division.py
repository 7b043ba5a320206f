"""Floor division of numbers in normal form.

A number that is not defined for some value of its symbols says nothing about that value: `n * k // n` is `k`, and that
n may be 0 is no reason to keep the division. The normal form is defined wherever the number as written is.

`a // b` is brought to `whole + rest // divisor`, where the rest is 0 or
- no multiple of the divisor's leading monomial is in it: `(4 * n + 3) // 2 = 2 * n + 1`;
- it has no factor in common with the divisor, but for the constant: `(4 * n + 7) // 8 = (2 * n + 3) // 4`;
- it is not known to lie between two multiples of the divisor that follow each other: `(n % 4) // 4 = 0`;
- no single division is a term of it: `(n + m // 2) // 3 = (2 * n + m) // 6`.
"""

from __future__ import annotations

from collections import Counter
from math import gcd
from typing import Any

from ..large import quotient_of, remainder_of
from .arith import UNKNOWN, Arith
from .normal import add, is_plain, mul, number_of, opened, opened_poly
from .poly import Poly, add_to, divided, join, lead, order_of, stored, sum_of, without
from .ranges import is_natural, least, range_of

__all__ = ["exact_quotient", "quotient", "remainder"]

FACTORS = 8
"""So many symbols may be factors of a divisor that divisions are merged: its polynomial, and the dividend's, grow."""


def exact_quotient(a: Any, b: Any) -> Any:
    """The q with a = b * q of normal numbers, or None if there is none."""
    if a is UNKNOWN or b is UNKNOWN or b == 0:
        return None
    whole, rest = divided(opened(a), opened(b))
    return None if rest else number_of(whole)


def quotient(a: Any, b: Any) -> Any:
    """The floor of a / b of normal numbers; None if b is 0."""
    if b == 0:
        return None
    if type(a) is int and type(b) is int:
        return quotient_of(a, b)
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if type(b) is not int:
        exact = exact_quotient(a, b)
        if exact is not None:
            return exact
    return number_of(_Division(a, b).result())


def remainder(a: Any, b: Any) -> Any:
    """a - b * (a // b) of normal numbers; None if b is 0."""
    whole = quotient(a, b)
    if whole is None or whole is UNKNOWN:
        return whole
    return remainder_of(a, b) if type(a) is int and type(b) is int else add(a, mul(-1, mul(b, whole)))


class _Division:
    """A division under way: `whole + rest // divisor`, the whole open, the others folded."""

    def __init__(self, a: Any, b: Any) -> None:
        self.whole: Poly = {}
        self.rest = stored(a)
        self.divisor = stored(b)
        self.settled = False

    def result(self) -> Poly:
        """The quotient as an open polynomial."""
        while self.step():
            pass
        return self.whole

    def step(self) -> bool:
        """Simplify once; False at the end, when everything is in the whole."""
        divisor = sum_of(self.divisor)
        natural = is_natural(divisor)
        if not natural and self.turn(divisor):
            return True
        if natural and self.merge(divisor):
            return True
        self.undo_remainders()
        value = self.only_value(divisor)
        if value is None:
            self.divide()
            value = self.only_value(divisor)
        if value is not None:
            add_to(self.whole, {(): value})
            return False
        if self.cancel(natural) or (natural and self.merge(divisor)):
            return True
        rest = sum_of(self.rest)
        if type(divisor) is not int and not self.settled:
            self.settled = True
            settled = number_of(opened_poly(self.rest)), number_of(opened_poly(self.divisor))
            if settled != (rest, divisor):
                self.rest, self.divisor = map(stored, settled)
                return True
        add_to(self.whole, opened_poly({(Arith.make(("//", (rest, divisor))),): 1}))
        return False

    def turn(self, divisor: Any) -> bool:
        """Divide by a number whose leading coefficient is positive."""
        poly = opened(divisor)
        if poly[lead(poly)] > 0:
            return False
        self.rest, self.divisor = stored(mul(-1, sum_of(self.rest))), stored(mul(-1, divisor))
        return True

    def undo_remainders(self) -> None:
        """Write `n % 4` as `n - 4 * (n // 4)` where the divisor divides the 4."""
        while True:
            found = next(
                (
                    (atoms, atom)
                    for atoms, c in self.rest.items()
                    for atom in atoms
                    if type(atom) is Arith and atom.args[0] == "%" and self.divides(mul(c, atom.args[1][1]))
                ),
                None,
            )
            if found is None:
                return
            atoms, atom = found
            others = without(atoms, (atom,))
            assert others is not None
            first, second = atom.args[1]
            self.rest = dict(self.rest)
            c = self.rest.pop(atoms)
            add_to(self.rest, stored(first), c, others)
            add_to(self.rest, stored(second), -c, join(others, (Arith.make(("//", (first, second))),)))

    def divides(self, number: Any) -> bool:
        """Whether a number is a multiple of the divisor."""
        return not divided(stored(number), self.divisor)[1]

    def divide(self) -> None:
        """Take what the divisor divides into the whole."""
        whole, self.rest = divided(self.rest, self.divisor)
        add_to(self.whole, opened_poly(whole))

    def only_value(self, divisor: Any) -> int | None:
        """The value of the division, if bounds leave one only."""
        if not self.rest:
            return 0
        rest = sum_of(self.rest)
        if type(divisor) is int:
            low, high = range_of(rest)
            if low is None or high is None or low // divisor != high // divisor:
                return None
            return low // divisor
        if rest == -1 and is_natural(divisor):
            return -1
        for value in (0, -1):
            above = least(add(rest, mul(-value, divisor)))
            below = least(add(mul(value + 1, divisor), mul(-1, rest)))
            if above is not None and above >= 0 and below is not None and below >= 1:
                return value
        return None

    def cancel(self, natural: bool) -> bool:
        """Divide rest and divisor by what they have in common; of a natural divisor, whatever the constant is.

        A number may be that, or a monomial; a monomial if the constant is 0, or -1 as in `(n * k - 1) // (n * m)`.
        """
        constant = self.rest.get((), 0)
        terms = {atoms: c for atoms, c in self.rest.items() if atoms}
        common = Counter(lead(self.divisor))
        for atoms in (*self.divisor, *terms):
            common &= Counter(atoms)
        factor = tuple(sorted(common.elements(), key=lambda atom: order_of((atom,))))
        if constant and not (constant == -1 and natural and all(map(is_natural, factor))):
            factor = ()
        scale = gcd(*self.divisor.values(), *terms.values(), *(() if natural else (constant,)))
        if scale == 1 and not factor:
            return False
        rest, divisor = (
            {m: c // scale for atoms, c in poly.items() if (m := without(atoms, factor)) is not None}
            for poly in (terms, self.divisor)
        )
        if constant // scale:
            add_to(rest, {(): constant // scale})
        self.rest, self.divisor = rest, divisor
        return True

    def merge(self, divisor: Any) -> bool:
        """Write `(k + x // d) // b` as `(d * k + x) // (d * b)`, if there is one such division only.

        `-(x // d)` is a division too: it is `(-x + d - 1) // d`.
        """
        found = []
        for atoms, c in self.rest.items():
            if len(atoms) == 1 and type(atoms[0]) is Arith and atoms[0].args[0] == "//":
                if c == 1:
                    found.append((atoms, 1))
                elif (c == -1 or (type(divisor) is int and c == divisor - 1)) and is_plain(stored(atoms[0].args[1][1])):
                    found.append((atoms, -1 if c == -1 else divisor - 1))
        if len(found) != 1:
            return False
        ((atoms, c),) = found
        first, second = atoms[0].args[1]
        if len(lead(self.divisor)) + len(lead(stored(second))) > FACTORS:
            return False
        rest = {m: c for m, c in self.rest.items() if m != atoms}
        merged = mul(second, number_of(opened_poly(rest)))
        if c > 1:
            add_to(self.whole, opened_poly({atoms: 1}))
        if c != 1:
            merged, first = add(merged, add(second, -1)), mul(-1, first)
        self.rest = stored(add(merged, first))
        self.divisor = stored(mul(second, divisor))
        return True
