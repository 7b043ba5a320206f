"""Models of other formats under the names of `tvm.relay.frontend`."""

from __future__ import annotations

from typing import Any

from ...frontend import ONNXError, from_onnx
from ..absent import absent

__all__ = ["ONNXError", "from_onnx"]


def __getattr__(name: str) -> Any:
    raise absent("relay.frontend", name)
