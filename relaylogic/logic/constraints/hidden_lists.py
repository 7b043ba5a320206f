"""What goals say of the lists that are seen, where others are hidden and nothing else speaks of what these hold.

Some first elements of t are always a list, so `append(s, u, t)` with s and u hidden says no more than how long the
three are: `len(s) + len(u) = len(t)`. A list with a hidden member has one element at least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..states.state import NATURALS, State
from ..states.suspended import Suspended, open_end
from ..terms.numbers import plus
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, variables_of
from ..terms.variables import VARIABLES, fresh
from .compare import Compare
from .lengths import Length, SameLength

__all__ = ["Change", "of_hidden_lists"]

_PUT_TOGETHER = frozenset({"append", "reverse"})
"""Goals that hold of any lists on one side of what they put together, for some on the other."""
_HOLDING = {"member": 1, "nth": 0}
"""Goals that an element is in a list, and at which place this is."""


class Change(NamedTuple):
    """Constraints that go, and what takes their place."""

    gone: list[Any]
    told: list[Any]


def of_hidden_lists(constraint: Any, about: Mapping[Any, list[Any]], state: State) -> Change | None:
    """What takes the place of a goal that speaks of hidden lists, or a hidden element; None if nothing does. `about`
    are the hidden variables with the constraints that speak of them."""
    if type(constraint) is SameLength:
        return next(filter(None, (_as_long_as_others(items, constraint, about) for items in constraint.lists)), None)
    if type(constraint) is not Suspended:
        return None
    if constraint.primitive.name in _HOLDING:
        return _holding(constraint, about, state)
    if constraint.primitive.name not in _PUT_TOGETHER:
        return None
    ((left, right, _),) = constraint.primitive.contents(*constraint.arguments)
    sides = (left, right)
    if not any(all(_is_any(items, constraint, about, state) for items in side) for side in sides):
        return None
    return Change([constraint], _as_long_together(left, right)) if all(map(_is_list, left + right)) else None


def _holding(constraint: Suspended, about: Mapping[Any, list[Any]], state: State) -> Change | None:
    """What is left of a goal that an element is in a list."""
    items, element = constraint.arguments[_HOLDING[constraint.primitive.name]], _element(constraint)
    if not _is_list(items):
        return None
    if _is_any(items, constraint, about, state):
        return Change([constraint], [])
    if type(element) not in VARIABLES or state.bounds(element) != NATURALS or element in variables_of(items):
        return None
    if about.get(element) == [constraint]:
        count = fresh()
        return Change([constraint], [Length.draft((items, count)), Compare.draft(("<=", 1, count))])
    return None


def _element(constraint: Suspended) -> Any:
    return constraint.arguments[0 if constraint.primitive.name == "member" else 2]


def _is_list(items: Any) -> bool:
    return type(items) is tuple or open_end(items) is not None


def _is_any(items: Any, constraint: Suspended, about: Mapping[Any, list[Any]], state: State) -> bool:
    """Whether an open list is hidden, and nothing but one place in a goal, and its length, speaks of it."""
    end = open_end(items)
    if end is None:
        return False
    elements: Sequence[Any] = items.prefix if type(items) is Cons else ()
    times = Counter(_mentioned(constraint))
    if not all(type(v) in VARIABLES and times[v] == 1 for v in (*elements, end)):
        return False
    others = _others(end, constraint, about)
    are_any = all(_others(v, constraint, about) == [] and state.bounds(v) == NATURALS for v in elements)
    return are_any and others is not None and all(type(other) is Length for other in others)


def _mentioned(constraint: Suspended) -> Iterator[Any]:
    """The variables in what a goal relates, each as often as it stands there; within an element once."""
    for items in constraint.arguments:
        yield from () if type(items) is tuple else variables_of(open_end(items))
        for element in items if type(items) is tuple else items.prefix if type(items) is Cons else ():
            yield from variables_of(element)


def _others(variable: Any, constraint: Any, about: Mapping[Any, list[Any]]) -> list[Any] | None:
    """What else speaks of a variable, but for how long the list is that it is in; None if it is seen."""
    said = about.get(variable)
    if said is None:
        return None
    return [c for c in said if c is not constraint and not (type(c) is Length and variable is not open_end(c.items))]


def _as_long_as_others(items: Any, constraint: SameLength, about: Mapping[Any, list[Any]]) -> Change | None:
    """What else is said of how long a hidden list is, of one that is as long."""
    said = about.get(items, [None])
    others = [other for other in constraint.lists if other is not items]
    if not all(type(c) in (Length, SameLength) for c in said) or not all(map(_is_list, others)):
        return None
    if any(items in variables_of(other) for other in others):
        return None
    told = [reify_term(c, {items: others[0]}) for c in said if c is not constraint]
    if len(others) > 1:
        told.append(SameLength.draft(tuple(others)))
    return Change(said, told or [Length.draft((others[0], fresh()))])


def _as_long_together(left: Iterable[Any], right: Iterable[Any]) -> list[Any]:
    """That some lists are together as long as others are."""
    told: list[Any] = []
    sums: list[Any] = []
    for side in (left, right):
        total: Any = 0
        for items in side:
            count: Any = len(items) if type(items) is tuple else fresh()
            if type(items) is not tuple:
                told.append(Length.draft((items, count)))
            total = plus(total, count)
        sums.append(total)
    return [*told, Compare.draft(("=", *sums))]
