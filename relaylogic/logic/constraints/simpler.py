"""Expressions and comparisons in fewer words.

`max(n, 0)` is n, `n // 1` is n, `n % 4` is n where n is at most 3, `n * m // m` is n, `2 * n <= 2 * m` is `n <= m`.
What is divided by must be known not to be 0 before a division goes. None of the numbers may turn out to be `?`, which
what is left out would have been.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, prod
from typing import Any

from ..states.state import NATURALS
from ..states.work import Work
from ..terms.arith import FOLDS, Arith
from ..terms.numbers import difference, polynomial, reduced
from ..terms.poly import sum_of
from ..terms.rebuilding import reify_term
from ..terms.terms import open_in
from ..terms.variables import VARIABLES
from .equations import DIVIDING, is_defined, is_polynomial, is_wordy, occurrences
from .intervals import interval

__all__ = ["has_each_once", "in_fewer_words", "is_told_at_length", "simplified", "words"]


_POLYNOMIAL = frozenset({"+", "-", "*"})
_CANCELLING = frozenset({"min", "max", *DIVIDING})
"""Operators whose operands may cancel out; in a product of those nothing does, and normal forms take long."""


# --- while numbers get known ------------------------------------------------------------------------------------------


def simplified(expression: Any, work: Work) -> Any:
    """An expression that is the same number in fewer words; the same object if none is found, or needed: of a sum.

    Raises ZeroDivisionError if something is divided by 0.
    """
    if is_polynomial(expression) or (has_each_once(expression) and _is_endless(expression, work)):
        return expression
    return _simplified(expression, work)


def has_each_once(expression: Any) -> bool:
    """Whether an expression is made of sums, products and divisions by integers, of variables that occur once."""
    if type(expression) is not Arith:
        return True
    try:
        return expression.is_lean
    except AttributeError:
        expression.is_lean = _is_lean(expression)
        return expression.is_lean


def _is_lean(expression: Any) -> bool:
    met: set[Any] = set()
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is Arith and not item.ground:
            operator, operands = item.args
            if operator in FOLDS or operator in ("min", "max"):
                return False
            if operator in DIVIDING and (type(operands[1]) is not int or operands[1] < 2):
                return False
            stack.extend(operands)
        elif type(item) in VARIABLES:
            if item in met:
                return False
            met.add(item)
    return True


def _is_endless(expression: Any, work: Work) -> bool:
    """Whether each variable of an expression is open, is no other one of them, and has no upper bound."""
    bounds = {} if work.store is None else work.store.bounds
    variables = open_in(expression)
    ends = {work.walk(variable) for variable in variables}
    return len(ends) == len(variables) and all(
        type(end) in VARIABLES and bounds.get(end, NATURALS)[1] is None for end in ends
    )


def _simplified(expression: Any, work: Work) -> Any:
    if type(expression) is not Arith or expression.ground or expression.args[0] in FOLDS:
        return expression
    operator, operands = expression.args
    simpler = tuple([_simplified(operand, work) for operand in operands])
    found = None
    if operator in DIVIDING:
        found = _divided(operator, simpler, work)
    elif operator in ("min", "max"):
        found = _chosen(operator, simpler, work)
    if found is not None and all(operand is found or is_defined(operand, work) for operand in simpler):
        return found
    if any(new is not old for new, old in zip(simpler, operands, strict=True)):
        expression = Arith.draft((operator, simpler))
    if (operator in _CANCELLING or is_polynomial(expression)) and _repeats(simpler, work):
        return _reduced(expression, work)
    return expression


def _chosen(operator: str, operands: tuple[Any, ...], work: Work) -> Any:
    """The operand that is the lesser or greater one, if that is known; None if not."""
    a, b = operands
    if work.walk(a) is work.walk(b):
        return a
    (a_low, a_high), (b_low, b_high) = interval(a, work), interval(b, work)
    if a_high is not None and b_low is not None and a_high <= b_low:
        return a if operator == "min" else b
    if b_high is not None and a_low is not None and b_high <= a_low:
        return b if operator == "min" else a
    return None


def _divided(operator: str, operands: tuple[Any, ...], work: Work) -> Any:
    """The quotient or remainder, if bounds tell it; None if they do not, or b may be 0."""
    a, b = operands
    if b == 0:
        raise ZeroDivisionError
    least = interval(b, work)[0]
    if least is None or least < 1:
        return None
    if work.walk(b) == 1:
        return a if operator == "//" else 0
    if work.walk(a) is work.walk(b):
        return 1 if operator == "//" else 0
    low, high = interval(a, work)
    if low is not None and low >= 0 and high is not None and high < least:
        return 0 if operator == "//" else a
    return None


def _repeats(operands: tuple[Any, ...], work: Work) -> bool:
    """Whether operands have a variable in common."""
    met: set[Any] = set()
    for operand in operands:
        if type(operand) is not int:
            own = set(occurrences(operand, work))
            if not met.isdisjoint(own):
                return True
            met |= own
    return False


def _reduced(expression: Any, work: Work) -> Any:
    """The normal form of an expression, if that is shorter; the expression while it may be undefined.

    (Normal forms take long, and bounds may creep: of what is written in variables that are open it is asked once.)
    """
    if not is_defined(expression, work):
        return expression
    written = reify_term(expression, work.bindings)
    if not hasattr(written, "is_short"):
        found = reduced(written)
        if words(found) < words(written):
            return found
        written.is_short = True
    return written


def words(*expressions: Any) -> tuple[int, int, int]:
    """How often variables are written in expressions, how many operators and operands, and how large integers."""
    variables = parts = integers = 0
    stack = [*expressions]
    while stack:
        item = stack.pop()
        parts += 1
        if type(item) is Arith:
            stack.extend(item.args[1])
        elif type(item) is int:
            integers += abs(item)
        else:
            variables += 1
    return variables, parts, integers


# --- when they are told -----------------------------------------------------------------------------------------------


def is_told_at_length(left: Any, right: Any) -> bool:
    """Whether the sides of a comparison may say in many words what `in_fewer_words` says in fewer."""
    return _is_wordy(left) or _is_wordy(right) or _has_more_than_the_gap(left, right)


def _is_wordy(expression: Any) -> bool:
    return is_wordy(expression) or _has_wordy_sum(expression) or _may_cancel(expression)


def _may_cancel(expression: Any) -> bool:
    """Whether terms of a sum have a variable in common, and one of them is a division, minimum or maximum:
    `min(n, m) + max(n, m)`, `n % 7 + 7 * (n // 7)`."""
    if type(expression) is not Arith or expression.operator not in ("+", "-") or is_polynomial(expression):
        return False
    met: set[Any] = set()
    for term in expression.operands:
        own = {*open_in(term)} if type(term) is Arith else {term}
        if not met.isdisjoint(own):
            return True
        met |= own
    return False


def _has_wordy_sum(expression: Any) -> bool:
    """Whether several integers are added up somewhere in an expression, `(n + 3 - 2 * (m - 1)) // k`, or something is
    multiplied by 1."""
    sums = [expression]
    while sums:
        integers = 0
        stack = [sums.pop()]
        while stack:
            item = stack.pop()
            if type(item) is int:
                integers += 1
            elif type(item) is not Arith or item.args[0] in FOLDS:
                continue
            elif item.args[0] in ("+", "-"):
                stack.extend(item.args[1])
            elif item.args[0] == "*" and any(type(factor) is int for factor in item.args[1]):
                if 1 in item.args[1]:
                    return True
                stack.extend(factor for factor in item.args[1] if type(factor) is not int)
            else:
                sums.extend(item.args[1])
        if integers > 1:
            return True
    return False


def _in_fewer(expression: Any) -> Any:
    if is_wordy(expression):
        return reduced(expression)
    cancels = _may_cancel(expression)
    if not cancels and not _has_wordy_sum(expression):
        return expression
    found = reduced(expression, sums_only=not cancels)
    return found if words(found) < words(expression) else expression


def in_fewer_words(relation: str, left: Any, right: Any) -> tuple[str, Any, Any]:
    """A comparison, as how it compares what, in fewer words if there are some, and nothing is divided by 0."""
    try:
        return _compared_in_fewer(relation, _in_fewer(left), _in_fewer(right))
    except ZeroDivisionError:
        return relation, left, right


def _compared_in_fewer(relation: str, left: Any, right: Any) -> tuple[str, Any, Any]:
    if not _has_more_than_the_gap(left, right):
        return relation, left, right
    gap = polynomial(_in_one_order(difference(left, right), {}), sums_only=True)
    divisor = gcd(*(c for atoms, c in gap.items() if atoms)) or 1
    if relation != "<=" and gap.get((), 0) % divisor:
        divisor = gcd(divisor, gap[()])
    constant = gap.pop((), 0)
    less = {atoms: c // divisor for atoms, c in gap.items() if c > 0}
    more = {atoms: -c // divisor for atoms, c in gap.items() if c < 0}
    constant = -(-constant // divisor)
    (less if constant > 0 else more)[()] = abs(constant)
    found = relation, *(sum_of({atoms: c for atoms, c in side.items() if c}) for side in (less, more))
    return found if words(*found[1:]) < words(left, right) else (relation, left, right)


def _has_more_than_the_gap(left: Any, right: Any) -> bool:
    """Whether terms may be put together, or taken off both sides, or both sides divided by an integer."""
    if type(left) is not Arith and type(right) is not Arith:
        return False
    leaves: list[Any] = []
    factors = [*_coefficients(left, leaves), *_coefficients(right, leaves)]
    return gcd(*factors) > 1 or len(set(leaves)) < len(leaves)


def _coefficients(expression: Any, leaves: list[Any]) -> Iterator[int]:
    """The integers that the terms of a sum are multiplied with, but for what is an integer; all else that is in them
    joins the leaves, and so does a 1 for each integer that is added."""
    stack = [expression]
    while stack:
        item = stack.pop()
        if type(item) is Arith and item.args[0] in ("+", "-"):
            stack.extend(item.args[1])
        elif type(item) is Arith and item.args[0] == "*":
            yield prod(factor for factor in item.args[1] if type(factor) is int)
            inside = [factor for factor in item.args[1] if type(factor) is not int]
            while inside:
                factor = inside.pop()
                if type(factor) is Arith and factor.args[0] in _POLYNOMIAL:
                    inside.extend(factor.args[1])
                else:
                    leaves.append(_leaf(factor))
        elif type(item) is not int:
            yield 1
            leaves.append(_leaf(item))
        elif item:
            leaves.append(1)


def _leaf(item: Any) -> Any:
    """What is no sum and no product; a minimum or maximum in whichever order it is written."""
    return _unordered(item) if type(item) is Arith and item.args[0] in ("min", "max") else item


def _unordered(choice: Any) -> tuple[str, frozenset[Any]]:
    operator, operands = choice.args
    return operator, frozenset(operands)


def _in_one_order(expression: Any, first: dict[Any, Any]) -> Any:
    """An expression with each minimum and maximum as it is written `first`."""
    if type(expression) is not Arith or expression.ground or expression.args[0] in FOLDS:
        return expression
    operator, operands = expression.args
    made = Arith.draft((operator, tuple([_in_one_order(operand, first) for operand in operands])))
    return first.setdefault(_unordered(made), made) if operator in ("min", "max") else made
