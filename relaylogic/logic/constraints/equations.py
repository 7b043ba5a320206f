"""The forms of equations between numbers: what occurs in them, what their sides have in common, whether they may hold.

A *gap* is the difference of two sides as a polynomial in normal form, which is 0 if they are equal. Its coefficients
are in lowest terms.
"""

from __future__ import annotations

from collections.abc import Container
from math import gcd, lcm
from typing import Any

from ..states.work import Work
from ..terms.numbers import FOLDS, Arith, difference, plus, polynomial, times
from ..terms.poly import Poly, sum_of, without
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, cons
from ..terms.variables import VARIABLES
from .intervals import interval

__all__ = [
    "DIVIDING",
    "divides",
    "divides_by_numbers",
    "divisors_of",
    "gap_of",
    "has_open_list",
    "is_defined",
    "is_polynomial",
    "is_reducible",
    "is_variable",
    "is_wordy",
    "may_be_zero",
    "named_expression",
    "occurrences",
    "open_fold",
    "operators_of",
    "without_common",
    "without_numbers",
]

DIVIDING = frozenset({"//", "%"})
_POLYNOMIAL = frozenset({"+", "-", "*"})


def named_expression(equation: Any) -> tuple[Any, Any] | None:
    """For an equation between an expression and a number or variable: the two.

    An integer that is added to the variable is taken off the expression instead: `n // 2 - 5 = m` for `n // 2 = m + 5`.
    """
    relation, left, right = equation.args
    for expression, number in ((left, right), (right, left)):
        if relation == "=" and type(expression) is Arith:
            if type(number) is not Arith:
                return expression, number
            if number.operator in ("+", "-") and len(number.operands) == 2:
                added, constant = number.operands
                if number.operator == "+" and type(added) is int:
                    added, constant = constant, added
                if type(added) in VARIABLES and type(constant) is int:
                    return difference(expression, constant if number.operator == "+" else -constant), added
    return None


def gap_of(left: Any, right: Any, work: Work) -> Poly:
    """The gap of two sides, as far as their variables are known."""
    gap = polynomial(reify_term(difference(left, right), work.bindings))
    common = gcd(*gap.values())
    return {atoms: c // common for atoms, c in gap.items() if c}


def may_be_zero(gap: Poly, work: Work) -> bool:
    """Whether a polynomial in normal form may be 0: `(n + 1) // 3 - n // 3 - 2`, which is -2 or -1, may not.

    A quotient is what is divided, without a remainder that is less than the divisor, divided.
    """
    quotients = {atoms: atoms[0].args[1] for atoms in gap if len(atoms) == 1 and _is_quotient(atoms[0])}
    if not quotients:
        low, high = interval(sum_of(gap), work)
        return (low is None or low <= 0) and (high is None or high >= 0)
    scale = lcm(*(by for _, by in quotients.values()))
    whole: Any = scale * gap.get((), 0)
    least = most = 0
    for atoms, c in gap.items():
        if atoms in quotients:
            divided, by = quotients[atoms]
            c = c * scale // by
            whole = plus(whole, times(c, divided))
            least, most = least - max(c, 0) * (by - 1), most - min(c, 0) * (by - 1)
        elif atoms:
            whole = plus(whole, sum_of({atoms: c * scale}))
    low, high = interval(sum_of(polynomial(whole)), work)
    return (low is None or low + least <= 0) and (high is None or high + most >= 0)


def _is_quotient(atom: Any) -> bool:
    return type(atom) is Arith and atom.args[0] == "//" and type(atom.args[1][1]) is int


def without_common(gap: dict[Any, int], work: Work) -> dict[Any, int]:
    """A polynomial that is 0 without the variables that all its terms have in common, if these are not 0."""
    for atom in next(iter(gap)):
        if type(atom) in VARIABLES and (interval(atom, work)[0] or 0) >= 1 and all(atom in atoms for atoms in gap):
            gap = {rest: c for atoms, c in gap.items() if (rest := without(atoms, (atom,))) is not None}
    return gap


def without_numbers(expression: Any, numbers: Container[Any], work: Work) -> Any:
    """An expression that is `?` where the one that is given is, some of its numbers being integers: without these, and
    without what is known; None if nothing is left."""
    expression = work.walk(expression)
    if type(expression) is not Arith:
        return None if type(expression) is int or expression in numbers else expression
    operator, operands = expression.args
    if operator in FOLDS:
        items = reify_term(operands[0], work.bindings)
        if type(items) is not tuple:
            prefix, tail = (items.prefix, items.tail) if type(items) is Cons else ((), items)
            left = [rest for item in prefix if (rest := without_numbers(item, numbers, work)) is not None]
            return Arith.draft((operator, (cons(tuple(left), tail),)))
        operands = items
    left = [rest for operand in operands if (rest := without_numbers(operand, numbers, work)) is not None]
    if len(left) < 2:
        return left[0] if left else None
    return Arith.draft((operator, (tuple(left),) if operator in FOLDS else tuple(left)))


def divides(expression: Any) -> bool:
    """Whether something is divided in an expression."""
    return type(expression) is Arith and not DIVIDING.isdisjoint(_inside(expression))


def divisors_of(expression: Any) -> list[Any]:
    """What is divided by in an expression, but for integers other than 0."""
    if not divides(expression):
        return []
    found = []
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is Arith and not item.ground:
            operator, operands = item.args
            if operator in DIVIDING and (type(operands[1]) is not int or not operands[1]):
                found.append(operands[1])
            stack.extend(operands)
        elif type(item) is tuple:
            stack.extend(item)
        elif type(item) is Cons:
            stack.extend((*item.prefix, item.tail))
    return found


def is_defined(expression: Any, work: Work) -> bool:
    """Whether an expression has a value whatever its variables are: nothing is divided by what may be 0."""
    return all((interval(divisor, work)[0] or 0) >= 1 for divisor in divisors_of(expression))


def divides_by_numbers(expression: Any) -> bool:
    """Whether an expression has divisions in it, all of them by positive integers."""
    return not DIVIDING.isdisjoint(operators_of(expression) or ())


def operators_of(expression: Any) -> set[str] | None:
    """The operators in an expression, as far as it is not known; None if it has no normal form, since a list is added
    up or multiplied in it, or something is divided by what may be 0."""
    found: set[str] = set()
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is Arith and not item.ground:
            operator, operands = item.args
            divides = operator in DIVIDING
            if operator in FOLDS or (divides and (type(operands[1]) is not int or operands[1] < 1)):
                return None
            found.add(operator)
            stack.extend(operands)
    return found


def is_reducible(expression: Any) -> bool:
    """Whether an expression may have a simpler normal form: a product or a division is divided by an integer in it.

    All its divisions are by positive integers.
    """
    found = False
    stack = [(expression, False)] if type(expression) is Arith else []
    while stack:
        item, divided = stack.pop()
        if item.ground:
            continue
        operator, operands = item.args
        if operator in FOLDS:
            return False
        divides = operator in ("//", "%")
        if divides and (type(operands[1]) is not int or operands[1] < 1):
            return False
        found = found or (divided and (divides or operator == "*"))
        stack.extend([(operand, divided or divides) for operand in operands if type(operand) is Arith])
    return found


def is_wordy(expression: Any) -> bool:
    """Whether an expression says in many words what its normal form says in fewer: it is reducible, or a sum in which
    several integers are added up, `n - 2 + 1`."""
    integers = 0
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is int:
            integers += 1
        elif type(item) is Arith:
            operator, operands = item.args
            if operator not in ("+", "-"):
                return is_reducible(expression)
            stack.extend(operands)
    return integers > 1


def open_fold(equation: Any, work: Work) -> tuple[Any, Any] | None:
    """For an equation between the sum or product of an open list and a number: which of what, and the number."""
    _, left, right = equation.args
    for fold, number in ((left, right), (right, left)):
        if type(fold) is Arith and fold.args[0] in FOLDS and type(number) is not Arith:
            items = reify_term(fold.args[1][0], work.bindings)
            return None if type(items) is tuple else ((fold.args[0], items), number)
    return None


def is_polynomial(expression: Any) -> bool:
    """Whether an expression is made of sums, differences and products only."""
    return type(expression) is not Arith or _inside(expression) <= _POLYNOMIAL


def _inside(expression: Any) -> frozenset[str]:
    """The operators in an expression, as far as it has variables."""
    try:
        return expression.inside  # type: ignore[no-any-return]
    except AttributeError:
        found = set()
        stack = [expression]
        while stack:
            item = stack.pop()
            if type(item) is Arith and not item.ground:
                found.add(item.args[0])
                stack.extend(item.args[1])
            elif type(item) is tuple:
                stack.extend(item)
            elif type(item) is Cons:
                stack.extend((*item.prefix, item.tail))
        expression.inside = frozenset(found)
        return expression.inside  # type: ignore[no-any-return]


def is_variable(atoms: tuple[Any, ...]) -> bool:
    """Whether a monomial is one variable."""
    return len(atoms) == 1 and type(atoms[0]) in VARIABLES


def occurrences(expression: Any, work: Work) -> list[Any]:
    """The unbound variables of an expression, with repetitions; open lists count as their tail."""
    found = []
    stack = [expression]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is Arith:
            stack.extend(reversed(item.args[1]))
        elif kind in VARIABLES:
            item = work.walk(item)
            if type(item) in VARIABLES:
                found.append(item)
            elif type(item) in (tuple, Cons):
                stack.append(item)
        elif kind is tuple:
            stack.extend(reversed(item))
        elif kind is Cons:
            stack.extend((item.tail, *reversed(item.prefix)))
    return found


def has_open_list(expression: Any, work: Work) -> bool:
    """Whether the sum or product of a list that is still open occurs in an expression."""
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is Arith:
            if item.operator in FOLDS and type(reify_term(item.operands[0], work.bindings)) is not tuple:
                return True
            stack.extend(item.operands)
    return False
