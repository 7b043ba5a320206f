"""Functions under the names of `tvm.relay.function`."""

from __future__ import annotations

from ..ir import Function
from .with_fields import FunctionWithFields

__all__ = ["Function", "FunctionWithFields"]
