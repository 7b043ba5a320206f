"""Polynomials over the atoms of numbers: mappings from monomials, sorted tuples of atoms, to coefficients other than 0.

An atom is a symbol, a logic variable, or an `Arith` that no polynomial says. A number in normal form is stored as one:
`+` of monomials in order, a monomial as `*` of its coefficient, if that is not 1, and its atoms.
"""

from __future__ import annotations

from typing import Any

from .arith import Arith, parts_first, symbols_of
from .flat import flattened
from .notation import OPENING, opening_of
from .terms import Slot
from .variables import VARIABLES

__all__ = [
    "Poly",
    "add_to",
    "divided",
    "join",
    "lead",
    "monomials",
    "order_of",
    "place_of",
    "product",
    "stored",
    "sum_of",
    "without",
]

Poly = dict[tuple[Any, ...], int]


# --- monomials --------------------------------------------------------------------------------------------------------


def place_of(atom: Any) -> tuple[str, str]:
    """What atoms are ordered by."""
    kind = type(atom)
    if kind is Arith:
        try:
            return atom.place  # type: ignore[no-any-return]
        except AttributeError:
            text = opening_of(atom)
            is_whole = len(text) < OPENING
            atom.place = place = (text, repr([s.args for s in symbols_of(atom)]) if is_whole else _digest(atom))
            return place
    if kind in VARIABLES or kind is Slot:
        return (str(atom), "")
    args = getattr(atom, "args", (atom,))
    return (str(args[0]) if args else str(atom), repr(args))


def _digest(number: Arith) -> str:
    """What tells numbers apart that are too long to be told: made of what tells their parts apart, once of each."""
    from hashlib import blake2b  # it is seldom asked for

    for item in parts_first(number, lambda item: hasattr(item, "digest")):
        operator, operands = item.args
        said = operator, *(part.digest if type(part) is Arith else flattened(part) for part in operands)
        item.digest = blake2b(repr(said).encode(), digest_size=16).hexdigest()
    return number.digest


def order_of(monomial: tuple[Any, ...]) -> tuple[int, list[tuple[str, str]]]:
    """What monomials are ordered by: those of the highest degree come first. Multiplication keeps this order."""
    return (-len(monomial), [place_of(atom) for atom in monomial])


def lead(poly: Poly) -> tuple[Any, ...]:
    """The first monomial of a polynomial that is not 0."""
    return min(poly, key=order_of) if len(poly) > 1 else next(iter(poly))


def join(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    """The product of two monomials."""
    if not first or not second:
        return first or second
    return tuple(sorted(first + second, key=place_of))


def without(monomial: tuple[Any, ...], factor: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A monomial divided by another, or None if that does not divide it."""
    if not factor:
        return monomial
    rest = list(monomial)
    for atom in factor:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)


# --- polynomials ------------------------------------------------------------------------------------------------------


def add_to(poly: Poly, other: Poly, factor: int = 1, monomial: tuple[Any, ...] = ()) -> None:
    """Add `factor * monomial * other` to `poly`."""
    for atoms, c in other.items():
        place = join(monomial, atoms) if monomial else atoms
        value = poly.get(place, 0) + factor * c
        if value:
            poly[place] = value
        else:
            poly.pop(place, None)


def product(a: Poly, b: Poly) -> Poly:
    """The product of two polynomials."""
    result: Poly = {}
    for atoms, c in a.items():
        add_to(result, b, c, atoms)
    return result


def divided(dividend: Poly, divisor: Poly) -> tuple[Poly, Poly]:
    """Whole and rest: no monomial of the rest is a multiple of the divisor's leading one.

    But for its coefficient, which is less than that of the divisor, if this is positive.
    """
    first = lead(divisor)
    scale = divisor[first]
    whole: Poly = {}
    rest: Poly = {}
    pending = dict(dividend)
    while pending:
        atoms = lead(pending) if len(divisor) > 1 else next(iter(pending))
        c = pending.pop(atoms)
        factor = without(atoms, first)
        if factor is None:
            rest[atoms] = c
            continue
        times, left = divmod(c, scale)
        if left:
            rest[atoms] = left
        if times:
            whole[factor] = times
            for others, d in divisor.items():
                if others != first:
                    add_to(pending, {others: d}, -times, factor)
    return whole, rest


def stored(number: Any) -> Poly:
    """A number as the folded polynomial that it is."""
    if type(number) is int:
        return {(): number} if number else {}
    if type(number) is Arith and number.args[0] == "+":
        return dict(map(_monomial, number.args[1]))
    return dict((_monomial(number),))


def monomials(number: Any) -> list[tuple[tuple[Any, ...], int]]:
    """A number in normal form as a list of (atoms, coefficient); the constant's atoms are `()`."""
    return list(stored(number).items())


def _monomial(number: Any) -> tuple[tuple[Any, ...], int]:
    if type(number) is int:
        return (), number
    if type(number) is Arith and number.args[0] == "*":
        first, *others = factors = number.args[1]
        return (tuple(others), first) if type(first) is int else (factors, 1)
    return (number,), 1


def sum_of(poly: Poly) -> Any:
    """A folded polynomial as a number."""
    if len(poly) < 2:
        return _product(*next(iter(poly.items()))) if poly else 0
    if len(poly) == 2 and () in poly:  # the constant comes last
        ordered = [item for item in poly.items() if item[0]] + [((), poly[()])]
    else:
        ordered = sorted(poly.items(), key=lambda item: order_of(item[0]))
    return Arith.make(("+", tuple([_product(atoms, c) for atoms, c in ordered])))


def _product(atoms: tuple[Any, ...], coefficient: int) -> Any:
    if not atoms:
        return coefficient
    if coefficient != 1:
        return Arith.make(("*", (coefficient, *atoms)))
    return atoms[0] if len(atoms) == 1 else Arith.make(("*", atoms))
