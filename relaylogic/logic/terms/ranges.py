"""Between what a number in normal form surely lies, its symbols being naturals."""

from __future__ import annotations

from math import lcm
from typing import Any

from .arith import Arith
from .poly import Poly, add_to, stored, without
from .terms import Slot, Symbol
from .variables import VARIABLES

__all__ = ["is_natural", "least", "range_of"]

Range = tuple[int | None, int | None]

MOST_SPLITS = 3
"""Of so many minima and maxima in a number, both cases are looked at."""


def range_of(number: Any) -> Range:
    """The least and the greatest value that a number may have; None for an end that is open.

    A division is asked about only where its divisor is not 0.
    """
    if type(number) is int:
        return (number, number)
    if type(number) is not Arith:
        return (0, None) if isinstance(number, Symbol) or type(number) in (Slot, *VARIABLES) else (None, None)
    try:
        return number.range
    except AttributeError:
        number.range = found = _range(number)
        return found


def is_natural(number: Any) -> bool:
    """Whether a number is never negative."""
    low = range_of(number)[0]
    return low is not None and low >= 0


def _range(number: Any) -> Range:
    operator, operands = number.args
    if operator in ("+", "*"):
        poly = stored(number)
        end = _least({atoms: -c for atoms, c in poly.items()})
        return (_least(poly), None if end is None else -end)
    if operator in ("sum", "prod"):
        return (0, None)
    (a_low, a_high), (b_low, b_high) = (range_of(operand) for operand in operands)
    if operator == "min":
        ends = [end for end in (a_high, b_high) if end is not None]
        return (None if a_low is None or b_low is None else min(a_low, b_low), min(ends) if ends else None)
    if operator == "max":
        ends = [end for end in (a_low, b_low) if end is not None]
        return (max(ends) if ends else None, None if a_high is None or b_high is None else max(a_high, b_high))
    if operator not in ("//", "%") or b_low is None or b_low < 0:
        return (None, None)
    if operator == "%":
        high = None if b_high is None else b_high - 1
        if a_low is not None and a_low >= 0 and a_high is not None:
            high = a_high if high is None else min(a_high, high)
        return (0, high)
    smallest = max(b_low, 1)
    low = None if a_low is None else a_low // smallest if a_low < 0 else a_low // b_high if b_high else 0
    high = None if a_high is None else a_high // smallest if a_high >= 0 else a_high // b_high if b_high else -1
    return (low, high)


def least(number: Any) -> int | None:
    """The least value that a number may have, or None."""
    return range_of(number)[0]


def _least(poly: Poly, splits: int = MOST_SPLITS) -> int | None:
    """The least value of a folded polynomial: the best of what it says as it stands and with its divisions relaxed.

    x // 4 lies between (x - 3) / 4 and x / 4; so n - n // 2 is at least n / 2, and n - min(n, m) at least n - n.
    """
    found = _sum_of_least(poly)
    for subtracted_only, operand in ((True, 0), (False, 0), (True, 1), (False, 1)):
        scale, relaxed = _relaxed(poly, subtracted_only, operand)
        if relaxed is poly:
            break
        low = _sum_of_least(relaxed)
        if low is not None:
            low = -(-low // scale)
            found = low if found is None else max(found, low)
    if splits and (found is None or found < 0):
        for atoms, c in poly.items():
            if len(atoms) == 1 and type(atoms[0]) is Arith and atoms[0].args[0] == ("min" if c > 0 else "max"):
                low = _least_of_cases(poly, atoms, splits - 1)
                return found if low is None else low if found is None else max(found, low)
    return found


def _least_of_cases(poly: Poly, atoms: tuple[Any, ...], splits: int) -> int | None:
    """The least value of a polynomial: one of its minima or maxima, all of a monomial, is one operand or the other."""
    low: int | None = None
    for operand in atoms[0].args[1]:
        case = {others: c for others, c in poly.items() if others is not atoms}
        add_to(case, stored(operand), poly[atoms])
        end = _least(case, splits)
        if end is None:
            return None
        low = end if low is None else min(low, end)
    return low


def _sum_of_least(poly: Poly) -> int | None:
    total = 0
    for atoms, c in poly.items():
        low: int | None = 1
        high: int | None = 1
        for atom in atoms:
            low, high = _product((low, high), range_of(atom))
        end = low if c > 0 else high
        if end is None:
            return None
        total += c * end
    return total


def _product(a: Range, b: Range) -> Range:
    (al, ah), (bl, bh) = a, b
    if al is not None and bl is not None and al >= 0 and bl >= 0:
        return (al * bl, 0 if 0 in (ah, bh) else None if ah is None or bh is None else ah * bh)
    if al is None or ah is None or bl is None or bh is None:
        return (None, None)
    corners = (al * bl, al * bh, ah * bl, ah * bh)
    return (min(corners), max(corners))


def _relaxed(poly: Poly, subtracted_only: bool, operand: int) -> tuple[int, Poly]:
    """A polynomial that is at most `scale * poly`: without its divisions by ints, an operand for a subtracted minimum.

    Returns the scale, and `poly` itself if there are neither.
    """
    chosen = {atoms: atom for atoms, c in poly.items() if (atom := _to_relax(atoms, c)) is not None}
    if not chosen:
        return 1, poly
    if subtracted_only:
        chosen = {atoms: atom for atoms, atom in chosen.items() if poly[atoms] < 0}
    scale = lcm(*(atom.args[1][1] for atom in chosen.values() if atom.args[0] == "//"))
    relaxed: Poly = {}
    for atoms, c in poly.items():
        if atoms not in chosen:
            add_to(relaxed, {atoms: c}, scale)
            continue
        operator, operands = chosen[atoms].args
        others = without(atoms, (chosen[atoms],))
        assert others is not None
        if operator == "min":
            add_to(relaxed, stored(operands[operand]), scale * c, others)
        else:
            part = stored(operands[0])
            if c > 0:
                add_to(part, {(): 1 - operands[1]})
            add_to(relaxed, part, scale // operands[1] * c, others)
    return scale, relaxed


def _to_relax(monomial: tuple[Any, ...], coefficient: int) -> Any:
    """The atom of a monomial that may be relaxed, the others being naturals."""
    found = None
    for atom in monomial:
        if type(atom) is not Arith:
            continue
        operator, operands = atom.args
        if found is None and (
            (operator == "//" and type(operands[1]) is int) or (operator == "min" and coefficient < 0)
        ):
            found = atom
        elif not is_natural(atom):
            return None
    return found
