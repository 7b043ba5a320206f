"""What tests of programs use, under the names of `tvm.relay.testing`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import said
from ..ir import Expr, Function, IRModule
from ..types import TensorType
from .absent import absent
from .constants import NDArray
from .nd import array
from .passes import Pass
from .transform import InferType

__all__ = ["create_workload", "run_infer_type", "run_opt_pass"]


def run_opt_pass(expr: Expr, opt_pass: Pass, import_prelude: bool = False) -> Any:
    """What a pass makes of an expression; a function stays one."""
    if not isinstance(opt_pass, Pass):
        raise TypeError(f"a pass is run, which {said(opt_pass)} is not")
    mod = IRModule.from_expr(expr)
    if import_prelude:
        mod.import_from_std("prelude.rly")
    main: Function = opt_pass(mod)["main"]
    return main if isinstance(expr, Function) else main.body


def run_infer_type(expr: Expr) -> Any:
    """The expression, which has a `checked_type` from now on."""
    return run_opt_pass(expr, InferType())


def create_workload(
    net: Expr, initializer: Callable[[str, Any], Any] | None = None, seed: int = 0
) -> tuple[IRModule, dict[str, NDArray]]:
    """A module of a network whose types are inferred, and values for its parameters, except for `data`.

    Values are drawn at random, unless `initializer(name, array)` writes others. Raises TypeInferenceError; TypeError
    for a parameter that is no tensor of known extents.
    """
    import numpy

    mod = InferType()(IRModule.from_expr(net))
    random, params = numpy.random.default_rng(seed), {}
    for variable in mod["main"].params:
        if variable.name_hint != "data":
            found = variable.checked_type
            if type(found) is not TensorType:
                raise TypeError(f"values are drawn for tensors, and `%{variable.name_hint}` is {found}")
            values = random.random(found.concrete_shape).astype(found.dtype)
            if initializer is not None:
                initializer(variable.name_hint, values)
            params[variable.name_hint] = array(values)
    return mod, params


def __getattr__(name: str) -> Any:
    raise absent("relay.testing", name)
