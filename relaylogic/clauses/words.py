"""The goals that clause notation has words for, besides the relations of the rule base."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..logic import (
    agree,
    appendo,
    cons,
    distincto,
    eq,
    follows,
    fresh,
    fresh_list,
    is_known,
    is_rigid,
    is_unknown,
    lall,
    membero,
    ntho,
    primitive,
    reverseo,
    same_lengtho,
    sharpest,
    widest,
)
from ..logic.constraints.natural import is_natural_number
from ..logic.states.goals import Goal
from ..logic.states.state import State
from ..logic.terms.look import closed
from ..logic.terms.rebuilding import reify_term
from ..logic.terms.terms import walk
from ..logic.terms.variables import VARIABLES
from ..types.dtype_goals import is_float_dtype, is_index_dtype, is_integer_dtype, is_signed_dtype

__all__ = ["WORDS", "WORD_OF", "element", "part"]


def element(items: Any, index: Any, item: Any) -> Goal:
    """`item` stands at `index` of the list `items`; if neither is known to its end, it waits for one of them."""
    return ntho(items, index, item) if type(index) is int else _element(items, closed(index), item)


@primitive("element", 0, 2, lists=True, contents=lambda items, _, item: [(((item,),), (items,), False)])
def _element(state: State, items: Any, index: Any, item: Any) -> Iterator[Any]:
    place = walk(index, state.bindings)
    if type(place) not in VARIABLES:
        # `?` is no place.
        return ntho(items, place, item)(state) if type(place) is int else iter(())
    known = reify_term(items, state.bindings)
    return membero((index, item), tuple(enumerate(known)))(state) if type(known) is tuple else iter(())


def part(items: Any, start: int | None, stop: int | None, result: Any) -> Goal:
    """`result` is the part of the list `items` from `start` up to but not including `stop`; both places must exist."""
    first = start or 0
    if first >= 0 and stop is None:
        return eq(items, cons(fresh_list(first), result))
    if first >= 0 and stop is not None and stop >= 0:
        middle = fresh_list(max(stop - first, 0))
        return lall(eq(result, middle), eq(items, cons((*fresh_list(first), *middle), fresh())))
    if stop is not None and stop < 0 <= first:
        rest = fresh()
        return lall(eq(items, cons(fresh_list(first), rest)), appendo(result, fresh_list(-stop), rest))
    if stop is None:
        return lall(eq(result, last := fresh_list(-first)), appendo(fresh(), last, items))
    if stop < 0:
        middle = fresh_list(max(stop - first, 0))
        return lall(eq(result, middle), appendo(fresh(), (*middle, *fresh_list(-stop)), items))

    return _part(items, start, stop, result)


@primitive("part", 0, 1, lists=True)
def _part(state: State, items: Any, start: int, stop: int, result: Any) -> Iterator[Any]:
    known = reify_term(items, state.bindings)
    if type(known) is not tuple or len(known) < max(-start, stop):
        return iter(())
    return eq(result, known[start:stop])(state)


WORDS: dict[str, tuple[Callable[..., Goal], tuple[str | None, ...]]] = {
    "append": (appendo, ("list", "list", "list")),
    "reverse": (reverseo, ("list", "list")),
    "member": (membero, (None, "list")),
    "distinct": (distincto, ("list",)),
    "same_length": (same_lengtho, ("list", "list")),
    "agree": (agree, ("number", "number")),
    "widest": (widest, ("number", "number", "number")),
    "sharpest": (sharpest, ("number", "number", "number")),
    "follows": (follows, ("number", "number")),
    "known": (is_known, ("number",)),
    "unknown": (is_unknown, ("number",)),
    "rigid": (is_rigid, (None,)),
    "natural": (is_natural_number, ("number",)),
    "is_float": (is_float_dtype, ("dtype",)),
    "is_integer": (is_integer_dtype, ("dtype",)),
    "is_signed": (is_signed_dtype, ("dtype",)),
    "is_index": (is_index_dtype, ("dtype",)),
}
"""Each word with its goal, and with what its arguments stand for (`kinds`)."""

WORD_OF: dict[Any, str] = {goal: word for word, (goal, _) in WORDS.items()}
"""The word for a goal: `map(agree, a, b)` is a goal for each pair of elements."""
