"""Programs from elsewhere: models of other formats as Relay modules.

    >>> from relaylogic.frontend import from_onnx  # doctest: +SKIP
    >>> module = from_onnx("model.onnx")  # doctest: +SKIP
"""

from __future__ import annotations

from .onnx import from_onnx
from .onnx_errors import ONNXError

__all__ = ["ONNXError", "from_onnx"]
