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
    fresh,
    fresh_list,
    is_known,
    is_unknown,
    lall,
    membero,
    ntho,
    reverseo,
    same_lengtho,
    sharpest,
    when,
    widest,
)
from ..logic.defaults import follows
from ..logic.goals import Goal
from ..logic.terms import reify_term
from ..types import is_float, is_integer

__all__ = ["WORDS", "element", "part"]


def element(items: Any, index: Any, item: Any) -> Goal:
    """`item` stands at `index` of the list `items`; an index that is not known waits for the list."""
    if type(index) is int:
        return ntho(items, index, item)

    def places(state: Any) -> Iterator[Any]:
        known = reify_term(items, state.bindings)
        for place, found in enumerate(known if type(known) is tuple else ()):
            yield from eq((index, item), (place, found))(state)

    return when("element", (items,), places, (items, index, item))


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

    def cut(state: Any) -> Iterator[Any]:
        known = reify_term(items, state.bindings)
        return eq(result, known[first:stop])(state) if len(known) >= max(-first, stop) else iter(())

    return when("part", (items,), cut, (items, start, stop, result))


def _of_kind(name: str, holds: Callable[[str], bool]) -> Callable[[Any], Goal]:
    def goal(dtype: Any) -> Goal:
        def check(state: Any) -> Iterator[Any]:
            known = reify_term(dtype, state.bindings)
            return iter((state,)) if type(known) is str and holds(known) else iter(())

        return when(name, (dtype,), check)

    return goal


WORDS: dict[str, tuple[Callable[..., Goal], tuple[str | None, ...]]] = {
    "append": (appendo, (None, None, None)),
    "reverse": (reverseo, (None, None)),
    "member": (membero, (None, None)),
    "distinct": (distincto, (None,)),
    "same_length": (same_lengtho, (None, None)),
    "agree": (agree, ("number", "number")),
    "widest": (widest, ("number", "number", "number")),
    "sharpest": (sharpest, ("number", "number", "number")),
    "follows": (follows, ("number", "number")),
    "known": (is_known, ("number",)),
    "unknown": (is_unknown, ("number",)),
    "is_float": (_of_kind("is_float", is_float), ("dtype",)),
    "is_integer": (_of_kind("is_integer", is_integer), ("dtype",)),
}
