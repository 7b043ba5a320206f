"""Whether terms may be types at all, whatever a universe admits: extents are natural numbers, dtypes are dtypes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import said
from ..logic.terms.infix import Infix
from ..logic.terms.terms import Cons, Slot
from ..logic.terms.variables import VARIABLES
from .table import GRAPHS
from .terms import TensorType

__all__ = ["are_possible", "flaw", "is_tensor"]


def are_possible(terms: Iterable[Any]) -> bool:
    """Whether all tensor types in some terms are tensor types, as far as they are known."""
    others = [term for term in terms if type(term) is not TensorType or not is_tensor(term)]
    return not others or _impossible(others) is None


def flaw(terms: Iterable[Any]) -> str:
    """Why a tensor type in some terms is none: `-2 is no extent`; "" if all are."""
    found = _impossible(terms)
    if found is None:
        return ""
    shape, dtype = found.args
    extents = shape.prefix if type(shape) is Cons else shape
    if type(extents) is not tuple:
        return f"{said(shape)} is no shape" if not _is_open(shape) else f"{said(dtype)} is no dtype"
    wrong = [extent for extent in extents if not is_tensor(TensorType((extent,), "int8"))]
    return f"{said(wrong[0])} is no extent" if wrong else f"{said(dtype)} is no dtype"


def _impossible(terms: Iterable[Any]) -> TensorType | None:
    stack = [*terms]
    seen: set[Any] = set()
    while stack:
        term = stack.pop()
        kind = type(term)
        if kind is TensorType:
            if not is_tensor(term):
                return term  # type: ignore[no-any-return]
        elif kind is tuple:
            stack.extend(term)
        elif (kind in GRAPHS or kind is Cons) and term not in seen:
            seen.add(term)
            stack.extend(term.args)
    return None


def is_tensor(term: TensorType) -> bool:
    """Whether a tensor type is one, as far as it is known."""
    shape, dtype = term.args
    extents = shape.prefix if type(shape) is Cons else shape
    if type(extents) is tuple:
        for extent in extents:
            if (extent < 0) if type(extent) is int else not _is_open(extent):
                return False
    elif not _is_open(extents):
        return False
    return type(dtype) is str or _is_open(dtype)


def _is_open(term: Any) -> bool:
    """Whether a term may turn out to be a number, a list of numbers or a dtype: a variable, a parameter, arithmetic."""
    return type(term) in VARIABLES or isinstance(term, (Infix, Slot))
