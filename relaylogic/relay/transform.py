"""Passes: `InferType`, which gives a view of a module whose expressions know their types, and what goes with it."""

from __future__ import annotations

from typing import Any

from ..ir import Expr, Function, IRModule
from .absent import absent
from .expr import TupleWrapper
from .inferring import TypeInferenceError, with_types
from .pass_info import PassInfo
from .passes import (
    AnnotateSpans,
    FunctionPass,
    InferType,
    ModulePass,
    Pass,
    PassContext,
    PassError,
    PrintIR,
    Sequential,
    function_pass,
    module_pass,
)

__all__ = [
    "AnnotateSpans",
    "FunctionPass",
    "InferType",
    "InferTypeLocal",
    "ModulePass",
    "Pass",
    "PassContext",
    "PassError",
    "PassInfo",
    "PrintIR",
    "Sequential",
    "TypeInferenceError",
    "function_pass",
    "module_pass",
]


def InferTypeLocal(expr: Expr) -> Any:
    """The type of an expression on its own, which has a `checked_type` from now on.

    Variables that are free in it are known by their annotations, or inferred. Raises TypeInferenceError, LimitReached.
    """
    expr = expr.astuple() if isinstance(expr, TupleWrapper) else expr
    module = IRModule.from_expr(expr)
    with_types(module)
    main: Function = module["main"]
    return (main if expr is main else expr).checked_type


def __getattr__(name: str) -> Any:
    raise absent("relay.transform", name)
