"""Inference: call sites from expressions, the worklist over them, verdicts."""

from __future__ import annotations

from .program import Inference, infer_call, infer_module
from .result import CallType, Problem, Residue, Result

__all__ = ["CallType", "Inference", "Problem", "Residue", "Result", "infer_call", "infer_module"]
