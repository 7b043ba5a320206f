"""A goal that waited and had no outcome, in words: `() has fewer than 1 element`, `(2, 3) has no element -9`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...logic.states.suspended import Suspended
from ...logic.terms.terms import Cons, Slot
from ...logic.terms.variables import VARIABLES
from ...types import show_dimension, show_shape, show_type
from ...types.terms import Type

__all__ = ["counted", "of_one_length", "show_term", "without_outcome"]


def show_term(term: Any) -> str:
    """Any term of a rule as text; what is open is `_`."""
    if isinstance(term, Type):
        return show_type(term)
    if type(term) in (tuple, Cons):
        items = term if type(term) is tuple else term.prefix
        plain = not any(isinstance(item, Type) or type(item) in (tuple, Cons) for item in items)
        return show_shape(term) if plain else f"({', '.join(map(show_term, term))})" if type(term) is tuple else "(...)"
    if type(term) in (Slot, *VARIABLES):
        return "_"
    if isinstance(term, str):
        return term or "void"
    return show_dimension(term)


def counted(number: Any) -> str:
    """So many elements, in words."""
    return f"{show_term(number)} element{'' if number == 1 else 's'}"


def without_outcome(goal: Suspended) -> str:
    """Why a goal had no outcome; "" if nothing is to be said."""
    say = _SAID.get(goal.primitive.name)
    return "" if say is None else say(*goal.arguments)


def _append(front: Any, whole: Any, back: Any) -> str:
    known = [len(part) for part in (front, back) if type(part) is tuple]
    if type(whole) is tuple and len(whole) < sum(known):
        return f"{show_term(whole)} has fewer than {counted(sum(known))}"
    return ""


def _at(items: Any, index: Any, *_: Any) -> str:
    return f"{show_term(items)} has no element {index}" if type(items) is tuple and type(index) is int else ""


def of_one_length(*lists: Any) -> str:
    """Which of some lists differ in length, of those that are known; "" if none do."""
    known = [items for items in lists if type(items) is tuple]
    differ = len({len(items) for items in known}) > 1
    return f"{' and '.join(map(show_term, known))} differ in length" if differ else ""


def _unrolled(_: Any, __: Any, longer: tuple[int, ...], ___: int, *lists: Any) -> str:
    short = [
        f"{show_term(items)} has fewer than {counted(more)}"
        for items, more in zip(lists, longer, strict=True)
        if type(items) is tuple and len(items) < more
    ]
    return short[0] if short else "" if any(longer) else of_one_length(*lists)


def _is_no(what: str) -> Callable[[Any], str]:
    return lambda dtype: f"{show_term(dtype)} is {what}"


_SAID: dict[str, Callable[..., str]] = {
    "append": _append,
    "nth": _at,
    "element": _at,
    "replace": lambda items, result, index, _: _at(items if type(items) is tuple else result, index),
    "member": lambda item, items: f"{show_term(item)} is not among {show_term(items)}",
    "reverse": lambda items, other: f"{show_term(items)} is not {show_term(other)} backwards",
    "map": lambda _, *lists: of_one_length(*lists),
    "unroll": _unrolled,
    "is_float": _is_no("no float"),
    "is_integer": _is_no("no integer"),
    "is_signed": _is_no("no signed integer"),
    "is_index": _is_no("neither an integer nor bool"),
}
"""What is said of each primitive, of its arguments."""
