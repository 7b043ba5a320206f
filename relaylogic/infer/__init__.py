"""Inference: call sites from expressions, the worklist over them, verdicts. The package is called as `api.infer`."""

from __future__ import annotations

from ..host.callable_package import make_callable
from .program import Inference
from .results.result import CallType, Problem, Residue, Result

__all__ = ["CallType", "Inference", "Problem", "Residue", "Result"]

make_callable(__name__, "relaylogic.api", "infer")
