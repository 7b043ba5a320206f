"""The type arguments of a call that inference typed: found again from the types of the call's parts."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..infer.sites.schemes import instantiate
from ..infer.sites.store import Mismatch, Store
from ..ir import Call, Op
from ..types import FuncType, IncompleteType

__all__ = ["type_arguments"]


def type_arguments(call: Call) -> tuple[Any, ...]:
    """For an operator, the types of the arguments; for a polymorphic function, its type parameters at this call.

    None of them before inference.
    """
    args = tuple(a.checked_type_or_none for a in call.args)
    result, callee = call.checked_type_or_none, call.op.checked_type_or_none
    if result is None or None in args:
        return ()
    if isinstance(call.op, Op):
        return args
    if type(callee) is not FuncType or not callee.type_params:
        return ()
    store = Store()
    holes = [IncompleteType(p.kind) for p in callee.type_params]
    equations: list[Any] = []
    with suppress(Mismatch):  # what the call was typed with says enough of the parameters
        store.unify(instantiate(callee, holes, equations), FuncType(args, result, (), callee.type_constraints))
    return tuple(store.reify(hole) for hole in holes)
