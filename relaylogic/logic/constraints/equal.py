"""Numbers that agree are equal if none of them can be `?`, and if equations make one expression of them."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from ..states.state import State
from ..states.work import Work
from ..terms.numbers import is_number
from ..terms.rebuilding import reify_term
from ..terms.terms import variables_of
from ..terms.variables import VARIABLES
from .compare import Compare
from .gradual import agreeing
from .one_expression import are_one_expression, expressions_of

__all__ = ["with_equal"]


def with_equal(state: State, integers: Container[Any] | None) -> State | None:
    """`state` where numbers that agree are equal if they are `integers` (None: all are), or what equations make of
    these, or if they are one expression: if that is `?`, they all are.

    None if they cannot be; `state` itself if there are none.
    """
    work = Work(state)
    for constraint in state.constraints():
        terms = agreeing(constraint)
        if terms is None:
            continue
        left, right = terms[:2]
        if _is_integer(left, work, integers) and _is_integer(right, work, integers):
            if not (work.unify(left, right) and (len(terms) == 2 or work.unify(left, terms[2]))):
                return None
        elif _are_one(left, right, work) and not work.unify(left, right):
            return None
    return work.finish()


def _is_integer(term: Any, work: Work, integers: Container[Any] | None, asked: set[Any] | None = None) -> bool:
    """Whether a number is an integer, or is made of integers by an equation; `asked` are those asked about so far."""
    variable = work.walk(term)
    if type(variable) not in VARIABLES:
        return type(variable) is int or is_number(variable)
    if integers is None or variable in integers:
        return True
    asked = set() if asked is None else asked
    if variable in asked:
        return False
    asked.add(variable)
    return any(
        all(_is_integer(v, work, integers, asked) for v in variables_of(expression))
        for expression in _expressions(variable, work)
    )


def _are_one(left: Any, right: Any, work: Work) -> bool:
    """Whether two open numbers are one expression: where nothing is told of either, they are not."""
    open_ones = work.walk(left), work.walk(right)
    if not any(_expressions(number, work) for number in open_ones):
        return open_ones[0] is open_ones[1]
    return all(type(number) in VARIABLES for number in open_ones) and are_one_expression(
        *open_ones, lambda variable: _expressions(variable, work)
    )


def _expressions(variable: Any, work: Work) -> list[Any]:
    """What equations say that a variable is."""
    equations = [other for other in work.beside(variable) if type(other) is Compare and other.relation == "="]
    return expressions_of(variable, [reify_term(equation, work.bindings) for equation in equations])
