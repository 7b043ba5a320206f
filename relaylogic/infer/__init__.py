"""Inference: call sites from expressions, the worklist over them, verdicts. The package is called as `api.infer`."""

from __future__ import annotations

from ..callable_package import make_callable
from .program import Inference, infer_call, infer_module
from .result import CallType, Problem, Residue, Result

__all__ = ["CallType", "Inference", "Problem", "Residue", "Result", "infer_call", "infer_module"]

make_callable(__name__, "relaylogic.api", "infer")
