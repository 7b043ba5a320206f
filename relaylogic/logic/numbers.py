"""Numbers: naturals, the unknown, and arithmetic over symbols and variables - one family of terms.

Representation. A number is an `int`, `UNKNOWN`, a `Symbol`, a logic variable, or an `Arith(operator, operands)`. An
`Arith` without logic variables is in normal form, so two such numbers are equal exactly if they are one object or
equal ints: a polynomial is `+` of monomials and a constant, sorted; a monomial is `*` of a coefficient other than 1 and
sorted atoms; an atom is a symbol, or `//`, `%`, `min`, `max` of two numbers, which polynomials cannot say. An `Arith`
with logic variables is kept as it was written, and normal as soon as its variables are known (`evaluate`). `sum` and
`prod` have one operand, a list, which may be open. `UNKNOWN` absorbs: any arithmetic with it is `UNKNOWN`.

What was tried: a normal form with variables in it, made anew whenever one of them is bound, costs three times what
writing the expression down and evaluating it costs, and most expressions are evaluated once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from .infix import Infix
from .terms import Cons, Slot, Symbol, Term, reify_term, walk

__all__ = [
    "FOLDS",
    "UNKNOWN",
    "Arith",
    "Unknown",
    "add",
    "ceildiv",
    "difference",
    "evaluate",
    "exact_quotient",
    "expanded",
    "floordiv",
    "is_fold",
    "is_number",
    "maximum",
    "minimum",
    "mod",
    "monomials",
    "mul",
    "plus",
    "polynomial",
    "prod",
    "quotient",
    "remainder",
    "show_number",
    "substitute",
    "symbols_of",
    "times",
    "total",
]

Poly = dict[tuple[Any, ...], int]
FOLDS = ("sum", "prod")
"""The operators of a list."""


class Unknown(Term, Infix):
    """A number that nobody can know before run time; printed `?`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "?"

    __str__ = __repr__


UNKNOWN: Unknown = Unknown()


class Arith(Term, Infix):
    """An operator (`+ - * // % min max sum prod`) applied to operands; see the module for the normal form."""

    __slots__ = ()

    @classmethod
    def assemble(cls, args: tuple[Any, ...]) -> Any:
        """The number, normal if it has no variables; one that is not defined (a division by zero) stays a draft."""
        operator, operands = args
        try:
            value = _computed(operator, operands)
        except (ZeroDivisionError, TypeError):
            return cls.draft(args)
        return cls.make(args) if value is None else value

    @property
    def operator(self) -> str:
        """What is computed."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def operands(self) -> tuple[Any, ...]:
        """What it is computed of."""
        return self.args[1]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return show_number(self)

    __repr__ = __str__


def is_number(term: Any) -> bool:
    """Whether `term` is a number without logic variables."""
    return type(term) is int or isinstance(term, (Symbol, Unknown)) or (type(term) is Arith and term.ground)


def _is_fixed(operand: Any) -> bool:
    return type(operand) is int or (isinstance(operand, (Symbol, Unknown, Arith)) and operand.ground)


def is_fold(term: Any) -> bool:
    """Whether `term` is the sum or the product of a list."""
    return type(term) is Arith and term.args[0] in FOLDS


# --- writing expressions down -----------------------------------------------------------------------------------------


def _written(operator: str, operands: tuple[Any, ...]) -> Any:
    for operand in operands:
        if type(operand) is not int and not _is_fixed(operand):
            return Arith.draft((operator, operands))
    return Arith.assemble((operator, operands))


def plus(*operands: Any) -> Any:
    """The sum of the operands."""
    return _written("+", operands)


def difference(a: Any, b: Any) -> Any:
    """a - b."""
    return _written("-", (a, b))


def times(*operands: Any) -> Any:
    """The product of the operands."""
    return _written("*", operands)


def floordiv(a: Any, b: Any) -> Any:
    """The floor of a / b."""
    return _written("//", (a, b))


def ceildiv(a: Any, b: Any) -> Any:
    """The ceiling of a / b."""
    return _written("//", (plus(a, b, -1), b))


def mod(a: Any, b: Any) -> Any:
    """The remainder of a by b."""
    return _written("%", (a, b))


def minimum(a: Any, b: Any) -> Any:
    """The lesser of a and b."""
    return _written("min", (a, b))


def maximum(a: Any, b: Any) -> Any:
    """The greater of a and b."""
    return _written("max", (a, b))


def total(items: Any) -> Any:
    """The sum of the elements of a list, which may still be open."""
    return Arith.draft(("sum", (items,)))


def prod(items: Any) -> Any:
    """The product of the elements of a list, which may still be open; 1 for the empty list."""
    return Arith.draft(("prod", (items,)))


# --- normal form ------------------------------------------------------------------------------------------------------


def _poly(number: Any) -> Poly:
    if type(number) is int:
        return {(): number} if number else {}
    if type(number) is Arith and number.args[0] == "+":
        return dict(map(_monomial, number.args[1]))
    return dict((_monomial(number),))


def _monomial(number: Any) -> tuple[tuple[Any, ...], int]:
    if type(number) is int:
        return (), number
    if type(number) is Arith and number.args[0] == "*":
        first, *others = factors = number.args[1]
        return (tuple(others), first) if type(first) is int else (factors, 1)
    return (number,), 1


def monomials(number: Any) -> list[tuple[tuple[Any, ...], int]]:
    """A number in normal form as a list of (atoms, coefficient); the constant's atoms are `()`."""
    return list(_poly(number).items())


def _atom_key(atom: Any) -> tuple[str, str]:
    return (str(atom), repr(atom.args))


def _normal(poly: Poly) -> Any:
    kept = [(atoms, c) for atoms, c in poly.items() if c]
    if not kept:
        return 0
    if len(kept) == 1:
        return _product(*kept[0])
    kept.sort(key=lambda item: (-len(item[0]), [_atom_key(a) for a in item[0]]))
    return Arith.make(("+", tuple(_product(atoms, c) for atoms, c in kept)))


def _product(atoms: tuple[Any, ...], coefficient: int) -> Any:
    if not atoms:
        return coefficient
    if coefficient != 1:
        return Arith.make(("*", (coefficient, *atoms)))
    return atoms[0] if len(atoms) == 1 else Arith.make(("*", atoms))


def add(a: Any, b: Any) -> Any:
    """a + b of normal numbers."""
    if type(a) is int and type(b) is int:
        return a + b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    result = dict(_poly(a))
    for atoms, c in _poly(b).items():
        result[atoms] = result.get(atoms, 0) + c
    return _normal(result)


def mul(a: Any, b: Any) -> Any:
    """a * b of normal numbers."""
    if type(a) is int and type(b) is int:
        return a * b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    product: Poly = {}
    for m1, c1 in _poly(a).items():
        for m2, c2 in _poly(b).items():
            atoms = tuple(sorted(m1 + m2, key=_atom_key))
            product[atoms] = product.get(atoms, 0) + c1 * c2
    return _normal(product)


def exact_quotient(a: Any, b: Any) -> Any:
    """The q with a = b * q for a `b` of one monomial, or None if there is none."""
    divisor = _poly(b)
    if len(divisor) != 1:
        return None
    ((m2, c2),) = divisor.items()
    result: Poly = {}
    for m1, c1 in _poly(a).items():
        rest = list(m1)
        for atom in m2:
            if atom not in rest:
                return None
            rest.remove(atom)
        if c1 % c2:
            return None
        result[tuple(rest)] = c1 // c2
    return _normal(result)


def quotient(a: Any, b: Any) -> Any:
    """The floor of a / b of normal numbers; None if b is 0."""
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
        out: Poly = {}
        rest: Poly = {}
        for atoms, c in _poly(a).items():
            if c // b:
                out[atoms] = c // b
            if c % b:
                rest[atoms] = c % b
        if list(rest) in ([], [()]):
            return _normal(out)
        return add(_normal(out), Arith.make(("//", (_normal(rest), b))))
    return Arith.make(("//", (a, b)))


def remainder(a: Any, b: Any) -> Any:
    """a - b * (a // b) of normal numbers; None if b is 0."""
    if b == 0:
        return None
    if type(a) is int and type(b) is int:
        return a % b
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if exact_quotient(a, b) is not None:
        return 0
    if type(b) is int and b > 0:
        rest = _normal({atoms: c % b for atoms, c in _poly(a).items()})
        return rest % b if type(rest) is int else Arith.make(("%", (rest, b)))
    return Arith.make(("%", (a, b)))


def _extremum(operator: str, a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return min(a, b) if operator == "min" else max(a, b)
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    gap = add(a, mul(-1, b))
    if type(gap) is int:
        return a if (gap <= 0) == (operator == "min") else b
    first, second = sorted((a, b), key=str)
    return Arith.make((operator, (first, second)))


def _least(a: Any, b: Any) -> Any:
    return _extremum("min", a, b)


def _greatest(a: Any, b: Any) -> Any:
    return _extremum("max", a, b)


_BINARY = {"//": quotient, "%": remainder, "min": _least, "max": _greatest}


# --- evaluation -------------------------------------------------------------------------------------------------------


def _computed(operator: str, values: tuple[Any, ...]) -> Any:
    """The number that an operator makes of values; None while one of them (or a list's end) is not known.

    Raises ZeroDivisionError for a division by zero, TypeError for an operand that is no number.
    """
    if operator in FOLDS:
        (items,) = values
        if type(items) is not tuple:
            return None
        operator, values = ("+" if operator == "sum" else "*"), items
    missing = False
    for value in values:
        if type(value) is not int:
            if value is UNKNOWN:
                return UNKNOWN
            if type(value) in (Var, Slot) or (type(value) is Arith and not value.ground):
                missing = True
            elif not _is_fixed(value):
                raise TypeError(f"{value!r} is no number")
    if missing:
        return None  # of 0 * n too: n may turn out to be `?`
    if operator == "+":
        result: Any = 0
        for value in values:
            result = result + value if type(result) is int and type(value) is int else add(result, value)
    elif operator == "*":
        result = 1
        for value in values:
            result = result * value if type(result) is int and type(value) is int else mul(result, value)
    elif operator == "-":
        a, b = values
        result = a - b if type(a) is int and type(b) is int else add(a, mul(-1, b))
    else:
        result = _BINARY[operator](values[0], values[1])
        if result is None:
            raise ZeroDivisionError
    return result


def evaluate(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """The number that `expression` is, or None while that is open.

    Raises ZeroDivisionError for a division by zero, TypeError for an operand that is no number.
    """
    kind = type(expression)
    if kind is int:
        return expression
    if kind is Var:
        expression = walk(expression, bindings)
        kind = type(expression)
        if kind is int:
            return expression
        if kind is Var:
            return None
    if kind is not Arith or expression.ground:
        if not _is_fixed(expression):
            raise TypeError(f"{expression!r} is no number")
        return expression
    operator, operands = expression.args
    if operator in FOLDS:
        items = reify_term(operands[0], bindings)
        if type(items) is not tuple:
            return _computed(operator, (items,))
        operator, operands = ("+" if operator == "sum" else "*"), items
    values = tuple([_value(operand, bindings) for operand in operands])
    return _computed(operator, values)


_OPEN = Arith.draft(("+", ()))  # a number that is not known yet


def _value(operand: Any, bindings: Mapping[Any, Any]) -> Any:
    if type(operand) is int:
        return operand
    value = evaluate(operand, bindings)
    return _OPEN if value is None else value


def expanded(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """`sum([a, b])` as `a + b`, `prod([a, b])` as `a * b`; None while the list is open."""
    operator, (items,) = expression.args
    items = reify_term(items, bindings)
    return Arith.draft(("+" if operator == "sum" else "*", items)) if type(items) is tuple else None


def substitute(number: Any, replacement: Mapping[Any, Any]) -> Any:
    """A normal number with symbols replaced by numbers and normalised again; None where a division by zero arises."""
    if type(number) is not Arith:
        return replacement.get(number, number) if isinstance(number, Symbol) else number
    operator, operands = number.args
    values = tuple([substitute(operand, replacement) for operand in operands])
    try:
        return None if None in values else _computed(operator, values)
    except ZeroDivisionError:
        return None


def polynomial(expression: Any) -> Poly:
    """An expression with variables as a polynomial: monomials (sorted tuples of atoms) with their coefficients.

    What polynomials cannot say (a floor division, the product of an open list) is an atom, like a variable.
    """
    if type(expression) is int:
        return {(): expression} if expression else {}
    operator, operands = expression.args if type(expression) is Arith else ("", ())
    if operator in FOLDS and type(operands[0]) is tuple:
        operator, operands = ("+" if operator == "sum" else "*"), operands[0]
    if operator not in ("+", "-", "*"):
        return {(expression,): 1}
    result: Poly = {(): 1} if operator == "*" else {}
    for index, operand in enumerate(operands):
        part = polynomial(operand)
        if operator == "*":
            product: Poly = {}
            for m1, c1 in result.items():
                for m2, c2 in part.items():
                    atoms = tuple(sorted(m1 + m2, key=str))
                    product[atoms] = product.get(atoms, 0) + c1 * c2
            result = product
        else:
            sign = -1 if operator == "-" and index else 1
            for atoms, c in part.items():
                result[atoms] = result.get(atoms, 0) + sign * c
    return {atoms: c for atoms, c in result.items() if c}


def symbols_of(number: Any) -> list[Any]:
    """The symbols that occur in `number`, in order of first occurrence."""
    found: dict[Any, None] = {}
    stack = [number]
    while stack:
        item = stack.pop()
        if isinstance(item, Symbol):
            found[item] = None
        elif type(item) is Arith:
            stack.extend(reversed(item.args[1]))
    return list(found)


# --- text -------------------------------------------------------------------------------------------------------------


def show_number(expression: Any, name: Any = str, outer: int = 0) -> str:
    """An expression in infix notation, `2 * n + 1`; `name` writes variables."""
    kind = type(expression)
    if kind is not Arith:
        if kind in (Var, Slot):
            return str(name(expression))
        if kind is tuple:
            return "(" + ", ".join(show_number(e, name) for e in expression) + ")"
        if kind is Cons:
            elements = [*(show_number(e, name) for e in expression.prefix), "..." + show_number(expression.tail, name)]
            return f"({', '.join(elements)})"
        return str(expression)
    operator, operands = expression.args
    if operator in ("sum", "prod", "min", "max"):
        return f"{operator}({', '.join(show_number(e, name) for e in operands)})"
    if operator == "*" and operands and operands[0] == -1 and len(operands) > 1:
        rest = operands[1] if len(operands) == 2 else Arith.draft(("*", operands[1:]))
        text = f"-{show_number(rest, name, 2)}"
        return f"({text})" if outer > 1 else text
    strength = 1 if operator in "+-" else 2
    parts = [
        show_number(e, name, _needed(operator, strength, i, e)) for i, e in enumerate(operands)
    ]
    text = parts[0] if parts else ("0" if operator == "+" else "1")
    for part in parts[1:]:
        text += f" - {part[1:]}" if operator == "+" and part.startswith("-") else f" {operator} {part}"
    return f"({text})" if strength < outer else text


def _needed(operator: str, strength: int, place: int, operand: Any) -> int:
    """How tightly an operand must bind to stand without brackets."""
    if operator in "+-":
        return strength + (place > 0 and operator == "-")
    # Factors and dividends that are themselves divided are bracketed, as in `2 * (n // 2)`.
    divided = type(operand) is Arith and operand.args[0] in ("//", "%")
    return 3 if place > 0 and operator in ("//", "%") else 3 if divided else strength
