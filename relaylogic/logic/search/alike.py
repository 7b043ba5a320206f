"""Lists of which element-wise relations make one: what holds of each row holds of the lists.

Where the first two of a row are one number, the third of `BroadcastDim` is, too: so `map(BroadcastDim, s, s, u)` says
that u is s, and then nothing more. Beside `map(BroadcastDim, s, u, v)`, `map(BroadcastDim, u, s, w)` says that w is v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..control import FREE, Budget, Search
from ..exact import exact
from ..states.goals import Goal
from ..states.suspended import Primitive, Suspended, waiting_beside
from ..states.work import Work
from ..terms.rebuilding import reify_term
from ..terms.variables import fresh, fresh_list
from .jointly import Jointly, said_jointly

__all__ = ["Rows", "is_told", "make_one", "ones_of", "said_of"]

STEPS = 2_000
"""What relations say of a row is not found out in more steps,"""

A_ROW = 4
"""and paid for with so many, whoever was the first to ask."""

Relate = Callable[..., Goal]
Rows = tuple[Relate, tuple[Any, ...]]
"""A relation, and the lists of whose rows it holds, or the elements of one row."""


def make_one(work: Work, mapped: Primitive, relate: Relate, *lists: Any) -> bool:
    """Make those lists one that are in all rows, of this relation alone or beside another; False if that cannot be.
    `mapped` states a relation of rows.

    Of lists that begin or end with one list, of which the relation holds, it is stated of the rest.
    """
    if not _narrowed(relate, lists, work):
        return False
    own = _known(lists, work)
    return all(_made_of_rest(part, mapped, relate, own, work) for part in _in_common(relate, own, work))


def _narrowed(relate: Relate, lists: tuple[Any, ...], work: Work) -> bool:
    own = _known(lists, work)
    if len(set(own)) < len(own) and not _made_one([(relate, own)], work):
        return False
    return all(_made_one([other, (relate, own)], work) for other in _beside(own, work))


def is_told(work: Work, relate: Relate, *lists: Any) -> bool:
    """Whether what a relation says of all rows follows: from nothing, or from another one that waits beside it; of
    lists that have a part in common, as `make_one` says it."""
    own = _known(lists, work)
    if _is_said(relate, own, work):
        return True
    rests = [tuple(map(part.rest.get, own)) for part in _in_common(relate, own, work)]
    return any(None not in rest and _is_said(relate, _known(rest, work), work) for rest in rests)


def _is_said(relate: Relate, own: tuple[Any, ...], work: Work) -> bool:
    if len(set(own)) == 1 and said_of([(relate, own)], work.search).is_told:
        return True
    beside = [other for other in _beside(own, work) if set(own) <= set(other[1])]
    return any(said_of([other, (relate, own)], work.search).is_told for other in beside)


class _Common(NamedTuple):
    """What some lists have in common, at the place `at` of `append`; `rest` is what those that are known to have it
    have besides."""

    append: Primitive
    at: int
    items: Any
    rest: dict[Any, Any]


def _in_common(relate: Relate, own: tuple[Any, ...], work: Work) -> Iterator[_Common]:
    """What several of some lists begin or end with, if the relation holds of that, and all lists have it then."""
    found: dict[Any, _Common] = {}
    for other in waiting_beside(own, "append", work):
        front, whole, back = _known(other.arguments, work)
        for at, (common, rest) in enumerate([(front, back), (back, front)]) if whole in own else ():
            part = _Common(other.primitive, at, common, {})
            found.setdefault(exact((at, common)), part).rest[whole] = rest
    for part in found.values():
        if len(part.rest) > 1:
            lists = tuple([part.items if items in part.rest else items for items in own])
            places = said_of([(relate, lists)], work.search).places
            is_one = places is not None and not any(places)
            if is_one and said_of([(relate, (part.items,) * len(own))], work.search).is_told:
                yield part


def _made_of_rest(part: _Common, mapped: Primitive, relate: Relate, own: tuple[Any, ...], work: Work) -> bool:
    """State of lists that they have a part in common, and of the rest of them what is said of the lists."""
    for items in own:
        if items not in part.rest:
            part.rest[items] = new = fresh()
            front, back = (part.items, new) if part.at == 0 else (new, part.items)
            if not work.post(Suspended.draft((part.append, front, items, back))):
                return False
    rest = tuple([part.rest[items] for items in own])
    if not _narrowed(relate, rest, work):
        return False
    if not _is_said(relate, _known(rest, work), work):
        work.suspend(Suspended.draft((mapped, relate, *rest)))
    return True


def _known(lists: tuple[Any, ...], work: Work) -> tuple[Any, ...]:
    return tuple([reify_term(items, work.bindings) for items in lists])


def _beside(own: tuple[Any, ...], work: Work) -> list[Rows]:
    """The element-wise relations that wait for one of some lists, too."""
    found = [(other.arguments[0], _known(other.arguments[1:], work)) for other in waiting_beside(own, "map", work)]
    return [(relate, theirs) for relate, theirs in found if not set(own).isdisjoint(theirs)]


def _made_one(of: Sequence[Rows], work: Work) -> bool:
    """Make those lists one that are in all rows, and empty if there are no rows; False if that cannot be."""
    ones = ones_of(of, work.search)
    if ones is None:
        return all(work.unify(items, ()) for _, lists in of for items in lists)
    return all(work.unify(left, right) for left, right in ones)


def ones_of(of: Sequence[Rows], search: Search) -> list[tuple[Any, Any]] | None:
    """What is one in all rows of which some relations hold; None if there are no rows. Raises StepLimit."""
    places = said_of(of, search).places
    if places is None:
        return None
    first: dict[int, Any] = {}
    return [(first.setdefault(place, item), item) for item, place in zip(_numbered(of), places, strict=True)]


def _numbered(of: Iterable[Rows]) -> dict[Any, int]:
    """Each list, or element, once, numbered as they come."""
    return {items: number for number, items in enumerate(dict.fromkeys(items for _, lists in of for items in lists))}


def said_of(of: Sequence[Rows], search: Search) -> Jointly:
    """What some relations say jointly of each row of which they hold. Raises StepLimit."""
    numbers = _numbered(of)
    unknown = Jointly(tuple(range(len(numbers))), False)
    if search.rules is None:  # nobody keeps what is found out, or it is being found out
        return unknown
    placed = tuple([(relate, tuple([numbers[items] for items in lists])) for relate, lists in of])
    is_gradual = search.is_gradual() or search.gradual is None
    memory, key = search.rules.rows, (Jointly, placed, is_gradual)
    if key not in memory:
        row = tuple(fresh_list(len(numbers)))
        goals = [relate(*[row[place] for place in places]) for relate, places in placed]
        memory[key] = said_jointly(goals, row, Search(Budget(STEPS), gradual=is_gradual, defaults=FREE))
    search.budget.charge(A_ROW)
    return memory[key] or unknown
