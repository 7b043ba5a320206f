"""Polymorphic types: instances of them, with types put for their type parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..types import FuncType
from ..types.substitution import Equation, substitute

__all__ = ["Equation", "instantiate", "substitute"]


def instantiate(function: Any, values: Sequence[Any], equations: list[Any]) -> Any:
    """The function type with `values` for its type parameters; constraints are kept."""
    replacement = dict(zip(function.type_params, values, strict=True))
    body = FuncType(function.arg_types, function.ret_type, (), function.type_constraints)
    return substitute(body, replacement, equations)
