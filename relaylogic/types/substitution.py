"""Putting terms for the type parameters of types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unification import Var

from ..logic import numbers
from ..logic.expressions import Arith
from ..logic.terms import Cons, Term, cons
from .terms import TypeVar

__all__ = ["Equation", "substitute"]


class Equation:
    """`hole = expression`: an extent that is arithmetic over extents not known yet."""

    __slots__ = ("expression", "hole")

    def __init__(self, hole: Any, expression: Any) -> None:
        self.hole = hole
        self.expression = expression


def substitute(term: Any, replacement: Mapping[Any, Any], equations: list[Any]) -> Any:
    """`term` with rigid type parameters replaced, and extents normalised again.

    An extent that becomes arithmetic over logic variables becomes a variable; its `Equation` is added to `equations`.
    """
    if not replacement:
        return term
    out: list[Any] = []
    agenda: list[tuple[Any, int]] = [(term, -1)]
    memo: dict[int, Any] = {}
    while agenda:
        item, count = agenda.pop()
        if count >= 0:
            children = tuple(out[len(out) - count :]) if count else ()
            if count:
                del out[len(out) - count :]
            built = children if type(item) is tuple else _built(item, children)
            memo[id(item)] = built
            out.append(built)
            continue
        kind = type(item)
        if kind is TypeVar:
            out.append(replacement.get(item, item))
        elif kind is tuple:
            agenda.append((item, len(item)))
            agenda.extend((child, -1) for child in reversed(item))
        elif kind in (numbers.Expr, numbers.Atom):
            out.append(_extent(item, replacement, equations))
        elif kind is Var or not isinstance(item, Term) or not item.args:
            out.append(item)
        elif id(item) in memo:
            out.append(memo[id(item)])
        else:
            agenda.append((item, len(item.args)))
            agenda.extend((child, -1) for child in reversed(item.args))
    return out[0]


def _built(original: Any, children: tuple[Any, ...]) -> Any:
    if type(original) is Cons:
        return cons(children[0], children[1])
    return type(original).make(children)


def _extent(expression: Any, replacement: Mapping[Any, Any], equations: list[Any]) -> Any:
    values = {s: replacement[s] for s in numbers.symbols_of(expression) if s in replacement}
    if any(type(value) is Var for value in values.values()):
        hole = Var()
        equations.append(Equation(hole, _arithmetic(expression, values)))
        return hole
    result = numbers.substitute(expression, values)
    return numbers.UNKNOWN if result is None else result


def _arithmetic(number: Any, values: Mapping[Any, Any]) -> Any:
    """A normalised number as an arithmetic expression over what its symbols stand for."""
    if type(number) is numbers.Atom:
        operator, a, b = number.args
        return Arith(operator, (_arithmetic(a, values), _arithmetic(b, values)))
    if type(number) is not numbers.Expr:
        return values.get(number, number)
    terms = []
    for coefficient, monomial in number.args:
        factors = [_arithmetic(atom, values) for atom in monomial]
        if coefficient != 1 or not factors:
            factors.insert(0, coefficient)
        terms.append(factors[0] if len(factors) == 1 else Arith("*", tuple(factors)))
    return terms[0] if len(terms) == 1 else Arith("+", tuple(terms))
