"""Whether values are tried for a variable before a call is made, or after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..constraints.gradual import unknowns_awaited
from ..search.limits import all_limits
from ..search.options import Options
from ..states.calls import Call
from ..states.state import State
from ..terms.terms import Slot, open_in
from .space import Space

__all__ = ["bounded", "longest_of", "says_form"]


def bounded(space: Space, wanted: Mapping[Any, Any], state: State) -> tuple[Any, Any] | None:
    """A wanted variable to be labelled, with its kind, of which it is known how many values it has at most; lists
    first."""
    waiting = unknowns_awaited(state)
    found = None
    for (variable, kind), (low, high) in zip(wanted.items(), all_limits(state, wanted), strict=True):
        if variable in waiting or not space.labels(kind, low, high):
            continue
        if not space.is_number(kind) and not space.goes_on(kind):
            return variable, kind
        if found is None and space.is_number(kind) and high is not None:
            found = variable, kind
    return found


def says_form(space: Space, options: Options, call: Call, variable: Any, kind: Any) -> bool:
    """Whether each option of a call says which form a variable has, that is no list nor number, and labelling would not
    do: one says a form that is not tried, or there are no more options than forms."""
    variables = open_in(call)
    if space.is_number(kind) or space.is_row(kind) or space.goes_on(kind) or variable not in variables:
        return False
    place = variables.index(variable)
    said = [type(value) for option in options.options or () for at, value in option.values if at == place]
    if not said or len(said) < options.count or Slot in said:
        return False
    forms = [type(form) for form in space.values(kind)]
    return len(said) <= len(forms) or not {*said} <= {*forms}


def longest_of(space: Space, kinds: Iterable[tuple[Any, Any]]) -> dict[Any, int]:
    """How long variables may be that are lists, where that is bounded."""
    found = {variable: space.longest(kind) for variable, kind in kinds if space.is_row(kind)}
    return {variable: most for variable, most in found.items() if most is not None}
