"""The normal form of numbers over symbols: a polynomial whose atoms are symbols, divisions, minima and maxima.

A polynomial maps monomials, sorted tuples of atoms, to coefficients. A number has two of them:

- *open*: no remainder, no maximum of two, and of two divisions that mirror each other only one. Equal sums and products
  come out equal, since `n % 2` is `n - 2 * (n // 2)`, `(n + 1) // 2` is `n - n // 2`, and `max(n, m)` is
  `n + m - min(n, m)`. Numbers are added and multiplied here.
- *folded*: these three are put back wherever the polynomial holds all of what they stand for. This is what an `Arith`
  holds and what is printed; it is a function of the open one, so it is as canonical.

Atoms that are logic variables are taken for naturals, like symbols.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..large import product_of
from .arith import UNKNOWN, Arith
from .poly import Poly, add_to, divided, join, lead, monomials, order_of, place_of, product, stored, sum_of, without

__all__ = ["add", "folded", "is_plain", "mul", "number_of", "opened", "opened_poly", "total_of"]


def number_of(poly: Poly) -> Any:
    """An open polynomial without coefficients 0 as a number in normal form."""
    return sum_of(folded(poly))


def add(a: Any, b: Any) -> Any:
    """a + b of normal numbers."""
    if type(a) is int and type(b) is int:
        return a + b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    result = dict(opened(a))
    add_to(result, opened(b))
    return number_of(result)


def total_of(values: Iterable[Any]) -> Any:
    """The sum of normal numbers, none of which is `?`."""
    constant = 0
    others: list[Any] = []
    for value in values:
        if type(value) is int:
            constant += value
        else:
            others.append(value)
    if not others:
        return constant
    if len(others) == 1 and not constant:
        return others[0]
    result = dict(opened(others[0]))
    for other in others[1:]:
        add_to(result, opened(other))
    if constant:
        add_to(result, {(): constant})
    return number_of(result)


def mul(a: Any, b: Any) -> Any:
    """a * b of normal numbers."""
    if type(a) is int and type(b) is int:
        return product_of(a, b)
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    return number_of(product(opened(a), opened(b)))


# --- opening ----------------------------------------------------------------------------------------------------------


def _opening(atom: Any) -> Poly | None:
    """An atom as an open polynomial of others, or None if it occurs in these itself."""
    if type(atom) is not Arith:
        return None
    try:
        return atom.opening
    except AttributeError:
        atom.opening = found = _opened_atom(atom) if _is_folded(atom) else None
        return found


def _is_folded(atom: Any) -> bool:
    operator = atom.args[0]
    if operator == "//":
        return _is_mirror(atom) or _is_shifted(atom)
    return operator == "%" or (operator == "max" and _is_choice_of_two(atom))


def _is_shifted(division: Any) -> bool:
    """Whether a division by an int has negative coefficients: (n - m) // 2 for (n + m) // 2 - m."""
    dividend, divisor = division.args[1]
    return type(divisor) is int and any(c < 0 for _, c in monomials(dividend))


def _is_choice_of_two(atom: Any) -> bool:
    """Whether a choice has two operands without choices in them."""
    return not any(
        type(part) is Arith and part.args[0] in ("min", "max")
        for operand in atom.args[1]
        for atoms in stored(operand)
        for part in atoms
    )


def is_plain(divisor: Poly) -> bool:
    """Whether a divisor is at least 1 wherever it is not 0, as is seen from its signs."""
    return all(c > 0 and all(type(atom) is not Arith for atom in atoms) for atoms, c in divisor.items())


def _is_mirror(division: Any) -> bool:
    """Whether of a division and its mirror the other one is kept: the one with lesser coefficients.

    The mirror of (2 * n + 1) // 5 is (3 * n + 3) // 5; together they are n. The mirror of (n - k) // m is
    (k - n - 1) // m; together they are -1.
    """
    dividend, divisor = division.args[1]
    if type(divisor) is not int:
        return _is_mirror_of_symbols(division)
    constant = 0
    for atoms, c in monomials(dividend):
        if not atoms:
            constant = c
        elif 2 * c != divisor:
            return 2 * c > divisor
    return 2 * constant > divisor - 1


def _is_mirror_of_symbols(division: Any) -> bool:
    dividend, divisor = division.args[1]
    if not is_plain(stored(divisor)):
        return False
    mirror = _mirror_of_symbols(division)[0]
    negative = _is_negative(stored(dividend), stored(divisor))
    if negative != _is_negative(stored(mirror.args[1][0]), stored(divisor)):
        return negative
    return place_of(division) > place_of(mirror)


def _is_negative(dividend: Poly, divisor: Poly) -> bool:
    first = lead(divisor)
    for atoms, c in sorted(dividend.items(), key=lambda item: order_of(item[0])):
        if without(atoms, first) is None:
            return c < 0
        if 2 * c != divisor[first]:
            return 2 * c > divisor[first]
    return False


def _mirror(dividend: Poly, divisor: int) -> Poly:
    """The dividend of the mirror of a division."""
    constant = divisor - 1 - dividend.get((), 0)
    mirror = {atoms: divisor - c for atoms, c in dividend.items() if atoms}
    return mirror | {(): constant} if constant else mirror


def _division(dividend: Poly, divisor: int) -> Any:
    return Arith.make(("//", (sum_of(dividend), divisor)))


def _mirror_of_symbols(division: Any) -> tuple[Any, Poly]:
    """The mirror of a division by a number with symbols, and their sum."""
    try:
        return division.mirror  # type: ignore[no-any-return]
    except AttributeError:
        dividend, divisor = division.args[1]
        whole, rest = divided(stored(add(-1, mul(-1, dividend))), stored(divisor))
        add_to(whole, {(): 1})
        mirror = Arith.make(("//", (number_of(opened_poly(rest)), divisor)))
        division.mirror = found = mirror, opened_poly({atoms: -c for atoms, c in whole.items()})
        return found


def opened(number: Any) -> Poly:
    """A number as an open polynomial."""
    return opened_poly(stored(number))


def opened_poly(poly: Poly) -> Poly:
    """A folded polynomial as an open one; it may be the same object."""
    if all(_opening(atom) is None for atoms in poly for atom in atoms):
        return poly
    result: Poly = {}
    for atoms, c in poly.items():
        openings = [(atom, _opening(atom)) for atom in atoms]
        part: Poly = {tuple(atom for atom, opening in openings if opening is None): c}
        for _, opening in openings:
            if opening is not None:
                part = product(part, opening)
        add_to(result, part)
    return result


def _opened_atom(atom: Any) -> Poly:
    operator, (first, second) = atom.args
    if operator == "//" and type(second) is int:
        return _opened_division(stored(first), second)
    if operator == "//":
        mirror, both = _mirror_of_symbols(atom)
        result = dict(both)
        add_to(result, {(mirror,): -1})
        return result
    result = dict(opened(first))
    if operator == "%":
        add_to(result, product(opened(second), {(Arith.make(("//", (first, second))),): 1}), -1)
    else:
        add_to(result, opened(second))
        add_to(result, {(Arith.make(("min", (first, second))),): -1})
    return result


def _opened_division(dividend: Poly, divisor: int) -> Poly:
    """A division by an int that is a mirror or shifted or both."""
    result = dict(opened_poly({atoms: c // divisor for atoms, c in dividend.items() if c // divisor}))
    division = _division({atoms: c % divisor for atoms, c in dividend.items() if c % divisor}, divisor)
    if _is_mirror(division):
        dividend = stored(division.args[1][0])
        add_to(result, opened_poly({atoms: 1 for atoms in dividend if atoms}))
        add_to(result, {(_division(_mirror(dividend, divisor), divisor),): -1})
    else:
        add_to(result, {(division,): 1})
    return result


# --- folding ----------------------------------------------------------------------------------------------------------


def folded(poly: Poly) -> Poly:
    """An open polynomial folded; it may be the same object.

    Atoms that hold others come before these. Each step takes away a division or a minimum of the open polynomial.
    """
    found = {atom for atoms in poly for atom in atoms if type(atom) is Arith and atom.args[0] in ("//", "min")}
    if not found or len(poly) < 2 or _is_lone(poly, found):
        return poly
    agenda = sorted(found, key=lambda atom: (-len(place_of(atom)[0]), place_of(atom)))
    poly = dict(poly)
    changed = True
    while changed:
        changed = False
        for atom in agenda:
            held = sorted((atoms for atoms in poly if atom in atoms), key=order_of)
            added = not held or poly[held[0]] > 0
            for atoms in held:
                while atoms in poly and _fold(poly, atom, atoms, added):
                    changed = True
    return poly


def _is_lone(poly: Poly, atoms: set[Any]) -> bool:
    """Whether there is one monomial besides the constant: nothing that divisions by ints, and minima, go with."""
    if len(poly) > 2 or () not in poly:
        return False
    return all(atom.args[0] == "min" or type(atom.args[1][1]) is int for atom in atoms)


def _fold(poly: Poly, atom: Any, atoms: tuple[Any, ...], added: bool) -> bool:
    """Put a mirror, a remainder or a maximum for an atom in a monomial and for what belongs to it.

    `added` says whether the first monomial with the atom has a positive coefficient.
    """
    rest = without(atoms, (atom,))
    assert rest is not None
    c = poly[atoms]
    operator, (first, second) = atom.args
    if operator == "min":
        if not _is_choice_of_two(atom):
            return False
        both = dict(opened(first))
        add_to(both, opened(second))
        return _put(poly, Arith.make(("max", (first, second))), rest, -c, both, {(atom,): -1})
    if type(second) is int and _shift(poly, atom, rest, c, added):
        return True
    if type(second) is not int and c < 0 and is_plain(stored(second)):
        mirror, both = _mirror_of_symbols(atom)
        if _put(poly, mirror, rest, -c, both, {(atom,): -1}):
            return True
    modulus = opened(second)
    if not modulus:
        return False  # of a division by 0 there is no remainder
    first_of_modulus = lead(modulus)
    outside = without(rest, first_of_modulus)
    if outside is None or c % modulus[first_of_modulus]:
        return False
    times = -c // modulus[first_of_modulus]
    taken_away = {join((atom,), part): -factor for part, factor in modulus.items()}
    return _put(poly, Arith.make(("%", (first, second))), outside, times, opened(first), taken_away)


def _shift(poly: Poly, division: Any, outside: tuple[Any, ...], times: int, added: bool) -> bool:
    """Put for `times * outside * division` what takes terms of `poly` with it.

    That is the division with negative coefficients, `(n - m) // 2` for `(n + m) // 2 - m`, or its mirror:
    `(n + 1) // 2` for `n - n // 2`, `(n - m + 1) // 2` for `n - (n + m) // 2`. One that is added is better than one
    subtracted, and the same for all monomials better than some of each.
    """
    first, divisor = division.args[1]
    for mirrored in (not added, added):
        shifted = _mirror(stored(first), divisor) if mirrored else stored(first)
        taken: Poly = {}
        useful = False
        for atoms in [atoms for atoms in shifted if atoms]:
            part = opened_poly({atoms: times})
            opposite = {m: -c for m, c in part.items()}
            if mirrored:
                if _units(poly, opposite, outside):
                    add_to(taken, opposite)
                    useful = True
                    continue
                units = _units(poly, part, outside)
                shifted[atoms] -= (units + 1) * divisor
                add_to(taken, part, units)
            else:
                units = _units(poly, opposite, outside)
                shifted[atoms] -= units * divisor
                add_to(taken, opposite, units)
                useful = useful or units > 0
        shown = _shown(shifted, divisor) if useful else None
        if shown is not None:
            add_to(taken, {(division,): times})
            add_to(poly, taken, -1, outside)
            add_to(poly, {(shown,): -times if mirrored else times}, 1, outside)
            return True
    return False


def _shown(dividend: Poly, divisor: int) -> Any:
    """A shifted division with its dividend in normal form; None if it is not found again in that."""
    number = number_of(opened_poly(dividend))
    return Arith.make(("//", (number, divisor))) if stored(number) == dividend else None


def _units(poly: Poly, part: Poly, outside: tuple[Any, ...]) -> int:
    """How often a polynomial holds the terms of `outside * part`, of the same sign."""
    found = []
    for atoms, c in part.items():
        held = poly.get(join(outside, atoms), 0)
        found.append(held // c if held * c > 0 else 0)
    return min(found)


def _put(poly: Poly, atom: Any, outside: tuple[Any, ...], times: int, this: Poly, that: Poly) -> bool:
    """Put `times * outside * atom` for `times * outside * (this + that)`, if `poly` holds all of it.

    A remainder may lack its constant: `n - 2 * ((n + 1) // 2)` is one, but for 1.
    """
    free = atom.args[0] == "%" and not outside and len(this) > 1
    for part in (this, that):
        wanted = {atoms: times * c for atoms, c in part.items() if atoms or not free}
        if wanted and not _units(poly, wanted, outside):
            return False
    add_to(poly, this, -times, outside)
    add_to(poly, that, -times, outside)
    add_to(poly, {(atom,): times}, 1, outside)
    return True
