"""What tests of programs use, under the names of `tvm.relay.testing`."""

from __future__ import annotations

from typing import Any

from ...errors import said
from ...ir import Expr, Function, IRModule
from ..absent import absent
from ..passes import Pass
from ..transform import InferType
from . import init
from .init import create_workload

__all__ = ["create_workload", "init", "run_infer_type", "run_opt_pass"]


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


def __getattr__(name: str) -> Any:
    raise absent("relay.testing", name)
