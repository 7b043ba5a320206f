"""Putting terms for the type parameters of types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..logic.terms import numbers
from ..logic.terms.numbers import Arith, is_number
from ..logic.terms.rebuilding import SHALLOW
from ..logic.terms.terms import Cons, Symbol, Term, is_ground
from ..logic.terms.variables import VARIABLES, fresh
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
    So does one that becomes negative, or is computed from what is no number: no variable satisfies that.
    """
    if not replacement:
        return term
    (found,) = _substituted((term,), replacement, equations, {}, SHALLOW)
    return found


def _substituted(
    terms: tuple[Any, ...], replacement: Mapping[Any, Any], equations: list[Any], memo: dict[int, Any], levels: int
) -> tuple[Any, ...]:
    """The same of several terms; they themselves if nothing of them is replaced. Most are shallow: so many levels are
    done by recursion, which is twice as fast as an agenda."""
    built: list[Any] = []
    is_new = False
    for item in terms:
        kind = type(item)
        if kind is TypeVar:
            made = replacement.get(item, item)
        elif kind is int or kind is str or kind in VARIABLES:
            made = item
        elif kind is Arith:
            made = _extent(item, replacement, equations)
        elif kind is tuple:
            if _INTEGERS.issuperset(map(type, item)):
                made = item
            elif levels:
                made = _substituted(item, replacement, equations, memo, levels - 1)
            else:
                made = _substituted_deep(item, replacement, equations, memo)
        elif isinstance(item, Term) and item.args:
            made = memo.get(id(item))
            if made is None:
                if levels:
                    inner = _substituted(item.args, replacement, equations, memo, levels - 1)
                    made = item if inner is item.args else kind.assemble(inner)
                else:
                    made = _substituted_deep(item, replacement, equations, memo)
                memo[id(item)] = made
        else:
            made = item
        is_new = is_new or made is not item
        built.append(made)
    return tuple(built) if is_new else terms


def _substituted_deep(
    term: Any, replacement: Mapping[Any, Any], equations: list[Any], memo: dict[int, Any]
) -> Any:
    """The same of one term, without recursion."""
    out: list[Any] = []
    agenda: list[tuple[Any, int]] = [(term, -1)]
    while agenda:
        item, count = agenda.pop()
        if count >= 0:
            children = tuple(out[len(out) - count :]) if count else ()
            if count:
                del out[len(out) - count :]
            if children == (item if type(item) is tuple else item.args):
                built = item  # nothing of it is replaced: it need not be looked up
            else:
                built = children if type(item) is tuple else type(item).assemble(children)
            memo[id(item)] = built
            out.append(built)
            continue
        kind = type(item)
        if kind is TypeVar:
            out.append(replacement.get(item, item))
        elif kind is tuple:
            if _INTEGERS.issuperset(map(type, item)):
                out.append(item)
                continue
            agenda.append((item, len(item)))
            agenda.extend([(child, -1) for child in reversed(item)])
        elif kind is Arith:
            out.append(_extent(item, replacement, equations))
        elif kind in VARIABLES or not isinstance(item, Term) or not item.args:
            out.append(item)
        elif id(item) in memo:
            out.append(memo[id(item)])
        else:
            agenda.append((item, len(item.args)))
            agenda.extend([(child, -1) for child in reversed(item.args)])
    return out[0]


_INTEGERS = frozenset({int})
_NO_EXTENT = -1
"""What is no extent, whatever it is computed from."""


def _extent(expression: Any, replacement: Mapping[Any, Any], equations: list[Any]) -> Any:
    values = {s: replacement[s] for s in numbers.symbols_of(expression) if s in replacement}
    if not all(map(is_ground, values.values())):
        hole = fresh()
        equations.append(Equation(hole, _arithmetic(expression, values)))
        return hole
    lists = numbers.lists_of(expression)
    fits = all(_is_list(value) if symbol in lists else is_number(value) for symbol, value in values.items())
    result = numbers.substitute(expression, values) if fits else _NO_EXTENT
    if type(result) is int and result < 0:
        hole = fresh()
        equations.append(Equation(hole, result))
        return hole
    return numbers.UNKNOWN if result is None else result


def _is_list(value: Any) -> bool:
    return type(value) in (tuple, Cons) or isinstance(value, Symbol)


def _arithmetic(number: Any, values: Mapping[Any, Any]) -> Any:
    """A normal number as an expression over what its symbols stand for."""
    if type(number) is not Arith:
        return values.get(number, number)
    return Arith.draft((number.operator, tuple(_arithmetic(operand, values) for operand in number.operands)))
