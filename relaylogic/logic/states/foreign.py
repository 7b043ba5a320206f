"""States and terms that come from elsewhere: kanren's searches start with a plain dict and use Python's lists.

`as_state` makes our state of either. A search that kanren runs does not settle what was suspended, so the goals of such
a search do that themselves (`Search.settles`).

`own` makes our term of one: lists are tuples here (terms are hashed), kanren's `ConsPair` is an open list, and a
variable that only shows its constraints (kanren's `ConstrainedVar`, our `Residual`) is the variable itself.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

from unification import Var
from unification.core import stream_eval

from ...host.above import above
from ..control import Search
from ..terms.terms import Term, cons
from ..terms.variables import VARIABLES, Shown
from .state import CARRIED, State

__all__ = ["as_state", "own", "without_lists"]

_PLAIN = frozenset({int, str, bool, float, type(None)})


def as_state(state: Any) -> State:
    """`state` as a `State`. Raises TypeError for constraints that are not known here."""
    if type(state) is State:
        return state
    if hasattr(state, "constraints"):
        return cast(State, above("state of kanren's")(state))
    if CARRIED in state:
        return cast(State, above("state of a mapping")(state))
    return State({variable: own(term) for variable, term in state.items()}, None, Search(settles=True))


def own(term: Any) -> Any:
    """A term as the engine has it."""
    kind = type(term)
    if kind in _PLAIN or (isinstance(term, Term) and term.ground):
        return term
    return stream_eval(_owned(term))


def without_lists(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a goal with tuples for Python's lists, which kanren's users write."""
    return tuple(map(own, arguments)) if list in map(type, arguments) else arguments


def _owned(term: Any) -> Generator[Any, Any, None]:
    """`own`, in the manner of `unification`: yields generators for its parts, then the result."""
    kind = type(term)
    if kind in VARIABLES:
        yield term.token.variable if kind is Shown else term
    elif kind is tuple or kind is list:
        parts = []
        for part in term:
            mine = part if type(part) in _PLAIN else (yield _owned(part))
            parts.append(mine)
        yield tuple(parts)
    elif isinstance(term, Term):
        if term.ground:
            yield term
            return
        inside = yield _owned(term.args)
        yield term if all(a is b for a, b in zip(inside, term.args, strict=True)) else type(term).assemble(inside)
    elif issubclass(kind, Var):
        yield term.var() or Var(term.token)
    elif hasattr(term, "car") and hasattr(term, "cdr"):
        head = yield _owned(term.car)
        rest = yield _owned(term.cdr)
        yield cons((head,), rest)
    else:
        yield term
