"""Between which numbers an integer, or the length of a list, lies, by all that a state says of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..constraints.compare import Compare
from ..constraints.intervals import interval
from ..constraints.lengths import Length
from ..constraints.together import greatest_length
from ..states.least import begun
from ..states.state import Bounds, State
from ..states.work import Work
from ..terms.terms import open_in
from ..terms.variables import VARIABLES

__all__ = ["all_limits", "lengths", "limits"]


def limits(state: State, variable: Any) -> Bounds:
    """Between which integers a number lies if it is one (see `all_limits`)."""
    return all_limits(state, (variable,))[0]


def all_limits(state: State, variables: Iterable[Any]) -> list[Bounds]:
    """Between which integers some numbers lie if they are integers: while one may turn out to be `?`, a comparison only
    says so; what an equation says that an integer is has none but integers in it, which other comparisons bound."""
    if not state.search.waits():
        return [state.bounds(variable) for variable in variables]
    work = _of_integers(state)
    told = [constraint.args for constraint in state.constraints() if type(constraint) is Compare]
    equations = [sides for how, *sides in told if how == "="]
    found = []
    for variable in variables:
        low, high = interval(variable, work)
        for left, right in equations:
            other = right if left is variable else left if right is variable else None
            if other is not None:
                least, most = interval(other, work)
                low = max(low or 0, least or 0)
                high = most if high is None else high if most is None else min(high, most)
        found.append((low or 0, high))
    return found


def _of_integers(state: State) -> Work:
    """`state` with the bounds that comparisons say its numbers have if they are integers."""
    work = Work(state)
    for constraint in state.constraints():
        if type(constraint) is Compare:
            how, a, b = constraint.args
            if how == "<=" and type(a) in VARIABLES and type(b) is int:
                work.narrow(a, 0, b)
            elif how == "<=" and type(b) in VARIABLES and type(a) is int:
                work.narrow(b, a, None)
    return work


def lengths(state: State, variable: Any, least: int) -> tuple[int, int | None]:
    """Between which numbers the length of a list lies, which is one, by what is said of it and of other lists; none of
    its elements is below `least`."""
    low, high = 0, None
    work = Work(state)
    for constraint in state.constraints():
        if type(constraint) is Length and variable in open_in(constraint):
            number = work.walk(constraint.length)
            first, end = begun(constraint.items, work)
            least, most = limits(state, number) if type(number) in VARIABLES else (number, number)
            if end is variable and type(least) is int:
                low = max(low, least - first)
                high = high if most is None else most - first if high is None else min(high, most - first)
    if high is None:
        told = _of_integers(state) if state.search.waits() else Work(state)
        high = greatest_length(State(state.bindings, told.store, state.search), variable, least)
    return low, high
