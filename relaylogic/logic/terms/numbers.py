"""Numbers: naturals, the unknown, and arithmetic over symbols and variables - one family of terms.

Representation. A number is an `int`, `UNKNOWN`, a `Symbol`, a logic variable, or an `Arith(operator, operands)`. An
`Arith` without logic variables is in normal form, so two such numbers that are one object or equal ints are equal for
all values of their symbols; the converse holds as far as `normal`, `division` and `choice` see it. An `Arith` with
logic variables is kept as it was written, and normal as soon as its variables are known (`evaluate`). `sum` and `prod`
have one operand, a list, which may be open. `UNKNOWN` absorbs: any arithmetic with it is `UNKNOWN`.

What was tried: a normal form with variables in it, made anew whenever one of them is bound, costs three times what
writing the expression down and evaluating it costs, and most expressions are evaluated once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..large import product_of
from .arith import (
    FOLDS,
    UNKNOWN,
    Arith,
    Unknown,
    folded_in,
    is_fixed,
    is_fold,
    is_number,
    lists_of,
    parts_first,
    symbols_of,
)
from .choice import greatest_of, least_of
from .division import exact_quotient, quotient, remainder
from .look import Look, written
from .normal import add, folded, mul, number_of, opened, total_of
from .notation import show_number
from .poly import Poly, add_to, monomials, product, sum_of
from .ranges import is_natural, least, range_of
from .rebuilding import reify_term
from .terms import Cons, Slot, Symbol, Term, walk
from .variables import VARIABLES

__all__ = [
    "FOLDS",
    "UNKNOWN",
    "Arith",
    "Unknown",
    "add",
    "ceildiv",
    "computed",
    "difference",
    "evaluate",
    "exact_quotient",
    "expanded",
    "floordiv",
    "folded_in",
    "infix",
    "is_fold",
    "is_number",
    "least",
    "lists_of",
    "maximum",
    "minimum",
    "mod",
    "monomials",
    "mul",
    "plus",
    "polynomial",
    "prod",
    "quotient",
    "range_of",
    "reduced",
    "remainder",
    "show_number",
    "substitute",
    "symbols_of",
    "times",
    "total",
]


# --- writing expressions down -----------------------------------------------------------------------------------------


def _written(operator: str, operands: tuple[Any, ...]) -> Any:
    try:
        for operand in operands:
            if type(operand) is not int and not is_fixed(operand):
                return Arith.draft((operator, operands))
    except Look:
        return _written(operator, written(operands))
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
    if type(b) in (int, Arith) and not is_natural(b):
        return times(-1, floordiv(times(-1, a), b))  # what is one less than another divisor is behind a negative one
    return floordiv(plus(a, b, -1), b)


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
    return _folded("sum", items)


def prod(items: Any) -> Any:
    """The product of the elements of a list, which may still be open; 1 for the empty list."""
    return _folded("prod", items)


def _folded(operator: str, items: Any) -> Any:
    """The fold of a list; of integers, the integer that it is, which need not be a natural as what has a name must."""
    items = tuple(items) if type(items) is list else items
    if type(items) is tuple and all(type(item) is int for item in items):
        return Arith.assemble((operator, (items,)))
    return Arith.draft((operator, (items,)))


_BINARY = {"//": quotient, "%": remainder, "min": least_of, "max": greatest_of}


# --- evaluation -------------------------------------------------------------------------------------------------------


def computed(operator: str, values: tuple[Any, ...]) -> Any:
    """The number that an operator makes of values; None while one of them (or a list's end) is not known.

    Raises ZeroDivisionError for a division by zero, TypeError for an operand that is no number.
    """
    if operator in FOLDS:
        (items,) = values
        if isinstance(items, Symbol):  # a list that is never known: what its elements are together is one number
            return Arith.make((operator, (items,)))
        if type(items) is Cons and items.ground:
            items = (*items.prefix, Arith.make((operator, (items.tail,))))
        if type(items) is not tuple:
            return _unfolded(items)
        operator, values = ("+" if operator == "sum" else "*"), items
    missing = False
    for value in values:
        if type(value) is not int:
            if value is UNKNOWN:
                return UNKNOWN
            if type(value) in (Slot, *VARIABLES) or (type(value) is Arith and not value.ground):
                missing = True
            elif not is_fixed(value):
                raise TypeError(f"{value!r} is no number")
    if missing:
        return None  # of 0 * n too: n may turn out to be `?`
    if operator == "+":
        result: Any = total_of(values)
    elif operator == "*":
        result = 1
        for value in values:
            result = product_of(value, result) if type(result) is int and type(value) is int else mul(result, value)
    elif operator == "-":
        a, b = values
        result = a - b if type(a) is int and type(b) is int else add(a, mul(-1, b))
    else:
        result = _BINARY[operator](values[0], values[1])
        if result is None:
            raise ZeroDivisionError
    return result


def _unfolded(items: Any) -> None:
    """The sum of what is no list that is known to its end is not known. Raises TypeError for what is no list at all."""
    if type(items) in _NO_LISTS:
        raise TypeError(f"{items!r} is no list")


_NO_LISTS = frozenset({int, float, str, bool, type(None), Arith, Unknown})

Arith.computed = staticmethod(computed)


def evaluate(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """The number that `expression` is, or None while that is open.

    Raises ZeroDivisionError for a division by zero, TypeError for an operand that is no number.
    """
    kind = type(expression)
    if kind is int:
        return expression
    if kind in VARIABLES:
        expression = walk(expression, bindings)
        kind = type(expression)
        if kind is int:
            return expression
        if kind in VARIABLES:
            return None
    if kind is not Arith or expression.ground:
        if not is_fixed(expression):
            raise TypeError(f"{expression!r} is no number")
        return expression
    operator, operands = expression.args
    if operator in FOLDS:
        items = reify_term(operands[0], bindings)
        if type(items) is not tuple:
            return computed(operator, (items,))
        operator, operands = ("+" if operator == "sum" else "*"), items
    values = tuple([_value(operand, bindings) for operand in operands])
    return computed(operator, values)


_OPEN = Arith.draft(("+", ()))  # a number that is not known yet


def _value(operand: Any, bindings: Mapping[Any, Any]) -> Any:
    if type(operand) is int:
        return operand
    value = evaluate(operand, bindings)
    return _OPEN if value is None else value


def expanded(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """`sum([a, b])` as `a + b`, `prod([a, b | s])` as `a * b * prod(s)`; None of a list of which nothing is known."""
    operator, (items,) = expression.args
    items = reify_term(items, bindings)
    if type(items) is Cons:
        items = (*items.prefix, Arith.draft((operator, (items.tail,))))
    return Arith.draft(("+" if operator == "sum" else "*", items)) if type(items) is tuple else None


def substitute(number: Any, replacement: Mapping[Any, Any], memo: dict[Any, Any] | None = None) -> Any:
    """A normal number with symbols replaced, by numbers or lists of them, and normalised again; None where a division
    by zero arises.

    Numbers that are made of each other may be given one `memo`, as long as the symbols in them are replaced alike.
    """
    if type(number) is not Arith:
        return replacement.get(number, number) if isinstance(number, Symbol) else number
    known = {} if memo is None else memo
    for item in parts_first(number, known.__contains__):
        operator, operands = item.args
        if operator in FOLDS:  # of a rigid list
            known[item] = computed(operator, (replacement.get(operands[0], operands[0]),))
            continue
        values = tuple(
            [known[o] if type(o) is Arith else replacement.get(o, o) if isinstance(o, Symbol) else o for o in operands]
        )
        try:
            known[item] = None if None in values else computed(operator, values)
        except ZeroDivisionError:
            known[item] = None
    return known[number]


def polynomial(expression: Any, sums_only: bool = False) -> Poly:
    """An expression with variables as a polynomial: monomials (sorted tuples of atoms) with their coefficients.

    Variables are atoms, and so is what polynomials cannot say, in normal form: a division that is none of two ints, the
    product of an open list. Nothing must be divided by what may be 0, unless no more is done to `sums_only`: then
    divisions, minima and maxima are atoms as they stand, of operands in normal form. Raises ZeroDivisionError if
    something is divided by 0.
    """
    return folded(_open_polynomial(expression, sums_only))


def reduced(expression: Any, sums_only: bool = False) -> Any:
    """An expression with variables in normal form; see `polynomial`."""
    return sum_of(polynomial(expression, sums_only))


def _open_polynomial(expression: Any, sums_only: bool) -> Poly:
    if type(expression) is int:
        return {(): expression} if expression else {}
    if type(expression) is not Arith:
        return {(expression,): 1}
    if expression.ground:
        return opened(expression)
    operator, operands = expression.args
    if operator in FOLDS:
        written_out = expanded(expression, {})
        if written_out is None:
            return {(Arith.make(expression.args),): 1}
        operator, operands = written_out.args
    parts = [_open_polynomial(operand, sums_only) for operand in operands]
    if operator in _BINARY:
        values = tuple([number_of(part) for part in parts])
        if sums_only and not all(type(value) is int for value in values):
            return {(Arith.make((operator, values)),): 1}
        value = _BINARY[operator](*values)
        if value is None:
            raise ZeroDivisionError
        return opened(value)
    result: Poly = {(): 1} if operator == "*" else {}
    for index, part in enumerate(parts):
        if operator == "*":
            result = product(result, part)
        else:
            add_to(result, part, -1 if operator == "-" and index else 1)
    return result


_OPERATIONS = {"add": add, "mul": mul, "quotient": quotient, "remainder": remainder}


def infix(operation: str, left: Any, right: Any) -> Any:
    """The result of an operation on two numbers as Python asks for it: NotImplemented if one of them is none.

    Raises ZeroDivisionError.
    """
    operands = []
    for item in (left, right):
        if isinstance(item, Term) or type(item) in VARIABLES:
            operands.append(item)
        elif hasattr(item, "__index__"):
            operands.append(item.__index__())
        else:
            return NotImplemented
    if operation == "subtract":
        return add(operands[0], mul(-1, operands[1]))
    made = _OPERATIONS[operation](*operands)
    if made is None:
        raise ZeroDivisionError("division by zero in a shape")
    return made
