"""A premise that failed, in words: `5 is not 3`, `30 - 99 + 1 is -68, which is no extent`."""

from __future__ import annotations

from typing import Any

from ...logic.constraints.compare import Compare
from ...logic.constraints.different import Different
from ...logic.constraints.gradual import Agree, Follows, Test
from ...logic.constraints.lengths import AtLeast, Length, SameLength
from ...logic.states.suspended import Suspended
from ...logic.terms.numbers import UNKNOWN, Arith, evaluate, show_number
from ...logic.terms.terms import Cons, Slot
from ...logic.terms.variables import VARIABLES
from ...types.terms import TensorType, TupleType, Type
from .outcomes import counted, of_one_length, show_term, without_outcome

__all__ = ["failed", "show_term"]


def failed(what: Any) -> str:
    """Why `what`, a constraint or a pair of terms that cannot be equal, does not hold; "" if nothing is to be said."""
    if what == "fail":
        return ""
    if type(what) is tuple:
        if any(type(side) is tuple and any(type(part) is tuple for part in side) for side in what):
            return ""  # several equations at once: no part of a program is a list of lists
        return _unequal(*what)
    if isinstance(what, Compare):
        return _comparison(what)
    if isinstance(what, Agree):
        return f"{show_term(what.args[1])} is not {show_term(what.args[2])}"
    if isinstance(what, Follows):
        return f"{show_term(what.args[0])} is not {show_term(what.args[1])}"
    if isinstance(what, Different):
        return f"{show_term(what.left)} must be something else than {show_term(what.right)}"
    if isinstance(what, Length):
        return _length(what)
    if isinstance(what, AtLeast):
        return f"{show_term(what.args[0])} has fewer than {counted(what.args[1])}"
    if isinstance(what, Test):
        return _TESTED.get(what.args[0], "")
    if isinstance(what, SameLength):
        return of_one_length(*what.lists)
    return without_outcome(what) if isinstance(what, Suspended) else ""


_TESTED = {"known": "the number is `?`", "unknown": "the number is not `?`"}


def _unequal(left: Any, right: Any) -> str:
    """Why two terms are not equal: that one is no tensor or no tuple, where the other is any."""
    for term, other in ((left, right), (right, left)):
        form = _any_of(other)
        if form and isinstance(term, Type) and type(term) is not type(other):
            return f"{show_term(term)} is no {form}"
        size = _any_of_size(other)
        if type(term) is tuple and size is not None and len(term) != size:
            few = f"has fewer than {counted(size)}"
            return f"{show_term(term)} {few if type(other) is Cons else f'does not have {counted(size)}'}"
    if type(left) is TensorType and type(right) is TensorType:
        apart = [pair for pair in zip(left.args, right.args, strict=True) if pair[0] != pair[1]]
        known = [pair for pair in apart if not any(type(part) in (Slot, *VARIABLES) for part in pair)]
        if len(known) == 1:  # a number alone is written as its dtype
            ((left, right),) = known
    return f"{show_term(left)} is not {show_term(right)}"


def _any_of(term: Any) -> str:
    """What a type is that says no more than its form: "tensor", "tuple"; "" if it says more."""
    if type(term) in (TensorType, TupleType) and all(type(part) in (Slot, *VARIABLES) for part in term.args):
        return "tensor" if type(term) is TensorType else "tuple"
    return ""


def _any_of_size(term: Any) -> int | None:
    """How many elements a list has, or at least, of which no more than that is known."""
    items = term.prefix if type(term) is Cons else term
    is_open = type(items) is tuple and items and all(type(part) in (Slot, *VARIABLES) for part in items)
    return len(items) if is_open and len(set(items)) == len(items) else None


def _length(what: Length) -> str:
    if what.length is UNKNOWN:
        return "the number of elements is `?`"
    return f"{show_term(what.items)} does not have {counted(what.length)}"


def _value(expression: Any) -> Any:
    try:
        return evaluate(expression, {})
    except (ZeroDivisionError, TypeError):
        return None


def _side(expression: Any) -> str:
    """One side of a comparison, with its value if that is not plain to see."""
    text = show_number(expression, lambda _: "_")
    value = _value(expression)
    return f"{text} = {value}" if isinstance(expression, Arith) and value is not None and str(value) != text else text


def _comparison(what: Compare) -> str:
    left, right = _value(what.left), _value(what.right)
    if what.relation == "=":
        for known, expression, other in ((left, what.left, right), (right, what.right, left)):
            if type(known) is int and known < 0 and other is None:
                text = show_number(expression, lambda _: "_")
                return f"{text} is no extent" if text == str(known) else f"{text} is {known}, which is no extent"
        return f"{_side(what.left)} is not {_side(what.right)}"
    if what.relation == "!=":
        return f"{_side(what.left)} must be something else than {_side(what.right)}"
    return f"{_side(what.left)} is more than {_side(what.right)}"
