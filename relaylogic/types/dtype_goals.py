"""Goals that a dtype is of a kind, as soon as it is known: clause notation has a word for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..logic.states.state import State
from ..logic.states.suspended import Primitive, primitive
from ..logic.terms.rebuilding import reify_term
from .dtypes import family, is_float, is_integer
from .universe import DTYPES

__all__ = ["OF_KIND", "is_float_dtype", "is_index_dtype", "is_integer_dtype", "is_signed_dtype"]


def _of_kind(word: str, what: str) -> Primitive:
    """The goal `word` that a dtype is of a kind, which is `what`."""
    holds = OF_KIND[word]

    def run(state: State, dtype: Any) -> Iterator[Any]:
        known = reify_term(dtype, state.bindings)
        return iter((state,) if isinstance(known, str) and holds(known) else ())

    run.__doc__ = f"The goal that a dtype is {what}."
    return primitive(word, 0, tries=DTYPES)(run)


OF_KIND: dict[str, Callable[[str], bool]] = {
    "is_float": is_float,
    "is_integer": is_integer,
    "is_signed": lambda dtype: family(dtype) == "int",
    "is_index": lambda dtype: family(dtype) in ("int", "uint", "bool"),
}
"""Whether a dtype is of a kind, by the word of clause notation."""

is_float_dtype = _of_kind("is_float", "a float or bfloat")
is_integer_dtype = _of_kind("is_integer", "a signed or unsigned integer, which bool is not")
is_signed_dtype = _of_kind("is_signed", "a signed integer")
is_index_dtype = _of_kind("is_index", "an integer or bool")
