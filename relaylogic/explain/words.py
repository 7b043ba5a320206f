"""A premise that failed, in words: `5 is not 3`, `30 - 99 + 1 is -68, which is no extent`."""

from __future__ import annotations

import re
from typing import Any

from ..logic.compare import Compare
from ..logic.gradual import Agree, Follows
from ..logic.lists import Different, Length, SameLength
from ..logic.numbers import Arith, evaluate, show_number
from ..logic.terms import Cons, Slot
from ..logic.variables import VARIABLES
from ..types import show_dimension, show_shape, show_type
from ..types.terms import Type

__all__ = ["failed", "show_term"]


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


def failed(what: Any) -> str:
    """Why `what`, a constraint or a pair of terms that cannot be equal, does not hold; "" if nothing is to be said."""
    if what == "fail":
        return ""
    if type(what) is tuple:
        if any(type(side) is tuple and any(type(part) is tuple for part in side) for side in what):
            return ""  # several equations at once: no part of a program is a list of lists
        return f"{show_term(what[0])} is not {show_term(what[1])}"
    if isinstance(what, Compare):
        return _comparison(what)
    if isinstance(what, Agree):
        return f"{show_term(what.args[1])} is not {show_term(what.args[2])}"
    if isinstance(what, Follows):
        return f"{show_term(what.args[0])} is not {show_term(what.args[1])}"
    if isinstance(what, Different):
        return f"{show_term(what.left)} must be something else than {show_term(what.right)}"
    if isinstance(what, Length):
        return f"{show_term(what.items)} does not have {show_term(what.length)} elements"
    if isinstance(what, SameLength):
        return f"{' and '.join(map(show_term, what.lists))} differ in length"
    return re.sub(r"~_\d+|Slot\(\d+,?\)", "_", str(what)) + " does not hold"


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
                return f"{show_number(expression, lambda _: '_')} is {known}, which is no extent"
        return f"{_side(what.left)} is not {_side(what.right)}"
    if what.relation == "!=":
        return f"{_side(what.left)} must be something else than {_side(what.right)}"
    return f"{_side(what.left)} is more than {_side(what.right)}"
