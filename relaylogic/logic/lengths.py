"""The lengths of open lists: whether those that suspended goals demand can be at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .integers import Constraint, System
from .integers.polynomials import Monomial
from .lists import Length, SameLength
from .state import State
from .suspended import Suspended
from .terms import Cons, reify_term
from .variables import VARIABLES

__all__ = ["lengths_possible"]


def lengths_possible(state: State) -> bool:
    """Whether there are lengths for the lists of a state that fit what is suspended of them.

    What lists hold is not looked at; so `True` says nothing more than that.
    """
    lengths = _Lengths(state)
    for constraint in state.constraints():
        if isinstance(constraint, Suspended):
            for left, right, more in constraint.primitive.lengths(*constraint.arguments):
                lengths.equate(left, right, more)
        elif type(constraint) is SameLength:
            first, *others = constraint.lists
            for other in others:
                lengths.equate([first], [other], 0)
        elif type(constraint) is Length and type(constraint.length) is int:
            lengths.equate([constraint.items], [], constraint.length)
    bounds: list[tuple[int, int | None]] = [(0, None)] * len(lengths.numbers)
    return bool(System(bounds, lengths.equations, charge=state.search.budget.charge).narrow())


class _Lengths:
    """Linear equations between the lengths of the ends of open lists, each of which has a number."""

    def __init__(self, state: State) -> None:
        self.bindings = state.bindings
        self.numbers: dict[Any, int] = {}
        self.equations: list[Constraint] = []

    def equate(self, left: Iterable[Any], right: Iterable[Any], more: int) -> None:
        """The lists on the left are as long as those on the right and `more`; nothing, if some are no lists."""
        poly: dict[Monomial, int] = {(): -more}
        for sign, lists in ((1, left), (-1, right)):
            for items in lists:
                known = reify_term(items, self.bindings)
                if type(known) is tuple:
                    _add(poly, (), sign * len(known))
                elif type(known) is Cons:
                    _add(poly, (), sign * len(known.prefix))
                    _add(poly, self.number(known.tail), sign)
                elif type(known) in VARIABLES:
                    _add(poly, self.number(known), sign)
                else:
                    return
        self.equations.append(("=", poly))

    def number(self, end: Any) -> tuple[int]:
        return (self.numbers.setdefault(end, len(self.numbers)),)


def _add(poly: dict[Monomial, int], monomial: Monomial, coefficient: int) -> None:
    poly[monomial] = poly.get(monomial, 0) + coefficient
