"""Numbers that agree, and of which none can be `?`, are equal."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from .compare import Compare
from .gradual import agreeing
from .numbers import is_number
from .state import State
from .terms import variables_of
from .variables import VARIABLES
from .work import Work

__all__ = ["with_equal"]


def with_equal(state: State, integers: Container[Any]) -> State | None:
    """`state` where numbers that agree are equal if they are `integers`, or what equations make of these.

    None if they cannot be; `state` itself if there are none.
    """
    work = Work(state)
    for constraint in state.constraints():
        terms = agreeing(constraint)
        if terms is not None and all(_is_integer(term, work, integers, set()) for term in terms[:2]):
            first, *others = terms
            if not all(work.unify(first, other) for other in others):
                return None
    return work.finish()


def _is_integer(term: Any, work: Work, integers: Container[Any], asked: set[Any]) -> bool:
    """Whether a number is an integer, or is made of integers by an equation; `asked` are those asked about so far."""
    variable = work.walk(term)
    if type(variable) not in VARIABLES:
        return type(variable) is int or is_number(variable)
    if variable in integers:
        return True
    if variable in asked:
        return False
    asked.add(variable)
    for other in work.beside(variable):
        if type(other) is Compare and other.relation == "=":
            for name, expression in ((other.left, other.right), (other.right, other.left)):
                if work.walk(name) is variable and all(
                    _is_integer(v, work, integers, asked) for v in variables_of(expression, work.bindings)
                ):
                    return True
    return False
