"""What an operator's specification says of its nodes: how many inputs and outputs, element types of inputs, kinds of
attributes.
"""

from __future__ import annotations

from typing import Any

from ..errors import several
from ..types import Type
from .onnx_graph import Graph
from .onnx_load import onnx_package
from .onnx_types import element_type
from .onnx_values import Value

__all__ = ["check_node"]


def check_node(graph: Graph, proto: Any, version: int) -> None:
    """Refuse a node that its operator's specification does not allow, if the package onnx knows that.

    An attribute that it does not speak of is left alone: exporters write such. Raises ONNXError.
    """
    onnx = onnx_package()
    name, domain = proto.op_type, "" if proto.domain == "ai.onnx" else proto.domain
    try:
        schema = onnx.defs.get_schema(name, version, domain)
    except onnx.defs.SchemaError:
        return
    for what, given, most in (("input", proto.input, schema.max_input), ("output", proto.output, schema.max_output)):
        count = max([i + 1 for i, item in enumerate(given) if item], default=0)
        if count > most:
            raise graph.fail(f"{name} may have {several(most, what)} at most, not {count}")
    _check_inputs(graph, proto, schema)
    kinds = onnx.AttributeProto.AttributeType
    attributes = {item.name: item for item in proto.attribute}
    for key, stated in schema.attributes.items():
        item = attributes.get(key)
        if item is None and stated.required:
            raise graph.fail(f"{name} has no attribute `{key}`")
        if item is not None and item.type != stated.type.value:
            own, wanted = (kinds.Name(kind) for kind in (item.type, stated.type.value))
            raise graph.fail(f"the attribute `{key}` of {name} is of the kind {own}, but {wanted} is wanted")


def _check_inputs(graph: Graph, proto: Any, schema: Any) -> None:
    """Refuse tensors of an element type that the operator does not take; whether inputs agree is seen later."""
    for index, item in enumerate(proto.input):
        value = graph.value(item) if item else None
        if isinstance(value, Value) and not isinstance(value.type, Type):
            raise graph.fail(f"whether `{item}`, input {index} of {proto.op_type}, is a tensor is not found out")
        own = element_type(value.type.dtype) if isinstance(value, Value) else None
        kinds = schema.inputs[min(index, len(schema.inputs) - 1)].types
        if own is not None and f"tensor({own})" not in kinds:
            wanted = ", ".join(sorted(kind[7:-1] for kind in kinds if kind.startswith("tensor(")))
            raise graph.fail(
                f"input {index} of {proto.op_type} is of the element type {own}, but it is one of {wanted}"
            )
