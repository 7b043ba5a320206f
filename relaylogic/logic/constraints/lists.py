"""Goals that relate lists to their elements and to other lists: append, reverse, the element at a place.

A goal whose lists are known enough has finitely many answers and gives them at once. One that is not is suspended, as a
`Primitive` applied to its arguments, which the search runs when a list that it waits for is known
(`relaylogic.logic.states.suspended`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..exact import exact
from ..states.goals import Goal, eq, goal, lall
from ..states.least import FEW, as_long, beginning, has_at_least
from ..states.state import State
from ..states.suspended import Fixed, Suspended, primitive, waiting_beside
from ..states.work import Work
from ..terms.rebuilding import reify_term
from ..terms.terms import Cons, Symbol, cons, copies
from ..terms.variables import VARIABLES, fresh, fresh_list
from .lengths import are_as_long, ends_rigid, equally_long
from .longer import compared, would_be_longer
from .overlaps import overlap

__all__ = [
    "appendo",
    "conso",
    "end_told",
    "inserto",
    "membero",
    "ntho",
    "permuteo",
    "pluck",
    "replaceo",
    "reverseo",
]


def conso(head: Any, tail: Any, items: Any) -> Goal:
    """The goal that `items` is the list of `head` followed by the list `tail`.

    kanren's makes a `ConsPair`, which becomes an open list when a goal of ours meets it, and takes 1.5 times as long.
    """

    def cell(work: Work) -> bool:
        rest = work.walk(tail)
        return work.unify(items, cons((head,), rest)) if type(rest) in (tuple, list, Cons, *VARIABLES) else False

    return goal(cell)


def _put_together(work: Work, front: Any, whole: Any, back: Any) -> bool:
    """Lists of which one begins with the other have the same first elements, as far as both have some; what is put
    together of the same two is the same, or makes up the same with one of them, or with one that is as long; and see
    `overlap`.

    (It is looked at a few elements only, and at what is one list at a glance: many goals may wait for long lists.)
    """
    own = work.walk(front), work.walk(whole), work.walk(back)
    if type(own[0]) is Cons and type(own[1]) is Cons:
        first, others = beginning(own[0], work, FEW), beginning(own[1], work, FEW)
        both = min(len(first), len(others))
        if not work.unify(first[:both], others[:both]):
            return False
    for theirs in _beside((front, whole, back), work):
        same = [_is_one(mine, its, work) for mine, its in zip(own, theirs, strict=True)]
        is_one = same.count(True) == 2
        if same[1] and not is_one:
            is_one = are_as_long(front, theirs[0], work) or are_as_long(back, theirs[2], work)
        if is_one and not work.unify(own, theirs):
            return False
    behind = own[2]
    is_new = work.running is None
    if is_new and would_be_longer(whole, compared(_append, (front, whole, back), work), work):
        return False
    return overlap(work, *own) and (type(behind) is not tuple or _ends_alike(work, whole, behind[::-1]))


def _is_put_together(work: Work, *lists: Any) -> bool:
    """Whether another goal says the same of these lists."""
    return any(all(map(partial(_is_one, work=work), lists, theirs)) for theirs in _beside(lists, work))


def _beside(lists: tuple[Any, ...], work: Work) -> list[tuple[Any, ...]]:
    """The lists that others put together which wait for one of some lists."""
    return [tuple(map(work.walk, other.arguments)) for other in waiting_beside(lists, "append", work)]


def _is_one(left: Any, right: Any, work: Work) -> bool:
    """Whether two lists are known to be one."""
    left, right = work.walk(left), work.walk(right)
    if type(left) is type(right) and type(left) in (Cons, tuple):
        return exact((reify_term(left, work.bindings),)) == exact((reify_term(right, work.bindings),))
    return left is right


def _ends_alike(work: Work, items: Any, last: tuple[Any, ...]) -> bool:
    """State that an open list ends with the same elements wherever some are told: these, the last one first, or None
    where nothing is told of one."""
    first, tail = _opened(items, work)
    for other in work.beside(tail) if type(tail) in VARIABLES else ():
        told = end_told(other, work.walk)
        if told is None:
            continue
        others_first, others_tail = _opened(told[0], work)
        if others_tail is not tail:
            continue
        # What is before the elements that both have may be the last of one of the lists, and not of the other.
        apart = _differ_in(first, others_first)
        shared = max(len(last) - apart, len(told[1]) - (apart + len(others_first) - len(first)), 0)
        both = zip(last[:shared], told[1][:shared], strict=False)
        if not all(one is None or another is None or work.unify(one, another) for one, another in both):
            return False
    return True


def _opened(items: Any, work: Work) -> tuple[list[Any], Any]:
    """The first elements of a list, if they are few, and what follows them."""
    first: list[Any] = []
    items = work.walk(items)
    while type(items) is Cons and len(first) + len(items.prefix) <= FEW:
        first += map(work.walk, items.prefix)
        items = work.walk(items.tail)
    return first, items


def _differ_in(first: list[Any], others: list[Any]) -> int:
    """How many elements of one list stand before those with which another one ends as well."""
    same = 0
    while same < min(len(first), len(others)) and first[-1 - same] is others[-1 - same]:
        same += 1
    return len(first) - same


def end_told(constraint: Any, walk: Callable[[Any], Any]) -> tuple[Any, tuple[Any, ...]] | None:
    """A list and its last elements, the last one first, None where nothing is told of one, if a constraint tells some;
    `walk` gives what a term is bound to."""
    if type(constraint) is Suspended and constraint.primitive is _append:
        _, whole, back = constraint.arguments
        behind = walk(back)
        return (whole, behind[::-1]) if type(behind) is tuple else None
    if type(constraint) is Suspended and constraint.primitive is _nth_from_end:
        items, index, element = constraint.arguments
        return items, _last_told(index, element)
    return None


def _last_told(index: int, element: Any) -> tuple[Any, ...]:
    """The last elements of a list, the last one first, where one is told of an index, which is negative. Raises
    StepLimit for one that is too far from the end."""
    return (*copies(None, -index - 1), element)


@primitive(
    "append",
    0,
    2,
    lists=True,
    empty=2,
    contents=lambda a, c, b: [((a, b), (c,), True)],
    fixes=lambda a, c, b: [Fixed(c, (a, b)), Fixed((a, b), (c,), (a,)), Fixed((a, b), (c,), (b,))],
    narrows=_put_together,
    told=_is_put_together,
)
def _append(state: State, front: Any, whole: Any, back: Any) -> Iterator[Any]:
    bindings = state.bindings
    a, b, c = (reify_term(x, bindings) for x in (front, back, whole))
    if b == ():
        yield from eq(a, c)(state)
    elif type(a) is tuple:
        if type(b) in (tuple, Cons, *VARIABLES) or isinstance(b, Symbol) or not a:
            yield from eq(whole, cons(a, b))(state)
    elif type(c) is tuple:
        if type(b) is tuple:
            cut = len(c) - len(b)
            if cut >= 0:
                yield from eq((a, b), (c[:cut], c[cut:]))(state)
            return
        for cut in range(len(c) + 1):
            yield from eq((a, b), (c[:cut], c[cut:]))(state)
    elif ends_rigid(a):
        yield from eq((b, whole), ((), a))(state)
    else:
        # `whole` has a rigid end: a list of which nobody knows the elements, so that is not split.
        known, end = (c.prefix, c.tail) if type(c) is Cons else ((), c)
        for cut in range(len(known) + 1):
            yield from eq((a, b), (known[:cut], cons(known[cut:], end)))(state)
        yield from eq((a, b), (c, ()))(state)


def appendo(front: Any, back: Any, whole: Any) -> Goal:
    """The goal that the list `whole` is `front` followed by `back`.

    It waits for one end of a list, unless `back` is empty. kanren's guesses lists without end if none is known, and
    reifies what is left at each element: 40 times the time to part a list of 20 elements, 250 times to join two.
    """
    return _append(front, whole, back)


@primitive(
    "reverse",
    0,
    lists=True,
    contents=lambda a, b: [((a,), (b,), True)],
    fixes=lambda a, b: [Fixed(b, (a,)), Fixed(a, (b,))],
    narrows=lambda work, a, b: as_long(work, (a, b)),
)
def reverseo(state: State, items: Any, reversed_items: Any) -> Iterator[Any]:
    """The goal that one list is the other backwards."""
    a, b = (reify_term(x, state.bindings) for x in (items, reversed_items))
    if type(a) is tuple:
        return eq(b, a[::-1])(state)
    return eq(a, b[::-1])(state) if type(b) is tuple else iter(())


@primitive(
    "nth",
    0,
    1,
    lists=True,
    contents=lambda items, _, element: [(((element,),), (items,), False)],
    fixes=lambda items, _, element: [Fixed(element, (items,))],
    narrows=lambda work, items, index, element: (
        has_at_least(items, -index, work) and _ends_alike(work, items, _last_told(index, element))
    ),
)
def _nth_from_end(state: State, items: Any, index: int, element: Any) -> Iterator[Any]:
    known = reify_term(items, state.bindings)
    return eq(known[index], element)(state) if type(known) is tuple and len(known) >= -index else iter(())


def ntho(items: Any, index: int, element: Any) -> Goal:
    """The goal that `element` stands at `index` (known; from the end if negative) of the list `items`."""
    if index >= 0:
        return eq(items, cons((*fresh_list(index), element), fresh()))
    return _nth_from_end(items, index, element)


def _is_long_enough(work: Work, items: Any, result: Any, index: int, _: Any) -> bool:
    return has_at_least(items, index + 1 if index >= 0 else -index, work) and as_long(work, (items, result))


@primitive(
    "replace",
    0,
    2,
    lists=True,
    lengths=lambda a, b, *_: equally_long(a, b),
    contents=lambda _a, b, _i, element: [(((element,),), (b,), False)],
    fixes=lambda a, b, _, element: [Fixed(b, (a, element))],
    narrows=_is_long_enough,
)
def _replace(state: State, items: Any, result: Any, index: int, element: Any) -> Iterator[Any]:
    a, b = (reify_term(x, state.bindings) for x in (items, result))
    count = next((len(x) for x in (a, b) if type(x) is tuple), 0)
    at = index + count if index < 0 else index
    if not 0 <= at < count:
        return iter(())
    front, back = fresh_list(at), fresh_list(count - at - 1)
    return eq((items, result), ((*front, fresh(), *back), (*front, element, *back)))(state)


def replaceo(items: Any, index: int, element: Any, result: Any) -> Goal:
    """The goal that `result` is `items` with `element` at `index` (known; from the end if negative)."""
    return _replace(items, result, index, element)


def inserto(items: Any, index: int, inserted: tuple[Any, ...], result: Any) -> Goal:
    """The goal that `result` is `items` with the elements `inserted` before position `index` (known, not negative)."""
    front, back = fresh_list(index), fresh()
    return lall(eq(items, cons(front, back)), eq(result, cons((*front, *inserted), back)))


def permuteo(items: Any, order: tuple[int, ...], result: Any) -> Goal:
    """The goal that `result[i]` is `items[order[i]]` for a known permutation of 0..n-1.

    Another relation than kanren's `permuteo`, which holds of lists for which there is such a permutation.
    """
    elements = fresh_list(len(order))
    return lall(eq(items, elements), eq(result, tuple(elements[i] for i in order)))


def pluck(items: Any, indices: tuple[int, ...], picked: Any) -> Goal:
    """The goal that `picked` holds the elements of `items` at the known, non-negative `indices`."""
    longest = max(indices, default=-1) + 1
    front = fresh_list(longest)
    return lall(eq(items, cons(front, fresh())), eq(picked, tuple(front[i] for i in indices)))


@primitive("member", 1, lists=True, contents=lambda element, items: [(((element,),), (items,), False)])
def membero(state: State, element: Any, items: Any) -> Iterator[Any]:
    """The goal that `element` is one of the elements of `items`; one answer for each place.

    It waits for the list. kanren's guesses lists without end if it is open, and takes 25 times as long for a known one
    of 20 elements.
    """
    known = reify_term(items, state.bindings)
    for item in known if type(known) is tuple else ():
        yield from eq(element, item)(state)
