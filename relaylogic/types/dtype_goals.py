"""Goals that a dtype is of a kind, as soon as it is known: clause notation has a word for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..logic.state import State
from ..logic.suspended import Primitive, primitive
from ..logic.terms import reify_term
from .dtypes import family, is_float, is_integer
from .universe import DTYPES

__all__ = ["is_float_dtype", "is_index_dtype", "is_integer_dtype", "is_signed_dtype"]


def _of_kind(word: str, holds: Callable[[str], bool], what: str) -> Primitive:
    """The goal `word` that a dtype satisfies a predicate, which is `what`."""

    def run(state: State, dtype: Any) -> Iterator[Any]:
        known = reify_term(dtype, state.bindings)
        return iter((state,) if isinstance(known, str) and holds(known) else ())

    run.__doc__ = f"The goal that a dtype is {what}."
    return primitive(word, 0, tries=DTYPES)(run)


is_float_dtype = _of_kind("is_float", is_float, "a float or bfloat")
is_integer_dtype = _of_kind("is_integer", is_integer, "a signed or unsigned integer, which bool is not")
is_signed_dtype = _of_kind("is_signed", lambda dtype: family(dtype) == "int", "a signed integer")
is_index_dtype = _of_kind("is_index", lambda dtype: family(dtype) in ("int", "uint", "bool"), "an integer or bool")
