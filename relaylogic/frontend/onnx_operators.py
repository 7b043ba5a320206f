"""The table of converters: from operators, with their domain unless it is the default one, to functions of a node."""

from __future__ import annotations

from typing import Any

from .onnx_elementwise import ELEMENTWISE
from .onnx_gradient import GRADIENTS
from .onnx_indices import INDICES
from .onnx_layers import LAYERS
from .onnx_node import Node
from .onnx_sequences import SEQUENCES
from .onnx_shapes import SHAPES
from .onnx_slices import SLICES
from .onnx_text import TEXT
from .onnx_windows import WINDOWS

__all__ = ["CONVERTERS", "operator_name"]


def operator_name(proto: Any) -> str:
    """The name of a node's operator, with its domain unless that is the default one."""
    return proto.op_type if proto.domain in ("", "ai.onnx") else f"{proto.domain}.{proto.op_type}"


def _constant(node: Node) -> Any:
    """A tensor, a number or a list of numbers, by whichever attribute there is."""
    tensor = node.attr("value")
    if tensor is not None:
        return node.graph.weight(tensor, node.outputs[0])
    import numpy

    for name, dtype in (("value_float", "float32"), ("value_int", "int64")):
        if name in node.attributes:
            return node.graph.scalar(node.attr(name), dtype)
        if f"{name}s" in node.attributes:
            return node.graph.constant(numpy.array(node.attr(f"{name}s"), dtype=object), dtype)
    raise node.fail("a Constant of strings, or a sparse one, has no conversion")


CONVERTERS: dict[str, Any] = {
    **ELEMENTWISE,
    **GRADIENTS,
    **INDICES,
    **LAYERS,
    **SEQUENCES,
    **SHAPES,
    **SLICES,
    **TEXT,
    **WINDOWS,
    "Constant": _constant,
    "Identity": lambda n: n.inputs[0],
}
