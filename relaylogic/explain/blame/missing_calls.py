"""Calls of functions that may be missing: a function is given where what it gives is meant, or what it takes is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...infer.sites.schemes import holes, signature_of
from ...logic.terms.variables import VARIABLES
from ...types import FuncType, TupleType
from ..refusals.differences import compatible, denied
from .conversions import Conversion
from .slips import result_of_value

if TYPE_CHECKING:
    from ...infer.program import Inference

__all__ = ["missing_calls"]


def missing_calls(own: Any, needed: Any, functions: Mapping[str, Any], inference: Inference) -> Iterator[Conversion]:
    """The calls that may be missing at a value of type `own` where something `needed` is wanted: of the value itself,
    or of one of some `functions` with it, or with the fields of it as arguments. The names say which function."""
    if own is None or type(needed) in VARIABLES or not denied(own, needed):
        return
    if type(own) is FuncType:
        _, made, _ = signature_of(own, holes(own.type_params))
        if compatible(made, needed):
            yield Conversion("a call of {} in its place", made if getattr(made, "ground", False) else needed)
        return
    for name, function in functions.items():
        made = result_of_value(function, (own,), needed, inference)
        if made is not None:
            yield Conversion(f"`{name}` around {{}}", made)
    fields = own.fields if type(own) is TupleType and type(own.fields) is tuple else ()
    for name, function in functions.items() if len(fields) > 1 else ():
        made = result_of_value(function, fields, needed, inference)
        if made is not None:
            yield Conversion(f"`{name}` called with the fields of {{}}", made)
