"""Numbers as the engine knows them: naturals, the unknown, and normalised integer expressions over rigid symbols.

Representation: an `Expr` is a polynomial, `args` = a sorted tuple of (coefficient, monomial), where a monomial is a
sorted tuple of atoms and the constant's monomial is `()`. An atom is a `Symbol` or an `Atom(operator, a, b)` for what
polynomials cannot say (floor division, remainder, minimum, maximum). An expression that is a plain integer is an `int`
and one that is a plain symbol is that symbol, so two numbers are equal exactly if they are the same object or equal
integers. `UNKNOWN` absorbs: any arithmetic with it is `UNKNOWN`.
"""

from __future__ import annotations

from typing import Any

from .infix import Infix
from .terms import Symbol, Term

__all__ = [
    "UNKNOWN",
    "Atom",
    "Expr",
    "Unknown",
    "add",
    "exact_quotient",
    "floordiv",
    "is_number",
    "maximum",
    "minimum",
    "mod",
    "mul",
    "show_number",
    "substitute",
    "symbols_of",
]

_Poly = dict[tuple[Any, ...], int]


class Unknown(Term, Infix):
    """A number that nobody can know before run time; printed `?`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "?"

    __str__ = __repr__


UNKNOWN: Unknown = Unknown()


class Atom(Term, Infix):
    """An indivisible integer expression: `Atom("//", a, b)`, `Atom("%", a, b)`, and with "min" and "max"."""

    __slots__ = ()

    def __str__(self) -> str:
        operator, a, b = self.args
        if operator in ("min", "max"):
            return f"{operator}({show_number(a)}, {show_number(b)})"
        return f"{_grouped(a)} {operator} {_grouped(b)}"


class Expr(Term, Infix):
    """A polynomial over symbols and atoms in normal form."""

    __slots__ = ()

    def __str__(self) -> str:
        return show_number(self)


def is_number(term: Any) -> bool:
    """Whether `term` is a ground number: a natural, `UNKNOWN`, a symbol or an expression."""
    return type(term) is int or isinstance(term, (Symbol, Expr, Atom, Unknown))


def _poly(number: Any) -> _Poly:
    if type(number) is int:
        return {(): number} if number else {}
    if type(number) is Expr:
        return {monomial: coefficient for coefficient, monomial in number.args}
    return {(number,): 1}


def _atom_key(atom: Any) -> tuple[str, str]:
    return (str(atom), repr(atom.args))


def _normal(poly: _Poly) -> Any:
    kept = [(monomial, c) for monomial, c in poly.items() if c]
    if not kept:
        return 0
    if len(kept) == 1:
        monomial, c = kept[0]
        if not monomial:
            return c
        if c == 1 and len(monomial) == 1:
            return monomial[0]
    kept.sort(key=lambda item: (-len(item[0]), [_atom_key(a) for a in item[0]]))
    return Expr.make(tuple((c, monomial) for monomial, c in kept))


def add(a: Any, b: Any) -> Any:
    """a + b."""
    if type(a) is int and type(b) is int:
        return a + b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    total = dict(_poly(a))
    for monomial, c in _poly(b).items():
        total[monomial] = total.get(monomial, 0) + c
    return _normal(total)


def mul(a: Any, b: Any) -> Any:
    """a * b."""
    if type(a) is int and type(b) is int:
        return a * b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    product: _Poly = {}
    for m1, c1 in _poly(a).items():
        for m2, c2 in _poly(b).items():
            monomial = tuple(sorted(m1 + m2, key=_atom_key))
            product[monomial] = product.get(monomial, 0) + c1 * c2
    return _normal(product)


def exact_quotient(a: Any, b: Any) -> Any:
    """The q with a = b * q for a `b` of one monomial, or None if there is none."""
    divisor = _poly(b)
    if len(divisor) != 1:
        return None
    ((m2, c2),) = divisor.items()
    quotient: _Poly = {}
    for m1, c1 in _poly(a).items():
        rest = list(m1)
        for atom in m2:
            if atom not in rest:
                return None
            rest.remove(atom)
        if c1 % c2:
            return None
        quotient[tuple(rest)] = c1 // c2
    return _normal(quotient)


def floordiv(a: Any, b: Any) -> Any:
    """The floor of a / b; None if b is 0."""
    if b == 0:
        return None
    if type(a) is int and type(b) is int:
        return a // b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    whole = exact_quotient(a, b)
    if whole is not None:
        return whole
    if type(b) is int and b > 0:
        # Terms that b divides leave the quotient: (4 * n + 3) // 2 = 2 * n + 1.
        out: _Poly = {}
        rest: _Poly = {}
        for monomial, c in _poly(a).items():
            if c // b:
                out[monomial] = c // b
            if c % b:
                rest[monomial] = c % b
        if list(rest) in ([], [()]):
            return _normal(out)
        return add(_normal(out), Atom("//", _normal(rest), b))
    return Atom("//", a, b)


def mod(a: Any, b: Any) -> Any:
    """a - b * (a // b); None if b is 0."""
    if b == 0:
        return None
    if type(a) is int and type(b) is int:
        return a % b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if exact_quotient(a, b) is not None:
        return 0
    if type(b) is int and b > 0:
        rest = _normal({monomial: c % b for monomial, c in _poly(a).items()})
        return rest % b if type(rest) is int else Atom("%", rest, b)
    return Atom("%", a, b)


def _extremum(operator: str, a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return min(a, b) if operator == "min" else max(a, b)
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    difference = add(a, mul(-1, b))
    if type(difference) is int:
        return a if (difference <= 0) == (operator == "min") else b
    first, second = sorted((a, b), key=str)
    return Atom(operator, first, second)


def minimum(a: Any, b: Any) -> Any:
    """The lesser of a and b."""
    return _extremum("min", a, b)


def maximum(a: Any, b: Any) -> Any:
    """The greater of a and b."""
    return _extremum("max", a, b)


_OPERATIONS = {"//": floordiv, "%": mod, "min": minimum, "max": maximum}


def substitute(number: Any, replacement: dict[Any, Any]) -> Any:
    """`number` with symbols replaced by numbers and normalised again; None where a division by zero arises."""
    if type(number) is int or number is UNKNOWN:
        return number
    if isinstance(number, Symbol):
        return replacement.get(number, number)
    if type(number) is Atom:
        operator, a, b = number.args
        new_a, new_b = substitute(a, replacement), substitute(b, replacement)
        return None if new_a is None or new_b is None else _OPERATIONS[operator](new_a, new_b)
    total: Any = 0
    for c, monomial in number.args:
        product: Any = c
        for atom in monomial:
            value = substitute(atom, replacement)
            if value is None:
                return None
            product = mul(product, value)
        total = add(total, product)
    return total


def symbols_of(number: Any) -> list[Any]:
    """The symbols that occur in `number`, in order of first occurrence."""
    found: dict[Any, None] = {}
    stack = [number]
    while stack:
        item = stack.pop()
        if isinstance(item, Symbol):
            found[item] = None
        elif type(item) is Atom:
            stack.extend((item.args[2], item.args[1]))
        elif type(item) is Expr:
            stack.extend(atom for _, monomial in reversed(item.args) for atom in reversed(monomial))
    return list(found)


def show_number(number: Any) -> str:
    """`number` in infix notation: `2 * n + 1`."""
    if type(number) is not Expr:
        return str(number)
    parts = []
    for c, monomial in number.args:
        factors = [_grouped(a) if type(a) is Atom else str(a) for a in monomial]
        if abs(c) != 1 or not factors:
            factors.insert(0, str(abs(c)))
        sign = "-" if c < 0 else "+"
        parts.append((sign, " * ".join(factors)))
    text = ("-" if parts[0][0] == "-" else "") + parts[0][1]
    return text + "".join(f" {sign} {part}" for sign, part in parts[1:])


def _grouped(number: Any) -> str:
    text = show_number(number)
    composite = type(number) is Expr or (type(number) is Atom and number.args[0] in ("//", "%"))
    return f"({text})" if composite else text
