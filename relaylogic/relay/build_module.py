"""As much of `tvm.relay.build_module` as concerns types: constants in place of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import RelayLogicError, said
from ..ir import Constant, Function, Var
from .absent import absent
from .constants import const
from .expr import bind

__all__ = ["bind_params_by_name"]


def bind_params_by_name(func: Function, params: Mapping[str, Any]) -> Function:
    """A function without the parameters of these names: constants of the values given stand for them.

    Names that no parameter has are left alone. Raises RelayLogicError where several parameters have one name.
    """
    if not isinstance(func, Function) or not isinstance(params, Mapping):
        raise TypeError(f"a Function and a dict of values are wanted, which {said(func)} and {said(params)} are not")
    bound: dict[Var, Constant] = {}
    named = [variable.name_hint for variable in func.params]
    for variable in func.params:
        if variable.name_hint in params:
            if named.count(variable.name_hint) > 1:
                raise RelayLogicError(f"several parameters of the function are called `{variable.name_hint}`")
            bound[variable] = const(params[variable.name_hint])
    made: Function = bind(func, bound)  # type: ignore[assignment]
    return made


def __getattr__(name: str) -> Any:
    raise absent("relay.build_module", name)
